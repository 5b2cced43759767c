import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { categories, type Tool } from '@assay/kit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApplicationForm } from './careers.ts'
import { changedFile, type Encoding, REVALIDATED, type StoredFile, sendFile, storedFile } from './file.ts'
import { dataHeaders, type PagePolicy, pagePolicy } from './headers.ts'
import { fitted, type Installation, type StandIns } from './installation.ts'

/**
 * The built site, held in memory: what is served was listed when the server started, so no address can lead out of
 * the folder, and a page costs one look into a map.
 */
export interface Site {
  files: ReadonlyMap<string, StoredFile>
  policy: PagePolicy
  /** The form of the careers page, where it is sent to the server. */
  application?: ApplicationForm | undefined
  /** Answers a GET or HEAD that no route took. */
  serve(request: FastifyRequest, reply: FastifyReply): FastifyReply
}

const suffixes: Record<string, Encoding> = { '.br': 'br', '.gz': 'gzip' }

/** Files about the build, for this server and not for visitors. */
const PRIVATE =
  /^\/(?:csp\.json|pages\.json|stand-ins\.json|careers\.json|careers\/delivering\.html|404(?:\.html|\/.*))$/
/** Addresses whose query may hold tokens: nothing from there is kept, and no other address learns of them. */
const TOKEN_PATHS = /^\/(?:auth|user)\//
const tokenHeaders = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }
/** Addresses of the specification that other pages answer. */
const moved: Record<string, string> = { '/privacy/': '/privacy-policy/' }

/** Files that name the installation. */
const NAMING = /\.(?:html|json|txt|webmanifest|xml)$/

interface SiteOptions extends Partial<Installation> {
  /** The careers page sends its form to the server instead of keeping it in the browser. */
  careers?: boolean
}

/** Reads a built site and fits it to the installation; undefined when there is none. */
export async function readSite(
  folder: URL,
  tools: readonly Tool[],
  { careers, base, contact, root: path = '' }: SiteOptions = {},
): Promise<Site | undefined> {
  const root = fileURLToPath(folder)
  const names = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  if (!paths.some(path => path === join(root, 'index.html'))) return undefined

  const found = new Map<string, Map<Encoding, Buffer>>()
  for (const path of paths) {
    const encoding = suffixes[extname(path)]
    const plain = encoding ? path.slice(0, -extname(path).length) : path
    const address = `/${plain.slice(root.length).split(sep).join('/')}`
    const bodies = found.get(address) ?? new Map<Encoding, Buffer>()
    found.set(address, bodies.set(encoding ?? 'identity', await readFile(path)))
  }
  const json = <T>(name: string, fallback: T): T => {
    const text = found.get(name)?.get('identity')
    return text ? JSON.parse(text.toString('utf8')) : fallback
  }
  const standIns = json<StandIns | undefined>('/stand-ins.json', undefined)
  const files = new Map<string, StoredFile>()
  for (const [address, bodies] of found) {
    const text = standIns && NAMING.test(address) && bodies.get('identity')?.toString('utf8')
    const own = text && standIns && fitted(address, text, standIns, { base, contact, root: path })
    // What stays as it was built stays in the compression of the build.
    const file = own && own !== text ? changedFile(address, own) : storedFile(address, bodies)
    if (file) files.set(address.replace(/(^|\/)index\.html$/, '$1'), file)
  }
  const policy = json<PagePolicy>('/csp.json', { scriptHashes: [] })
  const pages = new Set(
    json<string[]>(
      '/pages.json',
      [...files.keys()].filter(path => path.endsWith('/')),
    ),
  )
  const delivering = careers ? files.get('/careers/delivering.html') : undefined
  if (delivering) files.set('/careers/', delivering)
  const application = delivering && json<ApplicationForm | undefined>('/careers.json', undefined)
  return { files, policy, application, serve: createServe({ files, pages, policy, tools }) }
}

interface Parts {
  files: ReadonlyMap<string, StoredFile>
  pages: ReadonlySet<string>
  policy: PagePolicy
  tools: readonly Tool[]
}

function createServe({ files, pages, policy, tools }: Parts): Site['serve'] {
  const variants = variantPages(tools)
  const screens = missingScreens(variants)

  /** A page of a variant is found however its last part is written: /dns-records/MX/. */
  function pageAt(path: string): string | undefined {
    const lower = path.toLowerCase()
    const written = variants?.test(lower) ? lower : path
    return pages.has(written) ? written : undefined
  }

  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const [path = '/', query] = splitQuery(request.url)
    const slashed = path.endsWith('/') ? path : `${path}/`
    const target = moved[slashed]
    if (target) return redirect(reply, target, query)
    const page = pageAt(slashed)
    if (page && path !== slashed) return redirect(reply, slashed, query)
    const file = page ? files.get(page) : PRIVATE.test(path) ? undefined : files.get(path)
    if (file) {
      const sent = sendFile(request, reply, file, pagePolicy(policy, page ?? path))
      return page && TOKEN_PATHS.test(page) ? sent.headers(tokenHeaders) : sent
    }
    const screen = screens.find(([pattern]) => pattern.test(slashed))?.[1] ?? '/404.html'
    const missing = files.get(screen) ?? files.get('/404.html')
    if (missing)
      return sendFile(request, reply.header('x-robots-tag', 'noindex'), missing, pagePolicy(policy, path), 404)
    return reply.code(404).headers(dataHeaders).type('text/plain; charset=utf-8').send('404 Not Found\n')
  }
}

/** Pages below a tool's own, such as one for each record type. */
function variantPages(tools: readonly Tool[]): RegExp | undefined {
  const paths = tools.filter(tool => tool.variants).map(({ category, path }) => `${category}/${path}`)
  return paths.length > 0 ? new RegExp(`^/(?:${paths.join('|')})/[^/]+/$`) : undefined
}

/** Which screen says that there is nothing, by the first pattern that fits. */
const missingScreens = (variants: RegExp | undefined): readonly (readonly [RegExp, string])[] => [
  ...(variants ? [[variants, '/404/record-type.html'] as const] : []),
  // The routes of these two stand even in a build without the tool, and so do the words of their screens.
  [/^\/dns-tools\/whois\/$/, '/404/whois.html'],
  [/^\/dns-tools\/dns-benchmark-test\/$/, '/404/single-tool.html'],
  [/^\/tools\/.+$/, '/404/single-tool.html'],
  [new RegExp(`^/(?:${categories.map(({ slug }) => slug).join('|')})/.+$`), '/404/tool.html'],
  [/^\/[^/.]+\/$/, '/404/category.html'],
]

function splitQuery(url: string): [path: string, query: string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at)]
}

function redirect(reply: FastifyReply, path: string, query = ''): FastifyReply {
  const secret = TOKEN_PATHS.test(path)
  return reply
    .code(secret ? 302 : 301)
    .headers(secret ? tokenHeaders : { 'cache-control': REVALIDATED })
    .header('location', `${path}${query}`)
    .send()
}
