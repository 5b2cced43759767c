import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ednsProbes,
  judgeProbe,
  type Probe,
  type ProbeTarget,
  probeQuery,
  resolverTarget,
  supportsEdns,
} from './edns-probes.ts'
import { createRecord, decodeMessage, type Message } from './message.ts'

const zeros = (length: number) => new Uint8Array(length)
const probe = (section: string): Probe => ednsProbes.find(each => each.section === section) ?? assert.fail(section)
const authority: ProbeTarget = { zone: 'example.com.', role: 'authority', rcode: 'NOERROR' }
const asked = (section: string, target = authority) => decodeMessage(probeQuery(probe(section), target, zeros))
const data = { mname: 'a.', rname: 'b.', serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 }
const soa = createRecord('SOA', { name: 'example.com.', ttl: 60 }, data)

/** What a sound server in charge of example.com says to a probe. */
function sound(section: string, change: Partial<Message> = {}): Message {
  const { edns, ...query } = asked(section)
  const { expect } = probe(section)
  const good = expect.rcode === 'NOERROR'
  return {
    ...query,
    qr: true,
    aa: good,
    ad: false,
    z: false,
    rcode: expect.rcode,
    answers: expect.soa === 'present' ? [soa] : [],
    ...(edns && { edns: { ...edns, version: 0, z: 0, options: [] } }),
    ...change,
  }
}

const judged = (section: string, message: Message, bytes = 100) => judgeProbe(probe(section), authority, message, bytes)

test('RFC 8906 §8: eighteen probes, eight of plain DNS and ten of EDNS', () => {
  const sections = ednsProbes.map(({ section }) => section)
  assert.equal(new Set(sections).size, 18)
  assert.equal(sections.filter(section => section.startsWith('8.1.')).length, 8)
  assert.equal(sections.filter(section => section.startsWith('8.2.')).length, 10)
})

test('RFC 8906 §8.1: what is unusual about each plain query', () => {
  assert.equal(asked('8.1.1').edns, undefined)
  assert.equal(asked('8.1.1').rd, false)
  assert.equal(asked('8.1.1', resolverTarget).rd, true)
  assert.equal(asked('8.1.1', resolverTarget).questions[0]?.name, '.')
  assert.equal(asked('8.1.2').questions[0]?.type, 'TYPE1000')
  assert.deepEqual(
    [asked('8.1.3.1').cd, asked('8.1.3.2').ad, asked('8.1.3.3').z, asked('8.1.3.4').rd],
    [true, true, true, true],
  )
  const { opcode, questions } = asked('8.1.4')
  assert.deepEqual([opcode, questions], ['OPCODE15', []])
  assert.equal(probeQuery(probe('8.1.4'), authority, zeros).length, 12, 'nothing but a header')
  assert.equal(probe('8.1.5').transport, 'tcp')
})

test('RFC 8906 §8.2: what is unusual about each query with EDNS', () => {
  const edns = (section: string) => asked(section).edns ?? assert.fail(section)
  assert.deepEqual([edns('8.2.1').version, edns('8.2.1').z, edns('8.2.1').options], [0, 0, []])
  for (const section of ['8.2.2', '8.2.5', '8.2.6', '8.2.9']) assert.equal(edns(section).version, 1, section)
  for (const section of ['8.2.3', '8.2.6']) assert.equal(edns(section).options[0]?.code, 100, section)
  for (const section of ['8.2.4', '8.2.5']) assert.equal(edns(section).z, 0x40, section)
  for (const section of ['8.2.7', '8.2.8', '8.2.9']) assert.equal(edns(section).do, true, section)
  assert.equal(edns('8.2.7').udpSize, 512)
  assert.equal(asked('8.2.7').questions[0]?.type, 'DNSKEY')
  // NSID (RFC 5001), COOKIE (RFC 7873), EXPIRE (RFC 7314), client subnet (RFC 7871).
  assert.deepEqual(
    edns('8.2.10').options.map(({ code }) => code),
    [3, 10, 9, 8],
  )
})

test('RFC 8906 §8: a sound server passes all', () => {
  for (const { section } of ednsProbes) assert.deepEqual(judged(section, sound(section)), ['ok'], section)
})

const withEdns = (section: string, change: object) => {
  const message = sound(section)
  return { ...message, edns: { ...(message.edns ?? assert.fail(section)), ...change } }
}
const without = (section: string): Message => {
  const { edns: _, ...message } = sound(section)
  return message
}

for (const [section, fault, words] of [
  ['8.1.1', sound('8.1.1', { answers: [] }), ['nosoa']],
  ['8.1.1', sound('8.1.1', { aa: false }), ['noaa']],
  ['8.1.1', { ...sound('8.1.1'), edns: sound('8.2.1').edns }, ['opt']],
  ['8.1.2', sound('8.1.2', { answers: [soa] }), ['soa']],
  ['8.1.2', sound('8.1.2', { rcode: 'NOTIMP' }), ['notimp']],
  ['8.1.3.2', sound('8.1.3.2', { ad: true }), ['ad']],
  ['8.1.3.3', sound('8.1.3.3', { z: true }), ['z']],
  ['8.1.3.4', sound('8.1.3.4', { rd: false }), ['nord']],
  ['8.1.4', sound('8.1.4', { rcode: 'FORMERR' }), ['formerr']],
  ['8.1.4', sound('8.1.4', { rcode: 'YXDOMAIN' }), ['status']],
  ['8.2.1', without('8.2.1'), ['noopt']],
  ['8.2.1', { ...without('8.2.1'), rcode: 'FORMERR', answers: [] }, ['formerr']],
  ['8.2.1', withEdns('8.2.1', { version: 1 }), ['badversion']],
  ['8.2.2', sound('8.2.2', { rcode: 'NOERROR', answers: [soa] }), ['status', 'soa']],
  ['8.2.3', withEdns('8.2.3', { options: [{ code: 100, data: zeros(0) }] }), ['echoed']],
  ['8.2.4', withEdns('8.2.4', { z: 0x40 }), ['mbz']],
  ['8.2.5', withEdns('8.2.5', { z: 0x40 }), ['mbz']],
  ['8.2.6', withEdns('8.2.6', { options: [{ code: 100, data: zeros(0) }] }), ['echoed']],
  ['8.2.8', withEdns('8.2.8', { do: false }), ['nodo']],
  ['8.2.10', sound('8.2.10', { rcode: 'SERVFAIL', answers: [] }), ['servfail']],
  ['8.2.10', sound('8.2.10', { rcode: 'REFUSED', answers: [] }), ['refused']],
] as const) {
  test(`RFC 8906 §${section}: ${words.join(', ')}`, () => {
    assert.deepEqual(judged(section, fault as Message), words)
  })
}

test('RFC 8906 §8.2.7: an answer longer than was offered, but not one that is cut short', () => {
  assert.deepEqual(judged('8.2.7', sound('8.2.7'), 513), ['toobig'])
  assert.deepEqual(judged('8.2.7', sound('8.2.7', { tc: true }), 512), ['ok'])
})

test('a server that serves neither is held to refusing every time', () => {
  const other: ProbeTarget = { zone: '.', role: 'other', rcode: 'REFUSED' }
  const refusing = sound('8.2.1', { rcode: 'REFUSED', answers: [], aa: false })
  assert.deepEqual(judgeProbe(probe('8.2.1'), other, refusing, 50), ['ok'])
  assert.deepEqual(judgeProbe(probe('8.2.1'), other, { ...refusing, rcode: 'SERVFAIL' }, 50), ['servfail'])
})

test('[EDN-016] RFC 6891 §6.1.1: EDNS is known by an OPT record of version 0 in the answer', () => {
  assert.equal(supportsEdns(sound('8.2.1')), true)
  assert.equal(supportsEdns(sound('8.2.1', { rcode: 'REFUSED', answers: [] })), true)
  assert.equal(supportsEdns(without('8.2.1')), false)
  assert.equal(supportsEdns(sound('8.2.1', { rcode: 'BADVERS', answers: [] })), false)
})
