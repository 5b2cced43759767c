import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { ServerContext } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { browserResolverOrigins, browserResolvers } from '@assay/lib/dns/browser-resolvers'
import { publicResolvers } from '@assay/lib/dns/resolvers'
import type { Page, Request } from 'playwright-core'
import type { App } from '../../server/src/app.ts'
import { openSite, type Site } from './browser.ts'
import { servedSite } from './served.ts'

const PATH = '/dns-tools/dns-benchmark-test/'
const zone = 'example.com. 300 A 192.0.2.1'
/** Playwright gives leave by itself unless the answer says whom it is for. */
const notForUs = { 'access-control-allow-origin': 'https://other.example' }
const readable = { 'access-control-allow-origin': '*', 'content-type': 'application/dns-json' }

let app: App
let site: Site
let ready = Promise.withResolvers<void>()
ready.resolve()

/** Resolvers as recorded, once the test lets them answer. */
function context(signal: AbortSignal): ServerContext {
  const servers = Object.fromEntries(
    publicResolvers.slice(0, 4).map(({ ipv4 }, i) => [ipv4[0], { zone, milliseconds: 20 * (i + 2) }]),
  )
  const encryptedDns = { 'https://dns.google/dns-query': { zone, milliseconds: 350 } }
  const recorded = replay({ zone, servers, encryptedDns }, signal)
  const { rawDns } = recorded
  const exchange: typeof rawDns.exchange = async (...question) => {
    await ready.promise
    return rawDns.exchange(...question)
  }
  return { ...recorded, rawDns: { ...rawDns, exchange } }
}

const start = (page: Page) => page.getByRole('button', { name: 'Start Test' })
const mode = (page: Page, name: string) => page.locator('.place-switch').getByText(name, { exact: true })
const domain = (page: Page) => page.getByLabel('Domain', { exact: true })
const result = (page: Page) => page.getByRole('region', { name: 'Result', exact: true })
const row = (page: Page, name: string) => result(page).getByRole('row').filter({ hasText: name })

interface Mocked {
  page: Page
  requests: Request[]
  faults: string[]
  close(): Promise<void>
}

/** Browser mode with providers that answer as told: with leave to read them, without, with a status, or not at all. */
async function openMocked(
  answers: Readonly<Record<string, 'readable' | 'opaque' | 'failing' | 'dead'>>,
): Promise<Mocked> {
  const { page } = await site.open(PATH)
  const requests: Request[] = []
  const faults: string[] = []
  page.on('console', message => {
    if (/Content Security Policy|Trusted/i.test(message.text())) faults.push(message.text())
  })
  page.on('pageerror', error => faults.push(error.message))
  for (const { name, url } of browserResolvers) {
    const how = answers[name] ?? 'opaque'
    await page.route(`${new URL(url).origin}/**`, async route => {
      requests.push(route.request())
      if (how === 'dead') return route.abort('connectionrefused')
      if (how === 'opaque') return route.fulfill({ status: 200, headers: notForUs, body: '' })
      return route.fulfill({ status: how === 'failing' ? 500 : 200, headers: readable, body: '{"Status":3}' })
    })
  }
  return { page, requests, faults, close: () => page.context().close() }
}

const sentTo = (requests: readonly Request[], name: string) => {
  const origin = new URL(browserResolvers.find(each => each.name === name)?.url ?? '').origin
  return requests.filter(request => request.url().startsWith(origin))
}

/** RFC 1035 §3.1 and §4.1.2: the labels of a question, then its type and class. */
function labelsOf(question: Buffer): string[] {
  const labels: string[] = []
  let offset = 0
  for (let length = question[0]; length; length = question[offset]) {
    labels.push(question.toString('latin1', offset + 1, offset + 1 + length))
    offset += length + 1
  }
  return [...labels, '', `type ${question.readUInt16BE(offset + 1)}`, `class ${question.readUInt16BE(offset + 3)}`]
}

describe('the DNS benchmark in a browser', () => {
  before(async () => {
    app = await servedSite(signal => context(signal))
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.server.address() as AddressInfo
    site = await openSite(`http://127.0.0.1:${port}`)
  })
  after(async () => {
    await site.close()
    await app.close()
  })

  test('[BEN-001] [BEN-002] [BEN-003] [BEN-004] [BEN-035] [BEN-037] [OPEN-024] [BIZ-031] the page as it opens', async () => {
    const { page, close } = await site.open(PATH)
    assert.equal(await domain(page).inputValue(), 'example.com')
    for (const mode of ['Server', 'Browser']) await page.getByRole('radio', { name: mode, exact: true }).waitFor()
    await page.getByRole('heading', { name: 'How Our Tests Work' }).waitFor()
    await page
      .getByText(/22\+ providers, .* traditional DNS .* DNS over HTTPS \(DoH\)/)
      .first()
      .waitFor()
    assert.equal(await start(page).isDisabled(), false)
    await domain(page).fill('  ')
    assert.equal(await start(page).isDisabled(), true)
    await close()
  })

  test('[BEN-070] [BEN-071] [VAL-046] [OPEN-036] blank is refused in both modes, a misfit in the same words', async () => {
    const { page, close } = await site.open(PATH)
    const alert = page.getByRole('alert')
    await domain(page).fill('')
    await domain(page).press('Enter')
    await alert.getByRole('heading', { name: 'Missing Domain' }).waitFor()
    await alert.getByText('Please enter a domain.').waitFor()
    await mode(page, 'Browser').click()
    await domain(page).press('Enter')
    await alert.getByText('Enter a domain', { exact: true }).waitFor()
    for (const each of ['Server', 'Browser']) {
      await mode(page, each).click()
      await domain(page).fill('abc')
      await start(page).click()
      await alert.getByText("Input doesn't match required format: example.com").waitFor()
    }
    await close()
  })

  test('[BEN-005] [BEN-006] [BEN-007] [BEN-038] [BEN-072] [VAL-047] a run in server mode, from the spinner to its tables', async () => {
    ready = Promise.withResolvers()
    const { page, requests, close } = await site.open(PATH)
    await domain(page).fill(' example.com ')
    await start(page).click()
    await page.getByText('Running DNS Benchmark').first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Testing...' }).isDisabled(), true)
    assert.equal(await domain(page).isDisabled(), true)
    assert.equal(await page.getByRole('radio', { name: 'Browser', exact: true }).isDisabled(), true)
    ready.resolve()
    await start(page).waitFor()
    assert.ok(requests.includes(`${site.base}/api/dns-benchmark-test/example.com/`))
    for (const [card, value] of [
      ['Fastest Resolver', /^40\.00 ms/],
      ['Success Rate', /4\/30 providers/],
      ['DoH Support', /1 by DoH/],
      ['Performance', /Average|Good/],
    ] as const) {
      const term = result(page)
        .getByRole('term')
        .filter({ hasText: new RegExp(`^${card}$`) })
      assert.match((await term.locator('xpath=following-sibling::dd').first().textContent()) ?? '', value, card)
    }
    await result(page).getByRole('heading', { name: 'Top 3 Fastest' }).waitFor()
    await result(page).getByRole('heading', { name: 'Recommendations' }).waitFor()
    assert.match(
      (await row(page, 'Google Public DNS (8.8.8.8)').first().textContent()) ?? '',
      /UDP.*40\.00 ms.*Excellent/,
    )
    assert.match((await row(page, 'Yandex DNS Basic').first().textContent()) ?? '', /Failed/)
    await close()
  })

  test('[BEN-050] a failing server gives a title and a message', async () => {
    const { page, close } = await site.open(PATH)
    await page.route('**/api/dns-benchmark-test/**', route => route.fulfill({ status: 500, json: { error: 'boom' } }))
    await start(page).click()
    await page.getByRole('alert').getByRole('heading').waitFor()
    await close()
  })

  test('[BIZ-026] [BIZ-027] [BEN-026] [BEN-027] [BEN-028] [BEN-029] [BEN-030] [BEN-031] [BEN-032] [BEN-033] [BEN-034] [BEN-062] [BEN-069] a run in browser mode', async () => {
    const { page, requests, faults, close } = await openMocked({
      Google: 'readable',
      Cloudflare: 'readable',
      Quad9: 'readable',
      NextDNS: 'readable',
    })
    await mode(page, 'Browser').click()
    await start(page).click()
    await page.getByText(/^[\d.]+ m?s in this browser$/).waitFor({ timeout: 20_000 })
    for (const card of ['Fastest', 'Success Rate', 'DoH Support', 'Average Performance']) {
      await result(page).getByRole('term').getByText(card, { exact: true }).waitFor()
    }
    await result(page).getByText('15/15 providers').waitFor()
    const texts = await result(page).getByRole('row').allTextContents()
    assert.equal(texts.length, 16)
    assert.equal(texts.filter(text => text.includes('DoH (Full)')).length, 4)
    assert.equal(texts.filter(text => text.includes('DoH (Timing)')).length, 11)
    const averages = texts.slice(1).map(text => Number(/(\d+\.\d\d) ms \(\d+\.\d-\d+\.\d\)/.exec(text)?.[1]))
    assert.deepEqual(
      averages,
      averages.toSorted((a, b) => a - b),
    )
    const marked = await result(page).getByRole('row').locator('td:first-child .badge').count()
    assert.equal(marked, 3)
    assert.deepEqual(faults, [])
    for (const { name } of browserResolvers) assert.equal(sentTo(requests, name).length, 5, name)
    await close()
  })

  test('[BEN-051] [BEN-052] [BEN-053] [BEN-054] [BEN-055] [BEN-056] [OPEN-058] what is sent, and to whom', async () => {
    const { page, requests, faults, close } = await openMocked({ Google: 'readable', Cloudflare: 'readable' })
    await mode(page, 'Browser').click()
    await start(page).click()
    await page.getByText(/^[\d.]+ m?s in this browser$/).waitFor({ timeout: 20_000 })
    assert.deepEqual(new Set(requests.map(request => new URL(request.url()).origin)), new Set(browserResolverOrigins))
    assert.ok(requests.every(request => request.method() === 'GET' && request.postData() === null))
    for (const provider of ['Google', 'Cloudflare']) {
      const names = sentTo(requests, provider).map(request => {
        const { searchParams } = new URL(request.url())
        assert.equal(searchParams.get('type'), 'A')
        assert.equal(request.headers().accept, 'application/dns-json')
        assert.match(searchParams.get('name') ?? '', /^[a-z]{12}\.example\.com$/)
        return searchParams.get('name')
      })
      assert.equal(new Set(names).size, 5, 'no name is asked twice')
    }
    // Neither lets itself be read, and the run found that out: four samples follow the first, by time alone.
    for (const provider of ['Quad9', 'NextDNS', 'OpenDNS']) {
      assert.match((await row(page, provider).first().textContent()) ?? '', /DoH \(Timing\)/)
      const messages = sentTo(requests, provider).slice(1)
      assert.equal(messages.length, 4)
      for (const request of messages) {
        const dns = Buffer.from(new URL(request.url()).searchParams.get('dns') ?? '', 'base64url')
        assert.deepEqual([...dns.subarray(0, 12)], [0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0])
        const [label, ...rest] = labelsOf(dns.subarray(12))
        assert.match(label ?? '', /^[a-z]{12}$/)
        assert.deepEqual(rest, ['example', 'com', '', 'type 1', 'class 1'])
        assert.equal(request.headers()['sec-fetch-mode'] ?? 'no-cors', 'no-cors')
      }
    }
    assert.deepEqual(faults, [])
    await close()
  })

  test('[BEN-024] [BEN-060] [BEN-061] a provider that is dead, or readable and no success, has failed', async () => {
    const { page, requests, close } = await openMocked({ Google: 'readable', Cloudflare: 'failing', Mullvad: 'dead' })
    await mode(page, 'Browser').click()
    await start(page).click()
    await page.getByText(/^[\d.]+ m?s in this browser$/).waitFor({ timeout: 20_000 })
    for (const provider of ['Cloudflare', 'Mullvad']) {
      assert.match((await row(page, provider).first().textContent()) ?? '', /Failed/, provider)
    }
    assert.match((await row(page, 'Cloudflare').first().textContent()) ?? '', /DoH \(Full\)/)
    assert.equal(sentTo(requests, 'Cloudflare').length, 5)
    await result(page).getByText('13/15 providers').waitFor()
    await close()
  })

  test('[SPD-012] where the page is narrow, the rows of the speed test are cards', async () => {
    const { page, close } = await site.open('/dns-tools/dns-speed-test/', { viewport: { width: 360, height: 800 } })
    await domain(page).fill('example.com')
    await page.getByRole('button', { name: 'Analyze' }).click()
    await page.getByText(/^[\d.]+ m?s on the server$/).waitFor()
    await result(page).locator('td[data-column="Response Time"]').first().waitFor()
    const before = `getComputedStyle(document.querySelector('td[data-column="Response Time"]'), '::before').content`
    // Chromium gives the attribute's name or its value, by version.
    assert.match(await page.evaluate(before), /Response Time|attr\(data-column\)/)
    assert.equal(await result(page).locator('thead').first().isVisible(), false)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
    await page.setViewportSize({ width: 1280, height: 800 })
    assert.equal(await result(page).locator('thead').first().isVisible(), true)
    await close()
  })

  test('[OPEN-058] the policy of this page alone names the fifteen', async () => {
    for (const [path, count] of [
      [PATH, 15],
      [`/tools/dns-benchmark-test/`, 15],
      ['/dns-tools/dns-lookup/', 0],
    ] as const) {
      const response = await fetch(site.base + path)
      const policy = response.headers.get('content-security-policy') ?? ''
      const connect = /connect-src ([^;]*)/.exec(policy)?.[1] ?? ''
      assert.equal(connect.split(' ').filter(origin => origin.startsWith('https://')).length, count, path)
    }
  })
})
