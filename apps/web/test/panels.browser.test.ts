import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Panel, panel, type Tone } from '@assay/kit'
import type { Page } from 'playwright-core'
import { axeFindings, openSite, type Site, until, type Visit } from './browser.ts'

const LOOKUP = '/dns-tools/http-headers/'
const tones: readonly Tone[] = ['neutral', 'good', 'warn', 'bad', 'info']
const verdicts = ['pass', 'fail', 'warn', 'not-applicable', 'unknown', 'skipped'] as const
const dot = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** Every kind of panel, every tone and verdict, with `word` wherever a text can stand. */
const everything = (word: string): Panel[] => [
  panel.banner('good', word, { badge: word, detail: word }),
  panel.tiles(...tones.map(tone => ({ label: `${tone} ${word}`, value: { text: word, tone }, detail: word }))),
  panel.facts(
    tones.map(tone => [word, { text: word, tone, mono: true, title: word }] as const),
    word,
  ),
  panel.table(
    [word, 'Bar', 'Badge', 'Link'],
    tones.map(tone => [
      word,
      { text: word, tone, bar: 0.5 },
      { text: word, tone, badge: true },
      { text: word, href: 'https://example.com/' },
    ]),
    { title: word },
  ),
  panel.table(['Empty'], [], { empty: word }),
  panel.list([{ text: word, detail: word, badges: [{ text: word, tone: 'bad', badge: true }] }], { title: word }),
  panel.checks(
    verdicts.map(verdict => ({ name: word, verdict, detail: word, clause: word })),
    word,
  ),
  panel.code(word, { title: word }),
  ...tones.map(tone => panel.note(tone, word, word)),
  panel.section(word, [panel.facts([[word, word]])], { badge: { text: word, tone: 'warn' }, detail: word }),
  panel.section(word, [panel.list([])]),
  panel.image({ source: dot, alt: word, name: word }),
  panel.file({ name: word, mediaType: 'text/plain', base64: 'aGk=' }),
  panel.steps([{ title: word, detail: word, code: word }], word),
]

let site: Site

async function show(
  panels: readonly Panel[],
  result: unknown,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<Visit> {
  const visit = await site.open(LOOKUP, { colorScheme })
  await visit.page.route('**/api/**', route =>
    route.fulfill({ contentType: 'application/vnd.assay+json', body: JSON.stringify({ result, panels }) }),
  )
  await visit.page.locator('form input').first().fill('example.com')
  await visit.page.locator('form input').first().press('Enter')
  await card(visit.page).waitFor()
  return visit
}

const card = (page: Page) => page.getByRole('region', { name: 'Result', exact: true })

describe('panels in a browser', () => {
  before(async () => {
    site = await openSite()
  })
  after(() => site.close())

  for (const colours of ['light', 'dark'] as const) {
    test(`[OPEN-102] axe finds nothing in any kind of panel, ${colours}`, async () => {
      const { page, close } = await show(everything('word'), {}, colours)
      assert.deepEqual(await axeFindings(page), [])
      await close()
    })
  }

  test('markup in a result is text, wherever it stands', async () => {
    const evil = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>"'&{{7*7}}`
    const { page, close } = await show(everything(evil), { evil })
    assert.equal(await card(page).locator('img').count(), 1, 'only the picture itself')
    assert.equal(await card(page).locator('script').count(), 0)
    assert.notEqual(await page.title(), 'run')
    assert.equal(await card(page).getByRole('heading', { level: 2 }).textContent(), evil)
    await close()
  })

  test('a result that cannot be drawn is told, and the page lives on', async () => {
    const { page } = await show([panel.banner('good', 'Drawn')], {})
    const thrown: string[] = []
    page.on('pageerror', error => thrown.push(error.message))
    await page.unrouteAll()
    const broken = { kind: 'checks', checks: [{ name: 'x', verdict: 'no such verdict' }] }
    await page.route('**/api/**', route =>
      route.fulfill({
        contentType: 'application/vnd.assay+json',
        body: JSON.stringify({ result: {}, panels: [broken] }),
      }),
    )
    await page.getByRole('button', { name: 'Analyze' }).click()
    await page.getByText('This result cannot be drawn.').waitFor()
    assert.equal(thrown.length, 1, 'and it is reported')
    await page.unrouteAll()
    await page.route('**/api/**', route =>
      route.fulfill({
        contentType: 'application/vnd.assay+json',
        body: JSON.stringify({ result: {}, panels: [panel.note('info', 'Drawn again')] }),
      }),
    )
    await page.getByRole('button', { name: 'Analyze' }).click()
    await page.getByText('Drawn again').waitFor()
    assert.equal(await page.getByText('cannot be drawn').count(), 0)
    await page.context().close()
  })

  test('only web pages and paths of the site become links, those of others without a trace of us', async () => {
    const cells = [
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.example',
      '/\\evil.example',
      'https://a.example/',
      '/tools/',
    ]
    const { page, close } = await show(
      [
        panel.table(
          ['x'],
          cells.map(href => [{ text: href, href }]),
        ),
      ],
      {},
    )
    assert.deepEqual(
      await page.evaluate('[...document.querySelectorAll(".card a")].map(a => [a.getAttribute("href"), a.rel])'),
      [
        ['https://a.example/', 'noopener noreferrer nofollow'],
        ['/tools/', ''],
      ],
    )
    await close()
  })

  test('[LKP-002] [LKP-006] a list that scrolls stays within 24rem', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => [`row ${index}`])
    const { page, close } = await show([panel.table(['Value'], rows, { scroll: true, title: 'Records' })], {})
    const box = await page.getByRole('group', { name: 'Records' }).boundingBox()
    assert.equal(box?.height, 24 * 16)
    await close()
  })

  test('[GEN-014] a result that is a list becomes one card for each item', async () => {
    const { page, close } = await site.open('/hash-generators-and-checksum/md5/')
    await page.route('**/api/**', route => route.fulfill({ json: [{ a: 1 }, { a: 2 }, { a: 3 }] }))
    await page.getByText('On the server').click()
    await page.getByRole('button', { name: 'Run Tool' }).click()
    await card(page).waitFor()
    assert.deepEqual(await card(page).getByRole('heading', { level: 3 }).allTextContents(), ['1', '2', '3'])
    await close()
  })

  test('a result without panels of its own stands as facts under the heading Result', async () => {
    const { page, close } = await show([panel.facts([['A', '1']])], { a: 1 })
    await card(page).getByRole('heading', { name: 'Result', exact: true }).waitFor()
    await close()
  })

  test('tables are copied as CSV, results as JSON', async () => {
    const visit = await show([panel.table(['a', 'b'], [['1', 'x,y']], { title: 'T' })], { a: [1] })
    const { page, close } = visit
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy as CSV T' }).click()
    await page.getByText('Copied').waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'a,b\r\n1,"x,y"\r\n')
    await page.getByRole('button', { name: 'Copy as JSON' }).click()
    await until(page, 'navigator.clipboard.readText().then(text => text.startsWith("{"))')
    await close()
  })

  test('[GEN-026] the head of a result is a gradient with the domain and carries its verdict; on paper the result stands without the controls', async () => {
    const { page, close } = await show([panel.banner('bad', 'example.com', { badge: 'UNSECURED' })], {})
    await card(page).getByText('UNSECURED').waitFor()
    const head = page.locator('.result-head')
    await head.getByRole('heading', { name: 'example.com', exact: true }).waitFor()
    const background = await page.evaluate('getComputedStyle(document.querySelector(".result-head")).backgroundImage')
    assert.match(String(background), /^linear-gradient\(/)
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.locator('form input').first().isVisible(), true, 'what was asked stands on paper')
    assert.equal(await page.getByRole('button', { name: 'Analyze' }).isVisible(), false)
    assert.equal(await page.getByRole('banner').first().isVisible(), false)
    assert.equal(await page.getByRole('button', { name: 'Copy as JSON' }).isVisible(), false)
    await close()
  })
})
