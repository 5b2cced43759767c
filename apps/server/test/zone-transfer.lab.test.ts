import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { address } from '@assay/lab/inventory'
import { type App, createApp } from '../src/app.ts'
import { createNetwork } from '../src/network.ts'
import { readSettings } from '../src/settings.ts'
import { unhurried } from './unhurried.ts'

/** Zone transfers as shipped, against Knot and servers with a fault; what comes over is what dig gets. */
const exec = promisify(execFile)

let app: App
before(async () => {
  const settings = readSettings({ ...unhurried, ASSAY_SCANS_PER_MINUTE: '1000', ASSAY_TARGET_PER_MINUTE: '10000' })
  app = await createApp({ settings, log: () => {}, ...createNetwork(settings) })
})
after(() => app.close())

// biome-ignore lint/suspicious/noExplicitAny: an answer read by the assertions
async function check(domain: string): Promise<{ status: number; body: any }> {
  const { statusCode, body } = await app.server.inject({ method: 'GET', url: `/api/zone-transfer-check/${domain}/` })
  return { status: statusCode, body: JSON.parse(body) }
}

test('[API-029] axfr.test: ns2 gives the zone away, ns1 does not, and the message names ns2 only', async () => {
  const { status, body } = await check('axfr.test')
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.domain, 'axfr.test')
  assert.equal(body.vulnerable, true)
  assert.match(body.message, /^ns2\.hosting\.net gives the zone/)
  assert.doesNotMatch(body.message, /ns1/)
  const { stdout } = await exec('dig', ['+noall', '+answer', 'AXFR', 'axfr.test', `@${address('ns2.hosting.net').v4}`])
  const lines = stdout.trim().split('\n').length
  const rows: { name: string; vulnerable: boolean; records: number; status: string }[] = body.servers
  // Both servers over IPv4 and IPv6.
  assert.equal(rows.length, 4)
  for (const row of rows) {
    assert.equal(row.vulnerable, row.name === 'ns2.hosting.net')
    assert.equal(row.records, row.vulnerable ? lines : 0)
    assert.equal(row.status, row.vulnerable ? 'transferred' : 'notauth')
  }
  assert.ok(body.records.some(({ name }: { name: string }) => name === 'intranet.axfr.test.'))
})

test('good.test: every server keeps the zone, and NSEC3 hides the names', async () => {
  const { status, body } = await check('good.test')
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.vulnerable, false)
  assert.equal(body.walk.status, 'hashed')
  assert.deepEqual(body.records, [])
})

test('RFC 4034 §4.1.1: a zone signed with NSEC is walked, all of it', async () => {
  const { body } = await check('wildcard.test')
  assert.equal(body.walk.status, 'walkable')
  assert.equal(body.walk.complete, true)
  assert.deepEqual(body.walk.names, [
    '*.alias.wildcard.test',
    'rotate.wildcard.test',
    '*.wild.wildcard.test',
    'exists.wild.wildcard.test',
    'www.wildcard.test',
  ])
})

test('a top-level domain is walked past its delegations', async () => {
  const { body } = await check('nic.test')
  assert.equal(body.zone, 'test.')
  assert.equal(body.walk.status, 'walkable')
  assert.equal(body.walk.complete, true)
  assert.ok(body.walk.names_found > 40, String(body.walk.names_found))
})

test('an unsigned zone cannot be walked', async () => {
  assert.equal((await check('types.test')).body.walk.status, 'unsigned')
})

for (const [domain, codes] of [
  ['silent.test', [503, 504]],
  ['dead.test', [503, 504]],
  ['no-such-name.test', [404]],
] as const) {
  test(`[OPEN-022] ${domain}: servers that say nothing are no proof of protection`, async () => {
    const { status, body } = await check(domain)
    assert.ok(
      codes.some(code => code === status),
      `${status} ${JSON.stringify(body)}`,
    )
  })
}

test('halflame.test: the server that answers is judged, the other is told beside it', async () => {
  const { status, body } = await check('halflame.test')
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.vulnerable, false)
  assert.ok(body.servers.length >= 2)
})
