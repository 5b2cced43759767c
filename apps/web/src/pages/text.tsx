import type { TextPage as Text } from '../page.ts'
import { ContactForm } from './contact-form.tsx'
import { Prose } from './prose.tsx'

/** A page that is only text, or text around the contact form. */
export function TextPage({ page }: { page: Text }) {
  const before = page.contact ? 1 : page.blocks.length
  return (
    <article className="mx-auto max-w-180 px-4 pt-7 pb-16 md:px-6">
      <nav aria-label="Breadcrumb" className="crumb">
        <a href="/">Home</a> / <span aria-current="page">{page.title}</span>
      </nav>
      <h1 className="title">{page.title}</h1>
      <Prose blocks={page.blocks.slice(0, before)} heading="h2" />
      {page.contact && <ContactForm contact={page.contact} />}
      {page.contact && <Prose blocks={page.blocks.slice(before)} heading="h2" />}
    </article>
  )
}
