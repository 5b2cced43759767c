import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { address } from '@assay/lab/inventory'
import { createNet } from '@assay/net/context'
import { createTrace } from '@assay/net/trace'
import { type App, createApp } from '../src/app.ts'
import { failureOf } from '../src/errors.ts'
import { createNetwork } from '../src/network.ts'
import { readSettings } from '../src/settings.ts'
import { unhurried } from './unhurried.ts'

/** Traceroute as shipped, through the API, against the program of that name. */
if (process.env.LAB !== '1') throw new Error('these tests run inside the lab: npm run lab -- run COMMAND')
const exec = promisify(execFile)
const ROUTERS = ['r1', 'r2', 'r3', 'r4'].map(name => `${name}.transit.test`)

let app: App
before(async () => {
  const settings = readSettings({ ...unhurried, ASSAY_SCANS_PER_MINUTE: '1000', ASSAY_TARGET_PER_MINUTE: '10000' })
  app = await createApp({ settings, log: () => {}, ...createNetwork(settings) })
})
after(() => app.close())

interface Hop {
  hop: number
  ip: string | null
  rtt: number | null
  name: string | null
  mark: string | null
}
interface Answer {
  target: string
  hops: Hop[]
  outcome: string
  error?: string
}

async function trace(target: string): Promise<{ status: number; body: Answer }> {
  const url = `/api/traceroute/${encodeURIComponent(target)}/`
  const { statusCode, body } = await app.server.inject({ method: 'GET', url })
  return { status: statusCode, body: JSON.parse(body) }
}

/** What traceroute(8) prints: number, address and mark of each hop. */
async function program(target: string): Promise<[number, string | null, string | null][]> {
  const { stdout } = await exec('traceroute', ['-n', '-q', '1', '-w', '2', '--', target], { timeout: 60_000 })
  return [...stdout.matchAll(/^ *(\d+) {2}(?:([\da-f.:]+) {2}[\d.]+ ms(?: (!\S+))?|\*)$/gm)].map(
    ([, hop, ip = null, mark = null]) => [Number(hop), ip, mark],
  )
}
const seen = ({ hops }: Answer) => hops.map(({ hop, ip, mark }) => [hop, ip, mark])

for (const [family, target] of [
  ['IPv4', address('www.good.test').v4],
  ['IPv6', address('www.good.test').v6],
] as const) {
  test(`[API-039] [TRC-001] network.md §1.25: over ${family} the hops are those of traceroute(8), with names`, async () => {
    const { status, body } = await trace(target)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.target, target)
    assert.deepEqual(seen(body), await program(target))
    assert.equal(body.hops.length, 5)
    assert.deepEqual(
      body.hops.slice(0, 4).map(({ name }) => name),
      ROUTERS,
    )
    assert.equal(body.outcome, 'reached')
    for (const { rtt } of body.hops) assert.ok(rtt !== null && rtt > 0 && rtt < 1, `${rtt} s`)
  })
}

test('a name is resolved once and its first address followed', async () => {
  const { body } = await trace('www.good.test')
  assert.equal(body.hops.at(-1)?.ip, address('www.good.test').v4)
})

test('[BIZ-024] a host 40 ms away each way takes between 80 and 200 ms, in seconds', async () => {
  const { body } = await trace('far.slow.test')
  const rtt = body.hops.at(-1)?.rtt ?? 0
  assert.ok(rtt >= 0.08 && rtt < 0.2, String(rtt))
})

test('RFC 792: a network that a router has no way to is marked !N, over IPv4 and IPv6', async () => {
  for (const target of ['21.1.0.77', '2a0f:1ab:1::77']) {
    const { body } = await trace(target)
    assert.deepEqual(seen(body), await program(target))
    assert.equal(body.hops.at(-1)?.mark, '!N')
    assert.equal(body.outcome, 'ended')
  }
})

test('[OPEN-064] a host that drops everything: five silent hops behind the last router, none made up', async () => {
  const { body } = await trace('silent.ports.test')
  assert.equal(body.outcome, 'silent', JSON.stringify(body.hops))
  assert.deepEqual(
    body.hops.slice(-5).map(({ ip }) => ip),
    [null, null, null, null, null],
  )
  assert.ok(body.hops.slice(0, -5).every(({ ip }) => ip !== null))
  for (const { ip, rtt } of body.hops) assert.equal(ip === null, rtt === null)
})

test('RFC 1812 §5.2.7.1: a filter that forbids the packets is marked !X', async () => {
  for (const target of Object.values(address('filtered.ports.test'))) {
    const { body } = await trace(target)
    assert.deepEqual(seen(body), await program(target))
    assert.equal(body.hops.at(-1)?.mark, '!X')
    assert.equal(body.outcome, 'ended')
  }
})

test('a machine without a route says so, and a private target is refused', async () => {
  const none = await trace('93.184.215.14')
  assert.equal(none.status, 503)
  assert.match(none.body.error ?? '', /no route/)
  for (const target of ['10.0.0.1', '127.0.0.1', '::1', 'loopback.rebind.test']) {
    const { status, body } = await trace(target)
    assert.equal(status, 400, target)
    assert.equal(body.error, 'Validation error: target address is not allowed')
  }
})

test('security A6: ranges, lists and options are refused', async () => {
  for (const target of ['8.8.8.0/24', '8.8.8.8,9.9.9.9', '-j', '8.8.8.8 -n', '8.8.8.8;id', '0x08080808']) {
    assert.equal((await trace(target)).status, 400, target)
  }
})

test('[OPEN-065] where neither sockets nor the program are at hand the answer is 503 in fixed words', async () => {
  const job = createNet({ userAgent: 'Assay-test/1.0' }).createJob({ kind: 'scan' })
  const none = async () => undefined
  const hops = createTrace(job.door, { sockets: none, program: none }).route(address('www.good.test').v4)
  const error = await hops[Symbol.asyncIterator]()
    .next()
    .catch((thrown: unknown) => thrown)
  job.dispose()
  assert.partialDeepStrictEqual(failureOf(error, ''), {
    status: 503,
    body: { error: '503 Service Unavailable: traceroute is not possible on this server' },
  })
})

test('a visitor who leaves ends the packets', async () => {
  const visitor = new AbortController()
  const job = createNet({ userAgent: 'Assay-test/1.0' }).createJob({ kind: 'scan', signal: visitor.signal })
  const hops = job.context.trace.route(address('silent.ports.test').v4)[Symbol.asyncIterator]()
  await hops.next()
  visitor.abort(new Error('the visitor left'))
  await assert.rejects(async () => {
    for (let step = await hops.next(); !step.done; step = await hops.next());
  }, /the visitor left/)
  job.dispose()
})
