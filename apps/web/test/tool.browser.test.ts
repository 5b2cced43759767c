import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { panel } from '@assay/kit'
import type { Page } from 'playwright-core'
import { openSite, type Site, until } from './browser.ts'

const MD5 = '/hash-generators-and-checksum/md5/'
const HEADERS = '/dns-tools/http-headers/'
const RECORDS = '/dns-tools/dns-records/mx/'
const AES = '/encryption-and-decryption/aes/encrypt/'
const KEY = '000102030405060708090a0b0c0d0e0f'
/** An answer without a head of its own. */
const HEADERS_FOUND = {
  contentType: 'application/vnd.assay+json',
  body: JSON.stringify({ result: { headers_data: { Server: 'x' } }, panels: [panel.facts([['Server', 'x']])] }),
}

let site: Site

const run = (page: Page) => page.getByRole('button', { name: 'Run Tool' })
const result = (page: Page) => page.getByRole('region', { name: 'Result', exact: true })

describe('tool pages in a browser', () => {
  before(async () => {
    site = await openSite()
  })
  after(() => site.close())

  test('[CRY-002] [CRY-004] [CRY-007] [CRY-008] [OPEN-007] MD5 runs in the browser and nothing is sent', async () => {
    const { page, requests, close } = await site.open(MD5)
    await page.getByRole('heading', { level: 1, name: 'MD5 Hash Generator' }).waitFor()
    await page.getByLabel('Text', { exact: true }).fill('abc')
    await run(page).click()
    await result(page).getByText('900150983cd24fb0d6963f7d28e17f72').first().waitFor()
    await page.getByRole('heading', { name: 'What is MD5 Hash Generator?' }).waitFor()
    assert.deepEqual(
      requests.filter(url => !/\/assets\/|\.svg$|\.png$|\.webmanifest$/.test(url)),
      [site.base + MD5],
    )
    assert.ok(!page.url().includes('abc'), 'what was typed is not in the address')
    await close()
  })

  test('the count of requests since typing is 0 when the page was used as people use it', async () => {
    const { page, close } = await site.open(MD5)
    await page.getByLabel('Text', { exact: true }).focus()
    await page.waitForLoadState('networkidle')
    await page.keyboard.type('abc')
    await run(page).click()
    await result(page).waitFor()
    assert.equal(await page.locator('.request-count').textContent(), '0 requests since you typed')
    await close()
  })

  test('the count rises when the fields are sent to the server, and says what was asked', async () => {
    const { page, close } = await site.open(MD5)
    await page.route('**/api/**', route =>
      route.fulfill({ json: { hash: 'ff', algorithm: 'MD5', bits: 128, input_bytes: 3 } }),
    )
    await page.getByLabel('Text', { exact: true }).fill('abc')
    await page.getByText('On the server').click()
    await page.getByText('your input is sent there').waitFor()
    await run(page).click()
    await result(page).getByText('ff').first().waitFor()
    await page.locator('.request-count').getByText('1 request since you typed').click()
    await page.locator('.request-count').getByText(`${site.base}/api/md5/`).waitFor()
    await close()
  })

  test('[CRY-030] [CRY-033] [OPEN-099] on the server: one POST, the fields as a JSON body, spaces kept', async () => {
    const { page, close } = await site.open(MD5)
    const bodies: unknown[] = []
    await page.route('**/api/md5/', route => {
      bodies.push(route.request().postDataJSON())
      return route.fulfill({ json: { a: 1, b: 2 } })
    })
    await page.getByLabel('Text', { exact: true }).fill(' a ')
    await page.getByText('On the server').click()
    await run(page).click()
    await page.getByRole('tab', { name: 'JSON' }).click()
    assert.deepEqual(JSON.parse((await page.locator('[role=tabpanel] pre').textContent()) ?? ''), { a: 1, b: 2 })
    assert.deepEqual(bodies, [{ input_text: ' a ', input_format: 'UTF-8', output_format: 'Hex' }])
    await close()
  })

  test('[CRY-005] [CRY-032] [CRY-034] [CRY-035] [CRY-036] failures of the server stand in the box', async () => {
    const { page, close } = await site.open(MD5)
    const cases: [Parameters<Parameters<Parameters<Page['route']>[1]>[0]['fulfill']>[0] | 'abort', string][] = [
      [{ json: { error: 'x' } }, 'Error: x'],
      [{ status: 400, json: { error: 'y' } }, 'Error: y'],
      [{ status: 502, body: '' }, 'Error: Error 502: Bad Gateway'],
      ['abort', 'Error: Failed to post data. Please check your internet connection.'],
      [
        { contentType: 'application/json', body: 'not json' },
        'Error: Something went wrong while processing your request.',
      ],
    ]
    await page.getByText('On the server').click()
    for (const [answer, text] of cases) {
      await page.unroute('**/api/md5/')
      await page.route('**/api/md5/', route => (answer === 'abort' ? route.abort() : route.fulfill(answer)))
      await run(page).click()
      const box = page.getByRole('alert')
      await box.getByText(text.replace('Error: ', ''), { exact: false }).first().waitFor()
      assert.equal((await box.textContent())?.trim(), text)
      assert.equal(await result(page).count(), 0)
      await page.getByLabel('Text', { exact: true }).press('x')
      assert.equal(await box.count(), 0, 'typing clears the error')
    }
    await close()
  })

  test('[BIZ-032] however long the server takes, the page waits, and shows what comes in the end', async () => {
    const { page, close } = await site.open(MD5)
    await page.clock.install()
    const asked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    await page.route('**/api/md5/', async route => {
      asked.resolve()
      await answered.promise
      await route.fulfill({ json: { hash: 'ff', algorithm: 'MD5', bits: 128, input_bytes: 3 } })
    })
    await page.getByLabel('Text', { exact: true }).fill('abc')
    await page.getByText('On the server').click()
    await run(page).click()
    await asked.promise
    for (let minute = 0; minute < 10; minute++) await page.clock.fastForward('01:00')
    assert.equal(await page.getByRole('alert').count(), 0)
    await page.getByRole('button', { name: 'Cancel' }).waitFor()
    answered.resolve()
    await result(page).getByText('ff').first().waitFor()
    await close()
  })

  test('[BIZ-033] whatever status begins with 2 is a result, and nothing else is', async () => {
    const { page, close } = await site.open(MD5)
    await page.getByText('On the server').click()
    for (const status of [200, 201, 203, 226, 299, 300, 304, 400, 404, 500]) {
      await page.unroute('**/api/md5/')
      const hash = `${status}`.repeat(4)
      await page.route('**/api/md5/', route => route.fulfill({ status, json: { hash, error: undefined } }))
      await run(page).click()
      if (status < 300) await result(page).getByText(hash).first().waitFor()
      else {
        await page.getByRole('alert').getByText(`Error ${status}`).waitFor()
        assert.equal(await result(page).count(), 0)
      }
      await page.getByLabel('Text', { exact: true }).press('x')
    }
    await close()
  })

  test('[CRY-028] [CRY-029] [VAL-052] empty fields are no obstacle for the runner, and the field in error is named', async () => {
    const { page, close } = await site.open(AES)
    await run(page).click()
    const key = page.getByLabel('Key', { exact: true })
    await page.getByRole('alert').waitFor()
    assert.equal(await key.getAttribute('aria-invalid'), 'true')
    assert.equal(await page.evaluate('document.activeElement.id'), 'key')
    await close()
  })

  test('[CRY-015] [OPEN-076] a select starts at its default and lists the empty option first', async () => {
    const { page, close } = await site.open(AES)
    const mode = page.getByLabel('Mode')
    assert.equal(await mode.locator('option').first().textContent(), 'Select an option')
    assert.equal(await mode.inputValue(), 'GCM')
    await close()
  })

  test('secrets are hidden, can be shown, are generated here, and never enter the address or the commands', async () => {
    const { page, close } = await site.open(AES)
    const key = page.getByLabel('Key', { exact: true })
    assert.equal(await key.getAttribute('type'), 'password')
    await page.getByRole('button', { name: 'Generate Key' }).click()
    const made = await key.inputValue()
    assert.match(made, /^[0-9a-f]{32,64}$/)
    await page.getByRole('button', { name: 'Show Key' }).click()
    assert.equal(await key.getAttribute('type'), 'text')
    await page.getByLabel('Text', { exact: true }).fill('attack at dawn')
    await run(page).click()
    await result(page).waitFor()
    assert.ok(!page.url().includes(made))
    for (const name of ['API', 'assay']) {
      await page.getByRole('tab', { name }).click()
      assert.ok(!(await page.getByRole('tabpanel').textContent())?.includes(made), name)
    }
    await close()
  })

  test('the other direction is a page of its own, and going there keeps the key and takes the result along', async () => {
    const { page, close } = await site.open(AES)
    await page.getByLabel('Text', { exact: true }).fill('attack at dawn')
    await page.getByLabel('Key', { exact: true }).fill(KEY)
    await run(page).click()
    await result(page).waitFor()
    await page.getByRole('navigation', { name: 'Directions' }).getByText('Decrypt').click()
    await page.waitForURL('**/aes/decrypt/')
    assert.match(await page.title(), /Decrypt/)
    assert.equal(await page.getByLabel('Key', { exact: true }).inputValue(), KEY)
    await page.goBack()
    await page.waitForURL('**/aes/encrypt/')
    await page.getByRole('heading', { level: 1, name: /Encrypt/ }).waitFor()
    await close()
  })

  test('examples fill the form, verification runs them all here', async () => {
    const { page, close } = await site.open(MD5)
    await page.getByLabel('Try an example').selectOption({ index: 1 })
    await run(page).click()
    await result(page).waitFor()
    await page.getByRole('button', { name: /^Verify this tool: \d+ published examples$/ }).click()
    const verdict = page.getByText(/^\d+ of \d+ passed in this browser$/)
    await verdict.waitFor()
    const [passed, all] = ((await verdict.textContent()) ?? '').match(/\d+/g) ?? []
    assert.equal(passed, all)
    await close()
  })

  test('[GEN-001] [GEN-003] [GEN-004] [GEN-005] [GEN-006] [GEN-015] [GEN-016] [VAL-044] [VAL-045] a lookup: Analyze, Analyzing..., then the result', async () => {
    const { page, close } = await site.open(HEADERS)
    let answer = () => {}
    const asked = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route('**/api/**', async route => {
      await asked
      await route.fulfill(HEADERS_FOUND)
    })
    const button = page.getByRole('button', { name: 'Analyze', exact: true })
    assert.equal(await button.isDisabled(), true, 'blank')
    await page.locator('form input').first().fill('   ')
    assert.equal(await button.isDisabled(), true, 'spaces')
    await page.locator('form input').first().fill(' example.com ')
    await button.click()
    const busy = page.getByRole('button', { name: 'Analyzing...' })
    assert.equal(await busy.isDisabled(), true)
    await page.getByRole('status').getByText('Analyzing...').waitFor()
    answer()
    await button.waitFor()
    await result(page).getByRole('heading', { name: 'Result', exact: true }).waitFor()
    await page.getByRole('tab', { name: 'JSON' }).click()
    const json = await page.locator('[role=tabpanel] pre').textContent()
    assert.deepEqual(JSON.parse(json ?? ''), { headers_data: { Server: 'x' } })
    await close()
  })

  test('[GEN-013] [GEN-017] [VAL-040] [VAL-041] [VAL-043] [OPEN-040] Enter submits a trimmed value, and says what is wrong before it asks', async () => {
    const { page, close } = await site.open(HEADERS)
    const paths: string[] = []
    await page.route('**/api/**', route => {
      paths.push(new URL(route.request().url()).pathname)
      return route.fulfill({ status: 400, json: { error: 'Invalid domain', code: 'invalid-input' } })
    })
    const input = page.locator('form input').first()
    const alert = page.getByRole('alert')
    await input.press('Enter')
    await alert.getByText('Please enter a value.').waitFor()
    await input.fill('abc')
    assert.equal(await alert.count(), 0)
    await input.press('Enter')
    await alert.getByText("Input doesn't match required format: example.com").waitFor()
    assert.deepEqual(paths, [])
    await input.fill(' example.com ')
    await input.press('Enter')
    await alert.getByRole('heading', { name: 'Invalid Domain' }).waitFor()
    assert.equal(paths.length, 1)
    assert.match(paths[0] ?? '', /\/example\.com\/$/)
    await close()
  })

  test('[OPEN-072] [API-004] a lookup that comes with its value in the address fills the form and runs', async () => {
    const { page, close } = await site.open('/404.html')
    await page.route('**/api/**', route => route.fulfill({ status: 404, body: 'zzz' }))
    await page.goto(`${site.base}${HEADERS}?q=example.org`)
    assert.equal(await page.locator('form input').first().inputValue(), 'example.org')
    await page.getByRole('alert').getByText('zzz').waitFor()
    await close()
  })

  test('[REC-017] [REC-018] [REC-019] [REC-020] [REC-021] [REC-032] [REC-033] [VAL-039] [API-003] [REC-022] the records page sends anything but nothing', async () => {
    const { page, close } = await site.open(RECORDS)
    await page.getByRole('heading', { level: 1, name: 'DNS MX Lookup' }).waitFor()
    await page.route('**/api/**', route => route.fulfill({ status: 400, json: { error: 'Invalid domain' } }))
    const button = page.getByRole('button', { name: 'Lookup', exact: true })
    assert.equal(await button.isDisabled(), true)
    await page.locator('form input').first().fill('abc')
    await button.click()
    const alert = page.getByRole('alert')
    await alert.getByRole('heading', { name: 'Lookup Failed' }).waitFor()
    await alert.getByText('Invalid domain').waitFor()
    await page.locator('form input').first().fill('abcd')
    const [request] = await Promise.all([
      page.waitForRequest(request => request.url().includes('/api/')),
      page.locator('form input').first().press('Enter'),
    ])
    assert.equal(new URL(request.url()).pathname, '/api/dns-records/abcd/mx/')
    await close()
  })

  test('[API-005] [ERR-019] without a network the lookup says so', async () => {
    const { page, close } = await site.open(HEADERS)
    await page.route('**/api/**', route => route.abort())
    await page.locator('form input').first().fill('example.com')
    await page.locator('form input').first().press('Enter')
    // "Failed to fetch" is a keyword of the error catalogue.
    await page.getByRole('alert').getByRole('heading', { name: 'Network Error' }).waitFor()
    await close()
  })

  test('[GEN-024] a lookup that fails shows its title and message, and what was found before is gone', async () => {
    const { page, close } = await site.open(HEADERS)
    await page.route('**/api/**', route => route.fulfill(HEADERS_FOUND))
    await page.locator('form input').first().fill('example.com')
    await page.getByRole('button', { name: 'Analyze', exact: true }).click()
    await result(page).waitFor()
    await page.unroute('**/api/**')
    await page.route('**/api/**', route => route.fulfill({ status: 504, json: { error: 'Request timeout' } }))
    await page.getByRole('button', { name: 'Analyze', exact: true }).click()
    const alert = page.getByRole('alert')
    await alert.getByRole('heading', { name: 'Request Timed Out' }).waitFor()
    await alert.getByText('The request took too long. Please try again.').waitFor()
    assert.equal(await result(page).count(), 0)
    await close()
  })

  test('[CRY-025] [CRY-026] [CRY-027] a run clears what was shown, and ends with a result or an error, never both', async () => {
    const { page, close } = await site.open(MD5)
    const counts = async () => [await result(page).count(), await page.getByRole('alert').count()]
    let reply = Promise.withResolvers<{ status?: number; json: object }>()
    await page.route('**/api/md5/', async route => route.fulfill(await reply.promise))
    await page.getByText('On the server').click()
    assert.deepEqual(await counts(), [0, 0])
    for (const [answer, expected] of [
      [{ json: { a: 1 } }, [1, 0]],
      [{ status: 400, json: { error: 'x' } }, [0, 1]],
      [{ json: { a: 2 } }, [1, 0]],
    ] as const) {
      reply = Promise.withResolvers()
      await run(page).click()
      await page.getByRole('button', { name: 'Running...' }).waitFor()
      assert.deepEqual(await counts(), [0, 0])
      reply.resolve(answer)
      await result(page).or(page.getByRole('alert')).waitFor()
      await run(page).waitFor()
      assert.deepEqual(await counts(), expected)
    }
    await close()
  })

  for (const [path, text, button] of [
    [MD5, 'abc', 'Run Tool'],
    ['/tools/traceroute/', 'example.com', 'Analyze'],
  ] as const) {
    test(`[GEN-011] [GEN-012] [GEN-018] [CRY-020] [CRY-021] ${path}: a related tool opens fresh, at its top`, async () => {
      const { page, close } = await site.open(path)
      await page.route('**/api/**', route => route.fulfill({ status: 400, json: { error: 'x' } }))
      const input = page.locator('form').locator('textarea, input').first()
      await input.fill(text)
      await page.getByRole('button', { name: button, exact: true }).click()
      await result(page).or(page.getByRole('alert')).first().waitFor()
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      assert.notEqual(await page.evaluate('scrollY'), 0)
      const related = page.getByRole('complementary', { name: /Related Tools/ }).first()
      await related.getByRole('link').first().click()
      await page.waitForURL(url => url.pathname !== path)
      assert.equal(await page.evaluate('scrollY'), 0)
      assert.deepEqual([await result(page).count(), await page.getByRole('alert').count()], [0, 0])
      assert.equal(await input.inputValue(), '')
      await close()
    })
  }

  test('everything works by keyboard alone', async () => {
    const { page, close } = await site.open(MD5)
    await page.getByLabel('Text', { exact: true }).focus()
    await page.keyboard.type('abc')
    await page.keyboard.press('Control+Enter')
    await result(page).waitFor()
    await page.getByRole('tab', { name: 'In a terminal' }).focus()
    await page.keyboard.press('ArrowRight')
    assert.equal(await page.getByRole('tab', { name: 'API' }).getAttribute('aria-selected'), 'true')
    await page.keyboard.press('End')
    assert.equal(await page.getByRole('tab', { name: 'JSON' }).getAttribute('aria-selected'), 'true')
    await close()
  })

  test('values are copied, and the button says so when the browser refuses', async () => {
    const granted = await site.open(MD5, { permissions: ['clipboard-read', 'clipboard-write'] })
    await granted.page.getByLabel('Text', { exact: true }).fill('abc')
    await run(granted.page).click()
    await granted.page.getByRole('button', { name: 'Copy Hash' }).click()
    await granted.page.getByText('Copied').waitFor()
    assert.equal(await granted.page.evaluate('navigator.clipboard.readText()'), '900150983cd24fb0d6963f7d28e17f72')
    await granted.close()

    const refused = await site.open(MD5)
    await refused.page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("no"))')
    await refused.page.getByLabel('Text', { exact: true }).fill('abc')
    await run(refused.page).click()
    await refused.page.getByRole('button', { name: 'Copy Hash' }).click()
    await refused.page.getByText('Not copied').waitFor()
    await refused.page.getByText('The browser refused the clipboard.').waitFor()
    await refused.close()
  })

  test('a stream shows how far it is, what it found so far, and then the result or the error', async () => {
    const { page, close } = await site.open(HEADERS)
    const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
    const panels = [{ kind: 'facts', facts: [['Found', 'everything']] }]
    const bodies = [
      `: running\n\n${event('progress', { progress: 0.5, label: 'half' })}${event('result', { result: { a: 1 }, panels, ms: 3 })}`,
      `: running\n\n${event('error', { status: 504, error: 'Request timeout', code: 'timeout' })}`,
      ': running\n\n',
    ]
    await page.route('**/api/**', route =>
      route.fulfill({ contentType: 'text/event-stream', body: bodies.shift() ?? '' }),
    )
    await page.locator('form input').first().fill('example.com')
    const button = page.getByRole('button', { name: 'Analyze', exact: true })
    await button.click()
    await result(page).getByText('everything').waitFor()
    await button.click()
    await page.getByRole('alert').getByRole('heading', { name: 'Request Timed Out' }).waitFor()
    await button.click()
    await page.getByRole('alert').getByRole('heading', { name: 'Network Error' }).waitFor()
    await close()
  })

  test('[CRY-006] a long run in the worker shows what it does until it is cancelled', async () => {
    const { page, close } = await site.open('/attack-demos-and-analysis/hash-cracker/')
    await page.getByLabel('Hashes', { exact: true }).fill('00000000000000000000000000000000')
    await page.getByLabel('What to try').selectOption('mask')
    await page.getByLabel('Mask', { exact: true }).fill('?a?a?a?a')
    await page.getByLabel('Hashes to compute at most').fill('100000000')
    await page.getByRole('button', { name: 'Run Tool' }).click()
    const bar = page.getByRole('progressbar')
    await bar.waitFor()
    const first = await bar.getAttribute('value')
    await until(page, `document.querySelector('progress')?.getAttribute('value') !== ${JSON.stringify(first)}`)
    assert.match(
      await page
        .getByRole('status')
        .allInnerTexts()
        .then(texts => texts.join(' ')),
      /\d/,
    )
    await page.getByRole('button', { name: 'Cancel' }).click()
    await bar.waitFor({ state: 'detached' })
    assert.ok(await page.getByRole('button', { name: 'Run Tool' }).isEnabled())
    assert.equal(await page.getByLabel('Mask', { exact: true }).inputValue(), '?a?a?a?a')
    await close()
  })

  test('Cancel ends a run at once and leaves the form as it was', async () => {
    const { page, close } = await site.open(HEADERS)
    await page.route('**/api/**', () => {})
    await page.locator('form input').first().fill('example.com')
    await page.getByRole('button', { name: 'Analyze', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Analyze', exact: true }).waitFor()
    assert.equal(await page.locator('form input').first().inputValue(), 'example.com')
    await close()
  })
})
