import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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
import { createStore } from '../../server/src/store/store.ts'
import { unhurried } from '../../server/test/unhurried.ts'
import { isAt, storageOf, toast } from './account-stubs.ts'
import { axeFindings, openSite, type Site, until } from './browser.ts'
import { ensureBuilt } from './built.ts'

const WAIT_MS = 10_000
const MINUTE_MS = 60_000

const folder = mkdtempSync(join(tmpdir(), 'assay-life-'))
const clock = { ms: Date.now() }
let app: App
let site: Site

/** The path of the newest link to an address that a mail of the server holds and that was not followed yet. */
async function linkTo(email: string, part: string, followed: Set<string>): Promise<string> {
  const mails = join(folder, 'mail')
  const end = Date.now() + WAIT_MS
  for (;;) {
    let names: string[] = []
    try {
      names = readdirSync(mails).filter(name => name.endsWith('.eml'))
    } catch {
      // There is no folder before the first mail.
    }
    const links = names
      .map(name =>
        readFileSync(join(mails, name), 'utf8')
          .replace(/=\r?\n/g, '')
          .replaceAll('=3D', '='),
      )
      .filter(text => text.includes(`To: ${email}`))
      .flatMap(text => text.match(/\/auth\/\S*token=\S+/g) ?? [])
      .filter(link => link.includes(part) && !followed.has(link))
    if (links[0]) {
      followed.add(links[0])
      return links[0]
    }
    assert.ok(Date.now() < end, `no mail to ${email} leads to ${part}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function enter(page: Page, email: string, password: string, press: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, press).click()
}

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await enter(page, email, password, 'Login')
  await isAt(page, '/user/profile/')
  await page.getByText(`"email": "${email}"`).waitFor()
}

/** What a tool answers to a key. */
const callTool = (key: string) =>
  fetch(`${site.base}/api/md5/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: '{"input_text":"abc"}',
  })

describe('the life of an account, from the first mail to the last', () => {
  before(async () => {
    await ensureBuilt()
    const settings = readSettings({ ...unhurried, ASSAY_DATA: folder })
    app = await createApp({
      settings: {
        ...settings,
        limits: { ...settings.limits, evenAnswerMs: 1, usageMs: 1, accountMailsPerQuarterHour: 100 },
      },
      log: () => {},
      site: await readSite(new URL('../dist/', import.meta.url), catalogue, settings),
      store: createStore({ folder, address: undefined, timeoutMs: 5_000, connections: 1 }),
      createJob: (_, signal) => ({ context: replay({}, signal), dispose: () => {} }),
      now: () => new Date(clock.ms),
    })
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    app.warm()
    const { port } = app.server.server.address() as AddressInfo
    site = await openSite(`http://127.0.0.1:${port}`)
  })
  after(async () => {
    await site.close()
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`[AUT-022] [AUT-023] [AUT-024] [AUT-025] [AUT-033] [AUT-040] [AUT-044] [AUT-047] [OPEN-004] [OPEN-005] [OPEN-015] [OPEN-016] [OPEN-017] [OPEN-085] ${colorScheme}: register, verify, log in, make a key, use it, reset, delete`, async () => {
      const email = `${colorScheme}@example.org`
      const followed = new Set<string>()
      const { page, close } = await site.open('/', { colorScheme })

      await page.getByRole('banner').getByRole('link', { name: 'Account' }).click()
      await isAt(page, '/auth/')
      await button(page, "Don't have an account? Register").click()
      await enter(page, email, 'first', 'Register')
      await toast(page, 'success', 'Registered! Please verify your email.')
      await button(page, 'Already have an account? Login').click()
      await enter(page, email, 'first', 'Login')
      await toast(page, 'error', 'Please verify your email.')
      await page.goto(site.base + (await linkTo(email, 'verify-email', followed)))
      await isAt(page, '/auth/')
      await toast(page, 'success', 'Email verified. You can log in now.')
      await enter(page, email, 'wrong', 'Login')
      await toast(page, 'error', 'Wrong email or password.')
      await logIn(page, email, 'first')
      await toast(page, 'success', 'Login successful!')

      const keys = part(page, 'API Keys')
      await keys.getByText('You have no keys yet.').waitFor()
      await part(page, 'Usage').getByText('No requests in the last 30 days.').waitFor()
      await keys.getByLabel('Name', { exact: true }).fill('CI')
      await keys.getByRole('button', { name: 'Make Key' }).click()
      const key = (await keys.locator('.made-key-line code').textContent()) ?? ''
      await keys.getByText(`…${key.slice(-4)}`).waitFor()
      assert.equal((await callTool(key)).status, 200)
      assert.equal((await callTool(`${key.slice(0, -1)}!`)).status, 401)
      // Uses are written down a moment after the answer.
      const used = part(page, 'Usage').getByText(/^1 request, 0 failures; most on /)
      for (let look = 0; look < 10 && !(await used.isVisible()); look++) {
        await page.reload()
        await until(
          page,
          'document.querySelector("[aria-labelledby=usage] .empty, .usage")?.textContent.includes("request")',
        )
      }
      assert.ok(await used.isVisible())
      assert.ok(await keys.getByText('last used').isVisible())
      assert.equal(await keys.getByText('last used never').count(), 0)
      assert.equal(await page.getByText(key).count(), 0)
      assert.deepEqual(await axeFindings(page), [])

      const coming = page.waitForEvent('download')
      await button(page, 'Download as JSON').click()
      const text = readFileSync(await (await coming).path(), 'utf8')
      assert.ok(text.includes(email) && !text.includes(key))

      const other = await site.open('/auth/', { colorScheme })
      await logIn(other.page, email, 'first')
      await page.reload()
      const rows = part(page, 'Sessions').getByRole('listitem')
      await rows.nth(1).waitFor()
      assert.equal(await rows.filter({ hasText: 'This session' }).count(), 1)
      await rows.getByRole('button', { name: /^End session of/ }).click()
      await button(page, 'End session').click()
      await toast(page, 'success', 'Session ended.')
      await until(page, 'document.querySelectorAll("[aria-labelledby=sessions] li").length === 1')
      await other.page.reload()
      await isAt(other.page, '/auth/')
      await toast(other.page, 'error', 'Unauthorized. Please log in.')
      await other.close()

      const before = await storageOf(page)
      clock.ms += 16 * MINUTE_MS
      await page.reload()
      await page.getByText(`"email": "${email}"`).waitFor()
      const renewed = await storageOf(page)
      assert.notEqual(renewed.access, before.access)

      await keys.getByRole('button', { name: 'Revoke key CI' }).click()
      await button(page, 'Revoke key').click()
      await keys.getByText('You have no keys yet.').waitFor()
      assert.equal((await callTool(key)).status, 401)

      await button(page, 'Logout').click()
      await isAt(page, '/auth/')
      assert.deepEqual(await storageOf(page), {})
      const replayed = await fetch(`${site.base}/auth/refresh/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ refresh: renewed.refresh }),
      })
      assert.equal(replayed.status, 401)

      await page.getByRole('link', { name: 'Forgot password?' }).click()
      await page.getByLabel('Email', { exact: true }).fill(email)
      await button(page, 'Send Reset Link').click()
      await toast(page, 'success', 'Password reset link sent to email.')
      const reset = await linkTo(email, 'mode=reset', followed)
      for (const expected of ['success', 'error'] as const) {
        await page.goto(site.base + reset)
        assert.equal(new URL(page.url()).search, '?mode=reset')
        await page.getByLabel('New Password', { exact: true }).fill('second')
        await button(page, 'Set New Password').click()
        const words = {
          success: 'Password changed. Please log in.',
          error: 'This link does not work any more. Ask for a new one.',
        }
        await toast(page, expected, words[expected])
      }
      await page.getByRole('link', { name: 'Back to Login' }).click()
      await enter(page, email, 'first', 'Login')
      await toast(page, 'error', 'Wrong email or password.')
      await logIn(page, email, 'second')

      await button(page, 'Delete Account…').click()
      const field = part(page, 'Delete Account').getByLabel('Password', { exact: true })
      await field.fill('first')
      await button(page, 'Delete my account').click()
      await toast(page, 'error', 'Wrong password.')
      await field.fill('second')
      await button(page, 'Delete my account').click()
      await isAt(page, '/auth/')
      await toast(page, 'success', 'Your account was deleted.')
      assert.deepEqual(await storageOf(page), {})
      await enter(page, email, 'second', 'Login')
      await toast(page, 'error', 'Wrong email or password.')
      await close()
    })
  }

  test('[AUT-033] [AUT-057] a token that nobody gave out leads to the login', async () => {
    const { page, close } = await site.open('/robots.txt')
    await page.evaluate('localStorage.access = "a"; localStorage.refresh = "b"')
    await page.goto(`${site.base}/user/profile/`)
    await isAt(page, '/auth/')
    await toast(page, 'error', 'Unauthorized. Please log in.')
    await close()
  })

  test('[OPEN-004] [OPEN-005] links that do not work any more say so', async () => {
    const { page, close } = await site.open('/auth/verify-email/?token=x')
    await toast(page, 'error', 'This link is not valid any more. Log in to get a new one.')
    assert.equal(page.url(), `${site.base}/auth/`)
    await close()
  })

  for (const name of ['Google', 'GitHub']) {
    test(`[OPEN-019] without a client of ${name} its button leads back and says so`, async () => {
      const { page, close } = await site.open('/auth/')
      await button(page, `Continue with ${name}`).click()
      await toast(page, 'error', `${name} sign-in is not available right now.`)
      assert.equal(page.url(), `${site.base}/auth/`)
      await close()
    })
  }

  test('[OPEN-020] the eleventh wrong login in a row is told when to try again', async () => {
    const { page, close } = await site.open('/auth/')
    for (let attempt = 1; attempt <= 11; attempt++) {
      const answered = page.waitForResponse(response => response.url().endsWith('/auth/login/'))
      await enter(page, 'nobody@example.org', 'wrong', 'Login')
      assert.equal((await answered).status(), attempt > 10 ? 429 : 401)
      await until(page, 'document.querySelector("form [type=submit]").textContent === "Login"')
    }
    await page.locator('.toast.error', { hasText: /^Too many attempts\. Try again in \d+ minutes\.$/ }).waitFor()
    assert.equal(await page.getByLabel('Email', { exact: true }).inputValue(), 'nobody@example.org')
    await close()
  })
})
