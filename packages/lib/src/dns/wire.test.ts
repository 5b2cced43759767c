import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex, toHex } from '../bytes.ts'
import { Reader, WireError, Writer } from './wire.ts'

const refused = (offset: number, pattern: RegExp) => (error: unknown) =>
  error instanceof WireError && error.offset === offset && pattern.test(error.message)

test('a reader never looks past its end, and says where it stood', () => {
  const reader = Reader.bytes(fromHex('0102030405'))
  assert.equal(reader.u16(), 0x0102)
  assert.throws(() => reader.u32(), refused(2, /4 bytes expected, 3 left/))
  assert.equal(reader.offset, 2)
  const part = reader.slice(2)
  assert.throws(() => part.bytes(3), refused(2, /3 bytes expected, 2 left/))
  assert.equal(reader.u8(), 5)
  assert.throws(() => reader.u8(), refused(5, /1 bytes expected, 0 left/))
})

test('a text takes no more memory than its bytes, and a little time', () => {
  const bytes = new Uint8Array(65_535).map((_, at) => at)
  const before = process.memoryUsage().heapUsed
  const texts = Array.from({ length: 20 }, () => Reader.bytes(bytes).latin1(bytes.length))
  const taken = process.memoryUsage().heapUsed - before
  assert.ok(texts.every(text => text === Buffer.from(bytes).toString('latin1')))
  // Some of it is garbage of other tests; built character by character it was 32 times as much.
  assert.ok(taken < 16 * texts.length * bytes.length, String(taken))
})

test('numbers keep their highest bit', () => {
  assert.equal(Reader.bytes(fromHex('ffffffff')).u32(), 0xffffffff)
  const writer = Writer.bytes()
  writer.u32(0x80000001)
  assert.equal(toHex(writer.finish()), '80000001')
})

test('bytes that are read do not share memory with the message, even one in a Buffer', () => {
  const message = Buffer.from([1, 2, 3])
  const bytes = Reader.message(message).bytes(3)
  message[0] = 9
  assert.deepEqual(bytes, new Uint8Array([1, 2, 3]))
})

test('RFC 1035 §4.1.4: its example of compression is read as described there', () => {
  // F.ISI.ARPA at 20, FOO.F.ISI.ARPA at 40, ARPA at 64 and the root at 92.
  const message = new Uint8Array(93)
  message.set(fromHex('01460349534904415250 4100'), 20)
  message.set(fromHex('03464f4fc014'), 40)
  message.set(fromHex('c01a'), 64)
  const reader = Reader.message(message)
  const nameAt = (offset: number) => {
    reader.offset = offset
    return [reader.name(), reader.offset]
  }
  assert.deepEqual(nameAt(20), ['F.ISI.ARPA.', 32])
  assert.deepEqual(nameAt(40), ['FOO.F.ISI.ARPA.', 46])
  assert.deepEqual(nameAt(64), ['ARPA.', 66])
  assert.deepEqual(nameAt(92), ['.', 93])
})

for (const [what, hex, offset, at, reason] of [
  ['to itself', '00c001', 1, 1, /does not lead backwards/],
  ['forwards', 'c0020161 00', 0, 0, /does not lead backwards/],
  ['into the name that holds it', '016101 62c000', 0, 4, /does not lead backwards/],
  ['to a name that runs into it', '00 0561c001', 3, 1, /runs past its end/],
  ['in two steps that would make a loop', '0161c004 0162c000', 4, 2, /does not lead backwards/],
  ['cut in half', '00c0', 1, 1, /cut in half/],
] as const) {
  test(`a compression pointer ${what} is refused`, () => {
    const reader = Reader.message(fromHex(hex))
    reader.offset = offset
    assert.throws(() => reader.name(), refused(at, reason))
  })
}

test('RFC 3597 §4: where pointers are not allowed they are refused, and data alone has none', () => {
  const reader = Reader.message(fromHex('016100c000'))
  reader.offset = 3
  assert.throws(() => reader.name('no pointers'), refused(3, /not allowed here/))
  const alone = Reader.bytes(fromHex('016100c000'))
  alone.offset = 3
  assert.throws(() => alone.name(), refused(3, /not allowed here/))
})

test('RFC 6891 §5: the label types 01 and 10 are not in use', () => {
  assert.throws(() => Reader.bytes(fromHex('4100')).name(), refused(0, /label type 0x41/))
  assert.throws(() => Reader.bytes(fromHex('8000')).name(), refused(0, /label type 0x80/))
})

test('a name without its final zero, or over 255 bytes, is refused', () => {
  assert.throws(() => Reader.bytes(fromHex('0361')).name(), refused(0, /label runs past its end/))
  assert.throws(() => Reader.bytes(fromHex('0161')).name(), refused(2, /name runs past its end/))
  assert.throws(() => Reader.bytes(fromHex(`${'0161'.repeat(128)}00`)).name(), /over 255 bytes/)
  assert.equal(Reader.bytes(fromHex(`${'0161'.repeat(127)}00`)).name(), 'a.'.repeat(127))
})

test('a chain of 5000 pointers is walked once, and a second name may use it', () => {
  const bytes = [0]
  for (let i = 0; i < 5000; i++) {
    const target = bytes.length - (i === 0 ? 1 : 2)
    bytes.push(0xc0 | (target >> 8), target & 0xff)
  }
  const last = bytes.length - 2
  bytes.push(1, 97, 0xc0 | (last >> 8), last & 0xff, 1, 98, 0xc0 | (last >> 8), last & 0xff)
  const reader = Reader.message(new Uint8Array(bytes))
  reader.offset = last + 2
  assert.equal(reader.name(), 'a.')
  assert.equal(reader.name(), 'b.')
})

test('work that is out of proportion ends in a WireError', () => {
  const reader = Reader.message(new Uint8Array(12))
  reader.spend(90_000)
  assert.throws(() => reader.spend(20_000), WireError)
})

test('names are compressed to tails of the same case, in any order of writing', () => {
  const writer = Writer.message()
  for (const name of ['ns.example.com.', 'example.com.', 'www.Example.com.', 'com.', '.']) writer.name(name, 'compress')
  assert.equal(
    toHex(writer.finish()),
    '026e73076578616d706c6503636f6d00' + 'c003' + '03777777' + '074578616d706c65' + 'c00b' + 'c00b' + '00',
  )
})

test('names are written whole when asked, and then nothing later refers to them', () => {
  const writer = Writer.message()
  writer.name('a.', 'whole')
  writer.name('a.', 'compress')
  writer.name('a.', 'compress')
  assert.equal(toHex(writer.finish()), '016100016100c003')
})

test('no pointer is written to a name beyond the 14 bits of RFC 1035 §4.1.4', () => {
  const writer = Writer.message()
  writer.bytes(new Uint8Array(0x4000))
  writer.name('a.', 'compress')
  writer.name('a.', 'compress')
  assert.equal(toHex(writer.finish().subarray(0x4000)), '016100016100')
})

test('values that do not fit their field are refused', () => {
  const writer = Writer.bytes()
  assert.throws(() => writer.u8(256), RangeError)
  assert.throws(() => writer.u16(-1), RangeError)
  assert.throws(() => writer.u32(2 ** 32), RangeError)
  assert.throws(() => writer.u16(1.5), RangeError)
  assert.throws(() => writer.counted(() => writer.bytes(new Uint8Array(65_536))), RangeError)
})
