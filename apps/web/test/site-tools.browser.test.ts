import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Recording } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import type { App } from '../../server/src/app.ts'
import { axeFindings, openSite, type Site } from './browser.ts'
import { servedSite } from './served.ts'

const far = Array.from({ length: 29 }, (_, i) => [`5.6.7.${i + 1}`, 0.001 * (i + 1)] as const)
const recording: Recording = {
  http: {
    'https://example.com/': { status: 200, headers: [['Server', 'nginx/1.22.1']] },
    'https://example.com/.git/HEAD': { status: 200, headers: [], body: 'ref: refs/heads/main\n' },
  },
  routes: { '8.8.8.8': [...far.slice(0, 3), null, ...far.slice(4), ['8.8.8.8', 0.03]] },
}

let app: App
let site: Site

describe('tools that look at sites and ways, from the question to the answer', () => {
  before(async () => {
    app = await servedSite(signal => replay(recording, signal))
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    site = await openSite(`http://127.0.0.1:${(app.server.server.address() as AddressInfo).port}`)
  })
  after(async () => {
    await site.close()
    await app.close()
  })

  test('[TRC-003] [BIZ-025] traceroute: a picture, and a list of at most 24rem that scrolls by itself', async () => {
    const { page, close } = await site.open('/network-tools/traceroute/?q=8.8.8.8')
    await page.getByText('REACHED', { exact: true }).waitFor()
    await page.getByRole('img', { name: 'Latency by hop' }).waitFor()
    await page.getByText('No reply').waitFor()
    const box = page.getByRole('table').first().locator('xpath=ancestor::*[contains(@class,"scroll")][1]')
    const { height = 0 } = (await box.boundingBox()) ?? {}
    const rem = Number.parseFloat(await page.evaluate('getComputedStyle(document.documentElement).fontSize'))
    assert.ok(height > 0 && height <= 24 * rem + 1, `${height} px`)
    assert.deepEqual(await axeFindings(page), [])
    await close()
  })

  test('[ACV-001] [ACV-021] [VAL-042] [OPEN-040] validator: Enter in the empty field asks for a domain name', async () => {
    const { page, close } = await site.open('/dns-tools/access-control-validator/')
    assert.ok(await page.getByRole('button', { name: 'Validate' }).isDisabled())
    await page.getByLabel('Domain', { exact: true }).press('Enter')
    await page.getByText('Missing Input').waitFor()
    await page.getByText('Please enter a domain name.').first().waitFor()
    await close()
  })

  test('[ACV-002] [ACV-006] [ACV-011] [ACV-020] validator: four cards, categories with proof, the scale', async () => {
    const { page, close } = await site.open('/dns-tools/access-control-validator/')
    await page.getByLabel('Domain', { exact: true }).fill('example.com')
    await page.getByRole('button', { name: 'Validate' }).click()
    await page.getByText('VULNERABLE', { exact: true }).waitFor()
    for (const card of ['Total Vulnerabilities', 'Categories Affected', 'Security Status', 'Risk Level']) {
      await page.getByRole('term').getByText(card, { exact: true }).waitFor()
    }
    await page.getByText('ref: refs/heads/main').waitFor()
    await page.getByRole('heading', { name: 'Risk Assessment Scale' }).waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await close()
  })

  test('[URL-003] [URL-004] url-monitor: up, with its code', async () => {
    const { page, close } = await site.open('/dns-tools/url-monitor/?q=https%3A%2F%2Fexample.com')
    await page.getByText('UP', { exact: true }).waitFor()
    await page.getByRole('term').getByText('Status Code', { exact: true }).waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await close()
  })

  test('http-headers: the grade with its sum', async () => {
    const { page, close } = await site.open('/dns-tools/http-headers/?q=example.com')
    await page.getByRole('heading', { name: 'How the grade comes about' }).waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await close()
  })
})
