import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { catalogue } from '@assay/catalogue/catalogue'
import { replay } from '@assay/kit/replay'
import { type App, createApp } from '../../server/src/app.ts'
import { readSettings } from '../../server/src/settings.ts'
import { readSite } from '../../server/src/site.ts'
import { unhurried } from '../../server/test/unhurried.ts'
import { openSite, type Site, until } from './browser.ts'
import { ensureBuilt } from './built.ts'

const ROOT = '/assay'
const MD5 = '/hash-generators-and-checksum/md5/'
const zone = 'example.com. 300 IN A 192.0.2.1\nexample.com. 300 IN MX 10 mail.example.com.'

let app: App
let site: Site

/** A request that leaves the path of the site is a fault of every visit. */
describe('the site below a path of its host, in a browser', () => {
  before(async () => {
    await ensureBuilt()
    const settings = readSettings({ ...unhurried, ASSAY_BASE_URL: `http://127.0.0.1${ROOT}` })
    app = await createApp({
      settings,
      log: () => {},
      site: await readSite(new URL('../dist/', import.meta.url), catalogue, settings),
      createJob: (_, signal) => ({ context: replay({ zone }, signal), dispose: () => {} }),
    })
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.server.address() as AddressInfo
    site = await openSite(`http://127.0.0.1:${port}${ROOT}`)
  })
  after(async () => {
    await site.close()
    await app.close()
  })

  const pathOf = (url: string) => new URL(url).pathname

  test('from the home page by the palette to a tool', async () => {
    const { page, close } = await site.open('/')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find a tool, or paste anything' }).fill('md5')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(url => url.pathname.startsWith(`${ROOT}/hash-generators-and-checksum/`))
    await page.getByRole('heading', { level: 1, name: /MD5/ }).waitFor()
    await close()
  })

  test('the account leads to the login, whose form and links stay below the path', async () => {
    const { page, requests, close } = await site.open('/')
    await page.getByRole('banner').getByRole('link', { name: 'Account' }).click()
    await page.waitForURL(url => url.pathname === `${ROOT}/auth/`)
    await page.getByLabel('Email', { exact: true }).fill('ada@example.org')
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await page.locator('.toast.error').waitFor()
    assert.ok(requests.some(url => pathOf(url) === `${ROOT}/auth/login/`))
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByRole('heading', { level: 1, name: 'Reset Password' }).waitFor()
    assert.equal(page.url().slice(site.base.length), '/auth/?mode=reset')
    await page.goto(`${site.base}/auth/google/callback/`)
    await page.waitForURL(url => url.pathname === `${ROOT}/auth/`)
    await close()
  })

  test('a tool runs in the worker and on the server, and says where its API is', async () => {
    const { page, requests, close } = await site.open(MD5)
    await page.getByLabel('Text', { exact: true }).fill('abc')
    for (const place of ['In this browser', 'On the server']) {
      await page.getByText(place, { exact: true }).click()
      await page.getByRole('button', { name: 'Run Tool' }).click()
      await page.getByText(place === 'On the server' ? /ms on the server/ : /ms in this browser/).waitFor()
      await page.getByText('900150983cd24fb0d6963f7d28e17f72').first().waitFor()
    }
    assert.ok(requests.some(url => pathOf(url) === `${ROOT}/api/md5/`))
    await page.getByRole('tab', { name: 'API' }).click()
    assert.match(
      (await page.getByRole('tabpanel').locator('pre').textContent()) ?? '',
      /^curl http:\/\/127\.0\.0\.1:\d+\/assay\/api\/md5\//,
    )
    await close()
  })

  test('a lookup by its address below the path', async () => {
    const { page, close } = await site.open('/dns-tools/dns-records/MX?q=example.com')
    assert.equal(pathOf(page.url()).toLowerCase(), `${ROOT}/dns-tools/dns-records/mx/`)
    await page.getByText('10 mail.example.com.').waitFor()
    await close()
  })

  test('the API explained, the screen for what is not there, and the way home from it', async () => {
    const { page, close } = await site.open('/api/docs/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText(`POST ${ROOT}/api/md5/`, { exact: true }).waitFor({ state: 'attached' })
    const response = await page.goto(`${site.base}/no-such-category/`)
    assert.equal(response?.status(), 404)
    await page.getByRole('link', { name: 'Go Back to Home' }).click()
    await page.waitForURL(url => url.pathname === `${ROOT}/`)
    await close()
  })

  test('the theme that was chosen stays from page to page', async () => {
    const { page, close } = await site.open('/')
    const dark = 'document.documentElement.dataset.theme === "dark"'
    for (let clicks = 0; clicks < 3 && !(await page.evaluate(dark)); clicks++)
      await page.locator('[data-theme-toggle]').first().click()
    assert.ok(await page.evaluate(dark))
    await page.goto(`${site.base}/tools/`)
    assert.ok(await page.evaluate(dark))
    await close()
  })

  test('the service worker is of this path, and keeps the page and its tool for when there is no network', async () => {
    const { page, close } = await site.open(MD5, { serviceWorkers: 'allow' })
    await until(page, 'navigator.serviceWorker.getRegistration().then(found => found?.active?.state === "activated")')
    assert.equal(
      await page.evaluate('navigator.serviceWorker.getRegistration().then(found => new URL(found.scope).pathname)'),
      `${ROOT}/`,
    )
    // Another site of the same host keeps things too, and those are not ours to delete.
    await page.evaluate('caches.open("assay-of-the-host")')
    await page.reload()
    const names = (await page.evaluate('caches.keys()')) as string[]
    assert.ok(names.includes('assay-of-the-host'))
    assert.ok(names.some(name => name.startsWith(`assay${ROOT}/-`)))
    await page.context().setOffline(true)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: /MD5/ }).waitFor()
    await page.context().setOffline(false)
    await close()
  })
})
