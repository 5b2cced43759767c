import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createQuery, type Message, type ResourceRecord } from './message.ts'
import { isOpen, type TransferLimits, TransferReader } from './transfer.ts'
import { parseZone } from './zone.ts'

const ZONE = 'example.'
const [soa, ns, a, b, outside] = parseZone(`example. SOA ns.example. host.example. 1 2 3 4 5
example. NS ns.example.
a.example. A 192.0.2.1
b.example. A 192.0.2.2
other.test. A 192.0.2.3`) as [ResourceRecord, ResourceRecord, ResourceRecord, ResourceRecord, ResourceRecord]

const message = (answers: ResourceRecord[], more: Partial<Message> = {}): Message => ({
  ...createQuery({ id: 1, name: ZONE, type: 'AXFR' }),
  qr: true,
  answers,
  ...more,
})

function read(messages: Message[], limits?: TransferLimits) {
  const reader = new TransferReader(ZONE, limits)
  const found: ResourceRecord[] = []
  for (const each of messages) {
    if (reader.over) break
    found.push(...reader.read(each, 100))
  }
  return { reader, found, end: reader.end() }
}

test('RFC 5936 §2.2: SOA, records, SOA is a transfer, in one message or in many', () => {
  for (const messages of [
    [message([soa, ns, a, b, soa])],
    [message([soa]), message([ns, a]), message([b]), message([soa])],
  ]) {
    const { found, end } = read(messages)
    assert.equal(end.status, 'transferred')
    assert.equal(end.records, 5)
    assert.deepEqual(found, [soa, ns, a, b])
    assert.ok(isOpen(end))
  }
})

test('RFC 1995 §4: a single SOA is no transfer, and neither are two without anything between', () => {
  for (const messages of [[message([soa])], [message([soa, soa])], [message([soa]), message([soa])]]) {
    const { end } = read(messages)
    assert.equal(end.status, 'soa-only')
    assert.equal(isOpen(end), false)
  }
})

test('RFC 5936 §2.2.1: REFUSED, NOTAUTH, other codes, an empty answer and silence are told apart', () => {
  const ends = (messages: Message[], interruption?: 'closed' | 'timeout' | 'unreachable') => {
    const reader = new TransferReader(ZONE)
    for (const each of messages) reader.read(each, 12)
    assert.equal(isOpen(reader.end(interruption)), false)
    return reader.end(interruption).status
  }
  assert.equal(ends([message([], { rcode: 'REFUSED' })]), 'refused')
  assert.equal(ends([message([], { rcode: 'NOTAUTH' })]), 'notauth')
  assert.equal(ends([message([], { rcode: 'SERVFAIL' })]), 'error')
  assert.equal(ends([message([])]), 'empty')
  assert.equal(ends([message([a, soa])]), 'error')
  assert.equal(ends([]), 'closed')
  assert.equal(ends([], 'timeout'), 'timeout')
  assert.equal(ends([], 'unreachable'), 'unreachable')
})

test('a transfer that breaks off after records has given them away all the same', () => {
  for (const messages of [
    [message([soa, ns, a])],
    [message([soa, ns, a]), message([], { rcode: 'SERVFAIL' })],
    [message([soa, ns, a], { cut: 'the counts promised more' })],
  ]) {
    const { end } = read(messages)
    assert.equal(end.status, 'cut')
    assert.ok(isOpen(end))
  }
})

test('the caps on records and bytes end it', () => {
  const many = Array.from({ length: 50 }, () => message([a, b]))
  const byRecords = read([message([soa]), ...many], { records: 10, bytes: 1_000_000 })
  assert.equal(byRecords.end.status, 'limit')
  assert.equal(byRecords.end.records, 10)
  const byBytes = read([message([soa]), ...many], { records: 1_000, bytes: 500 })
  assert.equal(byBytes.end.status, 'limit')
  assert.equal(byBytes.end.bytes, 500)
  assert.ok(isOpen(byBytes.end))
})

test('RFC 5936 §3: records outside the zone are left out', () => {
  assert.deepEqual(read([message([soa, outside, a, soa])]).found, [soa, a])
})
