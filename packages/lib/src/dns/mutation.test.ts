import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { generator, mutate, quickest, type Random } from '../../test/mutation.ts'
import { fromHex } from '../bytes.ts'
import { createQuery, decodeMessage, encodeMessage, type Message, presentation, recordFromBytes } from './message.ts'
import { WireError } from './wire.ts'

const MUTANTS = 100_000

const vectors: { records: { owner: string; type: string; rdataHex: string }[] } = JSON.parse(
  readFileSync(new URL('../../../../vectors/dns/records.json', import.meta.url), 'utf8'),
)

function seeds(): Uint8Array[] {
  const all = vectors.records.map(({ owner, type, rdataHex }) =>
    recordFromBytes(type, { name: owner, ttl: 300 }, fromHex(rdataHex)),
  )
  const query = createQuery({ id: 7, name: 'types.test.', type: 'ANY' })
  const each = all.map((record): Message => ({ ...query, qr: true, answers: [record, record], authorities: [record] }))
  return [...each, { ...query, qr: true, answers: all }].map(encodeMessage)
}

/** A compression pointer (RFC 1035 §4.1.4) to somewhere near the beginning. */
const pointTo = (bytes: Uint8Array, at: number, random: Random) =>
  bytes.set([0xc0 | random(2), random(256)], Math.min(at, bytes.length - 2))

test(`${MUTANTS} mutated packets: nothing but a WireError, every record printable, and read again the same`, () => {
  const random = generator(20_260_801)
  const originals = seeds()
  let decoded = 0
  for (let i = 0; i < MUTANTS; i++) {
    const bytes = mutate(originals[random(originals.length)] ?? assert.fail(), random, pointTo)
    let message: Message
    try {
      message = decodeMessage(bytes)
    } catch (error) {
      assert.ok(error instanceof WireError && bytes.length < 12)
      continue
    }
    decoded++
    const records = [...message.answers, ...message.authorities, ...message.additionals]
    for (const record of records) assert.match(presentation(record), /^[ -~]*$/)
    // A pointer inside data that was not understood leads elsewhere in another message.
    const movable = records.every(({ data, rdata }) => data !== undefined || rdata.every(byte => byte < 0xc0))
    if (movable && message.cut === undefined && message.edns?.malformed === undefined) {
      const { trailing, ...rest } = message
      assert.deepEqual(decodeMessage(encodeMessage(message)), rest, `${trailing ?? 0} trailing bytes`)
    }
  }
  assert.ok(decoded > MUTANTS * 0.9)
})

test('security H1: a message full of chains of pointers takes no longer than its size allows', () => {
  const query = createQuery({ id: 7, name: 'a.', type: 'A' })
  for (const depth of [1, 20, 120]) {
    const bytes = chains(encodeMessage({ ...query, qr: true }), depth)
    let names = 0
    const took = quickest(() => {
      names = decodeMessage(bytes).answers.length
    })
    assert.ok(names > 1_000, String(names))
    assert.ok(took < 100, `${took} ms at ${depth} links`)
  }
})

/** 64 KiB of records whose owner is the end of a chain of so many pointers, each behind a label of one octet. */
function chains(head: Uint8Array, depth: number): Uint8Array {
  const start = head.length + 11
  const links = Array.from({ length: depth }, (_, i) => {
    const to = i ? start + (i - 1) * 4 : 12
    return [1, 0x61, 0xc0 | (to >> 8), to & 255]
  }).flat()
  const holder = [0, 0xff, 0x01, 0, 1, 0, 0, 0, 0, links.length >> 8, links.length & 255, ...links]
  const end = start + (depth - 1) * 4
  const record = [0xc0 | (end >> 8), end & 255, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 1, 2, 3, 4]
  const count = Math.floor((65_535 - head.length - holder.length) / record.length)
  const bytes = Uint8Array.from([...head, ...holder, ...Array.from({ length: count }, () => record).flat()])
  new DataView(bytes.buffer).setUint16(6, count + 1)
  return bytes
}
