import { Paste } from '../islands/paste.tsx'
import type { Card, Category, Page } from '../page.ts'

/** The front page: what to do first, then every category with its tools. */
export function HomePage({ page }: { page: Extract<Page, { kind: 'home' }> }) {
  return (
    <div className="mx-auto max-w-295 px-4 pt-10 pb-16 md:px-6 md:pt-14">
      <h1 className="mx-auto max-w-[18ch] text-center text-4xl leading-[1.15] font-bold tracking-tight text-balance md:text-[46px]">
        Paste it. See what it is, and whether it holds.
      </h1>
      <p className="mx-auto mt-3 mb-7 max-w-[58ch] text-center text-[17px] text-soft text-balance">
        {page.count} DNS, network, security and cryptography {page.count === 1 ? 'tool' : 'tools'}. No sign‑in, no
        paywall. What can run in your browser never leaves it.
      </p>
      <div data-island="paste">
        <Paste />
      </div>
      {page.categories.map(category => (
        <Section key={category.slug} category={category} />
      ))}
    </div>
  )
}

function Section({ category }: { category: Category }) {
  const { length } = category.tools
  return (
    <section className="mt-11" aria-labelledby={category.slug}>
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 id={category.slug} className="text-lg font-semibold tracking-tight">
          <a href={`/${category.slug}`} className="hover:text-accent">
            {category.title}
          </a>
        </h2>
        <a href={category.href} className="text-[13px] whitespace-nowrap text-soft hover:text-ink" tabIndex={-1}>
          {length} {length === 1 ? 'tool' : 'tools'} →
        </a>
      </div>
      <Cards cards={category.tools} />
    </section>
  )
}

/** The grid of links that a category is. */
export function Cards({ cards }: { cards: readonly Card[] }) {
  return (
    <ul className="grid grid-cols-1 gap-2.5 sm:grid-cols-2 md:grid-cols-3 lg:grid-cols-4">
      {cards.map(({ title, href, summary }) => (
        <li key={href}>
          <a href={href} className="tool-card">
            {title}
            <small>{summary}</small>
          </a>
        </li>
      ))}
    </ul>
  )
}
