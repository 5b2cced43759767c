import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { catalogue } from '@assay/catalogue/catalogue'
import { type Action, categories, type FieldData, type Tool } from '@assay/kit'
import { dist } from './bundle.ts'
import { applicationForm } from './careers.ts'
import { hrefOf, type Sources } from './model.ts'
import { standIns } from './settings.ts'
import type { Page } from './src/page.ts'
import type { Entry } from './src/search.ts'

interface Parts {
  pages: readonly Page[]
  sources: Sources
  themeScript: string
}

/** The files of the site that are neither pages nor bundles, by name. */
export function siteFiles({ pages, sources, themeScript }: Parts): Record<string, string> {
  const { settings } = sources
  const shown = pages.filter(({ head }) => !head.hidden && (head.canonical ?? head.path) === head.path)
  return {
    'csp.json': JSON.stringify({
      scriptHashes: [`sha256-${digest(themeScript, 'base64')}`],
      connect: connections(pages, sources),
    }),
    'careers.json': JSON.stringify(applicationForm()),
    'stand-ins.json': JSON.stringify(standIns),
    'search.json': JSON.stringify(catalogue.flatMap(searchEntries)),
    'offline.json': JSON.stringify(offlineFiles(sources)),
    'sitemap.xml': sitemap(shown.map(({ head }) => settings.base + head.path)),
    'robots.txt': `User-agent: *\nAllow: /\nAllow: /api/docs/\nDisallow: /api/\nSitemap: ${settings.base}/sitemap.xml\n`,
    'site.webmanifest': manifest(settings.brand),
    'sw.js': serviceWorker(sources),
    'build.txt': `${Date.now()}\n`,
  }
}

/** The other origins that pages may connect to, by path: where the accounts are, and those that a tool's view names. */
function connections(pages: readonly Page[], { settings, views }: Sources): Record<string, readonly string[]> {
  const accounts = settings.authBase ? [new URL(settings.authBase).origin] : undefined
  return Object.fromEntries(
    pages.flatMap(page => {
      const view = page.kind === 'tool' && page.tool.view
      const origins = view ? views[view]?.connect : 'account' in page ? accounts : undefined
      return origins ? [[page.head.path, origins]] : []
    }),
  )
}

const digest = (text: string, encoding: 'base64' | 'hex') => createHash('sha256').update(text).digest(encoding)

const sitemap = (addresses: readonly string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${addresses
    .map(address => `<url><loc>${address.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</loc></url>\n`)
    .join('')}</urlset>\n`

function manifest(brand: string): string {
  const icon = (size: number) => ({ src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png' })
  return JSON.stringify({
    name: brand,
    short_name: brand,
    description: 'DNS, network, security and cryptography tools.',
    start_url: '/',
    display: 'standalone',
    background_color: '#fbfbfa',
    theme_color: '#3b4fd8',
    icons: [icon(192), icon(512), { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' }],
  })
}

/** What the palette knows of a tool: one entry for each of its actions. */
function searchEntries(tool: Tool): Entry[] {
  const category = categories.find(({ slug }) => slug === tool.category)?.title ?? ''
  return tool.actions.map(action => ({
    title: action.title,
    href: hrefOf(tool, action),
    category,
    words: [tool.id.replaceAll('-', ' '), ...tool.keywords, ...tool.specs].join(', ').toLowerCase(),
    runs: tool.runs,
    takes: takesOf(action),
  }))
}

/** Fields that say what they take; of an action where none does, the first that takes any text. */
function takesOf({ fields }: Action): Entry['takes'] {
  const all = Object.entries(fields)
  const entry = (field: string, kinds: readonly string[], { secret }: FieldData) => ({
    field,
    kinds,
    ...(secret && { secret }),
  })
  const declared = all.filter(([, { takes }]) => takes?.length)
  if (declared.length) return declared.map(([name, data]) => entry(name, data.takes ?? [], data))
  const [first] = all.filter(([, { kind, secret }]) => !secret && (kind === 'bytes' || kind === 'text'))
  return first ? [entry(first[0], ['text'], first[1])] : []
}

/** Pages and chunks of the tools that run in the browser, for the installed app. */
function offlineFiles({ bundle }: Sources): string[] {
  const tools = catalogue.filter(({ runs }) => runs === 'anywhere')
  const assets = readdirSync(`${dist}assets`).filter(name => name.endsWith('.js'))
  return [
    ...tools.flatMap(tool => tool.actions.map(action => hrefOf(tool, action))),
    bundle.worker.file,
    ...assets.map(name => `/assets/${name}`),
  ]
}

/** The worker as it was built, preceded by what it keeps from the start and a version that changes with the site. */
function serviceWorker({ bundle: { assets, worker } }: Sources): string {
  const built = readFileSync(`${dist}sw.js`, 'utf8')
  const scripts = Object.values(assets.scripts).flatMap(({ file, imports }) => [file, ...imports])
  const shell = [...new Set(['/', assets.style, ...assets.fonts, ...scripts, worker.file, ...worker.imports])]
  const version = digest(readdirSync(`${dist}assets`).sort().join(' ') + built, 'hex').slice(0, 12)
  return `const VERSION=${JSON.stringify(version)},SHELL=${JSON.stringify(shell)};\n${built}`
}
