import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { createNet } from '@assay/net/context'
import { type App, createApp } from '../src/app.ts'
import { readSettings } from '../src/settings.ts'
import { unhurried } from './unhurried.ts'

/** Tools that ask for many names, against the lab's servers, which may be asked faster than those of strangers. */
const exec = promisify(execFile)
const QUESTIONS_PER_SECOND = 20_000

let app: App
before(async () => {
  const settings = readSettings({ ...unhurried, ASSAY_SCANS_PER_MINUTE: '1000', ASSAY_TARGET_PER_MINUTE: '10000' })
  const net = createNet({ userAgent: 'Assay/1' })
  const createJob = (_: unknown, signal: AbortSignal) =>
    net.createJob({ kind: 'scan', signal, limits: { questionsPerSecond: QUESTIONS_PER_SECOND } })
  app = await createApp({ settings, log: () => {}, createJob })
})
after(() => app.close())

// biome-ignore lint/suspicious/noExplicitAny: answers of several tools, read by the assertions
async function get(path: string): Promise<{ status: number; body: any }> {
  const { statusCode, body } = await app.server.inject({ method: 'GET', url: `/api/${path}/` })
  return { status: statusCode, body: JSON.parse(body) }
}

/** Every name below the apex of a zone that has records, and every name between (RFC 4592 §2.2.2), as BIND reads the file. */
async function ownersOf(zone: string): Promise<string[]> {
  const file = `${process.env.LAB_DIR}/zones/${zone}@ns1.full`
  const { stdout } = await exec('named-compilezone', ['-q', '-i', 'none', '-k', 'ignore', '-o', '-', zone, file])
  const owners = stdout.split('\n').map(line => line.split(/\s/)[0]?.replace(/\.$/, '') ?? '')
  const below = owners.filter(name => name.endsWith(`.${zone}`))
  const between = below.flatMap(name => {
    const labels = name.slice(0, -zone.length - 1).split('.')
    return labels.map((_, i) => `${labels.slice(i).join('.')}.${zone}`)
  })
  return [...new Set(between)].filter(name => !name.startsWith('*')).sort()
}

const namesOf = (body: { subdomains: { subdomain: string }[] }) => body.subdomains.map(({ subdomain }) => subdomain)

test('[API-023] fifty.test: all fifty names are found and nothing else, beside wildcards', async () => {
  const expected = await ownersOf('fifty.test')
  assert.equal(expected.length, 50)
  const { status, body } = await get('subdomains/fifty.test')
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.domain, 'fifty.test')
  assert.deepEqual(namesOf(body), expected)
  for (const each of body.subdomains) {
    assert.match(each.status, /^(?:active|inactive)$/)
    assert.ok(Number.isFinite(Date.parse(each.last_checked)))
    assert.ok(each.sources.length > 0)
    const [name] = (await exec('dig', ['@8.8.8.8', '+short', each.subdomain, 'A'])).stdout.trim().split('\n')
    assert.equal(each.status === 'active', Boolean(name), each.subdomain)
  }
  assert.deepEqual(
    body.wildcards.map(({ name }: { name: string }) => name),
    ['*.dev.fifty.test'],
  )
})

test('RFC 4592: a wildcard at the top hides nothing and adds nothing', async () => {
  const { status, body } = await get('subdomains/everything.test')
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(namesOf(body), await ownersOf('everything.test'))
})

test('a wildcard whose addresses rotate adds nothing', async () => {
  const { status, body } = await get('subdomains/rotate.wildcard.test')
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(namesOf(body), [])
  assert.equal(body.wildcards[0]?.name, '*.rotate.wildcard.test')
})

test('wildcard.test: signed with NSEC, so the walk finds what no word list has', async () => {
  const { body } = await get('subdomains/wildcard.test')
  assert.deepEqual(namesOf(body), await ownersOf('wildcard.test'))
  assert.ok(body.sources.some(({ source }: { source: string }) => source === 'NSEC walk'))
})

test('axfr.test: the open transfer names them all', async () => {
  const { body } = await get('subdomains/axfr.test')
  assert.deepEqual(namesOf(body), await ownersOf('axfr.test'))
  assert.ok(body.sources.some(({ source }: { source: string }) => source === 'zone transfer'))
})

test('[OPEN-022] subdomains of a name that is not there, and of a zone nobody serves, are an error and no empty list', async () => {
  assert.equal((await get('subdomains/no-such-name.test')).status, 404)
  for (const name of ['dead.test', 'lame.test']) {
    const { status } = await get(`subdomains/${name}`)
    assert.ok(status === 503 || status === 504, `${name} ${status}`)
  }
})

test('[API-027] [API-028] fifty.test: the registered imitations are found, names of a wildcard TLD are not', async () => {
  const { status, body } = await get('check-typosquatting/fifty.test/refresh')
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.domain, 'fifty.test')
  const expected = ['fity.test', 'fitfy.test', 'fifty.io', 'fiftys.test', 'f1fty.test', 'xn--ffty-vpa.test']
  assert.deepEqual(body.detected_domains.toSorted(), expected.toSorted())
  const details = new Map(body.details.map((each: { domain: string }) => [each.domain, each]))
  assert.partialDeepStrictEqual(details.get('fity.test'), {
    fuzzer: 'omission',
    risk_level: 'Medium',
    name_servers: ['ns1.hosting.net', 'ns2.hosting.net'],
    mail_servers: ['mail.good.test'],
    same_owner_likely: true,
  })
  assert.partialDeepStrictEqual(details.get('xn--ffty-vpa.test'), { unicode: 'fífty.test', risk_level: 'High' })
  // Its one name server refuses; it is registered all the same.
  assert.partialDeepStrictEqual(details.get('fiftys.test'), { name_servers: ['lame.bad.test'], addresses: [] })
  assert.equal(body.names_unknown, 0)
})

test('[OPEN-042] the plain address answers with the last result, the fresh one asks again', async () => {
  const first = await get('check-typosquatting/everything.test')
  assert.equal(first.status, 200, JSON.stringify(first.body))
  const again = await get('check-typosquatting/everything.test')
  assert.deepEqual(again.body, first.body)
})

test('below a TLD that answers for every name only delegated names count', async () => {
  const { status, body } = await get('check-typosquatting/fifty.ws/refresh')
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(body.detected_domains.includes('fiffty.ws'))
  assert.deepEqual(
    body.detected_domains.filter((name: string) => name.endsWith('.ws')),
    ['fiffty.ws'],
  )
})

test('[OPEN-022] a domain that is only a suffix is refused', async () => {
  assert.equal((await get('check-typosquatting/co.uk/refresh')).status, 400)
})
