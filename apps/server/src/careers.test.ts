import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { LightMyRequestResponse } from 'fastify'
import { applicationForm } from '../../web/careers.ts'
import { type Application, fields } from '../../web/src/application.ts'
import { postman } from '../test/postman.ts'
import { parseSmtpAddress } from './mail.ts'
import { MESSAGE_DAYS } from './retention.ts'
import { readSettings } from './settings.ts'
import { readSite } from './site.ts'
import { createStore, type Store } from './store/store.ts'
import { type Trial, type TrialOptions, trial } from './trial.ts'

const good: Application = {
  selectedRole: 'django-backend',
  applicationType: 'internship',
  fullName: 'Zoë Søn',
  email: 'zoe@site.example',
  phone: '',
  location: 'Lisbon, UTC+0',
  experience: '8+',
  portfolio: 'https://site.example/?a=1&b=2#c',
  resumeLink: 'https://site.example/résumé.pdf',
  coverLetter: 'First line.\n100 % sure? "Yes": 日本語 🙂\r\n\r\nLast line.',
  availability: '2-weeks',
}
const DAY_MS = 86_400_000

/** A built site that is all careers page. */
function builtSite(t: TestContext): URL {
  const folder = mkdtempSync(join(tmpdir(), 'assay-careers-site-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const files = {
    'index.html': 'home',
    '404.html': 'missing',
    'careers/index.html': 'keeps',
    'careers/delivering.html': 'delivers',
    'careers.json': JSON.stringify(applicationForm()),
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return pathToFileURL(`${folder}/`)
}

interface CareersTrial extends Trial {
  store: Store
  post(payload: object | string, headers?: Record<string, string>): Promise<LightMyRequestResponse>
}

async function careersTrial(t: TestContext, { settings, ...options }: TrialOptions = {}): Promise<CareersTrial> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-careers-'))
  const careers = settings?.careers ?? true
  const data = settings?.data ?? folder
  const store = createStore({ folder: data, address: undefined, timeoutMs: 2_000, connections: 1 })
  const site = await readSite(builtSite(t), [], { careers })
  const app = await trial(t, {
    store,
    site,
    settings: { data, contact: 'office@assay.example', careers, ...settings },
    ...options,
  })
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const post: CareersTrial['post'] = (payload, headers = {}) =>
    app.inject({
      method: 'POST',
      url: '/api/careers/',
      payload,
      headers: { 'content-type': 'application/json', ...headers },
    })
  return { ...app, store, post }
}

const messages = (store: Store) => store.use(db => db.selectFrom('message').selectAll().execute())

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 5_000
  while (!(await holds())) {
    assert.ok(Date.now() < end, 'never came')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

test('[OPEN-013] [CAR-051] [CAR-077] unless it is switched on the page keeps the form, and there is no address to send it to', async t => {
  assert.equal(readSettings({}).careers, false)
  assert.equal(readSettings({ ASSAY_CAREERS: 'off' }).careers, false)
  assert.equal(readSettings({ ASSAY_CAREERS: 'on' }).careers, true)
  assert.throws(() => readSettings({ ASSAY_CAREERS: 'yes' }), /^Error: ASSAY_CAREERS: expected on or off\.$/)
  const { inject, post, store } = await careersTrial(t, { settings: { careers: false } })
  assert.equal((await inject('/careers/')).body, 'keeps')
  assert.equal((await post(good)).statusCode, 404)
  assert.equal((await inject('/api/careers/')).statusCode, 404)
  assert.deepEqual(await messages(store), [])
  const { paths } = (await inject('/api/openapi.json')).json()
  assert.ok('/api/contact/' in paths && !('/api/careers/' in paths))
})

test('[OPEN-013] switched on, the page is the one that sends, and what it is made of is no page', async t => {
  const { inject } = await careersTrial(t)
  assert.equal((await inject('/careers/')).body, 'delivers')
  for (const path of ['/careers.json', '/careers/delivering.html']) {
    assert.equal((await inject(path)).statusCode, 404, path)
  }
  assert.ok('/api/careers/' in (await inject('/api/openapi.json')).json().paths)
})

test('[OPEN-013] [CAR-052] an application is kept and arrives at the mail server whole, the answer goes to the applicant', async t => {
  const { port, taken } = await postman(t)
  const { post, store, warm } = await careersTrial(t, {
    settings: { smtp: parseSmtpAddress(`smtp://127.0.0.1:${port}`) },
  })
  warm()
  const answer = await post(good)
  assert.equal(answer.statusCode, 200, answer.body)
  assert.deepEqual(answer.json(), { message: "Application submitted successfully! We'll get back to you soon." })
  const text = [
    'Application to Assay',
    '',
    'Position: Django Backend Developer',
    'Application Type: Internship',
    'Full Name: Zoë Søn',
    'Email Address: zoe@site.example',
    'Phone Number: not given',
    'Location/Timezone: Lisbon, UTC+0',
    'Years of Experience: 8+ (Expert)',
    'Portfolio/GitHub URL: https://site.example/?a=1&b=2#c',
    'Resume Link: https://site.example/résumé.pdf',
    'Availability: 2 weeks',
    '',
    'Cover Letter:',
    '',
    'First line.',
    '100 % sure? "Yes": 日本語 🙂',
    '',
    'Last line.',
    '',
  ].join('\n')
  const [row] = await messages(store)
  assert.deepEqual([row?.name, row?.email, row?.text], [good.fullName, good.email, text])
  await until(() => taken.length === 1)
  const [mail = ''] = taken
  const [head = '', ...body] = mail.split('\r\n\r\n')
  assert.match(head, /^To: office@assay\.example$/m)
  assert.match(head, /^Reply-To: .*<zoe@site\.example>$/m)
  assert.match(head, /^Subject: .*application/im)
  const encoding = /^Content-Transfer-Encoding: (\S+)/im.exec(head)?.[1] ?? ''
  const sent =
    encoding === 'base64'
      ? Buffer.from(body.join(''), 'base64').toString('utf8')
      : fromQuotedPrintable(body.join('\r\n\r\n'))
  assert.equal(sent.replaceAll('\r\n', '\n').trim(), text.trim())
})

/** RFC 2045 §6.7. */
const fromQuotedPrintable = (text: string) =>
  Buffer.from(
    text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

const required = Object.entries(fields).filter(([, field]) => !('optional' in field))

const refusals: readonly (readonly [payload: unknown, field: string | undefined, sentence: RegExp])[] = [
  ...required.map(
    ([name, { label }]) => [{ ...good, [name]: ' ' }, name, new RegExp(`Fill in the field ${label}\\.$`)] as const,
  ),
  ...Object.keys(fields).map(name => [{ ...good, [name]: 7 }, name, /as text\.$/] as const),
  ...Object.keys(fields).map(name => [{ ...good, [name]: 'a\u0000b' }, name, /./] as const),
  ...['selectedRole', 'applicationType', 'experience', 'availability'].flatMap(name =>
    ['nothing', 'constructor', '__proto__', 'Internship'].map(
      value => [{ ...good, [name]: value }, name, /Expected one of the choices/] as const,
    ),
  ),
  [{ ...good, selectedRole: 'devops-engineer' }, 'applicationType', /application type that the position offers\.$/],
  [{ ...good, email: 'abc' }, 'email', /Expected an e-mail address such as/],
  [{ ...good, email: 'a@b.example\nBcc: c@d.example' }, 'email', /./],
  [{ ...good, resumeLink: 'abc' }, 'resumeLink', /as a whole address/],
  [{ ...good, portfolio: 'abc' }, 'portfolio', /as a whole address/],
  [{ ...good, fullName: 'a\r\nBcc: x@example.net' }, 'fullName', /on one line/],
  [{ ...good, location: 'a\u2028b' }, 'location', /on one line/],
  [{ ...good, fullName: 'a'.repeat(101) }, 'fullName', /at most 100 characters\.$/],
  [{ ...good, phone: '1'.repeat(2_001) }, 'phone', /at most 2000 characters\.$/],
  [{ ...good, coverLetter: 'a'.repeat(10_001) }, 'coverLetter', /at most 10000 characters\.$/],
  [{ ...good, website: 'https://spam.example' }, 'website', /hidden field empty\.$/],
  [[good], undefined, /Expected a JSON object/],
  ['null', undefined, /Expected a JSON object/],
]

test('[OPEN-013] the server refuses by field what the browser would not let through, and what a mail cannot hold', async t => {
  const { post, store } = await careersTrial(t, { limits: { messagesPerQuarterHour: 1000, messagesPerHour: 1000 } })
  for (const [payload, field, sentence] of refusals) {
    const answer = await post(payload as object | string)
    const about = JSON.stringify(payload).slice(0, 300)
    assert.equal(answer.statusCode, 400, about)
    const body = answer.json()
    assert.match(body.error, /^Validation error: /, about)
    assert.match(body.error, sentence, about)
    assert.equal(body.field, field, about)
  }
  assert.deepEqual(await messages(store), [])
})

test('[CAR-059] [CAR-063] [CAR-064] what the browser lets through the server takes', async t => {
  const { post, store } = await careersTrial(t)
  const { phone: _, portfolio: __, ...least } = good
  for (const payload of [
    least,
    { ...good, phone: '+351 555 0100', portfolio: '' },
    { ...good, resumeLink: 'http://[2001:db8::1]:8080/a b' },
    { ...good, resumeLink: 'ftp://site.example/resume' },
    { ...good, consent: 'on', unknown: 1 },
  ]) {
    const answer = await post(payload)
    assert.equal(answer.statusCode, 200, answer.body)
  }
  assert.equal((await messages(store)).length, 5)
})

test('[OPEN-009] A7: applications and messages share one limit', async t => {
  const { post, inject } = await careersTrial(t, { limits: { messagesPerQuarterHour: 3 } })
  const message = { name: 'Ada', email: 'ada@example.org', message: 'Hello' }
  const statuses = [
    (await inject({ method: 'POST', url: '/api/contact/', payload: message })).statusCode,
    (await post(good)).statusCode,
    (await post(good)).statusCode,
    (await post(good)).statusCode,
  ]
  assert.deepEqual(statuses, [200, 200, 200, 429])
})

test('U13: other sites and other methods are refused', async t => {
  const { post, inject } = await careersTrial(t)
  assert.equal((await post(good, { 'sec-fetch-site': 'cross-site' })).statusCode, 403)
  const answer = await inject('/api/careers/')
  assert.deepEqual([answer.statusCode, answer.headers.allow], [405, 'POST'])
})

test('X1: while nothing can be stored the answer is 503', async t => {
  const { post } = await careersTrial(t, { settings: { data: '/dev/null' } })
  const answer = await post(good)
  assert.equal(answer.statusCode, 503)
  assert.match(answer.json().error, /nothing can be stored at the moment/)
})

test('P2: [OPEN-013] applications are gone after 30 days', async t => {
  let clock = Date.now()
  const { post, store, warm } = await careersTrial(t, { now: () => new Date(clock) })
  await post(good)
  clock += MESSAGE_DAYS * DAY_MS - 60_000
  warm()
  await new Promise(resolve => setTimeout(resolve, 100))
  assert.equal((await messages(store)).length, 1)
  clock += 120_000
  warm()
  await until(async () => (await messages(store)).length === 0)
})
