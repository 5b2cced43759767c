import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '@assay/kit'
import { changingDns, openDoor, zoneOf } from '../test/loopback.ts'
import { createGuard } from './guard.ts'
import { createPins } from './pin.ts'

const production = { settings: {} }
const addressRefused = (error: unknown) =>
  error instanceof Problem &&
  error.code === 'refused' &&
  error.message === 'Validation error: target address is not allowed'

test('a name is pinned to its addresses, IPv4 and IPv6 in turn', async t => {
  const zone = 'a.test. A 8.8.8.8\na.test. A 8.8.4.4\na.test. AAAA 2001:4860:4860::8888'
  const pin = await openDoor(t, { ...production, zone }).pin('A.test.')
  assert.deepEqual(pin.addresses, ['8.8.8.8', '2001:4860:4860::8888', '8.8.4.4'])
  assert.equal(pin.host.ascii, 'a.test')
})

const forbidden = [
  ...[
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.0.192',
  ],
  ...[
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ],
  ...['::', '::1', '::7f00:1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '64:ff9b::a00:1', '64:ff9b::808:808', '100::1'],
  ...['2001::1', '2001:0:4136:e378:8000:63bf:80ff:fffe', '2001:db8::1', '2002:7f00:1::', '2002:808:808::', '3fff::1'],
  ...[
    '2607:f8b0::5efe:7f00:1',
    '2607:f8b0::200:5efe:a00:1',
    '4000::1',
    '5f00::1',
    'e000::1',
    'fc00::1',
    'fd00:ec2::254',
  ],
  ...['fe80::1', 'fec0::1', 'ff02::1', '2620:4f:8000::1', '100:0:0:1::1', '1::1'],
]
const recordOf = (name: string, address: string) => `${name}. ${address.includes(':') ? 'AAAA' : 'A'} ${address}`

test('[OPEN-008] a forbidden literal is refused', async t => {
  const door = openDoor(t, production)
  for (const address of forbidden) await assert.rejects(door.pin(address), addressRefused, address)
})

test('[OPEN-008] a name with a forbidden address is refused, alone, among good ones, and behind an alias', async t => {
  for (const address of forbidden) {
    const bad = recordOf('b.test', address)
    for (const zone of [
      bad,
      `b.test. A 8.8.8.8\n${bad}`,
      `${bad}\nb.test. AAAA 2001:4860:4860::8888`,
      `${bad}\nb.test. A 1.1.1.1\nb.test. A 8.8.8.8\nb.test. AAAA 2001:4860:4860::8888`,
    ]) {
      await assert.rejects(openDoor(t, { ...production, zone }).pin('b.test'), addressRefused, zone)
    }
    const aliased = zoneOf(recordOf('b.test', address))
    const dns = { resolve: (_name: string, type: string) => aliased.resolve('b.test', type) }
    await assert.rejects(openDoor(t, { ...production, dns }).pin('alias.test'), addressRefused, address)
  }
})

test('a name server that changes its mind is asked once per job', async t => {
  const dns = changingDns(['a.test. A 8.8.8.8', 'a.test. A 127.0.0.1'])
  const door = openDoor(t, { ...production, dns })
  for (let i = 0; i < 200; i++) assert.deepEqual((await door.pin('a.test')).addresses, ['8.8.8.8'])
  assert.deepEqual(dns.questions, ['a.test A', 'a.test AAAA'])
})

test('pins made at the same time share one resolution', async t => {
  const dns = changingDns(['a.test. A 8.8.8.8', 'a.test. A 10.0.0.1'])
  const door = openDoor(t, { ...production, dns })
  const pins = await Promise.all(Array.from({ length: 200 }, (_, i) => door.pin(i % 2 ? 'a.test' : 'A.TEST.')))
  assert.ok(pins.every(pin => pin.addresses.join() === '8.8.8.8'))
  assert.equal(dns.questions.length, 2)
})

test('a refusal stays a refusal when the name changes to a public address', async t => {
  const dns = changingDns(['a.test. A 127.0.0.1', 'a.test. A 8.8.8.8'])
  const door = openDoor(t, { ...production, dns })
  for (let i = 0; i < 3; i++) await assert.rejects(door.pin('a.test'), addressRefused)
})

test('names of this machine and of private networks are refused without asking anybody', async t => {
  const dns = changingDns(['x. A 8.8.8.8'])
  const door = openDoor(t, { ...production, dns })
  for (const name of [
    'a.localhost',
    'printer.local',
    'metadata.google.internal',
    'x.onion',
    'router.home.arpa',
    'a.invalid',
  ]) {
    await assert.rejects(door.pin(name), addressRefused, name)
  }
  assert.deepEqual(dns.questions, [])
})

test('what is neither a name nor an address is invalid input', async t => {
  const door = openDoor(t, production)
  for (const text of [
    'localhost',
    '127.1',
    '0x7f.1',
    '2130706433',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    'a b.test',
    '[::1]',
    '',
  ]) {
    await assert.rejects(door.pin(text), (error: unknown) => error instanceof Problem && error.code === 'invalid-input')
  }
})

test('a name without addresses says why', async () => {
  const pinOf = (
    status: 'nxdomain' | 'nodata' | 'servfail' | 'timeout' | 'refused' | 'lame' | 'cname-loop' | 'network',
  ) =>
    createPins(createGuard(), {
      resolve: async (name, type) => ({ status, name, type, records: [], errors: [], milliseconds: 0, queries: 1 }),
    })('a.test')
  for (const [status, code] of [
    ['nxdomain', 'not-found'],
    ['nodata', 'not-found'],
    ['timeout', 'timeout'],
    ['servfail', 'unreachable'],
    ['refused', 'unreachable'],
    ['lame', 'unreachable'],
    ['cname-loop', 'unreachable'],
    ['network', 'unreachable'],
  ] as const) {
    await assert.rejects(pinOf(status), (error: unknown) => error instanceof Problem && error.code === code, status)
  }
})

test('a silent question for one family does not hide the other', async t => {
  const v4 = zoneOf('a.test. A 8.8.8.8')
  const dns = {
    resolve: async (name: string, type: string) =>
      type === 'A'
        ? v4.resolve(name, type)
        : { status: 'timeout' as const, name, type, records: [], errors: [], milliseconds: 0, queries: 3 },
  }
  assert.deepEqual((await openDoor(t, { ...production, dns }).pin('a.test')).addresses, ['8.8.8.8'])
})
