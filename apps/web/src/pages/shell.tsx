import type { ReactNode } from 'react'
import type { Page, Site } from '../page.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

/**
 * Runs before the first paint, so that no page flashes in the wrong theme: the saved choice, else what the operating
 * system prefers. Its hash is the only one in the content policy.
 */
export const themeScript =
  "(d=>{let t;try{t=localStorage.getItem('theme')}catch{}if(t==='dark'||t==='light')d.dataset.theme=t;" +
  "d.classList.toggle('dark',t==='dark'||t!=='light'&&matchMedia('(prefers-color-scheme: dark)').matches)})" +
  '(document.documentElement)'

/** A JSON text that cannot end the script element it stands in. */
const json = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

/** The document around a page: head, bar, page, footer. */
export function Shell({ page, site, children }: { page: Page; site: Site; children: ReactNode }) {
  const { head } = page
  const island = islandOf(page)
  const scripts = [site.assets.scripts.chrome, ...(island ? [site.assets.scripts[island.name]] : [])]
  const own = new Set(scripts.map(({ file }) => file))
  const preloads = new Set(scripts.flatMap(({ imports }) => imports).filter(file => !own.has(file)))
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{head.title}</title>
        <meta name="description" content={head.description} />
        <script>{themeScript}</script>
        <link rel="stylesheet" href={site.assets.style} />
        {site.assets.fonts.map(font => (
          <link key={font} rel="preload" as="font" type="font/woff2" href={font} crossOrigin="" />
        ))}
        {[...preloads].map(file => (
          <link key={file} rel="modulepreload" href={file} fetchPriority="low" />
        ))}
        {scripts.map(({ file }) => (
          <script key={file} type="module" src={file} fetchPriority="low" />
        ))}
        <Metadata page={page} site={site} />
        {island?.data !== undefined && (
          <script type="application/json" id={`${island.name}-data`}>
            {json(island.data)}
          </script>
        )}
      </head>
      <body>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <Header site={site} />
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        <Footer site={site} />
      </body>
    </html>
  )
}

interface Island {
  name: Exclude<keyof Site['assets']['scripts'], 'chrome'>
  data?: unknown
}

/** What is alive on a page, and the data it starts with. */
function islandOf(page: Page): Island | undefined {
  if (page.kind === 'tool') return { name: 'tool', data: page.tool }
  if (page.kind === 'careers') return { name: 'careers', data: page.form }
  if (page.kind === 'auth' || page.kind === 'profile') return { name: page.kind, data: page.account }
  if (page.kind === 'return') return { name: 'return' }
  if (page.kind === 'text' && page.contact) return { name: 'contact' }
  return page.kind === 'home' ? { name: 'paste' } : undefined
}

function Metadata({ page: { head }, site }: { page: Page; site: Site }) {
  const address = site.base + (head.canonical ?? head.path)
  const image = new URL(head.image ?? '/og.png', site.base).href
  return (
    <>
      {head.private && <meta name="referrer" content="no-referrer" />}
      <meta name="robots" content={head.hidden ? 'noindex, follow' : 'index, follow'} />
      {!head.hidden && <link rel="canonical" href={address} />}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={site.brand} />
      <meta property="og:locale" content="en_US" />
      <meta property="og:title" content={head.title} />
      <meta property="og:description" content={head.description} />
      <meta property="og:url" content={address} />
      <meta property="og:image" content={image} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content="Paste it. See what it is, and whether it holds." />
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="twitter:title" content={head.title} />
      <meta name="twitter:description" content={head.description} />
      <meta name="twitter:image" content={image} />
      <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#15181e" media="(prefers-color-scheme: dark)" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="manifest" href="/site.webmanifest" />
      {head.structured.map(data => (
        <script key={String(data['@type'])} type="application/ld+json">
          {json(data)}
        </script>
      ))}
    </>
  )
}
