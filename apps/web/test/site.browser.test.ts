import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeFindings, openSite, type Site, until } from './browser.ts'

const MD5 = '/hash-generators-and-checksum/md5/'
const PHONE = { viewport: { width: 360, height: 740 } }
const DARK = { colorScheme: 'dark' } as const
const LIGHT = { colorScheme: 'light' } as const

let site: Site

const marks = (page: Page): Promise<{ dark: boolean; theme: string | null; saved: string | null }> =>
  page.evaluate(`({
    dark: document.documentElement.classList.contains('dark'),
    theme: document.documentElement.getAttribute('data-theme'),
    saved: localStorage.getItem('theme'),
  })`)

describe('the site in a browser', () => {
  before(async () => {
    site = await openSite()
  })
  after(() => site.close())

  const states: readonly (readonly [name: string, path: string, act?: (page: Page) => Promise<unknown>])[] = [
    ['home', '/'],
    ['category', '/hash-generators-and-checksum/'],
    ['index', '/tools/'],
    ['tool', MD5],
    ['two-way tool', '/encryption-and-decryption/aes/encrypt/'],
    ['lookup', '/dns-tools/http-headers/'],
    ['variant', '/dns-tools/dns-records/mx/'],
    ['file field', '/hash-generators-and-checksum/file-checksum/'],
    ['API', '/api/docs/', page => page.locator('details').first().evaluate('node => (node.open = true)')],
    ['contact', '/contact-us/'],
    [
      'contact refused',
      '/contact-us/',
      async page => {
        await page.getByRole('button', { name: 'Send Message' }).click()
        await page.getByText('Fill in your name.').first().waitFor()
      },
    ],
    ['not found', '/404.html'],
    [
      'result',
      MD5,
      async page => {
        await page.getByLabel('Text', { exact: true }).fill('abc')
        await page.getByRole('button', { name: 'Run Tool' }).click()
        await page.getByRole('tabpanel').waitFor()
      },
    ],
    [
      'failure',
      '/dns-tools/http-headers/',
      async page => {
        await page.locator('form input').first().press('Enter')
        await page.getByRole('alert').waitFor()
      },
    ],
    [
      'verified',
      MD5,
      async page => {
        await page.getByRole('button', { name: /^Verify/ }).click()
        await page.getByText('passed in this browser').waitFor()
      },
    ],
    [
      'palette',
      '/',
      async page => {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: 'Find a tool, or paste anything' }).fill('hash')
        await page.getByRole('option').first().waitFor()
      },
    ],
    ['pasted', '/', page => page.getByRole('combobox').fill('example.com')],
    ['dropdown', '/', page => page.getByRole('button', { name: 'DNS Tools menu' }).click()],
  ]

  for (const colours of [LIGHT, DARK]) {
    for (const [name, path, act] of states) {
      test(`[OPEN-102] axe finds nothing: ${name}, ${colours.colorScheme}`, async () => {
        const { page, close } = await site.open(path, colours)
        await act?.(page)
        assert.deepEqual(await axeFindings(page), [])
        await close()
      })
    }
  }

  test('[OPEN-102] axe finds nothing on a phone, with the menu open', async () => {
    const { page, close } = await site.open(MD5, PHONE)
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.locator('summary').first().click()
    assert.deepEqual(await axeFindings(page), [])
    await close()
  })

  test('no page is wider than 360 pixels, nor than 640 at twice the size of text', async () => {
    for (const path of [
      '/',
      '/tools/',
      MD5,
      '/encryption-and-decryption/aes/encrypt/',
      '/dns-tools/dns-records/mx/',
      '/contact-us/',
      '/404.html',
    ]) {
      const { page, close } = await site.open(path, PHONE)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, path)
      await page.setViewportSize({ width: 640, height: 740 })
      await page.evaluate('document.documentElement.style.fontSize = "200%"; document.body.style.zoom = "2"')
      assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 640, `${path} at 200 %`)
      await close()
    }
  })

  test('on paper text is dark on white, also when the screen is dark, and there is no bar and no button', async () => {
    for (const path of ['/', MD5, '/careers/', '/privacy-policy/']) {
      const { page, close } = await site.open(path, DARK)
      await page.emulateMedia({ media: 'print', ...DARK })
      const look = await page.evaluate(`(({ color, backgroundColor }) => [color, backgroundColor])(
        getComputedStyle(document.body))`)
      assert.deepEqual(look, ['rgb(22, 24, 29)', 'rgb(255, 255, 255)'], path)
      const dead = page.locator('.bar, .footer, .skip, .button').filter({ visible: true })
      assert.equal(await dead.count(), 0, path)
      await close()
    }
  })

  test('[THM-002] [THM-003] [OPEN-094] a saved theme wins, otherwise the system decides and nothing is written', async () => {
    const fresh = await site.open('/', DARK)
    assert.deepEqual(await marks(fresh.page), { dark: true, theme: null, saved: null })
    await fresh.page.emulateMedia({ colorScheme: 'light' })
    await until(fresh.page, '!document.documentElement.classList.contains("dark")')
    assert.deepEqual(await marks(fresh.page), { dark: false, theme: null, saved: null })
    await fresh.page.evaluate('localStorage.setItem("theme", "dark")')
    await fresh.page.reload()
    assert.deepEqual(await marks(fresh.page), { dark: true, theme: 'dark', saved: 'dark' })
    await fresh.close()
  })

  test('[THM-001] [THM-004] [THM-005] [THM-006] [THM-007] [THM-008] [OPEN-092] [LAY-010] the toggle goes light, dark, system', async () => {
    const { page, close } = await site.open('/', LIGHT)
    const toggle = page.getByRole('button', { name: /^Theme:/ })
    await toggle.click()
    assert.deepEqual(await marks(page), { dark: false, theme: 'light', saved: 'light' })
    await toggle.click()
    assert.deepEqual(await marks(page), { dark: true, theme: 'dark', saved: 'dark' })
    await toggle.click()
    assert.deepEqual(await marks(page), { dark: false, theme: null, saved: 'system' })
    await page.emulateMedia(DARK)
    await until(page, 'document.documentElement.classList.contains("dark")')
    await close()
  })

  test('[OPEN-092] the theme is set before the first paint', async () => {
    const { page, close } = await site.open('/', LIGHT)
    await page.evaluate('localStorage.setItem("theme", "dark")')
    // Neither the bundled script nor the stylesheet has arrived when the head has run.
    await page.route('**/assets/**', route => route.abort())
    await page.goto(`${site.base}${MD5}`, { waitUntil: 'commit' })
    await until(page, 'document.documentElement.classList.contains("dark")')
    await close()
  })

  test('[LAY-001] [LAY-002] the bar stays in place and leads home', async () => {
    const { page, close } = await site.open('/tools/', { viewport: { width: 1320, height: 300 } })
    await page.mouse.wheel(0, 400)
    const bar = await page.getByRole('banner').first().boundingBox()
    assert.equal(bar?.y, 0)
    await page.getByRole('banner').first().getByRole('link').first().click()
    await page.waitForURL(`${site.base}/`)
    await close()
  })

  test('[LAY-003] [LAY-004] [LAY-005] [LAY-006] [LAY-007] the DNS Tools dropdown leads where the specification says', async () => {
    const { page, close } = await site.open('/')
    const nav = page.getByRole('navigation', { name: 'Main' })
    assert.equal(await nav.getByRole('link', { name: 'DNS Tools', exact: true }).getAttribute('href'), '/dns-tools')
    await nav.getByRole('button', { name: 'DNS Tools menu' }).press('Enter')
    for (const [name, href] of [
      ['Whois Lookup', '/dns-tools/whois'],
      ['DNS Lookup', '/dns-tools/dns-lookup'],
      ['Reverse DNS', '/dns-tools/reverse-dns'],
      ['DNSSEC Check', '/dns-tools/dnssec'],
    ] as const) {
      const link = nav.getByRole('link', { name, exact: true })
      assert.equal(await link.isVisible(), true)
      assert.equal(await link.getAttribute('href'), href)
    }
    await page.keyboard.press('ArrowDown')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Whois Lookup')
    await page.keyboard.press('Escape')
    assert.equal(await nav.getByRole('link', { name: 'Whois Lookup' }).isVisible(), false)
    await close()
  })

  test('[BIZ-013] [LAY-008] [LAY-009] [OPEN-093] [OPEN-095] below 768 pixels the menu is an accordion with one category open at a time', async () => {
    const { page, close } = await site.open('/', { viewport: { width: 767, height: 800 } })
    const menu = page.getByRole('button', { name: 'Menu', exact: true })
    await menu.click()
    const categories = page.locator('#accordion details')
    assert.equal(await page.locator('#accordion details[open]').count(), 0)
    assert.equal(await categories.first().locator('summary').textContent(), 'DNS Tools')
    await categories.nth(0).locator('summary').click()
    await categories.nth(1).locator('summary').click()
    assert.equal(await page.locator('#accordion details[open]').count(), 1)
    assert.equal(await categories.nth(1).getAttribute('open'), '')
    await menu.click()
    assert.equal(await page.locator('#accordion').isVisible(), false)
    await page.setViewportSize({ width: 768, height: 800 })
    assert.equal(await menu.isVisible(), false)
    await close()
  })

  test('[LAY-011] [LAY-012] [LAY-013] [LAY-014] [LAY-015] [LAY-016] the footer has its five links and the year of the clock', async () => {
    const { page, close } = await site.open('/')
    const footer = page.getByRole('contentinfo')
    const links = await page.evaluate(
      '[...document.querySelectorAll("footer a")].map(link => link.getAttribute("href"))',
    )
    assert.deepEqual(links, ['/about-us', '/contact-us', '/disclaimer/', '/terms-of-services', '/privacy-policy'])
    assert.match((await footer.textContent()) ?? '', new RegExp(`© ${await page.evaluate('new Date().getFullYear()')}`))
    await close()
  })

  test('[BIZ-014] [LAY-019] [LAY-020] [OPEN-095] two panels of related tools, from 1024 pixels on', async () => {
    const { page, close } = await site.open(MD5, { viewport: { width: 1024, height: 800 } })
    const panels = page.getByRole('heading', { name: 'Related Tools', exact: true })
    assert.equal(await panels.count(), 2)
    await page.setViewportSize({ width: 1023, height: 800 })
    assert.equal(await panels.count(), 0)
    await close()
  })

  test('[LAY-018] [GEN-019] [OPEN-012] a missing slash is added without a history entry, query and fragment kept', async () => {
    const { page, close } = await site.open('/')
    await page.goto(`${site.base}${MD5.slice(0, -1)}?a=1#b`)
    assert.equal(new URL(page.url()).pathname, MD5)
    assert.equal(new URL(page.url()).search, '?a=1')
    await page.goBack()
    assert.equal(new URL(page.url()).pathname, '/')
    await close()
  })

  test('the palette opens by keyboard, finds by other names, leads nowhere by itself, and gives the focus back', async () => {
    const { page, close } = await site.open(MD5)
    await page.getByLabel('Text', { exact: true }).focus()
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: 'Find a tool, or paste anything' })
    await box.waitFor()
    await page.keyboard.type('sha256sum')
    await page.getByRole('option', { name: /SHA-2/ }).first().waitFor()
    assert.equal(new URL(page.url()).pathname, MD5)
    await page.keyboard.press('Escape')
    assert.equal(await box.isVisible(), false)
    assert.equal(await page.evaluate('document.activeElement.id'), 'input_text')
    await page.keyboard.press('Control+k')
    await box.fill('sha256sum')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sha/')
    await close()
  })

  test('a pasted value is recognised and carried over without being sent', async () => {
    const { page, requests, close } = await site.open('/')
    const box = page.getByRole('combobox')
    await box.fill('hello there')
    await page.getByRole('option', { name: /MD5/ }).first().click()
    await page.waitForURL(`**${MD5}`)
    assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'hello there')
    assert.deepEqual(
      requests.filter(url => /hello/.test(url)),
      [],
    )
    assert.ok(!page.url().includes('hello'), 'the fragment is taken off the address')
    await close()
  })

  test('[TOA-001] [TOA-006] at most 20 toasts at once, and one that loads stays', async () => {
    const { page, close } = await site.open('/')
    await page.clock.install()
    await page.evaluate(`for (let i = 0; i < 25; i++)
      dispatchEvent(new CustomEvent('assay:toast', { detail: { kind: 'loading', text: 'toast ' + i } }))`)
    await page.locator('.toast').nth(19).waitFor()
    assert.equal(await page.locator('.toast').count(), 20)
    await page.clock.runFor(60_000)
    assert.equal(await page.locator('.toast').count(), 20)
    await close()
  })

  for (const [ids, kind, lasts] of [
    ['[TOA-002]', 'error', 4000],
    ['[TOA-003]', 'blank', 4000],
    ['[TOA-004]', 'custom', 4000],
    ['[TOA-005]', 'success', 2000],
  ] as const) {
    test(`${ids} a toast of kind ${kind} lasts ${lasts} ms`, async () => {
      const { page, close } = await site.open('/')
      await page.clock.install()
      await page.evaluate(`dispatchEvent(new CustomEvent('assay:toast', { detail: { kind: '${kind}', text: 'x' } }))`)
      await page.locator('.toast').waitFor()
      await page.clock.runFor(lasts - 200)
      assert.equal(await page.locator('.toast').count(), 1)
      await page.clock.runFor(400)
      assert.equal(await page.locator('.toast').count(), 0)
      await close()
    })
  }

  test('[TOA-007] [TOA-008] toasts are at the top, centred, 16 pixels from the edge', async () => {
    const { page, close } = await site.open('/', { viewport: { width: 1000, height: 700 } })
    await page.evaluate(`dispatchEvent(new CustomEvent('assay:toast', { detail: { kind: 'error', text: 'x' } }))`)
    const box = await page.locator('.toast').boundingBox()
    assert.ok(box)
    assert.equal(box.y, 16)
    assert.ok(Math.abs(box.x + box.width / 2 - 500) <= 8)
    await close()
  })

  test('what was visited works without a network, and nothing but the theme is stored', async () => {
    const { page, close } = await site.open(MD5, { serviceWorkers: 'allow' })
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await page.reload()
    await until(page, 'navigator.serviceWorker.controller !== null')
    await page.reload()
    await page.getByLabel('Text', { exact: true }).fill('abc')
    await page.getByRole('button', { name: 'Run Tool' }).click()
    await page.getByText('900150983cd24fb0d6963f7d28e17f72').first().waitFor()
    await page.context().setOffline(true)
    await page.reload()
    await page.getByLabel('Text', { exact: true }).fill('abc')
    await page.getByRole('button', { name: 'Run Tool' }).click()
    await page.getByText('900150983cd24fb0d6963f7d28e17f72').first().waitFor()
    const kept: string[] = await page.evaluate(`caches.keys()
      .then(names => Promise.all(names.map(name => caches.open(name).then(cache => cache.keys()))))
      .then(lists => lists.flat().map(request => request.url))`)
    assert.deepEqual(
      kept.filter(url => /\/api\/|\?|abc/.test(url)),
      [],
    )
    assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0)
    await close()
  })

  test('an installed app keeps every tool of the browser, also those never visited', async () => {
    const { page, close } = await site.open(MD5, { serviceWorkers: 'allow' })
    await page.evaluate('navigator.serviceWorker.ready.then(({ active }) => active.postMessage("keep-everything"))')
    const last = '/encoding-and-decoding/hex/decode/'
    await page.evaluate(`(async () => {
      const list = await fetch('/offline.json').then(response => response.json())
      while (!(await Promise.all(list.map(path => caches.match(path)))).every(Boolean)) {
        await new Promise(resolve => setTimeout(resolve, 100))
      }
    })()`)
    await page.context().setOffline(true)
    await page.goto(site.base + last)
    await page.locator('form textarea').first().fill('616263')
    await page.getByRole('button', { name: 'Run Tool' }).click()
    await page.getByRole('region', { name: 'Result', exact: true }).getByText('abc').first().waitFor()
    await close()
  })
})
