import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Arrival, arrive, isAt, type Replies, storageOf, toast } from './account-stubs.ts'
import { axeFindings, openSite, type Site, until } from './browser.ts'

const PROFILE = '/user/profile/'
const PHONE = { viewport: { width: 360, height: 740 } }
const PAIR = { access: 'one', refresh: 'two' }

const day = (index: number) => new Date(Date.UTC(2026, 9, 24 + index)).toISOString().slice(0, 10)
const usage = (requests: number) => ({
  days: Array.from({ length: 30 }, (_, index) => ({ day: day(index), requests: requests * index, failures: index })),
})
const key = {
  id: 'k1',
  name: 'Nightly zone check',
  last_four: 'x7Qa',
  scopes: ['light', 'lookup'],
  created_at: '2026-10-20T10:00:00Z',
  expires_at: '2027-01-18T10:00:00Z',
  last_used_at: null,
}
const session = (id: string, client: string, current: boolean) => ({
  id,
  client,
  current,
  created_at: '2026-11-20T07:00:00Z',
  last_used_at: '2026-11-22T00:20:00Z',
})
const full: Replies = {
  'GET /user/profile/': {
    json: {
      id: 'i',
      email: 'ada@example.org',
      email_verified: true,
      providers: [],
      created_at: '2026-10-02T08:30:11Z',
    },
  },
  'GET /user/usage/': { json: usage(3) },
  'GET /user/keys/': { json: { keys: [key] } },
  'GET /user/sessions/': {
    json: { sessions: [session('s1', 'Firefox on Linux', true), session('s2', 'Safari on iPhone', false)] },
  },
  'GET /user/export/': { json: { account: { email: 'ada@example.org' } } },
}
const bare: Replies = { 'GET /user/profile/': { json: { x: 1 } } }

let site: Site
const open = (replies: Replies, arrival: Arrival = {}) => arrive(site, PROFILE, { storage: PAIR, replies, ...arrival })

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

describe('the profile', () => {
  before(async () => {
    site = await openSite()
  })
  after(() => site.close())

  test('[RTE-028] [AUT-029] [AUT-030] [AUT-031] [AUT-051] [AUT-052] [AUT-057] the answer is shown as it is, indented', async () => {
    const { page, sent, close } = await open(bare)
    await page.getByRole('heading', { level: 1, name: 'User Profile', exact: true }).waitFor()
    await button(page, 'Logout').waitFor()
    await until(page, 'document.querySelector("pre")')
    assert.equal(await page.locator('pre').textContent(), '{\n  "x": 1\n}')
    assert.deepEqual(sent[0], { call: 'GET /user/profile/', body: null, authorization: 'Bearer one' })
    await close()
  })

  test('[AUT-052] when nothing else answers, the profile stays, and each part says so and tries again', async () => {
    const { page, reply, close } = await open(bare)
    for (const name of ['Usage', 'API Keys', 'Sessions']) {
      await part(page, name).getByText('This part could not be loaded.', { exact: true }).waitFor()
    }
    reply(full)
    await part(page, 'Sessions').getByRole('button', { name: 'Try again' }).click()
    await part(page, 'Sessions').getByText('Firefox on Linux').waitFor()
    assert.equal(await part(page, 'API Keys').getByRole('button', { name: 'Try again' }).count(), 1)
    assert.equal(new URL(page.url()).pathname, PROFILE)
    await close()
  })

  test('[AUT-052] a part that is refused does not end the session', async () => {
    const { page, close } = await open({ ...bare, 'GET /user/keys/': { status: 401, json: { detail: 'x' } } })
    await part(page, 'API Keys').getByText('Your session has ended.').waitFor()
    assert.equal(await page.locator('pre').textContent(), '{\n  "x": 1\n}')
    assert.deepEqual(await storageOf(page), PAIR)
    await close()
  })

  test('[AUT-032] without an access token it leads to the login', async () => {
    for (const storage of [{}, { refresh: 'two' }]) {
      const { page, sent, close } = await open(full, { storage })
      await isAt(page, '/auth/')
      assert.deepEqual(sent, [])
      await close()
    }
  })

  for (const [what, answer, kept] of [
    ['a token that nobody knows', { status: 401, json: { detail: 'x' } }, {}],
    ['a server that fails', { status: 500, text: '' }, PAIR],
    ['a network that fails', 'abort', PAIR],
  ] as const) {
    test(`[AUT-033] [ERR-042] ${what}: the words are said where the login is`, async () => {
      const { page, close } = await open({
        'GET /user/profile/': answer,
        'POST /auth/refresh/': { status: 401, json: {} },
      })
      await isAt(page, '/auth/')
      await toast(page, 'error', 'Unauthorized. Please log in.')
      assert.deepEqual(await storageOf(page), kept)
      await page.reload()
      assert.equal(await page.locator('.toast').count(), 0)
      await close()
    })
  }

  test('[OPEN-016] an expired token is renewed without anybody noticing', async () => {
    const { page, sent, close } = await open({
      ...full,
      'GET /user/profile/': ({ authorization }) =>
        authorization === 'Bearer new' ? { json: { x: 2 } } : { status: 401, json: { detail: 'Token expired' } },
      'POST /auth/refresh/': { json: { access: 'new', refresh: 'next' } },
    })
    await page.getByText('"x": 2').waitFor()
    assert.deepEqual(
      sent.slice(0, 3).map(({ call, body }) => [call, body]),
      [
        ['GET /user/profile/', null],
        ['POST /auth/refresh/', '{"refresh":"two"}'],
        ['GET /user/profile/', null],
      ],
    )
    assert.deepEqual(await storageOf(page), { access: 'new', refresh: 'next' })
    await close()
  })

  test('[OPEN-016] three tabs renew it one after another, and all stay', async () => {
    let [renewals, renewing, overlap] = [0, false, false]
    const replies: Replies = {
      'GET /user/profile/': ({ authorization }) =>
        authorization === 'Bearer new' ? { json: { x: 2 } } : { status: 401, json: {} },
      'POST /auth/refresh/': async () => {
        renewals += 1
        overlap ||= renewing
        renewing = true
        await new Promise(resolve => setTimeout(resolve, 400))
        renewing = false
        return { json: { access: 'new', refresh: 'next' } }
      },
    }
    const { page, close } = await open(bare)
    await page.getByText('"x": 1').waitFor()
    const context = page.context()
    await context.route(
      url => /^\/(?:auth|user)\//.test(url.pathname),
      async route => {
        const request = route.request()
        if (request.resourceType() !== 'fetch') return route.fallback()
        const found = replies[`${request.method()} ${new URL(request.url()).pathname}`]
        const authorization = request.headers().authorization
        const answer = typeof found === 'function' ? await found({ call: '', body: null, authorization }) : undefined
        if (!answer || answer === 'abort') return route.fulfill({ status: 404 })
        return route.fulfill({ status: answer.status ?? 200, json: answer.json })
      },
    )
    const tabs = await Promise.all([context.newPage(), context.newPage(), context.newPage()])
    await Promise.all(tabs.map(tab => tab.goto(site.base + PROFILE)))
    await Promise.all(tabs.map(tab => tab.getByText('"x": 2').waitFor()))
    // A tab may take its turn before the browser has told it of what the one before it wrote.
    assert.ok(renewals <= 2 && !overlap, `${renewals} renewals, at once: ${overlap}`)
    await close()
  })

  for (const [what, answer] of [
    ['it is done', { json: { detail: 'Logged out.' } }],
    ['[AUT-026] [AUT-054] the server fails', { status: 500, text: '' }],
    ['[AUT-026] [AUT-054] the network fails', 'abort'],
  ] as const) {
    test(`[AUT-024] [AUT-025] [AUT-053] [OPEN-047] logout clears all and leaves when ${what}`, async () => {
      const { page, sent, close } = await open(
        { ...full, 'POST /auth/logout/': answer },
        { storage: { ...PAIR, theme: 'dark', other: 'x' } },
      )
      await page.locator('pre').waitFor()
      await button(page, 'Logout').click()
      await isAt(page, '/auth/')
      assert.deepEqual(await storageOf(page), {})
      assert.equal(await page.locator('.toast').count(), 0)
      const call = sent.find(({ call }) => call === 'POST /auth/logout/')
      assert.deepEqual([call?.body, call?.authorization], [null, 'Bearer one'])
      await page.goto(site.base + PROFILE)
      await isAt(page, '/auth/')
      await close()
    })
  }

  test('[AUT-024] a logout in one tab is one in all', async () => {
    const { page, close } = await open({ ...full, 'POST /auth/logout/': { json: {} } })
    await page.locator('pre').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${site.base}/robots.txt`)
    await other.evaluate('localStorage.clear()')
    await isAt(page, '/auth/')
    await close()
  })

  test('[OPEN-015] a key is made with its name, scopes and end, shown once, and revoked in two steps', async () => {
    const made = { ...key, id: 'k2', name: 'CI', key: 'assay_key_secret' }
    const { page, sent, reply, close } = await open({ ...full, 'POST /user/keys/': { status: 201, json: made } })
    const keys = part(page, 'API Keys')
    await keys.getByText('…x7Qa').waitFor()
    await keys.getByLabel('Name', { exact: true }).fill('CI')
    await keys.getByLabel('Expires').selectOption('Never')
    await keys.getByLabel(/^Scan/).check()
    reply({
      ...full,
      'POST /user/keys/': { status: 201, json: made },
      'GET /user/keys/': { json: { keys: [key, { ...made, expires_at: null }] } },
      'DELETE /user/keys/k1/': { json: {} },
    })
    await keys.getByRole('button', { name: 'Make Key' }).click()
    await keys.getByText('assay_key_secret', { exact: true }).waitFor()
    await keys.getByText('it is not shown again').waitFor()
    const post = sent.find(({ call }) => call === 'POST /user/keys/')
    assert.deepEqual(JSON.parse(post?.body ?? ''), {
      name: 'CI',
      scopes: ['light', 'lookup', 'scan'],
      expires_in_days: null,
    })
    await keys.getByText('does not expire').waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await keys.getByRole('button', { name: 'Copy key' }).click()
    await keys.getByRole('button', { name: 'Copied key' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'assay_key_secret')
    await keys.getByRole('button', { name: 'I have copied it' }).click()
    assert.equal(await page.getByText('assay_key_secret').count(), 0)
    assert.equal(await keys.getByLabel('Name', { exact: true }).inputValue(), '')

    await keys.getByRole('button', { name: 'Revoke key Nightly zone check' }).click()
    await page.keyboard.press('Escape')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Revoke key Nightly zone check')
    assert.equal(sent.filter(({ call }) => call.startsWith('DELETE')).length, 0)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await toast(page, 'success', 'Key revoked.')
    assert.equal(sent.filter(({ call }) => call === 'DELETE /user/keys/k1/').length, 1)
    await close()
  })

  test('[OPEN-015] what the server says against a key is told, and what was filled in stays', async () => {
    const { page, close } = await open({
      ...full,
      'GET /user/keys/': { json: { keys: [] } },
      'POST /user/keys/': { status: 400, json: { detail: 'x' } },
    })
    const keys = part(page, 'API Keys')
    await keys.getByText('You have no keys yet.').waitFor()
    await keys.getByLabel('Name', { exact: true }).fill('CI')
    await keys.getByRole('button', { name: 'Make Key' }).click()
    await toast(page, 'error', 'x')
    assert.equal(await keys.getByLabel('Name', { exact: true }).inputValue(), 'CI')
    await close()
  })

  test('sessions are listed, this one is marked, and another is ended', async () => {
    const { page, sent, close } = await open({ ...full, 'DELETE /user/sessions/s2/': { json: {} } })
    const sessions = part(page, 'Sessions')
    const rows = sessions.getByRole('listitem')
    await rows.first().waitFor()
    assert.match((await rows.nth(0).textContent()) ?? '', /^Firefox on Linux This session/)
    assert.equal(await rows.nth(0).getByRole('button').count(), 0)
    await rows.nth(1).getByRole('button', { name: 'End session of Safari on iPhone' }).click()
    await rows.nth(1).getByRole('button', { name: 'End session', exact: true }).click()
    await toast(page, 'success', 'Session ended.')
    assert.equal(sent.filter(({ call }) => call === 'DELETE /user/sessions/s2/').length, 1)
    await close()
  })

  test('the usage of thirty days is a picture, a sentence and a table that agree', async () => {
    const { page, close } = await open(full)
    const shown = part(page, 'Usage')
    await shown.getByText('1,305 requests, 435 failures; most on Nov 22: 87.').waitFor()
    assert.equal(await shown.getByRole('img', { name: 'Requests per day' }).locator('g').count(), 30)
    await shown.getByText('Day by day').click()
    const rows = shown.getByRole('row')
    assert.equal(await rows.count(), 31)
    assert.equal(await rows.nth(1).textContent(), 'Nov 228729')
    await close()
  })

  test('without any use a sentence stands in place of the picture', async () => {
    const { page, close } = await open({ ...full, 'GET /user/usage/': { json: { days: usage(0).days } } })
    await part(page, 'Usage').getByText('No requests in the last 30 days.').waitFor()
    await close()
  })

  test('[OPEN-085] all data comes as a file', async () => {
    const { page, close } = await open(full)
    const coming = page.waitForEvent('download')
    await button(page, 'Download as JSON').click()
    const download = await coming
    assert.equal(download.suggestedFilename(), 'account.json')
    const text = readFileSync(await download.path(), 'utf8')
    assert.deepEqual(JSON.parse(text), { account: { email: 'ada@example.org' } })
    await close()
  })

  test('[OPEN-085] deleting takes two steps and the password, and ends at the login', async () => {
    const { page, sent, reply, close } = await open({
      ...full,
      'DELETE /user/profile/': { status: 403, json: { detail: 'Wrong password.' } },
    })
    await button(page, 'Delete Account…').click()
    const field = part(page, 'Delete Account').getByLabel('Password', { exact: true })
    await until(page, 'document.activeElement.id === "password"')
    await field.fill('Correct horse 1')
    await field.press('Enter')
    await toast(page, 'error', 'Wrong password.')
    assert.equal(await field.inputValue(), 'Correct horse 1')
    reply({ ...full, 'DELETE /user/profile/': { json: { detail: 'Deleted.' } } })
    await button(page, 'Delete my account').click()
    await isAt(page, '/auth/')
    await toast(page, 'success', 'Your account was deleted.')
    assert.deepEqual(await storageOf(page), {})
    const call = sent.findLast(({ call }) => call === 'DELETE /user/profile/')
    assert.deepEqual([call?.body, call?.authorization], ['{"password":"Correct horse 1"}', 'Bearer one'])
    await close()
  })

  test('[OPEN-085] who has no password deletes with a fresh sign-in', async () => {
    const { page, sent, close } = await open({
      ...full,
      'GET /user/profile/': { json: { providers: ['github'] } },
      'DELETE /user/profile/': { status: 403, json: { detail: 'x' } },
    })
    await button(page, 'Delete Account…').click()
    await page.getByText('sign in with the service again').waitFor()
    await button(page, 'Delete my account').click()
    await toast(page, 'error', 'x')
    assert.equal(sent.findLast(({ call }) => call.startsWith('DELETE'))?.body, '{}')
    await close()
  })

  const states: readonly (readonly [name: string, replies: Replies, act: (page: Page) => Promise<unknown>])[] = [
    ['full', full, page => page.getByText('Firefox on Linux').waitFor()],
    ['failed', bare, page => button(page, 'Try again').first().waitFor()],
    [
      'with every question open',
      { ...full, 'POST /user/keys/': { status: 201, json: { ...key, key: 'assay_key_secret' } } },
      async page => {
        await part(page, 'API Keys').getByLabel('Name', { exact: true }).fill('CI')
        await button(page, 'Make Key').click()
        await page.getByText('assay_key_secret').waitFor()
        await page.getByRole('button', { name: /^Revoke/ }).click()
        await page.getByRole('button', { name: /^End session/ }).click()
        await page.getByText('Day by day').click()
        await button(page, 'Delete Account…').click()
      },
    ],
  ]
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [name, replies, act] of states) {
      test(`[OPEN-102] axe finds nothing: ${name}, ${colorScheme}`, async () => {
        const { page, close } = await open(replies, { colorScheme, ...(colorScheme === 'dark' ? PHONE : {}) })
        await act(page)
        assert.deepEqual(await axeFindings(page), [])
        const wide: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        assert.ok(wide <= 0, `${wide} pixels too wide`)
        await close()
      })
    }
  }
})
