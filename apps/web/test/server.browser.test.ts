import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { replay } from '@assay/kit/replay'
import type { App } from '../../server/src/app.ts'
import { openSite, type Site } from './browser.ts'
import { servedSite } from './served.ts'

const MD5 = '/hash-generators-and-checksum/md5/'
const zone = 'example.com. 300 IN A 192.0.2.1\nexample.com. 300 IN MX 10 mail.example.com.'

let app: App
let site: Site

describe('the site as the server delivers it', () => {
  before(async () => {
    app = await servedSite(signal => replay({ zone }, signal))
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.server.address() as AddressInfo
    site = await openSite(`http://127.0.0.1:${port}`)
  })
  after(async () => {
    await site.close()
    await app.close()
  })

  test('[OPEN-007] the same tool gives the same result in the browser and on the server', async () => {
    const { page, close } = await site.open(MD5)
    await page.getByLabel('Text', { exact: true }).fill('abc')
    const results: (string | null)[] = []
    for (const place of ['In this browser', 'On the server']) {
      await page.getByText(place, { exact: true }).click()
      await page.getByRole('button', { name: 'Run Tool' }).click()
      await page.getByText(place === 'On the server' ? /ms on the server/ : /ms in this browser/).waitFor()
      await page.getByRole('tab', { name: 'JSON' }).click()
      results.push(await page.getByRole('tabpanel').locator('pre').textContent())
    }
    assert.equal(results[0], results[1])
    assert.match(results[0] ?? '', /900150983cd24fb0d6963f7d28e17f72/)
    await close()
  })

  test('[BIZ-001] [BIZ-003] [PAG-023] everything is there for a visitor without an account, and nothing asks for one or for money', async () => {
    const { page, close } = await site.open('/')
    const paths = [
      '/',
      '/tools/',
      MD5,
      '/about-us/',
      '/terms-of-services/',
      '/privacy-policy/',
      '/disclaimer/',
      '/careers/',
      '/auth/',
    ]
    for (const path of paths) {
      const answer = await page.goto(site.base + path)
      assert.equal(answer?.status(), 200, path)
      assert.equal(new URL(page.url()).pathname, path)
      assert.equal(await page.locator('main input[type="password"]').count(), path === '/auth/' ? 1 : 0, path)
      const words = (await page.locator('main').textContent()) ?? ''
      assert.doesNotMatch(
        words,
        /\b(?:subscribe|subscription|upgrade to|pricing|credit card|free trial|per month)\b/i,
        path,
      )
    }
    await close()
  })

  test('[BIZ-004] a tool is a field and a button that makes one call to the API and shows its result', async () => {
    const { page, requests, close } = await site.open('/dns-tools/dns-records/mx/')
    const calls = () => requests.map(url => new URL(url).pathname).filter(path => path.startsWith('/api/'))
    await page.locator('form input').first().fill('example.com')
    await page.locator('form button[type="submit"]').click()
    await page.getByRole('region', { name: 'Result', exact: true }).getByText('mail.example.com').first().waitFor()
    assert.deepEqual(calls(), ['/api/dns-records/example.com/mx/'])
    await page.goto(site.base + MD5)
    await page.getByLabel('Text', { exact: true }).fill('abc')
    await page.getByText('On the server').click()
    await page.getByRole('button', { name: 'Run Tool' }).click()
    await page.getByText('900150983cd24fb0d6963f7d28e17f72').first().waitFor()
    assert.deepEqual(calls().slice(1), ['/api/md5/'])
    await close()
  })

  test('[BIZ-009] [BIZ-010] tools of every category run with nothing stored, and an account can be had by email or by two services', async () => {
    const { page, close } = await site.open('/')
    for (const [path, text, expected] of [
      [MD5, 'abc', '900150983cd24fb0d6963f7d28e17f72'],
      ['/encoding-and-decoding/base64/encode/', 'abc', 'YWJj'],
      ['/cipher-tools-and-simulators/rot13/', 'abc', 'nop'],
    ] as const) {
      const answer = await page.goto(site.base + path)
      assert.equal(answer?.status(), 200, path)
      await page.locator('form textarea').first().fill(text)
      await page.getByRole('button', { name: 'Run Tool' }).click()
      await page.getByRole('region', { name: 'Result', exact: true }).getByText(expected).first().waitFor()
      assert.deepEqual(await page.evaluate('[localStorage.length, document.cookie]'), [0, ''])
    }
    await page.goto(`${site.base}/auth/`)
    await page.getByLabel('Email', { exact: true }).waitFor()
    await page.getByLabel('Password', { exact: true }).waitFor()
    for (const name of ['Google', 'GitHub']) await page.getByRole('button', { name: `Continue with ${name}` }).waitFor()
    await close()
  })

  test('[PAG-016] [OPEN-014] the link of the Terms opens the Privacy Policy, and Back returns to the Terms', async () => {
    const { page, close } = await site.open('/terms-of-services/')
    await page.getByRole('main').getByRole('link', { name: 'Privacy Policy' }).click()
    await page.getByRole('heading', { level: 1, name: 'Privacy Policy' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/privacy-policy/')
    await page.goBack()
    assert.equal(new URL(page.url()).pathname, '/terms-of-services/')
    await close()
  })

  test('[REC-023] [REC-024] [REC-025] [REC-026] [REC-030] a record lookup, from the question to its four cards', async () => {
    const { page, close } = await site.open('/dns-tools/dns-records/MX?q=example.com')
    assert.equal(new URL(page.url()).pathname.toLowerCase(), '/dns-tools/dns-records/mx/')
    for (const card of ['Domain Analyzed', 'Record Types Found', 'Total Records', 'Query Status']) {
      await page.getByRole('term').getByText(card, { exact: true }).waitFor()
    }
    await page.getByText('10 mail.example.com.').waitFor()
    assert.equal(await page.getByText('192.0.2.1').count(), 0)
    await close()
  })

  test('[OPEN-050] [REC-032] a name that does not exist is a failed lookup in the words of the server', async () => {
    const { page, close } = await site.open('/dns-tools/dns-records/mx/?q=nowhere.invalid')
    await page.getByRole('alert').getByRole('heading', { name: 'Lookup Failed' }).waitFor()
    await page.getByRole('alert').getByText('No DNS records found').waitFor()
    await close()
  })

  test('[OPEN-029] [OPEN-030] [OPEN-032] what is not there is answered 404 with the screen of its place', async () => {
    for (const [path, heading] of [
      ['/no-such-category/', 'Page not found'],
      ['/a/b/c/d/', 'Page Not Found'],
      ['/encoding-and-decoding/no-such/', 'Tool Not Found'],
      ['/tools/no-such-tool/', '404 Tool Not Found'],
      ['/dns-tools/dns-records/foo/', '404 Invalid Record Type'],
    ] as const) {
      const { page, close } = await site.open('/404/')
      const response = await page.goto(site.base + path)
      assert.equal(response?.status(), 404, path)
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
      await close()
    }
  })

  test('verification runs the recorded network cases of a lookup in the browser', async () => {
    const { page, close } = await site.open('/dns-tools/dns-lookup/')
    await page.getByRole('button', { name: /^Verify/ }).click()
    const verdict = page.getByText(/^\d+ of \d+ passed in this browser$/)
    await verdict.waitFor()
    const [passed, all] = ((await verdict.textContent()) ?? '').match(/\d+/g) ?? []
    assert.equal(passed, all)
    await close()
  })
})
