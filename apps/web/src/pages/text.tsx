import type { Page } from '../page.ts'
import { Prose } from './prose.tsx'

/** A page that is only text. */
export function TextPage({ page }: { page: Extract<Page, { kind: 'text' }> }) {
  return (
    <article className="mx-auto max-w-180 px-4 pt-7 pb-16 md:px-6">
      <nav aria-label="Breadcrumb" className="crumb">
        <a href="/">Home</a> / <span aria-current="page">{page.title}</span>
      </nav>
      <h1 className="title">{page.title}</h1>
      <Prose blocks={page.blocks} heading="h2" />
    </article>
  )
}
