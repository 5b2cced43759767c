import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { actions } from '@assay/catalogue/catalogue'
import { replay } from '@assay/kit/replay'
import type { Page } from 'playwright-core'
import type { App } from '../../server/src/app.ts'
import { axeFindings, openSite, type Site } from './browser.ts'
import { servedSite } from './served.ts'

const PATH = '/dns-tools/dnssec/'
const example = actions.find(({ tool }) => tool.id === 'dnssec')?.action.examples[0]
const expired = actions.find(({ tool }) => tool.id === 'dnssec')?.action.examples[1]

let app: App
let site: Site
let recording = example?.recording

/** The chain of RFC 9102 §A.1, as the server would find it. */
async function analyze(page: Page): Promise<void> {
  await page.getByLabel('Domain', { exact: true }).fill('_443._tcp.www.example.com')
  await page.getByLabel('Records', { exact: true }).selectOption('TLSA')
  await page.getByRole('button', { name: 'Analyze' }).click()
  await page.getByRole('region', { name: 'Result', exact: true }).waitFor()
}

describe('the DNSSEC check in a browser', () => {
  before(async () => {
    app = await servedSite(signal => replay(recording, signal))
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.server.address() as AddressInfo
    site = await openSite(`http://127.0.0.1:${port}`)
  })
  after(async () => {
    await site.close()
    await app.close()
  })

  for (const [device, width] of [
    ['a desk', 1280],
    ['a phone', 360],
  ] as const) {
    test(`[SEC-001] [SEC-002] [SEC-003] [SEC-004] [SEC-006] the chain is drawn on ${device}, and nobody is shut out`, async () => {
      recording = example?.recording
      const { page, close } = await site.open(PATH, { viewport: { width, height: 800 } })
      await analyze(page)
      await page.getByText('SECURED', { exact: true }).waitFor()
      await page.getByText('ENABLED', { exact: true }).waitFor()
      const drawing = page.getByRole('region', { name: 'Drawing of the chain of trust' })
      await drawing.waitFor()
      for (const zone of ['. (root)', 'com', 'example.com']) await drawing.getByText(zone, { exact: true }).waitFor()
      await drawing.getByText('KSK 47005 ECDSA P-256', { exact: true }).waitFor()
      assert.equal(await drawing.getByText('DS ✓').count(), 2)
      const tooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
      assert.equal(await page.evaluate(tooWide), false, 'the page itself does not scroll sideways')
      assert.deepEqual(await axeFindings(page), [])
      const shot = process.env.DNSSEC_SHOTS
      if (shot) await page.screenshot({ path: `${shot}-${width}.png`, fullPage: true })
      await close()
    })
  }

  test('[VAL-016] [VAL-043] what is no domain is refused before anything is asked', async () => {
    const { page, close } = await site.open(PATH)
    await page.getByLabel('Domain', { exact: true }).fill('abc')
    await page.getByRole('button', { name: 'Analyze' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('Invalid Input').waitFor()
    await alert.getByText("Input doesn't match required format: example.com").waitFor()
    await close()
  })

  test('[SEC-010] [SEC-001] [SEC-002] what broke stands in a box of its own', async () => {
    recording = expired?.recording
    const { page, close } = await site.open(PATH)
    await analyze(page)
    await page.getByText('UNSECURED', { exact: true }).waitFor()
    await page.getByText('DISABLED', { exact: true }).waitFor()
    await page.getByText('DNSSEC Validation Error').waitFor()
    await page
      .getByText(/^The signature of the DNSKEY records of the root zone .* \(EDE 7: Signature Expired\)$/)
      .waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await close()
  })
})
