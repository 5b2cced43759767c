import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { type Fields, tool } from '@assay/kit'
import { readSettings } from './settings.ts'
import { readSite } from './site.ts'
import { type Trial, trial } from './trial.ts'

const pages = [
  '/',
  '/tools/',
  '/dns-tools/',
  '/dns-tools/records/',
  '/dns-tools/records/mx/',
  '/dns-tools/whois/',
  '/auth/',
  '/auth/google/callback/',
  '/privacy-policy/',
]

const records = tool({
  id: 'records',
  path: 'records',
  title: 'Records',
  category: 'dns-tools',
  summary: 'Records.',
  keywords: [],
  specs: [],
  runs: 'anywhere',
  variants: { field: 'type', values: ['mx'], title: value => value },
  fields: {} as Fields,
  run: () => ({}),
  examples: [],
})

async function siteOf(
  t: TestContext,
  more: Record<string, string> = {},
  built = pages,
  settings = readSettings({}),
): Promise<Trial> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-site-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const files: Record<string, string> = {
    ...Object.fromEntries(
      built.map(path => [`${path.slice(1)}index.html`, `<title>${path}</title>${'x'.repeat(500)}`]),
    ),
    ...Object.fromEntries(
      ['404', '404/category', '404/tool', '404/single-tool', '404/whois', '404/record-type'].map(screen => [
        `${screen}.html`,
        `${screen}.html`,
      ]),
    ),
    'pages.json': JSON.stringify(built),
    'csp.json': JSON.stringify({ scriptHashes: ['sha256-theme='] }),
    'robots.txt': 'User-agent: *\n',
    'assets/app-Bf3x_9aQ.js': 'export {}',
    'favicon.svg': '<svg/>',
    ...more,
  }
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    if (!name.endsWith('.html')) continue
    writeFileSync(`${path}.br`, brotliCompressSync(text))
    writeFileSync(`${path}.gz`, gzipSync(text))
  }
  const site = await readSite(pathToFileURL(`${folder}/`), [records], settings)
  assert.ok(site)
  return trial(t, { site, settings })
}

test('pages come in the encoding that is asked for, with the policy of the build', async t => {
  const app = await siteOf(t)
  const plain = await app.inject('/dns-tools/')
  assert.equal(plain.statusCode, 200)
  assert.match(plain.body, /^<title>\/dns-tools\/<\/title>/)
  assert.equal(plain.headers['content-type'], 'text/html; charset=utf-8')
  assert.match(
    String(plain.headers['content-security-policy']),
    /script-src 'self' 'sha256-theme=' 'wasm-unsafe-eval';/,
  )
  const encoding = async (asked: string) => {
    const { headers, rawPayload } = await app.inject({ url: '/dns-tools/', headers: { 'accept-encoding': asked } })
    assert.equal(headers.vary, 'Accept-Encoding')
    if (headers['content-encoding'] === 'br') assert.equal(String(brotliDecompressSync(rawPayload)), plain.body)
    return headers['content-encoding']
  }
  assert.equal(await encoding('gzip, deflate, br, zstd'), 'br')
  assert.equal(await encoding('gzip;q=1.0, br;q=0'), 'gzip')
  assert.equal(await encoding('identity'), undefined)
})

test('what the browser has is answered 304; hashed files are kept for good', async t => {
  const app = await siteOf(t)
  const { headers } = await app.inject('/')
  assert.equal(headers['cache-control'], 'no-cache')
  const again = await app.inject({ url: '/', headers: { 'if-none-match': String(headers.etag) } })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
  const asset = await app.inject('/assets/app-Bf3x_9aQ.js')
  assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(asset.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal((await app.inject('/favicon.svg')).headers['cache-control'], 'no-cache')
})

test('HEAD says what GET would send', async t => {
  const app = await siteOf(t)
  const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url: '/dns-tools/' })
  assert.deepEqual([statusCode, body], [200, ''])
  assert.equal(headers['content-length'], String((await app.inject('/dns-tools/')).rawPayload.length))
})

test('[OPEN-012] [BIZ-015] pages without their last slash are moved, the query kept; those with tokens are not stored', async t => {
  const app = await siteOf(t)
  const moved = async (url: string) => {
    const { statusCode, headers } = await app.inject(url)
    return [statusCode, headers.location, headers['cache-control']]
  }
  assert.deepEqual(await moved('/dns-tools?a=1&b=%2F'), [301, '/dns-tools/?a=1&b=%2F', 'no-cache'])
  assert.deepEqual(await moved('/dns-tools/whois'), [301, '/dns-tools/whois/', 'no-cache'])
  assert.deepEqual(await moved('/auth?token=x'), [302, '/auth/?token=x', 'no-store'])
  assert.deepEqual(await moved('/auth/google/callback?access=x'), [302, '/auth/google/callback/?access=x', 'no-store'])
})

test('[OPEN-018] [OPEN-090] pages whose address may hold tokens are not kept, not told of, and not indexed', async t => {
  const app = await siteOf(t)
  for (const url of ['/auth/', '/auth/?token=x', '/auth/google/callback/?access=x&refresh=y', '/auth?token=x']) {
    const { headers } = await app.inject(url)
    assert.deepEqual(
      [headers['cache-control'], headers['referrer-policy'], headers['x-robots-tag']],
      ['no-store', 'no-referrer', 'noindex'],
    )
  }
  const { headers } = await app.inject('/privacy-policy/')
  assert.deepEqual(
    [headers['referrer-policy'], headers['x-robots-tag']],
    ['strict-origin-when-cross-origin', undefined],
  )
})

test('[OPEN-014] /privacy leads to the privacy policy', async t => {
  const app = await siteOf(t)
  for (const url of ['/privacy', '/privacy/']) {
    const { statusCode, headers } = await app.inject(url)
    assert.deepEqual([statusCode, headers.location], [301, '/privacy-policy/'])
  }
})

test('[OPEN-029] [OPEN-030] [OPEN-048] unknown addresses are 404 with the screen that fits, and not indexed', async t => {
  const app = await siteOf(t)
  const screens: Record<string, string> = {
    '/foo/': '404/category.html',
    '/foo': '404/category.html',
    '/foo/bar/': '404.html',
    '/foo/bar/baz/qux/': '404.html',
    '/foo.png': '404.html',
    '/dns-tools/zzz/': '404/tool.html',
    '/dns-tools/whois/zzz/': '404/tool.html',
    '/tools/zzz/': '404/single-tool.html',
    '/dns-tools/records/a/': '404/record-type.html',
    '/dns-tools/records/a': '404/record-type.html',
    '/*': '404/category.html',
  }
  for (const [url, screen] of Object.entries(screens)) {
    const { statusCode, body, headers } = await app.inject(url)
    assert.deepEqual([statusCode, body], [404, screen], url)
    assert.equal(headers['x-robots-tag'], 'noindex')
    assert.equal(headers.etag, undefined)
  }
})

test('[WHO-035] [BEN-036] [OPEN-033] where the catalogue lacks a tool of a fixed route, its own screen says so', async t => {
  const without = pages.filter(path => path !== '/dns-tools/whois/')
  const app = await siteOf(t, {}, without)
  for (const [url, screen] of [
    ['/dns-tools/whois/', '404/whois.html'],
    ['/dns-tools/dns-benchmark-test/', '404/single-tool.html'],
  ] as const) {
    const { statusCode, body, headers } = await app.inject(url)
    assert.deepEqual([statusCode, body, headers['x-robots-tag']], [404, screen, 'noindex'], url)
  }
})

test('[OPEN-048] the record type is matched without regard to case, other pages are not', async t => {
  const app = await siteOf(t)
  assert.match((await app.inject('/dns-tools/records/MX/')).body, /<title>\/dns-tools\/records\/mx\//)
  assert.equal((await app.inject('/dns-tools/records/MX')).headers.location, '/dns-tools/records/MX/')
  assert.equal((await app.inject('/DNS-tools/')).statusCode, 404)
})

test('nothing outside the site is served, and nothing of the build', async t => {
  const app = await siteOf(t)
  for (const url of [
    '/csp.json',
    '/pages.json',
    '/404.html',
    '/404/tool.html',
    '/index.html.br',
    '/../settings.ts',
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '//example.com/dns-tools',
    '/assets/../csp.json',
  ]) {
    const { statusCode, headers } = await app.inject({ method: 'GET', url })
    assert.equal(statusCode, 404, url)
    assert.equal(headers.location, undefined)
  }
})

test('the API is not covered by the pages, and other methods are JSON', async t => {
  const app = await siteOf(t)
  assert.deepEqual((await app.inject('/api/zzz/')).json(), { error: '404 Not Found', code: 'not-found' })
  assert.deepEqual((await app.inject({ method: 'POST', url: '/dns-tools/' })).json(), {
    error: '404 Not Found',
    code: 'not-found',
  })
})

test('without a built site there is none, and the API answers', async t => {
  assert.equal(await readSite(new URL('file:///nowhere/at/all/'), []), undefined)
  const app = await trial(t)
  assert.equal((await app.inject('/')).statusCode, 404)
  assert.equal((await app.inject({ method: 'POST', url: '/api/price/' })).statusCode, 200)
})

const standIns = { base: 'http://127.0.0.1:8080', contact: 'contact@example.com' }
const page = `<!DOCTYPE html><html lang="en"><head><link rel="canonical" href="http://127.0.0.1:8080/tools/"/>
<script type="module" src="/assets/a.js"></script><script type="application/json">{"href":"/tools/","text":"a \\"href\\":\\"/x\\"","mail":"contact@example.com"}</script>
</head><body><a href="/tools/">All</a><a href="//example.org/">Other</a><form action="/api/contact/" data-contact="contact@example.com">
contact@example.com says href=&quot;/no&quot; <code>POST /api/md5/</code></form></body></html>`
const built = {
  'tools/index.html': page,
  'stand-ins.json': JSON.stringify(standIns),
  'robots.txt': 'User-agent: *\nAllow: /\nDisallow: /api/\nSitemap: http://127.0.0.1:8080/sitemap.xml\n',
  'sitemap.xml': '<urlset><url><loc>http://127.0.0.1:8080/tools/</loc></url></urlset>',
  'site.webmanifest': '{"start_url":"/","icons":[{"src":"/icon.png"}]}',
  'search.json': '[{"title":"/x","href":"/tools/"}]',
}

test('[OPEN-027] the address and the contact of the installation stand in the pages, escaped for their place', async t => {
  const settings = readSettings({ ASSAY_BASE_URL: 'https://proof.example', ASSAY_CONTACT: "o'neil&co@proof.example" })
  const app = await siteOf(t, built, pages, settings)
  const { body, headers } = await app.inject({ url: '/tools/', headers: { 'accept-encoding': 'br' } })
  assert.equal(headers['content-encoding'], 'br')
  const { rawPayload } = await app.inject({ url: '/tools/', headers: { 'accept-encoding': 'br' } })
  const text = String(brotliDecompressSync(rawPayload))
  assert.notEqual(text, body)
  assert.equal(
    text,
    page
      .replace('http://127.0.0.1:8080', 'https://proof.example')
      .replace('"mail":"contact@example.com"', '"mail":"o\'neil&co@proof.example"')
      .replaceAll('contact@example.com', 'o&#x27;neil&amp;co@proof.example'),
  )
  assert.equal(
    (await app.inject('/sitemap.xml')).body,
    built['sitemap.xml'].replace('http://127.0.0.1:8080', 'https://proof.example'),
  )
  assert.equal((await app.inject('/stand-ins.json')).statusCode, 404)
})

test('what the settings do not change is served as it was built', async t => {
  const app = await siteOf(t, built)
  for (const [name, text] of Object.entries(built).filter(([name]) => name !== 'stand-ins.json')) {
    assert.equal((await app.inject(`/${name.replace('index.html', '')}`)).body, text)
  }
})

test('under a path of its host, every address of the site has the path, and only addresses have it', async t => {
  const app = await siteOf(t, built, pages, readSettings({ ASSAY_BASE_URL: 'https://proof.example/assay/' }))
  const { body } = await app.inject('/assay/tools/')
  assert.equal(
    body,
    page
      .replace('<html ', '<html data-root="/assay" ')
      .replace('http://127.0.0.1:8080', 'https://proof.example/assay')
      .replace('src="/assets', 'src="/assay/assets')
      .replace('{"href":"/tools', '{"href":"/assay/tools')
      .replace('<a href="/tools', '<a href="/assay/tools')
      .replace('action="/api', 'action="/assay/api')
      .replace('POST /api', 'POST /assay/api'),
  )
  const of = async (path: string) => (await app.inject(`/assay${path}`)).body
  assert.match(
    await of('/robots.txt'),
    /^Allow: \/assay\/\nDisallow: \/assay\/api\/\nSitemap: https:\/\/proof\.example\/assay\/sitemap/m,
  )
  assert.match(await of('/sitemap.xml'), /<loc>https:\/\/proof\.example\/assay\/tools\//)
  assert.deepEqual(JSON.parse(await of('/site.webmanifest')), {
    start_url: '/assay/',
    icons: [{ src: '/assay/icon.png' }],
  })
  assert.deepEqual(JSON.parse(await of('/search.json')), [{ title: '/x', href: '/assay/tools/' }])
})

test('under a path, redirects stay below it, and everything outside is 404 with a sentence', async t => {
  const app = await siteOf(t, built, pages, readSettings({ ASSAY_BASE_URL: 'https://proof.example/assay' }))
  const moved = async (url: string) => {
    const { statusCode, headers } = await app.inject(url)
    return [statusCode, headers.location]
  }
  assert.deepEqual(await moved('/assay'), [301, '/assay/'])
  assert.deepEqual(await moved('/assay/tools?q=1'), [301, '/assay/tools/?q=1'])
  assert.deepEqual(await moved('/assay/privacy'), [301, '/assay/privacy-policy/'])
  assert.deepEqual(await moved('/assay/api/'), [301, '/assay/api/docs/'])
  assert.deepEqual(await moved('/assay/auth?token=x'), [302, '/assay/auth/?token=x'])
  for (const url of [
    '/',
    '/tools/',
    '/api/price/',
    '/assays/',
    '/assaytools/',
    '/assay?x',
    '/%61ssay/tools/',
    '/mcp',
  ]) {
    const { statusCode, body } = await app.inject(url)
    assert.equal(statusCode, 404, url)
    assert.deepEqual(JSON.parse(body), { error: '404 Not Found: this site begins at /assay/', code: 'not-found' })
  }
  assert.equal((await app.inject({ method: 'POST', url: '/api/price/' })).statusCode, 404)
  assert.equal((await app.inject({ method: 'POST', url: '/assay/api/price/' })).statusCode, 200)
  assert.equal((await app.inject('/assay/no-such-page/')).statusCode, 404)
  assert.equal((await app.inject('/assay/../tools/')).statusCode, 404)
  for (const probe of ['/healthz', '/readyz', '/assay/healthz', '/assay/readyz']) {
    assert.equal((await app.inject(probe)).statusCode, 200, probe)
  }
  const lines = app.lines.filter(line => line.event === 'request').map(({ route }) => route)
  assert.ok(
    lines.every(route => !route.includes('assay')),
    'patterns in the log have no path',
  )
})
