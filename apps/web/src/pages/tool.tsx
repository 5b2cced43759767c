import { Tool } from '../islands/tool.tsx'
import type { Link, ToolPage } from '../page.ts'
import { Prose } from './prose.tsx'

/** A tool between its related tools: what is alive on it, then what it is and who defined it. */
export function ToolScreen({ page }: { page: ToolPage }) {
  const { tool, related } = page
  return (
    <div className="mx-auto grid max-w-330 gap-9 px-4 pt-7 pb-16 md:px-6 lg:grid-cols-[190px_minmax(0,1fr)_190px] xl:grid-cols-[210px_minmax(0,1fr)_210px]">
      <div className="min-w-0 lg:col-start-2 lg:row-start-1">
        <div data-island="tool">
          <Tool model={tool} />
        </div>
        <noscript>
          <p className="caution">This tool needs JavaScript. The API and the command-line program do not.</p>
        </noscript>
        <section className="mt-12" aria-labelledby="what-is">
          <h2 id="what-is" className="text-xl font-bold tracking-tight">
            {`What is ${tool.title}?`}
          </h2>
          <Prose blocks={page.prose} heading="h3" />
        </section>
        <Specifications specs={page.specs} />
      </div>
      <Related links={related.left} side="left" />
      <Related links={related.right} side="right" />
    </div>
  )
}

function Related({ links, side }: { links: readonly Link[]; side: 'left' | 'right' }) {
  if (!links.length) return null
  const column = side === 'left' ? 'lg:col-start-1' : 'lg:col-start-3'
  return (
    <aside className={`related lg:row-start-1 ${column}`} aria-label={`Related Tools, ${side}`}>
      <h2>Related Tools</h2>
      <ul>
        {links.map(({ title, href }) => (
          <li key={href}>
            <a href={href}>{title}</a>
          </li>
        ))}
      </ul>
    </aside>
  )
}

function Specifications({ specs }: { specs: ToolPage['specs'] }) {
  if (!specs.length) return null
  return (
    <section className="mt-8" aria-labelledby="specs">
      <h2 id="specs" className="text-sm font-semibold">
        Specifications
      </h2>
      <ul className="mt-2 flex flex-wrap gap-2">
        {specs.map(({ name, href }) => (
          <li key={name}>
            {href ? (
              <a className="chip hover:text-ink" href={href} rel="noopener">
                {name}
              </a>
            ) : (
              <span className="chip">{name}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
