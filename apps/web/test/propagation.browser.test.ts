import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { replay } from '@assay/kit/replay'
import type { Page } from 'playwright-core'
import type { App } from '../../server/src/app.ts'
import { axeFindings, openSite, type Site } from './browser.ts'
import { servedSite } from './served.ts'

const PATH = '/dns-tools/dns-propagation-check/'
const zone = `example.com. 300 A 192.0.2.1
example.com. 300 AAAA 2001:db8::1
example.com. 300 MX 10 mail.example.com.
example.com. 300 TXT "v=spf1 -all"
example.com. 300 NS ns.example.com.
example.com. 300 CAA 0 issue "ca.example.net"
www.example.com. 300 CNAME example.com.
. 86400 SOA a.root-servers.net. nstld.verisign-grs.com. 1 1800 900 604800 86400`

let app: App
let site: Site

const result = (page: Page) => page.getByRole('region', { name: 'Result', exact: true })

async function run(page: Page, domain: string, type: string) {
  await page.getByLabel('Domain', { exact: true }).fill(domain)
  await page.getByLabel('Record type').selectOption(type)
  await page.getByRole('button', { name: 'Analyze' }).click()
  await page.getByText(/^[\d.]+ m?s on the server$/).waitFor()
  await result(page).getByText(`${type} records at 30 public resolvers`).waitFor()
}

describe('propagation and EDNS support in a browser', () => {
  before(async () => {
    app = await servedSite(signal => replay({ zone, servers: { '8.8.8.8': { zone } } }, signal))
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.server.address() as AddressInfo
    site = await openSite(`http://127.0.0.1:${port}`)
  })
  after(async () => {
    await site.close()
    await app.close()
  })

  test('[PRO-006] [PRO-007] [PRO-008] [PRO-009] [PRO-010] [PRO-011] [PRO-012] every record type has its own sign', async () => {
    const { page, close } = await site.open(PATH)
    const signs: string[] = []
    for (const [domain, type] of [
      ...['A', 'AAAA', 'MX', 'TXT', 'NS', 'CAA'].map(type => ['example.com', type] as const),
      ['www.example.com', 'CNAME'] as const,
    ]) {
      await run(page, domain, type)
      const sign = result(page).locator(`svg[data-type="${type}"]`).first()
      signs.push(`${await sign.getAttribute('stroke')} ${await sign.locator('path').getAttribute('d')}`)
    }
    assert.equal(new Set(signs.map(sign => sign.split(' ')[0])).size, 7, 'seven colours')
    assert.equal(new Set(signs).size, 7, 'seven shapes')
    await result(page).getByText('No records found for this resolver.').first().waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await close()
  })

  test('the third viewpoint: this browser asks those it may read, and only when told to', async () => {
    const { page } = await site.open(PATH)
    const asked: string[] = []
    const faults: string[] = []
    page.on('console', message => /Content Security Policy/i.test(message.text()) && faults.push(message.text()))
    const answer = (ip: string) => ({
      headers: { 'access-control-allow-origin': '*', 'content-type': 'application/dns-json' },
      body: JSON.stringify({ Status: 0, Answer: [{ name: 'example.com.', type: 1, TTL: 60, data: ip }] }),
    })
    for (const [origin, ip] of [
      ['https://dns.google', '192.0.2.1'],
      ['https://cloudflare-dns.com', '198.51.100.9'],
    ] as const) {
      await page.route(`${origin}/**`, route => {
        asked.push(route.request().url())
        return route.fulfill(answer(ip))
      })
    }
    await run(page, 'example.com', 'A')
    assert.deepEqual(asked, [])
    await page.getByRole('button', { name: 'Ask from this browser' }).click()
    await page.getByRole('heading', { name: 'Seen from this browser' }).waitFor()
    const row = (name: string) => result(page).getByRole('row').filter({ hasText: name }).filter({ hasText: '60 s' })
    assert.match((await row('Google').textContent()) ?? '', /UP TO DATE.*192\.0\.2\.1/)
    assert.match((await row('Cloudflare').textContent()) ?? '', /DIFFERS.*198\.51\.100\.9/)
    assert.equal(asked.length, 2)
    assert.match(asked[0] ?? '', /\?name=example\.com&type=A$/)
    assert.deepEqual(faults, [])
    await page.context().close()
  })

  test('[EDN-012] the moment of a recent check is written in the time of the visitor', async () => {
    const { page, close } = await site.open('/dns-tools/edns-support-check/', {
      timezoneId: 'Asia/Tokyo',
      locale: 'en-US',
    })
    await page.getByLabel('DNS server', { exact: true }).fill('8.8.8.8')
    await page.getByRole('button', { name: 'Analyze' }).click()
    const moment = result(page).locator('time').first()
    await moment.waitFor()
    assert.equal(await moment.getAttribute('datetime'), '2026-01-01T00:00:00.000Z')
    assert.match((await moment.textContent()) ?? '', /^1\/1\/2026, 9:00:00/)
    await close()
  })
})
