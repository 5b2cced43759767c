import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { catalogue } from '@assay/catalogue/catalogue'
import type { RecordedResponse } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { type App, createApp } from '../../server/src/app.ts'
import { readSettings } from '../../server/src/settings.ts'
import { readSite } from '../../server/src/site.ts'
import { unhurried } from '../../server/test/unhurried.ts'
import { openSite, type Site } from './browser.ts'
import { ensureBuilt } from './built.ts'

const json = (body: object, status = 200): RecordedResponse => ({ status, headers: [], body: JSON.stringify(body) })
const http = {
  'https://data.iana.org/rdap/dns.json': json({ services: [[['test'], ['https://rdap.test/']]] }),
  'https://rdap.test/domain/shop.test': json({
    objectClassName: 'domain',
    ldhName: 'shop.test',
    events: [{ eventAction: 'registration', eventDate: '2025-07-01T00:30:00Z' }],
    entities: [{ roles: ['registrar'], vcardArray: ['vcard', [['fn', {}, 'text', 'NameCheap, Inc.']]] }],
  }),
  'https://rdap.test/domain/abc-free.test': json({}, 404),
  ...Object.fromEntries(
    ['GoDaddy.com, LLC', 'NAMECHEAP INC', 'Porkbun LLC', 'CloudFlare, Inc.', 'Gandi SAS', 'Foo Ltd'].map(
      (name, index) => [
        `https://rdap.test/domain/shop${index}.test`,
        json({
          objectClassName: 'domain',
          ldhName: `shop${index}.test`,
          entities: [{ roles: ['registrar'], vcardArray: ['vcard', [['fn', {}, 'text', name]]] }],
        }),
      ],
    ),
  ),
}

let app: App
let site: Site

describe('the WHOIS page', () => {
  before(async () => {
    await ensureBuilt()
    const built = await readSite(new URL('../dist/', import.meta.url), catalogue)
    const createJob = (_: unknown, signal: AbortSignal) => ({ context: replay({ http }, signal), dispose: () => {} })
    app = await createApp({ settings: readSettings(unhurried), log: () => {}, site: built, createJob })
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.server.address() as AddressInfo
    site = await openSite(`http://127.0.0.1:${port}`)
  })
  after(async () => {
    await site.close()
    await app.close()
  })

  test('[WHO-001] [WHO-002] [WHO-003] [WHO-005] [WHO-033] [OPEN-057] a registered name: one input, Enter, seven cards, a sign', async () => {
    const { page, close } = await site.open('/dns-tools/whois/')
    await page.getByRole('heading', { level: 1, name: 'Whois Lookup' }).waitFor()
    assert.equal(await page.locator('form input').count(), 1)
    await page.getByRole('button', { name: 'Search', exact: true }).waitFor()
    await page.locator('#domain').fill('shop.test')
    await page.locator('#domain').press('Enter')
    const cards = [
      'Domain Information',
      'Registration Dates',
      'Domain Status',
      'Nameservers',
      'Registrant',
      'Contacts',
      'Registrar Abuse',
    ]
    for (const name of cards) await page.getByRole('heading', { name, exact: true }).waitFor()
    await page.getByText('Jul 1, 2025').waitFor()
    await page.getByText('No status reported').waitFor()
    await page.locator('[data-mark="namecheap"]').waitFor()
    await page.getByRole('heading', { name: /^What is/ }).waitFor()
    await close()
  })

  test('[BIZ-034] [WHO-033] [OPEN-057] five registrars have a sign of their own, all others one together', async () => {
    const { page, close } = await site.open('/dns-tools/whois/')
    for (const [index, mark] of ['godaddy', 'namecheap', 'porkbun', 'cloudflare', 'gandi', 'globe'].entries()) {
      await page.locator('#domain').fill(`shop${index}.test`)
      await page.locator('#domain').press('Enter')
      await page.getByText(`shop${index}.test`, { exact: true }).first().waitFor()
      await page.locator(`main [data-mark="${mark}"]`).waitFor()
      assert.equal(await page.locator('main [data-mark]').count(), 1)
    }
    await close()
  })

  test('[WHO-039] [ERR-004] [ERR-005] [ERR-006] [ERR-007] [ERR-008] [OPEN-056] a free name: three places to register it', async () => {
    const { page, close } = await site.open('/dns-tools/whois/?q=abc-free.test')
    const alert = page.getByRole('alert')
    await alert.getByRole('heading', { name: 'Domain Not Registered' }).waitFor()
    await alert.getByText('This domain is not registered. You can register it from trusted providers.').waitFor()
    await alert.getByText('This domain appears to be available for registration:').waitFor()
    const links = await alert.getByRole('link').all()
    assert.deepEqual(await Promise.all(links.map(link => link.innerText())), [
      'Register on Namecheap',
      'Register on GoDaddy',
      'Register on Porkbun',
    ])
    for (const link of links) {
      const href = (await link.getAttribute('href')) ?? ''
      assert.match(href, /^https:.*abc-free\.test/)
      assert.doesNotMatch(href, /[{}]/)
      assert.equal(await link.locator('[data-mark]:not([data-mark="globe"])').count(), 1)
    }
    await close()
  })

  test('[VAL-037] [VAL-038] [OPEN-040] empty and malformed input in the words of the page', async () => {
    const { page, close } = await site.open('/dns-tools/whois/')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('heading', { name: 'Missing Input' }).waitFor()
    await page.getByRole('alert').getByText('Please enter a domain or IP.').waitFor()
    await page.locator('#domain').fill('abc')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('heading', { name: 'Invalid Input' }).waitFor()
    await page.getByRole('alert').getByText('Input must match: example.com or 8.8.8.8').waitFor()
    await close()
  })

  test('[WHO-036] [WHO-037] another tool, and the way back, begin at the top with nothing typed', async () => {
    const { page, close } = await site.open('/dns-tools/whois/?q=shop.test')
    await page.getByRole('heading', { name: 'Domain Information', exact: true }).waitFor()
    const related = page
      .getByRole('complementary', { name: /Related Tools/ })
      .first()
      .getByRole('link')
      .first()
    await related.scrollIntoViewIfNeeded()
    await related.click()
    await page.waitForURL(url => !url.pathname.includes('whois'))
    assert.equal(await page.evaluate('scrollY'), 0)
    await page.goto(`${site.base}/dns-tools/whois/`)
    assert.equal(await page.locator('#domain').inputValue(), '')
    assert.equal(await page.getByRole('heading', { name: 'Domain Information', exact: true }).count(), 0)
    await close()
  })

  test('[WHO-004] [WHO-006] while the registry is asked, button and spinner say so', async () => {
    const { page, close } = await site.open('/dns-tools/whois/')
    const answer = Promise.withResolvers<void>()
    await page.route('**/api/whois/**', async route => {
      await answer.promise
      await route.continue()
    })
    await page.locator('#domain').fill('shop.test')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('button', { name: 'Searching…' }).waitFor()
    await page.getByText('Fetching WHOIS data…').waitFor()
    answer.resolve()
    await page.getByRole('heading', { name: 'Registrant', exact: true }).waitFor()
    await close()
  })
})
