import type { Page } from '../page.ts'
import { Cards } from './home.tsx'

/** All tools of one category. */
export function CategoryPage({ page: { category } }: { page: Extract<Page, { kind: 'category' }> }) {
  return (
    <div className="mx-auto max-w-295 px-4 pt-7 pb-16 md:px-6">
      <nav aria-label="Breadcrumb" className="crumb">
        <a href="/">Home</a> / <span aria-current="page">{category.title}</span>
      </nav>
      <h1 className="title">{category.title}</h1>
      <p className="lead">{category.summary}</p>
      <div className="mt-6">
        <Cards cards={category.tools} />
      </div>
    </div>
  )
}

/** Every tool on one page. */
export function IndexPage({ page }: { page: Extract<Page, { kind: 'index' }> }) {
  return (
    <div className="mx-auto max-w-295 px-4 pt-7 pb-16 md:px-6">
      <nav aria-label="Breadcrumb" className="crumb">
        <a href="/">Home</a> / <span aria-current="page">All tools</span>
      </nav>
      <h1 className="title">All tools</h1>
      <p className="lead">
        {page.count} {page.count === 1 ? 'tool' : 'tools'} by category.
      </p>
      {page.categories.map(({ slug, title, href, tools }) => (
        <section key={slug} className="mt-8" aria-labelledby={slug}>
          <h2 id={slug} className="mb-2 text-base font-semibold">
            <a href={href} className="hover:text-accent">
              {title}
            </a>
          </h2>
          <ul className="columns-1 gap-8 text-sm sm:columns-2 md:columns-3 lg:columns-4">
            {tools.map(tool => (
              <li key={tool.href} className="break-inside-avoid">
                <a href={tool.href} className="block py-1 text-soft hover:text-ink">
                  {tool.title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
