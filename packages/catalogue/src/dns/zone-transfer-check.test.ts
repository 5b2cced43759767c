import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Panel, performed, type ServerContext } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { createQuery, type Message } from '@assay/lib/dns/message'
import type { TransferEnd } from '@assay/lib/dns/transfer'
import { parseZone } from '@assay/lib/dns/zone'
import { walkZone } from './nsec-walk.ts'
import { zoneTransferCheck } from './zone-transfer-check.ts'

const [action] = zoneTransferCheck.actions
assert.ok(action)

const ZONE = `example.com. 3600 SOA ns1.example.com. host.example.com. 1 2 3 4 60
example.com. 3600 NS ns1.example.com.
example.com. 3600 NS ns2.example.com.
ns1.example.com. 3600 A 192.0.2.1
ns1.example.com. 3600 AAAA 2001:db8::1
ns2.example.com. 3600 A 192.0.2.2
`

/** The panels of a run in which each server ends its transfer in its own way. */
async function run(ends: Record<string, Partial<TransferEnd>>, zone = ZONE) {
  const context = replay({ zone })
  const nothing = { status: 'refused', messages: 1, records: 0, bytes: 20 } as const
  const nameServers: ServerContext['nameServers'] = {
    ...context.nameServers,
    // biome-ignore lint/correctness/useYield: a transfer that brings nothing
    async *transfer(server) {
      return { ...nothing, ...ends[server] }
    },
  }
  const { result, input } = await performed(
    action ?? assert.fail(),
    { domain: 'example.com' },
    { ...context, nameServers },
  )
  return { result: result as Record<string, unknown>, panels: action?.show?.(result, input) ?? [] }
}

const textOf = (panels: readonly Panel[]) => JSON.stringify(panels)
const open = { status: 'transferred', records: 67 } as const

test('[AXF-001] [AXF-002] [AXF-004] [AXF-005] [AXF-007] [AXF-008] [AXF-009] [AXF-010] [AXF-011] an open server', async () => {
  const { result, panels } = await run({ '192.0.2.2': open })
  assert.equal(result.vulnerable, true)
  assert.match(String(result.message), /^ns2\.example\.com gives the zone to anyone who asks: 67 records/)
  assert.doesNotMatch(String(result.message), /ns1/)
  const text = textOf(panels)
  for (const words of [
    'VULNERABLE',
    'Zone Transfer Vulnerability Detected',
    'HIGH RISK',
    'Immediate action required',
    'TESTED',
    'DISABLED',
    String(result.message),
  ]) {
    assert.ok(text.includes(words), words)
  }
  const list = panels.find(each => each.kind === 'list')
  assert.deepEqual(
    list?.items.map(({ text }) => text),
    ['Restrict transfers to authorized servers', 'Use access control lists', 'Review configuration'],
  )
})

test('[AXF-001] [AXF-003] [AXF-006] [AXF-008] [AXF-012] servers that keep the zone', async () => {
  const { result, panels } = await run({})
  assert.equal(result.vulnerable, false)
  const text = textOf(panels)
  for (const words of [
    'SECURE',
    'Zone Transfer Protection Active',
    'PROTECTED',
    'LOW',
    'Configuration secure',
    'ENABLED',
    'Excellent Security Configuration',
  ]) {
    assert.ok(text.includes(words), words)
  }
  assert.ok(!text.includes('VULNERABLE'))
})

test('[API-029] the answer has domain, vulnerable and message, and each address its own outcome', async () => {
  const { result } = await run({
    '192.0.2.1': { status: 'notauth' },
    '2001:db8::1': { status: 'timeout' },
    '192.0.2.2': { status: 'closed' },
  })
  assert.equal(result.domain, 'example.com')
  assert.equal(result.vulnerable, false)
  const servers = result.servers as { address: string; status: string }[]
  assert.deepEqual(
    servers.map(({ address, status }) => [address, status]),
    [
      ['192.0.2.1', 'notauth'],
      ['2001:db8::1', 'timeout'],
      ['192.0.2.2', 'closed'],
    ],
  )
  assert.match(String(result.message), /1 of 3 could not be asked/)
})

test('RFC 1995 §4: a server that gives a single SOA is not vulnerable', async () => {
  assert.equal((await run({ '192.0.2.2': { status: 'soa-only', records: 1 } })).result.vulnerable, false)
})

test('servers that were all silent are no proof of protection', async () => {
  const silent = { '192.0.2.1': 'timeout', '2001:db8::1': 'timeout', '192.0.2.2': 'timeout' } as const
  const ends = Object.fromEntries(Object.entries(silent).map(([address, status]) => [address, { status }]))
  await assert.rejects(run(ends), { code: 'timeout' })
  await assert.rejects(run({ ...ends, '192.0.2.2': { status: 'unreachable' } }), { code: 'unreachable' })
  await assert.rejects(run({}, ''), { code: 'not-found' })
})

/** A server of one signed zone: NSEC records by owner, whatever is asked. */
function signed(nsec: Record<string, string>, cuts: readonly string[] = []): ServerContext['dns'] {
  const records = parseZone(
    Object.entries(nsec)
      .map(([owner, next]) => `${owner} 60 NSEC ${next} A`)
      .join('\n'),
  )
  const { dns } = replay()
  return {
    ...dns,
    async ask(_, name): Promise<Message> {
      const query = { ...createQuery({ id: 1, name, type: 'NSEC' }), qr: true }
      const cut = cuts.find(each => name === each || name.endsWith(`.${each}`))
      if (cut) return { ...query, authorities: parseZone(`${cut} 60 NS ns.other.test.`) }
      const own = records.filter(record => record.name === name)
      const before = name.includes('\\000')
        ? records.filter(record => `${record.name.split('.')[0]}\\000` === name.split('.')[0])
        : []
      return { ...query, answers: own, authorities: before }
    },
  }
}

async function walk(dns: ServerContext['dns'], most = 500) {
  const names: string[] = []
  const steps = walkZone(dns, { server: '192.0.2.1', zone: 'example.', most })
  for (let step = await steps.next(); ; step = await steps.next()) {
    if (step.done) return { names, ...step.value }
    names.push(step.value)
  }
}

test('RFC 4034 §4.1.1: the walk goes round, past delegations, and stops at its bound', async () => {
  const zone = {
    'example.': 'a.example.',
    'a.example.': 'cut.example.',
    'cut.example.': 'z.example.',
    'z.example.': 'example.',
  }
  const names = ['a.example.', 'cut.example.', 'z.example.']
  assert.deepEqual(await walk(signed(zone)), { names, status: 'walkable', complete: true })
  assert.deepEqual(await walk(signed(zone, ['cut.example.'])), { names, status: 'walkable', complete: true })
  assert.deepEqual(await walk(signed(zone), 2), { names: names.slice(0, 2), status: 'walkable', complete: false })
})

test('RFC 9824 §3.1: neighbours made up for the answer are no walk, and neither is a step back', async () => {
  assert.deepEqual(await walk(signed({ 'example.': '\\000.example.' })), {
    names: [],
    status: 'minimal',
    complete: false,
  })
  const back = await walk(signed({ 'example.': 'b.example.', 'b.example.': 'a.example.' }))
  assert.deepEqual(back, { names: ['b.example.'], status: 'unknown', complete: false })
  assert.deepEqual(await walk(signed({})), { names: [], status: 'unsigned', complete: false })
})
