import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fromHex } from '../bytes.ts'
import { createQuery, decodeMessage, encodeMessage, type Message, presentation, recordFromBytes } from './message.ts'
import { WireError } from './wire.ts'

const MUTANTS = 100_000

/** Numbers that look random and are the same each time: xorshift32 (Marsaglia 2003). */
function generator(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

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

function mutate(seed: Uint8Array, random: (below: number) => number): Uint8Array {
  const bytes = new Uint8Array(seed)
  for (let changes = 1 + random(4); changes > 0; changes--) {
    const at = random(bytes.length)
    const kinds = [
      () => bytes.fill(random(256), at, at + 1),
      () => bytes.fill((bytes[at] ?? 0) ^ (1 << random(8)), at, at + 1),
      () => bytes.set([0xc0 | random(2), random(256)], Math.min(at, bytes.length - 2)),
      () => bytes.set([0xff, 0xff], Math.min(at, bytes.length - 2)),
      () => bytes.copyWithin(at, random(bytes.length), random(bytes.length)),
    ]
    kinds[random(kinds.length)]?.()
  }
  return random(8) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes
}

test(`${MUTANTS} mutated packets: nothing but a WireError, every record printable, and read again the same`, () => {
  const random = generator(20_260_801)
  const originals = seeds()
  let decoded = 0
  for (let i = 0; i < MUTANTS; i++) {
    const bytes = mutate(originals[random(originals.length)] ?? assert.fail(), random)
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
