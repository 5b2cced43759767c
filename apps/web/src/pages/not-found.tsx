import type { NotFound } from '../page.ts'

/** An address that leads nowhere, and the way back. */
export function NotFoundPage({ page }: { page: NotFound }) {
  return (
    <div className="mx-auto max-w-295 px-4 py-24 text-center md:px-6">
      <h1 className="text-3xl font-bold tracking-tight">{page.title}</h1>
      <p className="mt-2 mb-7 text-soft">{page.text}</p>
      <a href="/" className="button primary">
        {page.button}
      </a>
    </div>
  )
}
