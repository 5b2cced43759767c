import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { axeFindings, openSite, type Site } from './browser.ts'

const PAGES = ['/about-us/', '/contact-us/', '/privacy-policy/', '/terms-of-services/', '/disclaimer/']
const PHONE = { width: 360, height: 740 }
const WIDE = { width: 1280, height: 800 }

let site: Site

describe('the pages of text in a browser', () => {
  before(async () => {
    site = await openSite()
  })
  after(() => site.close())

  for (const path of PAGES) {
    test(`[OPEN-102] axe finds nothing: ${path}`, async () => {
      for (const viewport of [PHONE, WIDE]) {
        for (const colorScheme of ['light', 'dark'] as const) {
          const { page, close } = await site.open(path, { viewport, colorScheme })
          assert.deepEqual(await axeFindings(page), [])
          await close()
        }
      }
    })

    test(`${path} is not wider than 360 pixels, nor than 640 at twice the size of text`, async () => {
      const { page, close } = await site.open(path, { viewport: PHONE })
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
      await page.setViewportSize({ width: 640, height: 740 })
      await page.evaluate('document.documentElement.style.fontSize = "200%"; document.body.style.zoom = "2"')
      assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 640)
      await close()
    })
  }

  for (const path of [...PAGES, '/careers/']) {
    test(`[PAG-023] [AUT-056] [LAY-017] ${path} needs no account, stands between bar and footer, and is heard in order`, async () => {
      const { page, close } = await site.open(path)
      assert.equal(page.url(), site.base + path)
      assert.deepEqual(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]'), [0, 0, ''])
      for (const role of ['banner', 'main', 'contentinfo'] as const) {
        assert.ok(await page.getByRole(role).first().isVisible())
      }
      assert.equal(await page.locator('nav[aria-label="Breadcrumb"] [aria-current="page"]').count(), 1)
      const levels: number[] = await page.evaluate(
        '[...document.querySelectorAll("main :is(h1, h2, h3, h4)")].map(({ tagName }) => Number(tagName[1]))',
      )
      assert.deepEqual([levels[0], levels.lastIndexOf(1)], [1, 0])
      for (const [index, level] of levels.entries()) {
        assert.ok(level <= (levels[index - 1] ?? 0) + 1, `h${level} after h${levels[index - 1]}`)
      }
      await close()
    })
  }

  test('the keyboard reaches every link in order, beginning with the one past the bar', async () => {
    const { page, close } = await site.open('/privacy-policy/')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content')
    await page.keyboard.press('Enter')
    const links: string[] = await page.evaluate(
      '[...document.querySelectorAll("main a, footer a")].map(link => link.getAttribute("href"))',
    )
    const reached: string[] = []
    for (const _ of links) {
      await page.keyboard.press('Tab')
      reached.push(await page.evaluate('document.activeElement.getAttribute("href")'))
      assert.notEqual(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'none')
    }
    assert.deepEqual(reached, links)
    await close()
  })
})
