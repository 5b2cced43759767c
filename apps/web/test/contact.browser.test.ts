import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { catalogue } from '@assay/catalogue/catalogue'
import { replay } from '@assay/kit/replay'
import type { Page } from 'playwright-core'
import { type App, createApp } from '../../server/src/app.ts'
import { readSettings } from '../../server/src/settings.ts'
import { readSite } from '../../server/src/site.ts'
import { createStore, type Store } from '../../server/src/store/store.ts'
import { openSite, type Site, until } from './browser.ts'
import { ensureBuilt } from './built.ts'

let app: App
let site: Site
let store: Store
const folder = mkdtempSync(join(tmpdir(), 'assay-contact-'))

async function fill(page: Page, message = 'Is it correct?'): Promise<void> {
  await page.getByLabel('Your Name').fill('Ada')
  await page.getByLabel('Your Email').fill('ada@example.org')
  await page.getByLabel('Your Message').fill(message)
}

const press = (page: Page) => page.getByRole('button', { name: 'Send Message' }).click()
const written = (page: Page) =>
  Promise.all(['Your Name', 'Your Email', 'Your Message'].map(label => page.getByLabel(label).inputValue()))
const kept = () => store.use(db => db.selectFrom('message').selectAll().execute())

describe('the contact form', () => {
  before(async () => {
    await ensureBuilt()
    const settings = readSettings({ ASSAY_DATA: folder })
    store = createStore({ folder, address: undefined, timeoutMs: 2_000, connections: 1 })
    app = await createApp({
      settings: { ...settings, limits: { ...settings.limits, messagesPerQuarterHour: 3 } },
      log: () => {},
      site: await readSite(new URL('../dist/', import.meta.url), catalogue),
      store,
      createJob: (_, signal) => ({ context: replay({}, signal), dispose: () => {} }),
    })
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.server.address() as AddressInfo
    site = await openSite(`http://127.0.0.1:${port}`)
  })
  after(async () => {
    await site.close()
    await app.close()
    rmSync(folder, { recursive: true })
  })

  test('[OPEN-001] [CON-001] [CON-002] [CON-003] [CON-004] what was accepted is told and cleared, what is missing is named', async () => {
    const { page, close } = await site.open('/contact-us/')
    await press(page)
    await page.locator('.toast.error', { hasText: 'Fill in your name.' }).waitFor()
    await fill(page)
    await page.getByLabel('Your Email').fill('ada')
    await press(page)
    await page.locator('.toast.error', { hasText: 'Expected an e-mail address' }).waitFor()
    assert.equal(await page.getByLabel('Your Email').getAttribute('aria-invalid'), 'true')
    assert.deepEqual(await kept(), [])
    await fill(page)
    await press(page)
    await page.locator('.toast.success', { hasText: 'Your message was sent.' }).waitFor()
    assert.deepEqual(await written(page), ['', '', ''])
    assert.deepEqual(
      (await kept()).map(({ name, email, text }) => [name, email, text]),
      [['Ada', 'ada@example.org', 'Is it correct?']],
    )
    await close()
  })

  test('[OPEN-001] whatever fails, the text stays and a toast says what to do', async () => {
    const { page, close } = await site.open('/contact-us/')
    const failed = async (words: string, message = 'Is it correct?') => {
      await fill(page, message)
      await press(page)
      await page.locator('.toast.error', { hasText: words }).waitFor()
      assert.deepEqual(await written(page), ['Ada', 'ada@example.org', message])
      await until(page, '!document.querySelector("form[data-contact] button").disabled')
    }
    await failed('Expected your message in at most 10000 characters.', 'a'.repeat(10_001))
    await page.route('**/api/contact/', route => route.abort())
    await failed('Check your internet connection and try again.')
    await page.unroute('**/api/contact/')
    await page.route('**/api/contact/', route => route.fulfill({ status: 503, body: '<html>' }))
    await failed('Try again later, or write to contact@example.com.')
    await page.unroute('**/api/contact/')
    await fill(page)
    await press(page)
    await page.locator('.toast.success').waitFor()
    await failed('too many messages. Try again in')
    await close()
  })
})
