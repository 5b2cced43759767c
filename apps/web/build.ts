import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { buildClient, buildRenderer, dist, findTopics } from './bundle.ts'
import { deliveringPages } from './careers.ts'
import { compressAll } from './compress.ts'
import { allPages, notFoundPages, siteOf } from './pages.ts'
import { readSettings, type Settings } from './settings.ts'
import { siteFiles } from './site-files.ts'

export interface BuildOptions {
  settings: Settings
  /** Quick and readable: no minifying, no compressing, pages that reload themselves. */
  development?: boolean
}

/** Builds the whole site into dist. */
export async function buildSite({ settings, development = false }: BuildOptions): Promise<{ pages: number }> {
  const topics = await findTopics()
  const bundle = await buildClient(topics, development)
  const renderer = await buildRenderer(development)
  const sources = { settings, topics, bundle, views: renderer.views }
  const site = siteOf(sources)
  const pages = allPages(sources)
  for (const page of pages) write(fileOf(page.head.path), await renderer.renderPage(page, site))
  for (const [file, page] of Object.entries({ ...notFoundPages(settings), ...deliveringPages(settings) })) {
    write(file, await renderer.renderPage(page, site))
  }
  write('pages.json', JSON.stringify(pages.map(({ head }) => head.path)))
  for (const [file, text] of Object.entries(siteFiles({ pages, sources, themeScript: renderer.themeScript }))) {
    write(file, text)
  }
  if (!development) await compressAll(dist)
  return { pages: pages.length }
}

/** /dns-tools/whois/ is dns-tools/whois/index.html. */
const fileOf = (path: string) => `${path.slice(1)}index.html`

function write(file: string, text: string): void {
  mkdirSync(dirname(dist + file), { recursive: true })
  writeFileSync(dist + file, text)
}

if (import.meta.main) {
  const started = performance.now()
  const development = process.argv.includes('--development')
  const settings = readSettings(process.env)
  const { pages } = await buildSite({ settings, development })
  console.log(`${pages} pages in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}
