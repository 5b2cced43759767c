import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { catalogue } from '@assay/catalogue/catalogue'
import { replay } from '@assay/kit/replay'
import type { App } from '../../server/src/app.ts'
import { servedSite } from './served.ts'

/** Routes of §2 that lead to a tool: the address as it is written there, the heading, the words of the run button. */
const tools: readonly (readonly [rows: string, path: string, heading: string, button: string])[] = [
  ['[RTE-004] [RTE-032]', '/dns-tools/whois', 'Whois Lookup', 'Search'],
  ['[RTE-033]', '/dns-tools/dns-lookup', 'DNS Lookup', 'Analyze'],
  ['[RTE-006] [RTE-034]', '/dns-tools/dns-records', 'DNS Records Lookup', 'Lookup'],
  ['[RTE-007]', '/dns-tools/dns-records/mx', 'DNS MX Lookup', 'Lookup'],
  ['[RTE-035]', '/dns-tools/reverse-dns', 'Reverse DNS', 'Analyze'],
  ['[RTE-009] [RTE-036]', '/dns-tools/dnssec', 'DNSSEC Check', 'Analyze'],
  ['[RTE-037]', '/dns-tools/zone-transfer-check', 'Zone Transfer Check', 'Analyze'],
  ['[RTE-038]', '/dns-tools/dns-caching-check', 'DNS Caching Check', 'Analyze'],
  ['[RTE-039]', '/dns-tools/dns-propagation-check', 'DNS Propagation Check', 'Analyze'],
  ['[RTE-040]', '/dns-tools/dns-speed-test', 'DNS Speed Test', 'Analyze'],
  ['[RTE-041]', '/dns-tools/doh-support', 'DoH Support', 'Analyze'],
  ['[RTE-005] [RTE-042]', '/dns-tools/dns-benchmark-test', 'DNS Benchmark', 'Start Test'],
  ['[RTE-043]', '/dns-tools/edns-support-check', 'EDNS Support Check', 'Analyze'],
  ['[RTE-044]', '/dns-tools/subdomain-finder', 'Subdomain Finder', 'Analyze'],
  ['[RTE-045]', '/dns-tools/check-typosquatting', 'Typosquatting Check', 'Analyze'],
  ['[RTE-046]', '/dns-tools/dnsbl', 'DNSBL Check', 'Analyze'],
  ['[RTE-047]', '/dns-tools/dmarc', 'DMARC Check', 'Analyze'],
  ['[RTE-008] [RTE-048]', '/dns-tools/access-control-validator', 'Access Control Validator', 'Validate'],
  ['[RTE-049]', '/dns-tools/url-monitor', 'URL Monitor', 'Analyze'],
  ['[RTE-050]', '/dns-tools/http-headers', 'HTTP Headers', 'Analyze'],
  ['[RTE-051]', '/dns-tools/port-scan', 'Port Scan', 'Analyze'],
  ['[RTE-010]', '/tools/traceroute', 'Traceroute', 'Analyze'],
  ['[RTE-011]', '/tools/dns-benchmark-test', 'DNS Benchmark', 'Start Test'],
  ['[RTE-012]', '/tools/access-control-validator', 'Access Control Validator', 'Validate'],
]

/** The six categories of §2 with a tool at each length of path; certificates have none that goes two ways (OPEN-074). */
const categories: readonly (readonly [row: string, slug: string, heading: string, short: string, long?: string])[] = [
  ['[RTE-013]', 'hash-generators-and-checksum', 'Hash Generators and Checksum', 'md5', 'bcrypt/verify'],
  ['[RTE-014]', 'encryption-and-decryption', 'Encryption and Decryption', 'padding-scheme', 'aes/decrypt'],
  [
    '[RTE-015]',
    'digital-signatures-and-key-management',
    'Digital Signatures and Key Management',
    'ecdh',
    'rsa-signature/verify',
  ],
  ['[RTE-016]', 'cipher-tools-and-simulators', 'Cipher Tools and Simulators', 'rot13', 'caesar-cipher/decrypt'],
  ['[RTE-017]', 'encoding-and-decoding', 'Encoding and Decoding', 'numeral-converter', 'base64/decode'],
  ['[RTE-018]', 'certificate-and-pki-tools', 'Certificate and PKI Tools', 'x509'],
]

let app: App

/** What a browser ends at that is told a page without its last slash. */
async function open(path: string): Promise<string> {
  const slashed = path.endsWith('/') ? path : `${path}/`
  if (slashed !== path) {
    const { statusCode, headers } = await app.server.inject(path)
    assert.deepEqual([statusCode, headers.location], [301, slashed])
  }
  const { statusCode, body } = await app.server.inject(slashed)
  assert.equal(statusCode, 200, path)
  return body
}

const plain = (html: string) => html.replaceAll(/<[^>]*>/g, '').replaceAll('&amp;', '&')
const headingOf = (html: string) => plain(/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? '')
const buttonOf = (html: string) => plain(/<button type="submit"[^>]*>(.*?)<\/button>/s.exec(html)?.[1] ?? '')
const cardsOf = (html: string) =>
  [...html.matchAll(/<a href="([^"]*)" class="tool-card"/g)].map(([, href = '']) => href)
const isRunner = (html: string) => {
  assert.equal(buttonOf(html), 'Run Tool')
  assert.match(html, /<div data-island="tool">/)
}

describe('routes', () => {
  before(async () => {
    app = await servedSite(signal => replay({ zone: '' }, signal))
  })
  after(() => app.close())

  test('[RTE-001] home has a section for every category, with all of its tools', async () => {
    const html = await open('/')
    for (const slug of ['dns-tools', 'network-tools', ...categories.map(([, slug]) => slug)]) {
      assert.match(html, new RegExp(`<a href="/${slug}/?"`), slug)
    }
    assert.equal(cardsOf(html).length, catalogue.length)
  })

  for (const [rows, path, heading, button] of tools) {
    test(`${rows} ${path} is ${heading}`, async () => {
      const html = await open(path)
      assert.deepEqual([headingOf(html), buttonOf(html)], [heading, button])
    })
  }

  test('[RTE-002] [RTE-052] /dns-tools/ has its heading and the twenty tools of the specification, each once', async () => {
    const html = await open('/dns-tools')
    assert.equal(headingOf(html), 'DNS Tools')
    const named = tools.map(([, path]) => `${path}/`).filter(path => /^\/dns-tools\/[^/]+\/$/.test(path))
    assert.equal(named.length, 20)
    assert.deepEqual(cardsOf(html).sort(), named.sort())
  })

  for (const [row, slug, heading, short, long] of categories) {
    test(`${row} [RTE-002] /${slug}/ lists its tools, which are below it`, async () => {
      const html = await open(`/${slug}`)
      assert.equal(headingOf(html), heading)
      const cards = cardsOf(html)
      assert.ok(cards.length > 4)
      for (const card of cards) assert.ok(card.startsWith(`/${slug}/`), card)
    })

    test(`[RTE-020] /${slug}/${short} is a tool`, async () => isRunner(await open(`/${slug}/${short}`)))
    if (long) {
      test(`[RTE-019] [OPEN-074] /${slug}/${long} is a tool`, async () => isRunner(await open(`/${slug}/${long}`)))
    }
  }
})
