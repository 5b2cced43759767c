import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { catalogue } from '@assay/catalogue/catalogue'
import { replay } from '@assay/kit/replay'
import { type App, createApp } from '../../server/src/app.ts'
import { readSettings } from '../../server/src/settings.ts'
import { readSite } from '../../server/src/site.ts'
import { unhurried } from '../../server/test/unhurried.ts'
import { standIns } from '../settings.ts'
import { ensureBuilt, read } from './built.ts'

const ROOT = '/workshop/assay'
const BASE = `https://proof.example${ROOT}`
const repository = fileURLToPath(new URL('../../../', import.meta.url))

let app: App

async function get(path: string): Promise<string> {
  const { statusCode, body } = await app.server.inject(path)
  assert.equal(statusCode, 200, path)
  return body
}

/** Values of a key, at any depth. */
function* valuesOf(data: unknown, keys: readonly string[]): Generator<string> {
  if (typeof data !== 'object' || data === null) return
  for (const [key, value] of Object.entries(data)) {
    if (typeof value === 'string' && keys.includes(key)) yield value
    else yield* valuesOf(value, keys)
  }
}

const scriptsOf = (html: string, type: string) =>
  [...html.matchAll(new RegExp(`<script type="${type}"[^>]*>([\\s\\S]*?)</script>`, 'g'))].map(
    ([, text = '']): unknown => JSON.parse(text),
  )

describe('the whole site below a path of its host', () => {
  before(async () => {
    await ensureBuilt()
    const settings = readSettings({ ...unhurried, ASSAY_BASE_URL: BASE, ASSAY_CONTACT: 'desk@proof.example' })
    app = await createApp({
      settings,
      log: () => {},
      site: await readSite(new URL('../dist/', import.meta.url), catalogue, settings),
      createJob: (_, signal) => ({ context: replay({ zone: '' }, signal), dispose: () => {} }),
    })
  })
  after(() => app.close())

  test('no address on any page leaves the path, and each leads to something', async () => {
    const pages: string[] = JSON.parse(read('pages.json'))
    const targets = new Set<string>()
    for (const page of pages) {
      const html = await get(ROOT + page)
      const markup = html.replaceAll(/<script[^>]*>[\s\S]*?<\/script>/g, '')
      const attributes = [...html.matchAll(/<[^>]*?\s(?:href|src|action|poster|data-[a-z]+)="(\/[^"]*)"/g)].map(
        ([, value = '']) => value,
      )
      assert.ok(attributes.length > 10, page)
      const data = [...valuesOf(scriptsOf(html, 'application/json'), ['href', 'chunk', 'worker', 'src'])]
      for (const address of [...attributes, ...data.filter(value => value.startsWith('/'))]) {
        assert.ok(address === ROOT || address.startsWith(`${ROOT}/`), `${page} leads to ${address}`)
        targets.add(address.replace(/[?#].*/, ''))
      }
      for (const name of Object.values(standIns)) assert.ok(!html.includes(name), `${page} holds ${name}`)
      for (const address of valuesOf(scriptsOf(html, 'application/ld\\+json'), ['url', 'item'])) {
        assert.ok(address.startsWith(`${BASE}/`), `${page} says it is at ${address}`)
      }
      for (const [, address = ''] of html.matchAll(/(?:canonical" href|og:url" content|:image" content)="([^"]*)"/g)) {
        assert.ok(address.startsWith(`${BASE}/`), `${page} says it is at ${address}`)
      }
      assert.doesNotMatch(markup, /<code>(?:GET|POST) \/api/, page)
    }
    for (const target of targets) {
      if (target === ROOT || target === `${ROOT}/api/contact/`) continue
      const { statusCode } = await app.server.inject(target)
      assert.ok(statusCode === 200 || statusCode === 301, `${target} is ${statusCode}`)
    }
  })

  test('neither do the other files: styles, manifest, index of the palette, sitemap, robots, description of the API', async () => {
    const [style = ''] = /\/assets\/style-[\w-]+\.css/.exec(read('index.html')) ?? []
    for (const [, address = ''] of (await get(ROOT + style)).matchAll(/url\(([^)]*)\)/g)) {
      assert.match(address, /^(?:\.\/[\w.-]+|"?data:.*)$/)
    }
    const manifest: unknown = JSON.parse(await get(`${ROOT}/site.webmanifest`))
    for (const address of valuesOf(manifest, ['src', 'start_url'])) assert.ok(address.startsWith(`${ROOT}/`), address)
    const index: unknown = JSON.parse(await get(`${ROOT}/search.json`))
    for (const address of valuesOf(index, ['href'])) assert.ok(address.startsWith(`${ROOT}/`), address)
    for (const [, address = ''] of (await get(`${ROOT}/sitemap.xml`)).matchAll(/<loc>(.*?)<\/loc>/g)) {
      assert.ok(address.startsWith(`${BASE}/`), address)
    }
    const robots = await get(`${ROOT}/robots.txt`)
    assert.match(robots, new RegExp(`^Sitemap: ${BASE}/sitemap\\.xml$`, 'm'))
    assert.doesNotMatch(robots, /(?:allow|Allow): \/(?!workshop\/)/)
    const description: { servers: unknown } = JSON.parse(await get(`${ROOT}/api/openapi.json`))
    assert.deepEqual(description.servers, [{ url: BASE }])
    assert.match(await get(`${ROOT}/api/docs/`), new RegExp(`curl ${BASE}/api/`))
    assert.match(await get(`${ROOT}/contact-us/`), /mailto:desk@proof\.example/)
  })

  test('no built script names an address from the top of the host', () => {
    // The worker that keeps pages puts the path before what the build lists.
    for (const file of globSync('assets/*.js', { cwd: `${repository}apps/web/dist` })) {
      const text = read(file)
      assert.doesNotMatch(text, /fetch\(["'`]\/|["'`]\/(?:assets|sw\.js|search\.json|offline\.json)\b/, file)
    }
  })

  test('every script that spells an address of the site puts the path before it', () => {
    const spelled = /['"`]\/(?:api|assets|auth|user|[a-z-]+\.(?:js|json))\b/
    const scripts = globSync('apps/web/src/{*,islands/**/*,panels/*,views/**/*,ui/*}.{ts,tsx}', { cwd: repository })
    assert.ok(scripts.length > 50)
    for (const file of scripts.filter(name => !name.endsWith('/sw.ts'))) {
      const text = readFileSync(repository + file, 'utf8')
      if (spelled.test(text)) assert.match(text, /import \{ root \} from/, file)
    }
  })

  test('what stands for the address and the contact stands nowhere else in the sources', () => {
    const sources = globSync('{content/**/*.md,apps/web/text/*.md,apps/web/src/**/*.{ts,tsx},packages/*/src/**/*.ts}', {
      cwd: repository,
    })
    assert.ok(sources.length > 500)
    for (const file of sources.filter(name => !name.endsWith('.test.ts'))) {
      const text = readFileSync(repository + file, 'utf8')
      for (const name of Object.values(standIns)) assert.ok(!text.includes(name), `${file} holds ${name}`)
    }
  })
})
