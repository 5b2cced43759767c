import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { catalogue, filledCategories, toolsOf } from '@assay/catalogue/catalogue'
import { dist } from '../bundle.ts'
import { type Sources, toolPages } from '../model.ts'
import { readSettings } from '../settings.ts'
import { ensureBuilt, read } from './built.ts'

const { base } = readSettings({})
const page = (path: string) => read(`${path}index.html`)
const meta = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1]
const title = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1]
const canonical = (html: string) => /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]
const tool = catalogue[0]?.category
const kinds = ['/', `/${tool}/`, '/tools/', '/hash-generators-and-checksum/md5/', '/careers/', '/privacy-policy/']
const screens = ['404', '404/category', '404/tool', '404/single-tool', '404/whois', '404/record-type'].map(
  screen => `${screen}.html`,
)

describe('the documents as they are delivered', () => {
  before(ensureBuilt)

  test('[LAY-022] [LAY-023] [OPEN-028] each page has a title and a description of its own', () => {
    const pages: string[] = JSON.parse(read('pages.json'))
    const own = pages.filter(path => canonical(page(path)) === base + path)
    const titles = own.map(path => title(page(path)))
    assert.deepEqual(titles, [...new Set(titles)])
    for (const path of own) assert.ok((meta(page(path), 'description') ?? '').length > 20, path)
  })

  test('[LAY-024] [LAY-025] [LAY-028] [LAY-029] [OPEN-027] social, canonical, language and robots are set', () => {
    for (const path of kinds) {
      const html = page(path)
      assert.equal(canonical(html), base + path)
      assert.equal(meta(html, 'og:url'), base + path)
      assert.equal(meta(html, 'og:title'), title(html))
      assert.equal(meta(html, 'og:locale'), 'en_US')
      assert.equal(meta(html, 'twitter:card'), 'summary_large_image')
      assert.equal(meta(html, 'robots'), 'index, follow')
      assert.match(html, /<html lang="en">/)
    }
  })

  test('[LAY-026] structured data is there and parses', () => {
    for (const path of kinds) {
      const blocks = [...page(path).matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)]
      assert.ok(blocks.length > 0, path)
      for (const [, text = ''] of blocks) assert.equal(JSON.parse(text)['@context'], 'https://schema.org')
    }
  })

  test('[LAY-027] the site image is 1200 by 630 and says so', () => {
    const html = page('/')
    assert.equal(meta(html, 'og:image'), `${base}/og.png`)
    assert.deepEqual([meta(html, 'og:image:width'), meta(html, 'og:image:height')], ['1200', '630'])
    // PNG §11.2.2: width and height are the first fields of the header chunk.
    const image = readFileSync(`${dist}og.png`)
    assert.deepEqual([image.readUInt32BE(16), image.readUInt32BE(20)], [1200, 630])
  })

  test('[LAY-030] [OPEN-029] [GEN-010] [CRY-019] [REC-016] screens that say there is nothing are not indexed', () => {
    for (const file of screens) {
      assert.equal(meta(read(file), 'robots'), 'noindex, follow')
      assert.equal(canonical(read(file)), undefined)
    }
  })

  test('[RTE-003] [RTE-031] [REC-014] [REC-015] [GEN-008] [GEN-009] [WHO-035] [BEN-036] [OPEN-033] [CRY-016] [CRY-017] [CRY-018] [ERR-045] each screen has its words and a way home', () => {
    const words = {
      '404.html': ['Page Not Found', 'Go Back to Home'],
      '404/category.html': ['Page not found', 'Go Back to Home'],
      '404/tool.html': ['Tool Not Found', 'The tool you&#x27;re trying to access does not exist.', 'Go to Homepage'],
      '404/single-tool.html': ['404', 'Tool Not Found', 'Go Back Home'],
      '404/whois.html': ['404 Tool Not Found', 'Go Home'],
      '404/record-type.html': ['404 Invalid Record Type', 'Go Back Home'],
    }
    for (const [file, texts] of Object.entries(words)) {
      for (const text of texts) assert.ok(read(file).includes(text), `${file}: ${text}`)
      const [, way] = /<a href="\/" class="button primary">([^<]*)<\/a>/.exec(read(file)) ?? []
      assert.equal(way, texts.at(-1), file)
    }
  })

  test('[PAG-001] [PAG-002] [PAG-003] [PAG-004] home and categories link every tool to a page that is there', () => {
    const home = page('/')
    for (const { slug, title } of filledCategories) {
      assert.ok(home.includes(`href="/${slug}"`), slug)
      assert.ok(home.includes(title.replaceAll('&', '&amp;')), title)
      const category = page(`/${slug}/`)
      for (const { actions } of toolsOf(slug)) {
        const href = `href="/${slug}/${actions[0]?.path}/"`
        assert.ok(home.includes(href), href)
        assert.equal(category.split(`${href} class="tool-card"`).length - 1, 1, href)
      }
    }
    for (const [, href = ''] of home.matchAll(/<a href="(\/[^"]*)" class="tool-card"/g))
      assert.ok(existsSync(`${dist}${href}index.html`))
  })

  test('[OPEN-010] [OPEN-011] [OPEN-089] every action has its page, and lookups also answer below /tools/', () => {
    for (const { category, path, runs, actions } of catalogue) {
      for (const action of actions) assert.ok(existsSync(`${dist}${category}/${action.path}/index.html`), action.path)
      if (runs === 'server' || category === 'network-tools')
        assert.equal(canonical(page(`/tools/${path}/`)), `${base}/${category}/${path}/`)
    }
  })

  for (const [id, type] of [
    ['[REC-002]', 'mx'],
    ['[REC-003]', 'ns'],
    ['[REC-004]', 'txt'],
    ['[REC-005]', 'cname'],
    ['[REC-006]', 'aaaa'],
    ['[REC-007]', 'ptr'],
    ['[REC-008]', 'soa'],
    ['[REC-009]', 'srv'],
    ['[REC-010]', 'naptr'],
    ['[REC-011]', 'caa'],
    ['[REC-012]', 'ds'],
    ['[REC-013]', 'dnskey'],
  ] as const) {
    test(`${id} ${type} is a record type with a page of its own`, () => {
      assert.match(page(`/dns-tools/dns-records/${type}/`), new RegExp(`<h1[^>]*>DNS ${type.toUpperCase()} Lookup<`))
    })
  }

  test('[REC-001] without a type the records page offers all of them', () => {
    const html = page('/dns-tools/dns-records/')
    assert.match(html, /<h1[^>]*>DNS Records Lookup</)
    for (const type of ['mx', 'ptr', 'dnskey'])
      assert.match(html, new RegExp(`<a [^>]*href="/dns-tools/dns-records/${type}/"`))
  })

  test('[OPEN-031] the grid of DNS tools has its twenty, the other network tools are a category and stand below /tools/ too', () => {
    const linked = (html: string, start: string) =>
      [...html.matchAll(/<a href="(\/[^"]*)" class="tool-card"/g)]
        .map(([, href = '']) => href)
        .filter(href => href.startsWith(start))
    assert.equal(linked(page('/dns-tools/'), '/dns-tools/').length, 20)
    const network = linked(page('/network-tools/'), '/network-tools/')
    const ids = [
      'traceroute',
      'sslscan',
      'dkim',
      'spf',
      'dot-support',
      'domain-blacklist-check',
      'reverse-ip',
      'ip-lookup',
    ]
    for (const id of ids) {
      const path = toolsOf('network-tools').find(tool => tool.id === id)?.path
      assert.ok(network.includes(`/network-tools/${path}/`), id)
      assert.ok(page('/tools/').includes(`href="/network-tools/${path}/"`), id)
      assert.equal(canonical(page(`/tools/${path}/`)), `${base}/network-tools/${path}/`)
    }
  })

  test('[VAL-053] the careers form is checked by the browser alone, and nothing in it has a longest length', () => {
    const [form = ''] = /<form class="application"[\s\S]*?<\/form>/.exec(page('/careers/')) ?? []
    assert.doesNotMatch(form, /novalidate|maxlength|minlength/i)
    assert.ok(form.split(' required').length > 8)
  })

  test('[OPEN-090] the sitemap lists every canonical page once, robots.txt names it', () => {
    const pages: string[] = JSON.parse(read('pages.json'))
    const listed = [...read('sitemap.xml').matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address)
    assert.deepEqual(
      listed,
      pages.filter(path => canonical(page(path)) === base + path).map(path => base + path),
    )
    assert.ok(read('robots.txt').includes(`Sitemap: ${base}/sitemap.xml`))
  })

  test('[LAY-021] [OPEN-073] related tools: every other tool of the category once, the left half larger', () => {
    for (const { slug } of filledCategories) {
      for (const tool of toolsOf(slug)) {
        const html = page(`/${slug}/${tool.actions[0]?.path}/`)
        const [left = [], right = []] = [...html.matchAll(/<aside[\s\S]*?<\/aside>/g)].map(([aside]) =>
          [...aside.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href),
        )
        const others = toolsOf(slug).filter(other => other !== tool)
        assert.deepEqual(
          [...left, ...right],
          others.map(({ actions }) => `/${slug}/${actions[0]?.path}/`),
        )
        assert.equal(left.length, Math.ceil(others.length / 2))
      }
    }
  })

  test('[LAY-031] [CRY-023] an image of its own replaces the site image', () => {
    for (const { category, actions, ogImage = '/og.png' } of catalogue) {
      assert.equal(meta(page(`/${category}/${actions[0]?.path}/`), 'og:image'), base + ogImage)
    }
    const chunk = { file: 'a.js', imports: [] }
    const [tool] = catalogue
    assert.ok(tool)
    const sources = {
      settings: readSettings({}),
      bundle: { chunks: new Map([[tool.id, chunk]]), worker: chunk },
      topics: new Map([[tool.id, { folder: 'domain', file: 'a.ts' }]]),
      views: {},
    } as unknown as Sources
    const images = toolPages({ ...tool, ogImage: '/own.png' }, sources).map(({ head }) => head.image)
    assert.deepEqual(images, ['/own.png', '/own.png'])
    assert.equal(toolPages(tool, sources)[0]?.head.image, undefined)
  })

  test('the only inline script is the one whose hash is in the policy, and there are no inline styles', () => {
    const pages: string[] = JSON.parse(read('pages.json'))
    for (const html of [...pages.map(page), ...screens.map(read)]) {
      const inline = [...html.matchAll(/<script(?![^>]* (?:src|type="application\/))[^>]*>/g)]
      assert.equal(inline.length, 1)
      assert.doesNotMatch(html, /<style|\sstyle="|\son\w+="/)
    }
  })
})
