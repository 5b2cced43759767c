import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createQuery, encodeMessage, presentation, type ResourceRecord } from '@assay/lib/dns/message'
import { closedPort, openLoopback, zoneOf } from '../test/loopback.ts'
import { createBudget, jobLimits } from './budget.ts'
import { createDnsTransport, type DnsTransport } from './dns-transport.ts'
import { createEgress } from './egress.ts'
import { createGuard } from './guard.ts'
import { createResolver } from './resolver.ts'

// Against Knot DNS, each role in a process of its own: one that holds parent and child never sends a referral.

const SOA = '@ 300 SOA ns.invalid. host.invalid. 1 3600 600 86400 60'
const big = Array.from({ length: 30 }, (_, i) => `big TXT "${String(i).padStart(120, 'x')}"`).join('\n')

const ADDRESSES = { root: '198.51.100.1', tld: '198.51.100.2', child: '192.0.2.1' }
const ZONES: Record<keyof typeof ADDRESSES, Record<string, string>> = {
  root: { '.': `@ NS a.root.\na.root. A ${ADDRESSES.root}\ntest. NS a.nic.test.\na.nic.test. A ${ADDRESSES.tld}` },
  tld: {
    'test.': `
@ NS a.nic
a.nic A ${ADDRESSES.tld}
good NS ns.good
ns.good A ${ADDRESSES.child}
glueless NS ns.good
signed NS ns.good
signed DS 12345 13 2 ${'AB'.repeat(32)}
other NS ns.good`,
  },
  child: {
    'good.test.': `
@ NS ns
ns A ${ADDRESSES.child}
@ MX 10 mail
mail A 192.0.2.25
www A 192.0.2.80
www AAAA 2001:db8::80
a CNAME b
b CNAME www.other
b2 CNAME www.other.test.
dangling CNAME gone
loop1 CNAME loop2
loop2 CNAME loop1
old DNAME other.test.
*.wild A 192.0.2.55
deep.ent TXT "below an empty name"
${big}`,
    'glueless.test.': '@ NS ns.good.test.\n@ A 192.0.2.90',
    'other.test.': '@ NS ns.good.test.\nwww A 192.0.2.81',
  },
}

const folder = mkdtempSync(join(tmpdir(), 'assay-knot-'))
const running = new Set<ChildProcess>()
const ports = new Map<string, number>()
/** Files of one run share a process, so these tests may come long after this line. */
const HOUR_MS = 3_600_000
const budget = createBudget({ ...jobLimits.scan, wallMs: HOUR_MS })
const door = createEgress(createGuard(openLoopback)).door(budget, zoneOf(''))
const direct = createDnsTransport(door)

/** The invented addresses of the zones, on loopback. */
const place = ({ address }: { address: string }) => ({ address: '127.0.0.1', port: ports.get(address) ?? 1 })
const transport: DnsTransport = {
  udp: (server, query, options) => direct.udp(place(server), query, options),
  tcp: (server, query, options) => direct.tcp(place(server), query, options),
  stream: (server, query, options) => direct.stream(place(server), query, options),
}

const dns = createResolver({
  transport,
  signal: budget.signal,
  random: length => new Uint8Array(randomBytes(length)),
  roots: [{ name: 'a.root.', addresses: [ADDRESSES.root] }],
})

before(async () => {
  for (const [role, zones] of Object.entries(ZONES)) {
    const port = await closedPort()
    mkdirSync(join(folder, role))
    const files = Object.entries(zones).map(([zone, text], i) => {
      const file = join(folder, `${role}${i}.zone`)
      writeFileSync(file, `$ORIGIN ${zone}\n$TTL 300\n${SOA}\n${text}\n`)
      return `  - domain: ${zone}\n    file: ${file}\n`
    })
    const config = join(folder, `${role}.conf`)
    writeFileSync(config, configuration(join(folder, role), port, files))
    const knotd = spawn('knotd', ['-c', config], { stdio: ['ignore', 'ignore', 'inherit'] })
    // Without the program `ready` fails, and says so.
    knotd.on('error', () => running.delete(knotd))
    running.add(knotd)
    ports.set(ADDRESSES[role as keyof typeof ADDRESSES], port)
  }
  for (const [role, zones] of Object.entries(ZONES)) {
    for (const zone of Object.keys(zones)) await ready(ADDRESSES[role as keyof typeof ADDRESSES], zone)
  }
})

const configuration = (state: string, port: number, zones: string[]) => `
server:
  rundir: ${state}
  listen: 127.0.0.1@${port}
  udp-workers: 1
  tcp-workers: 1
  background-workers: 1
database:
  storage: ${state}
control:
  listen: ${state}/control.sock
log:
  - target: stderr
    any: error
zone:
${zones.join('')}`

async function ready(address: string, zone: string): Promise<void> {
  const query = encodeMessage(createQuery({ id: 1, name: zone, type: 'SOA' }))
  for (let tries = 0; tries < 100; tries++) {
    const answer = await transport.udp({ address }, query, { timeoutMs: 100 }).catch(() => undefined)
    // The response code is the low half of the fourth byte.
    if (answer && ((answer[3] ?? 15) & 15) === 0) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  assert.fail(`knotd does not serve ${zone}`)
}

after(async () => {
  for (const child of running) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  door.close()
  budget.end()
  rmSync(folder, { recursive: true })
})

const shown = (records: ResourceRecord[]) =>
  records.map(record => `${record.name} ${record.type} ${presentation(record)}`)

for (const [name, type, status, records] of [
  ['www.good.test', 'A', 'answer', ['www.good.test. A 192.0.2.80']],
  ['www.good.test', 'AAAA', 'answer', ['www.good.test. AAAA 2001:db8::80']],
  ['good.test', 'MX', 'answer', ['good.test. MX 10 mail.good.test.']],
  ['www.good.test', 'MX', 'nodata', []],
  ['ent.good.test', 'A', 'nodata', []],
  ['nothing.good.test', 'A', 'nxdomain', []],
  ['nothing.test', 'A', 'nxdomain', []],
  ['glueless.test', 'A', 'answer', ['glueless.test. A 192.0.2.90']],
  ['x.y.wild.good.test', 'A', 'answer', ['x.y.wild.good.test. A 192.0.2.55']],
  ['x.wild.good.test', 'AAAA', 'nodata', []],
  ['a.good.test', 'A', 'nxdomain', ['a.good.test. CNAME b.good.test.', 'b.good.test. CNAME www.other.good.test.']],
  ['b2.good.test', 'A', 'answer', ['b2.good.test. CNAME www.other.test.', 'www.other.test. A 192.0.2.81']],
  ['dangling.good.test', 'A', 'nxdomain', ['dangling.good.test. CNAME gone.good.test.']],
  ['loop1.good.test', 'A', 'cname-loop', undefined],
  ['www.old.good.test', 'A', 'answer', ['old.good.test. DNAME other.test.', 'www.other.test. A 192.0.2.81']],
  ['old.good.test', 'DNAME', 'answer', ['old.good.test. DNAME other.test.']],
  ['signed.test', 'DS', 'answer', [`signed.test. DS 12345 13 2 ${'AB'.repeat(32)}`]],
  ['good.test', 'DS', 'nodata', []],
  ['signed.test', 'A', 'refused', []],
  ['good.test', 'NS', 'answer', ['good.test. NS ns.good.test.']],
  ['test', 'NS', 'answer', ['test. NS a.nic.test.']],
  ['.', 'NS', 'answer', ['. NS a.root.']],
] as const) {
  test(`Knot DNS: ${name} ${type} is ${status}`, async () => {
    const answer = await dns.resolve(name, type)
    assert.equal(answer.status, status, answer.reason)
    if (records) assert.deepEqual(shown(answer.records), records)
    if (status === 'nodata' || status === 'nxdomain') assert.equal(answer.soa?.type, 'SOA')
  })
}

test('Knot DNS: an answer too long for UDP comes over TCP', async () => {
  const answer = await dns.resolve('big.good.test', 'TXT')
  assert.equal(answer.records.length, 30)
  assert.equal(answer.queries, 2)
})

test('Knot DNS: with DNSSEC asked for, signatures stay out of the records', async () => {
  const message = await dns.ask(ADDRESSES.child, 'www.good.test', 'A', { dnssec: true })
  assert.deepEqual([message.aa, message.edns?.do, message.rcode], [true, true, 'NOERROR'])
})
