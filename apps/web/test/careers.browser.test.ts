import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { catalogue } from '@assay/catalogue/catalogue'
import { replay } from '@assay/kit/replay'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { type App, createApp } from '../../server/src/app.ts'
import { readSettings } from '../../server/src/settings.ts'
import { readSite } from '../../server/src/site.ts'
import { createStore, type Store } from '../../server/src/store/store.ts'
import { postman } from '../../server/test/postman.ts'
import { axeFindings, openSite, type Site, until } from './browser.ts'
import { ensureBuilt } from './built.ts'

const CAREERS = '/careers/'
const PHONE = { viewport: { width: 360, height: 740 } }

const choices = {
  selectedRole: 'django-backend',
  applicationType: 'internship',
  experience: '1-3',
  availability: '1-month',
}
const texts = {
  fullName: 'Ada Example',
  email: 'ada@site.example',
  location: 'Lisbon, UTC+0',
  resumeLink: 'https://site.example/resume',
  coverLetter: 'One line.\nAnother, with & and %.',
}

async function fill(page: Page, without?: string): Promise<void> {
  for (const [name, value] of Object.entries(choices)) if (name !== without) await page.selectOption(`#${name}`, value)
  for (const [name, value] of Object.entries(texts)) if (name !== without) await page.fill(`#${name}`, value)
  if (without !== 'consent') await page.check('[name="consent"]')
}

const submit = (page: Page) => page.getByRole('button', { name: 'Submit Application' }).click()

/** The first field that the browser does not accept. */
const stoppedAt = (page: Page): Promise<string> =>
  page.evaluate('document.querySelector("form.application :invalid")?.name ?? ""')

let site: Site

/** A visitor, with what the page said in alerts and wrote to the console. */
async function visit(options: BrowserContextOptions = {}) {
  const visited = await site.open(CAREERS, options)
  const alerts: string[] = []
  const logged: unknown[] = []
  visited.page.on('dialog', dialog => {
    alerts.push(dialog.message())
    void dialog.accept()
  })
  visited.page.on('console', async message => {
    if (message.type() === 'log') logged.push(await message.args()[0]?.jsonValue())
  })
  return { ...visited, alerts, logged }
}

describe('the careers page in a browser', () => {
  before(async () => {
    site = await openSite()
  })
  after(() => site.close())

  test('[CAR-013] [CAR-014] [CAR-015] Apply Now chooses the position, scrolls smoothly, and a notice names it', async () => {
    const { page, close } = await visit()
    await page.evaluate(`{
      const scroll = Element.prototype.scrollIntoView
      Element.prototype.scrollIntoView = function (how) { window.scrolled = [this.id, how.behavior]; scroll.call(this, how) }
    }`)
    await page.getByRole('button', { name: 'Apply Now as DevOps Engineer' }).press('Enter')
    assert.equal(await page.inputValue('#selectedRole'), 'devops-engineer')
    assert.equal(await page.getByRole('status').textContent(), 'Selected Position: DevOps Engineer')
    assert.deepEqual(await page.evaluate('window.scrolled'), ['apply', 'smooth'])
    assert.equal(await page.evaluate('document.activeElement.id'), 'selectedRole')
    await until(page, 'document.getElementById("apply").getBoundingClientRect().top < innerHeight / 2')
    await page.getByRole('button', { name: 'Apply Now as React.js Frontend Developer' }).click()
    assert.equal(await page.getByRole('status').textContent(), 'Selected Position: React.js Frontend Developer')
    await close()
  })

  test('[CAR-014] with reduced motion it jumps', async () => {
    const { page, close } = await visit({ reducedMotion: 'reduce' })
    await page.getByRole('button', { name: 'Apply Now as DevOps Engineer' }).click()
    assert.ok(await page.evaluate('document.getElementById("apply").getBoundingClientRect().top < innerHeight / 2'))
    await close()
  })

  test('[CAR-050] the types on offer are those of the position', async () => {
    const { page, close } = await visit()
    const offered = () => page.locator('#applicationType option:not([value=""])').allTextContents()
    assert.deepEqual(await offered(), ['Internship', 'Full-time'])
    for (const [slug, types] of [
      ['devops-engineer', ['Full-time']],
      ['nextjs-fullstack', ['Full-time']],
      ['postgresql-admin', ['Full-time']],
      ['python-fullstack', ['Internship', 'Full-time']],
      ['react-frontend', ['Internship', 'Full-time']],
      ['django-backend', ['Internship', 'Full-time']],
    ] as const) {
      await page.selectOption('#selectedRole', slug)
      assert.deepEqual(await offered(), types)
    }
    await close()
  })

  test('[CAR-049] [OPEN-088] a type outlives a change of position, and blocks where it is not offered', async () => {
    const { page, alerts, close } = await visit()
    await fill(page)
    await page.selectOption('#selectedRole', 'react-frontend')
    assert.equal(await page.inputValue('#applicationType'), 'internship')
    await page.selectOption('#selectedRole', 'devops-engineer')
    assert.equal(await page.inputValue('#applicationType'), 'internship')
    assert.equal(await page.getAttribute('#applicationType', 'aria-invalid'), 'true')
    await submit(page)
    assert.equal(await stoppedAt(page), 'applicationType')
    assert.deepEqual(alerts, [])
    await page.selectOption('#selectedRole', 'python-fullstack')
    assert.equal(await page.inputValue('#applicationType'), 'internship')
    assert.equal(await stoppedAt(page), '')
    await page.selectOption('#selectedRole', 'devops-engineer')
    await page.selectOption('#applicationType', 'full-time')
    await submit(page)
    assert.equal(alerts.length, 1)
    await close()
  })

  for (const [id, label, name] of [
    ['CAR-053', 'Position', 'selectedRole'],
    ['CAR-054', 'Application Type', 'applicationType'],
    ['CAR-055', 'Full Name', 'fullName'],
    ['CAR-056', 'Email Address', 'email'],
    ['CAR-057', 'Location/Timezone', 'location'],
    ['CAR-058', 'Years of Experience', 'experience'],
    ['CAR-059', 'Resume Link', 'resumeLink'],
    ['CAR-060', 'Availability', 'availability'],
    ['CAR-061', 'Cover Letter', 'coverLetter'],
    ['CAR-062', 'the privacy consent', 'consent'],
  ] as const) {
    test(`[${id}] without ${label} the browser holds the form up`, async () => {
      const { page, alerts, logged, close } = await visit()
      await fill(page, name)
      await submit(page)
      assert.equal(await stoppedAt(page), name)
      assert.equal(await page.evaluate('document.activeElement.name'), name)
      if (name !== 'consent') assert.equal(await page.getByLabel(label, { exact: true }).count(), 1)
      assert.deepEqual([alerts, logged], [[], []])
      await close()
    })
  }

  test('[CAR-056] [CAR-059] [CAR-064] [CAR-065] what is no address is refused in the words of the browser', async () => {
    const { page, alerts, close } = await visit()
    await fill(page)
    for (const [name, kind] of [
      ['email', 'email'],
      ['resumeLink', 'url'],
      ['portfolio', 'url'],
    ] as const) {
      const before = await page.inputValue(`#${name}`)
      await page.fill(`#${name}`, 'abc')
      await submit(page)
      assert.equal(await stoppedAt(page), name)
      assert.deepEqual(
        await page.evaluate(
          `(({ type, validity }) => [type, validity.typeMismatch, validity.customError])(document.getElementById("${name}"))`,
        ),
        [kind, true, false],
      )
      await page.fill(`#${name}`, before)
    }
    assert.deepEqual(alerts, [])
    await close()
  })

  test('[CAR-028] [CAR-029] [CAR-030] [CAR-031] [CAR-032] [CAR-033] [CAR-034] [CAR-035] [CAR-036] [CAR-037] [CAR-038] [CAR-039] [CAR-051] [CAR-052] [CAR-063] [CAR-064] [CAR-077] [OPEN-013] a submitted form is logged without the consent, the alert is exact, and nothing is sent', async () => {
    const { page, alerts, logged, requests, close } = await visit()
    await page.waitForLoadState('networkidle')
    const opened = requests.length
    await fill(page)
    assert.equal(await page.getByText('Send your application by email').count(), 0)
    await submit(page)
    await page.getByRole('heading', { name: 'One step left: send it' }).waitFor()
    assert.deepEqual(logged, [{ ...choices, ...texts, phone: '', portfolio: '' }])
    assert.deepEqual(alerts, ["Application submitted successfully! We'll get back to you soon."])
    assert.equal(requests.length, opened)
    assert.equal(page.url(), site.base + CAREERS)
    assert.equal(await page.evaluate('document.activeElement.id'), 'send')
    await page.getByText('The form itself stays in your browser, and nothing has been sent yet.').waitFor()
    await close()
  })

  test('[OPEN-013] the mail and the file hold what stands in the form, also after a correction', async () => {
    const { page, close } = await visit()
    await fill(page)
    await submit(page)
    await page.fill('#phone', '+351 555 0100')
    const link = new URL(
      (await page.getByRole('link', { name: 'Send your application by email' }).getAttribute('href')) ?? '',
    )
    assert.equal(link.protocol + link.pathname, 'mailto:contact@example.com')
    const body = link.searchParams.get('body') ?? ''
    const values = [...Object.values(texts), 'Django Backend Developer', 'Internship', '1-3 (Junior)', '1 month']
    for (const value of [...values, '+351 555 0100']) assert.ok(body.includes(value.replaceAll('\n', '\r\n')), value)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the filled form' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'application-django-backend.txt')
    assert.equal(readFileSync(await download.path(), 'utf8'), body.replaceAll('\r\n', '\n'))
    await close()
  })

  test('a form submitted before its script runs goes nowhere', async () => {
    const { page, requests, close } = await visit({ javaScriptEnabled: false })
    await fill(page)
    await submit(page)
    assert.equal(page.url(), site.base + CAREERS)
    assert.deepEqual(
      requests.filter(url => new URL(url).pathname.endsWith('/')),
      [site.base + CAREERS],
    )
    await close()
  })

  test('the whole form is filled and submitted by keyboard alone', async () => {
    const { page, alerts, close } = await visit()
    await page.getByRole('button', { name: 'Apply Now as DevOps Engineer' }).press('Enter')
    const { keyboard } = page
    const order = []
    for (const keys of [
      '',
      'F',
      'Ada',
      'ada@site.example',
      '',
      'Lisbon',
      '8',
      '2 w',
      '',
      'https://site.example/',
      'Hi',
    ]) {
      order.push(await page.evaluate('document.activeElement.name'))
      if (keys) await keyboard.type(keys)
      await keyboard.press('Tab')
    }
    await keyboard.press('Space')
    await keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Privacy Policy')
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    assert.deepEqual(order, [
      'selectedRole',
      'applicationType',
      'fullName',
      'email',
      'phone',
      'location',
      'experience',
      'availability',
      'portfolio',
      'resumeLink',
      'coverLetter',
    ])
    await page.getByRole('link', { name: 'Send your application by email' }).waitFor()
    assert.equal(alerts.length, 1)
    await close()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`[OPEN-102] axe finds nothing: empty, refused and submitted, ${colorScheme}`, async () => {
      for (const viewport of [PHONE.viewport, { width: 1280, height: 800 }]) {
        const { page, close } = await visit({ colorScheme, viewport })
        assert.deepEqual(await axeFindings(page), [])
        await fill(page)
        await page.selectOption('#selectedRole', 'devops-engineer')
        assert.deepEqual(await axeFindings(page), [])
        await page.selectOption('#applicationType', 'full-time')
        await submit(page)
        await page.getByRole('heading', { name: 'One step left: send it' }).waitFor()
        assert.deepEqual(await axeFindings(page), [])
        await close()
      }
    })
  }

  test('the page is not wider than 360 pixels, nor than 640 at twice the size of text', async () => {
    const { page, close } = await visit(PHONE)
    await fill(page)
    await page.fill('#coverLetter', 'x'.repeat(5000))
    await submit(page)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
    await page.setViewportSize({ width: 640, height: 740 })
    await page.evaluate('document.documentElement.style.fontSize = "200%"; document.body.style.zoom = "2"')
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 640)
    await close()
  })
})

describe('the careers page of an installation that delivers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-careers-'))
  const closing: (() => unknown)[] = []
  let app: App
  let store: Store
  let taken: string[]
  const kept = () => store.use(db => db.selectFrom('message').selectAll().execute())

  before(async () => {
    await ensureBuilt()
    const mails = await postman({ after: close => closing.push(close as () => unknown) })
    taken = mails.taken
    const settings = readSettings({
      ASSAY_DATA: folder,
      ASSAY_CAREERS: 'on',
      ASSAY_CONTACT: 'jobs@site.example',
      ASSAY_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    })
    store = createStore({ folder, address: undefined, timeoutMs: 2_000, connections: 1 })
    app = await createApp({
      settings: { ...settings, limits: { ...settings.limits, messagesPerQuarterHour: 3, loopDelayMs: 60_000 } },
      log: () => {},
      site: await readSite(new URL('../dist/', import.meta.url), catalogue, settings),
      store,
      createJob: (_, signal) => ({ context: replay({}, signal), dispose: () => {} }),
    })
    app.warm()
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.server.address() as AddressInfo
    site = await openSite(`http://127.0.0.1:${port}`)
  })
  after(async () => {
    await site.close()
    await app.close()
    for (const close of closing) await close()
    rmSync(folder, { recursive: true })
  })

  test('[OPEN-013] [CAR-052] an application arrives, the alert is exact, and the form is empty', async () => {
    const { page, alerts, logged, requests, close } = await visit()
    await page.getByText('The form is sent to us, and deleted from the server after 30 days.').waitFor()
    await page.waitForLoadState('networkidle')
    const opened = requests.length
    await fill(page)
    await submit(page)
    await page.getByRole('heading', { name: 'Your application was sent' }).waitFor()
    assert.deepEqual(alerts, ["Application submitted successfully! We'll get back to you soon."])
    assert.deepEqual(logged, [])
    assert.deepEqual(requests.slice(opened), [`${site.base}/api/careers/`])
    assert.equal(await page.evaluate('document.activeElement.id'), 'send')
    assert.deepEqual(
      await page.evaluate('[...new FormData(document.querySelector("form.application")).values()].filter(Boolean)'),
      [],
    )
    const [row] = await kept()
    assert.deepEqual([row?.name, row?.email], [texts.fullName, texts.email])
    assert.match(row?.text ?? '', /Position: Django Backend Developer\nApplication Type: Internship\n/)
    assert.ok(row?.text.includes(texts.coverLetter))
    const end = Date.now() + 5_000
    while (taken.length === 0 && Date.now() < end) await new Promise(resolve => setTimeout(resolve, 50))
    assert.match(taken[0] ?? '', /^To: jobs@site\.example\r$/m)
    assert.match(taken[0] ?? '', /^Reply-To: .*<ada@site\.example>\r$/m)
    await close()
  })

  test('[OPEN-013] [CAR-053] [CAR-065] the browser still holds up what is not whole', async () => {
    const { page, alerts, requests, close } = await visit()
    await fill(page, 'selectedRole')
    await submit(page)
    assert.equal(await stoppedAt(page), 'selectedRole')
    assert.deepEqual(alerts, [])
    assert.ok(!requests.some(url => url.includes('/api/')))
    await close()
  })

  test('[OPEN-013] [OPEN-023] whatever fails, what was filled in stays, and can go by mail or into a file', async () => {
    const { page, alerts, close } = await visit()
    const failed = async (words: string | RegExp) => {
      await submit(page)
      await page.getByRole('alert').getByText(words).waitFor()
      await page.getByRole('heading', { name: 'Your application was not sent' }).waitFor()
      for (const [name, value] of Object.entries({ ...choices, ...texts })) {
        assert.equal(await page.inputValue(`#${name}`), value)
      }
      assert.ok(await page.isChecked('[name="consent"]'))
      const href = await page.getByRole('link', { name: 'Send your application by email' }).getAttribute('href')
      assert.match(href ?? '', /^mailto:jobs@site\.example\?.*Ada%20Example/)
      await page.getByRole('link', { name: 'Download the filled form' }).waitFor()
    }
    await fill(page)
    await page.route('**/api/careers/', route => route.abort())
    await failed('Check your internet connection and try again.')
    await page.unroute('**/api/careers/')
    await page.route('**/api/careers/', route => route.fulfill({ status: 503, body: '<html>' }))
    await failed('Try again later, or write to jobs@site.example.')
    await page.unroute('**/api/careers/')
    assert.deepEqual(alerts, [])
    await page.fill('#phone', '1'.repeat(2_001))
    await failed('Expected the field Phone Number in at most 2000 characters.')
    await page.fill('#phone', '')
    await submit(page)
    await page.getByRole('heading', { name: 'Your application was sent' }).waitFor()
    await fill(page)
    await failed(/too many messages\. Try again in/)
    assert.equal(alerts.length, 1)
    await close()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`[OPEN-102] axe finds nothing after a refusal, ${colorScheme}, nor is the page too wide`, async () => {
      const { page, close } = await visit({ ...PHONE, colorScheme })
      await page.route('**/api/careers/', route => route.abort())
      await fill(page)
      await submit(page)
      await page.getByRole('heading', { name: 'Your application was not sent' }).waitFor()
      assert.deepEqual(await axeFindings(page), [])
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
      await close()
    })
  }
})
