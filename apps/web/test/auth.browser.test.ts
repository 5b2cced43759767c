import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Arrival, arrive, isAt, type Reply, storageOf, toast } from './account-stubs.ts'
import { axeFindings, openSite, type Site, until } from './browser.ts'

const PHONE = { viewport: { width: 360, height: 740 } }
const PAIR = { access: 'one', refresh: 'two' }

let site: Site
const open = (path = '/auth/', arrival: Arrival = {}) => arrive(site, path, arrival)

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const email = (page: Page) => page.getByLabel('Email', { exact: true })
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const toRegister = (page: Page) => button(page, "Don't have an account? Register").click()
const toLogin = (page: Page) => button(page, 'Already have an account? Login').click()
const toReset = (page: Page) => link(page, 'Forgot password?').click()

async function fill(page: Page, address = 'ada@example.org', secret = 'Correct horse 1'): Promise<void> {
  await email(page).fill(address)
  await password(page).fill(secret)
}
const typed = (page: Page) => Promise.all([email(page).inputValue(), password(page).inputValue()])

describe('the page to log in', () => {
  before(async () => {
    site = await openSite()
  })
  after(() => site.close())

  test('[RTE-027] [AUT-001] [AUT-002] [AUT-003] [AUT-004] [AUT-011] [AUT-012] [AUT-019] [AUT-020] [AUT-021] three modes and the ways between them', async () => {
    const { page, close } = await open()
    await heading(page, 'Welcome Back')
    await toRegister(page)
    await heading(page, 'Create an Account')
    await toLogin(page)
    await heading(page, 'Welcome Back')
    await toReset(page)
    await heading(page, 'Reset Password')
    await link(page, 'Back to Login').click()
    await heading(page, 'Welcome Back')
    await close()
  })

  test('[AUT-005] [AUT-006] [AUT-008] [AUT-009] [AUT-010] [AUT-013] [AUT-014] [AUT-015] each mode has its fields and its buttons', async () => {
    const { page, close } = await open()
    const parts = async () => ({
      email: await email(page).getAttribute('type'),
      complete: await page.evaluate<string[]>(
        '[...document.querySelectorAll("[name=password]")].map(one => one.autocomplete)',
      ),
      providers: await page.getByRole('button', { name: /^Continue with/ }).allTextContents(),
      forgot: await link(page, 'Forgot password?').count(),
      back: await link(page, 'Back to Login').count(),
    })
    const providers = ['Continue with Google', 'Continue with GitHub']
    const login = { email: 'email', complete: ['current-password'], providers, forgot: 1, back: 0 }
    assert.deepEqual(await parts(), login)
    await toRegister(page)
    assert.deepEqual(await parts(), { ...login, complete: ['new-password'], forgot: 0 })
    await toLogin(page)
    await toReset(page)
    assert.deepEqual(await parts(), { email: 'email', complete: [], providers: [], forgot: 0, back: 1 })
    await close()
  })

  test('[AUT-007] a password is shown and hidden again', async () => {
    const { page, close } = await open()
    await password(page).fill('secret')
    assert.equal(await password(page).getAttribute('type'), 'password')
    await button(page, 'Show password').click()
    assert.deepEqual([await password(page).getAttribute('type'), await password(page).inputValue()], ['text', 'secret'])
    await button(page, 'Hide password').click()
    assert.equal(await password(page).getAttribute('type'), 'password')
    await close()
  })

  test('[AUT-017] switching the mode clears both fields and goes to the first', async () => {
    const { page, close } = await open()
    await fill(page)
    await toRegister(page)
    assert.deepEqual(await typed(page), ['', ''])
    assert.equal(await page.evaluate('document.activeElement.id'), 'email')
    await fill(page)
    await toLogin(page)
    assert.deepEqual(await typed(page), ['', ''])
    await fill(page)
    await toReset(page)
    assert.equal(await email(page).inputValue(), '')
    await close()
  })

  test('[AUT-018] the strength of a password is said while it is typed, when registering only', async () => {
    const { page, close } = await open()
    const line = page.getByText(/^Password strength:/)
    await password(page).fill('abc')
    assert.equal(await line.count(), 0)
    await toRegister(page)
    for (const [typed, strength] of [
      ['abc', 'weak'],
      ['abcdef1', 'medium'],
      ['Abcdefg1', 'strong'],
      ['Abcdefgh', 'weak'],
    ] as const) {
      await password(page).fill(typed)
      assert.equal(await line.textContent(), `Password strength: ${strength}`)
    }
    await close()
  })

  test('addresses name the mode, and Back goes back', async () => {
    const { page, close } = await open('/auth/?mode=register')
    await heading(page, 'Create an Account')
    await toLogin(page)
    await toReset(page)
    assert.equal(new URL(page.url()).search, '?mode=reset')
    assert.match(await page.title(), /^Reset password \| /)
    await page.goBack()
    await heading(page, 'Welcome Back')
    await page.goBack()
    await heading(page, 'Create an Account')
    assert.equal(await link(page, 'Forgot password?').count(), 0)
    await close()
  })

  test('[AUT-022] [AUT-027] [AUT-041] [AUT-042] [AUT-043] [AUT-044] [AUT-045] a login is told, kept, and leads to the profile', async () => {
    const { page, sent, close } = await open('/auth/', {
      replies: { 'POST /auth/login/': { json: PAIR }, 'GET /user/profile/': { json: { x: 1 } } },
    })
    await fill(page)
    await password(page).press('Enter')
    await isAt(page, '/user/profile/')
    await toast(page, 'success', 'Login successful!')
    assert.deepEqual(await storageOf(page), PAIR)
    const [login] = sent
    assert.equal(login?.call, 'POST /auth/login/')
    assert.deepEqual(JSON.parse(login?.body ?? ''), { email: 'ada@example.org', password: 'Correct horse 1' })
    await close()
  })

  test('[AUT-023] [AUT-028] [AUT-039] [AUT-040] [AUT-062] [VAL-051] even a weak password registers, and the page stays and says what comes next', async () => {
    const { page, sent, close } = await open('/auth/?mode=register', {
      replies: {
        'POST /auth/register/': { status: 201, json: { detail: 'Registered! Please verify your email.' } },
        'POST /auth/verify-email/': { json: { detail: 'A new link is on its way.' } },
      },
    })
    await fill(page, 'ada@example.org', 'a')
    await button(page, 'Register').click()
    await toast(page, 'success', 'Registered! Please verify your email.')
    await heading(page, 'Create an Account')
    assert.deepEqual(JSON.parse(sent[0]?.body ?? ''), { email: 'ada@example.org', password: 'a' })
    await page.getByText('A link is on its way to ada@example.org.').waitFor()
    await button(page, 'Send the link again').click()
    await toast(page, 'success', 'A new link is on its way.')
    assert.deepEqual(sent[1], {
      call: 'POST /auth/verify-email/',
      body: '{"email":"ada@example.org"}',
      authorization: undefined,
    })
    await close()
  })

  test('[AUT-046] [AUT-047] [OPEN-004] [OPEN-098] a reset link is asked for, and the mode stays', async () => {
    const { page, sent, close } = await open('/auth/?mode=reset', {
      replies: { 'POST /auth/password-change/': { json: { detail: 'Password reset link sent to email.' } } },
    })
    await email(page).fill('ada@example.org')
    await email(page).press('Enter')
    await toast(page, 'success', 'Password reset link sent to email.')
    await heading(page, 'Reset Password')
    assert.deepEqual(sent[0]?.body, '{"email":"ada@example.org"}')
    await close()
  })

  test('[OPEN-004] the link of the mail takes a new password and leads to the login; its token leaves the address at once', async () => {
    const { page, sent, reply, close } = await open('/auth/?mode=reset&token=t%2Fo+k', {
      replies: {
        'POST /auth/password-reset/confirm/': { status: 400, json: { detail: 'This link was used already.' } },
      },
    })
    await heading(page, 'Reset Password')
    assert.equal(new URL(page.url()).search, '?mode=reset')
    assert.equal(await email(page).count(), 0)
    const field = page.getByLabel('New Password', { exact: true })
    await field.fill('Another horse 2')
    await button(page, 'Set New Password').click()
    await toast(page, 'error', 'This link was used already.')
    assert.equal(await field.inputValue(), 'Another horse 2')
    await button(page, 'Get a new link').waitFor()
    reply({ 'POST /auth/password-reset/confirm/': { json: { detail: 'Password changed. Please log in.' } } })
    await button(page, 'Set New Password').click()
    await toast(page, 'success', 'Password changed. Please log in.')
    await heading(page, 'Welcome Back')
    assert.deepEqual(JSON.parse(sent[1]?.body ?? ''), { token: 't/o k', password: 'Another horse 2' })
    await close()
  })

  for (const [id, name] of [
    ['AUT-048', 'Google'],
    ['AUT-049', 'GitHub'],
  ] as const) {
    test(`[${id}] Continue with ${name} leaves the page for the address of the server`, async () => {
      const { page, close } = await open()
      const left = page.waitForRequest(request => request.isNavigationRequest())
      await button(page, `Continue with ${name}`).click()
      const request = await left
      assert.equal(new URL(request.url()).pathname, `/auth/${name.toLowerCase()}/login/`)
      assert.equal(request.method(), 'GET')
      await close()
    })
  }

  test('[OPEN-019] [OPEN-005] what an address has to say is a toast, and the address is cleaned', async () => {
    for (const [query, kind, text] of [
      ['?verified=1', 'success', 'Email verified. You can log in now.'],
      ['?error=verify_link', 'error', 'This link is not valid any more. Log in to get a new one.'],
      ['?error=provider_unavailable&provider=google', 'error', 'Google sign-in is not available right now.'],
      ['?error=provider_unavailable&provider=github', 'error', 'GitHub sign-in is not available right now.'],
      ['?error=provider_failed&provider=github', 'error', 'GitHub sign-in did not work. Please try again.'],
    ] as const) {
      const { page, close } = await open(`/auth/${query}`)
      await toast(page, kind, text)
      assert.equal(new URL(page.url()).search, '')
      await heading(page, 'Welcome Back')
      await close()
    }
  })

  const attempts = [
    ['login', '/auth/', 'Login', 'POST /auth/login/', 'Something went wrong.'],
    ['register', '/auth/?mode=register', 'Register', 'POST /auth/register/', 'Something went wrong.'],
    ['reset', '/auth/?mode=reset', 'Send Reset Link', 'POST /auth/password-change/', 'Unable to send reset link.'],
  ] as const
  const failures: readonly (readonly [what: string, reply: Reply, says: (words: string) => string])[] = [
    ['[AUT-058] a detail of the server', { status: 401, json: { detail: 'x' } }, () => 'x'],
    ['[AUT-059] [AUT-060] nothing said', { status: 500, text: '' }, words => words],
    ['a network that fails', 'abort', words => `${words} Check your internet connection and try again.`],
    [
      '[OPEN-020] too many attempts',
      { status: 429, json: {}, headers: { 'retry-after': '600' } },
      () => 'Too many attempts. Try again in 10 minutes.',
    ],
  ]
  for (const [mode, path, name, call, words] of attempts) {
    test(`[AUT-016] [AUT-058] [AUT-059] [AUT-060] [AUT-061] [ERR-041] ${mode}: each failure is an error toast, and what was typed stays`, async () => {
      const { page, reply, close } = await open(path)
      for (const [, answer, says] of failures) {
        reply({ [call]: answer })
        await email(page).fill('ada@example.org')
        if (mode !== 'reset') await password(page).fill('Correct horse 1')
        await button(page, name).click()
        await toast(page, 'error', says(words))
        assert.equal(await email(page).inputValue(), 'ada@example.org')
        if (mode !== 'reset') assert.equal(await password(page).inputValue(), 'Correct horse 1')
        assert.equal(await page.getByRole('alert').getByText(says(words), { exact: true }).count(), 1)
      }
      await close()
    })
  }

  test('[AUT-016] [TOA-007] [TOA-008] the toasts are at the top, in the middle, 16 pixels from the edge', async () => {
    const { page, close } = await open('/auth/?verified=1')
    await toast(page, 'success', 'Email verified. You can log in now.')
    const box = await page.locator('.toast').boundingBox()
    const width = page.viewportSize()?.width ?? 0
    assert.equal(box?.y, 16)
    assert.ok(box && Math.abs(box.x + box.width / 2 - width / 2) <= 1)
    await close()
  })

  test('[OPEN-005] who has not verified yet can have the link sent again', async () => {
    const { page, reply, close } = await open('/auth/', {
      replies: {
        'POST /auth/login/': { status: 403, json: { detail: 'Please verify your email.' } },
        'POST /auth/verify-email/': 'abort',
      },
    })
    await fill(page)
    await button(page, 'Login').click()
    await toast(page, 'error', 'Please verify your email.')
    await button(page, 'Send the link again').click()
    await toast(page, 'error', 'Something went wrong. Check your internet connection and try again.')
    reply({ 'POST /auth/verify-email/': { json: {} } })
    await button(page, 'Send the link again').click()
    await toast(page, 'success', 'A new link is on its way.')
    assert.deepEqual(await typed(page), ['ada@example.org', 'Correct horse 1'])
    await close()
  })

  test('a form that is under way is not sent twice', async () => {
    const { page, sent, close } = await open('/auth/', {
      replies: {
        'POST /auth/login/': async () => {
          await new Promise(resolve => setTimeout(resolve, 300))
          return { status: 401, json: { detail: 'x' } }
        },
      },
    })
    await fill(page)
    await page.evaluate('for (let i = 0; i < 5; i++) document.querySelector("form").requestSubmit()')
    await button(page, 'Logging in…').waitFor()
    assert.equal(await button(page, 'Logging in…').getAttribute('aria-disabled'), 'true')
    await password(page).press('Enter')
    await toast(page, 'error', 'x')
    assert.equal(sent.length, 1)
    await button(page, 'Login').click()
    await until(page, 'document.querySelector("form [type=submit]").textContent === "Login"')
    assert.equal(sent.length, 2)
    await close()
  })

  test('[AUT-006] [AUT-062] the browser checks the address and nothing else', async () => {
    const { page, sent, close } = await open('/auth/?mode=register', {
      replies: { 'POST /auth/register/': { status: 400, json: { detail: 'Enter a password.' } } },
    })
    await fill(page, 'ada', '')
    await button(page, 'Register').click()
    assert.equal(await page.evaluate('document.querySelector(":invalid:not(form)")?.id'), 'email')
    assert.equal(sent.length, 0)
    await email(page).fill('ada@example.org')
    await button(page, 'Register').click()
    await toast(page, 'error', 'Enter a password.')
    assert.equal(sent.length, 1)
    await close()
  })

  test('no password gets into an address when the form is sent without its script', async () => {
    const { page, close } = await open('/auth/', { javaScriptEnabled: false })
    await fill(page)
    await password(page).press('Enter')
    assert.equal(page.url(), `${site.base}/auth/`)
    assert.match((await page.locator('noscript').textContent()) ?? '', /^Logging in needs JavaScript\./)
    assert.ok(await page.locator('noscript').isVisible())
    await close()
  })

  for (const provider of ['google', 'github']) {
    test(`[AUT-034] [AUT-036] [AUT-037] [AUT-050] [OPEN-018] ${provider}: both tokens are kept, exchanged, and lead to the profile`, async () => {
      const { page, sent, close } = await open(`/auth/${provider}/callback/?access=a&refresh=b%2B`, {
        replies: { 'POST /auth/redeem/': { json: PAIR }, 'GET /user/profile/': { json: { x: 1 } } },
      })
      await isAt(page, '/user/profile/')
      await page.getByText('"x": 1').waitFor()
      assert.deepEqual(sent[0], {
        call: 'POST /auth/redeem/',
        body: '{"access":"a","refresh":"b+"}',
        authorization: undefined,
      })
      assert.equal(sent[1]?.authorization, `Bearer ${PAIR.access}`)
      assert.deepEqual(await storageOf(page), PAIR)
      await page.goBack().catch(() => {})
      assert.doesNotMatch(page.url(), /access|refresh/)
      await close()
    })

    test(`[AUT-038] ${provider}: with less than both it leads to the login`, async () => {
      for (const query of ['', '?access=a', '?refresh=b', '?access=&refresh=b']) {
        const { page, close } = await open(`/auth/${provider}/callback/${query}`)
        await isAt(page, '/auth/')
        assert.deepEqual(await storageOf(page), {})
        await close()
      }
    })
  }

  test('[AUT-036] [OPEN-018] the pair is in the storage under its names before it is exchanged', async () => {
    let answer: (() => void) | undefined
    const { page, close } = await open('/auth/google/callback/?access=a&refresh=b', {
      replies: {
        'POST /auth/redeem/': async () => {
          await new Promise<void>(resolve => (answer = resolve))
          return { status: 401, json: {} }
        },
      },
    })
    await isAt(page, '/user/profile/')
    await until(page, 'localStorage.length > 0')
    assert.deepEqual(await storageOf(page), { access: 'a', refresh: 'b', returned: 'yes' })
    const end = Date.now() + 5_000
    while (!answer && Date.now() < end) await new Promise(resolve => setTimeout(resolve, 20))
    answer?.()
    await isAt(page, '/auth/')
    await toast(page, 'error', 'Unauthorized. Please log in.')
    assert.deepEqual(await storageOf(page), {})
    await close()
  })

  for (const [row, provider] of [
    ['[RTE-029]', 'google'],
    ['[RTE-030]', 'github'],
  ] as const) {
    test(`${row} [AUT-035] ${provider}: the screen of the return says what it does`, async () => {
      const { page, close } = await open(`/auth/${provider}/callback/?access=a&refresh=b`, { javaScriptEnabled: false })
      await page.getByText('Logging you in via social login...', { exact: true }).waitFor()
      await close()
    })
  }

  test('[OPEN-018] nothing tells others where the visitor was, and no engine lists these pages', async () => {
    for (const path of ['/auth/', '/auth/google/callback/', '/auth/github/callback/', '/user/profile/']) {
      const html = await fetch(site.base + path).then(response => response.text())
      assert.match(html, /<meta name="referrer" content="no-referrer"\/>/)
      assert.match(html, /<meta name="robots" content="noindex, follow"\/>/)
      assert.doesNotMatch(html, /rel="canonical"/)
    }
    const sitemap = await fetch(`${site.base}/sitemap.xml`).then(response => response.text())
    assert.doesNotMatch(sitemap, /\/auth\/|\/user\//)
  })

  test('[AUT-056] the bar of every page leads to the account with a plain link', async () => {
    const { page, close } = await site.open('/')
    await page.getByRole('banner').getByRole('link', { name: 'Account' }).click()
    await isAt(page, '/auth/')
    await close()
  })

  const states: readonly (readonly [
    name: string,
    path: string,
    reply?: Reply | undefined,
    act?: (page: Page) => Promise<unknown>,
  ])[] = [
    ['login', '/auth/'],
    ['register', '/auth/?mode=register', undefined, page => password(page).fill('abc')],
    ['register, strong', '/auth/?mode=register', undefined, page => password(page).fill('Abcdefg1')],
    ['reset', '/auth/?mode=reset'],
    ['new password', '/auth/?mode=reset&token=t'],
    ['verified', '/auth/?verified=1', undefined, page => page.locator('.toast').waitFor()],
    [
      'unverified',
      '/auth/',
      { status: 403, json: { detail: 'Please verify your email.' } },
      async page => {
        await fill(page)
        await button(page, 'Login').click()
        await button(page, 'Send the link again').waitFor()
      },
    ],
  ]
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [name, path, reply, act] of states) {
      test(`[OPEN-102] axe finds nothing: ${name}, ${colorScheme}`, async () => {
        const replies = reply && { 'POST /auth/login/': reply }
        const { page, close } = await open(path, {
          ...(colorScheme === 'dark' ? PHONE : {}),
          colorScheme,
          ...(replies && { replies }),
        })
        await act?.(page)
        assert.deepEqual(await axeFindings(page), [])
        const wide: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        assert.ok(wide <= 0, `${wide} pixels too wide`)
        await close()
      })
    }
  }

  test('nothing moves but what was asked for', async () => {
    const { page, close } = await open()
    const places = () =>
      page.evaluate(
        '[".auth-card h1", "#email", "#password", "footer"].map(one => document.querySelector(one).getBoundingClientRect().top)',
      )
    const before = await places()
    await toRegister(page)
    assert.deepEqual(await places(), before)
    await password(page).fill('abc')
    assert.deepEqual(await places(), before)
    await close()
  })

  test('the keyboard alone does it all, in the order of the page', async () => {
    const { page, close } = await open('/auth/', {
      replies: { 'POST /auth/login/': { status: 401, json: { detail: 'x' } } },
    })
    await email(page).focus()
    const stops: string[] = []
    for (let stop = 0; stop < 8; stop++) {
      stops.push(await page.evaluate('(document.activeElement.textContent || document.activeElement.id).trim()'))
      await page.keyboard.press('Tab')
    }
    assert.deepEqual(stops, [
      'email',
      'Forgot password?',
      'password',
      'Show password',
      'Login',
      'Continue with Google',
      'Continue with GitHub',
      "Don't have an account? Register",
    ])
    await email(page).fill('ada@example.org')
    await button(page, 'Login').press('Enter')
    await toast(page, 'error', 'x')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Login')
    await close()
  })
})
