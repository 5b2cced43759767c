import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Bytes, fromHex, toHex } from '../bytes.ts'
import { parseDer, Reader } from './der.ts'
import { DerError, type Element, tagName } from './element.ts'
import { bitLength, fromOctets, fromSignedOctets, toOctets, toSignedOctets } from './integer.ts'
import { setBits, timeOf } from './value.ts'
import { der } from './write.ts'

const refuses = (hex: string, expected: RegExp, read: (bytes: Bytes) => unknown = bytes => parseDer(bytes)) =>
  assert.throws(
    () => read(fromHex(hex)),
    error => error instanceof DerError && expected.test(error.message),
    hex,
  )
const reader = (hex: string) => new Reader(fromHex(hex))

test('X.690 §8.1.2: low and high tag numbers of every class', () => {
  for (const [hex, name] of [
    ['020100', 'INTEGER'],
    ['8001ff', '[0]'],
    ['5f1f00', '[APPLICATION 31]'],
    ['5f817f00', '[APPLICATION 255]'],
    ['c300', '[PRIVATE 3]'],
    ['bf872900', '[937]'],
  ] as const) {
    assert.equal(tagName(parseDer(fromHex(hex))), name)
  }
  refuses('5f80', /leading zero/)
  refuses('5f801f00', /leading zero/)
  refuses('5f1e00', /long form without need/)
  refuses('5fffffffffff7f00', /over 2147483647/)
  refuses('5f', /middle of a tag/)
  refuses('0000', /end of contents/)
})

test('X.690 §10.1: only the shortest definite length', () => {
  refuses('04810100', /shortest form/)
  refuses('048200ff', /shortest form/)
  refuses('0480', /indefinite/)
  refuses('30800000', /indefinite/)
  refuses('04ff', /reserved/)
  refuses('0485ffffffffff', /over \d+ bytes/)
  refuses('0402ff', /says 2 bytes, but only 1 are left \(at byte 1\)/)
  refuses('0482', /middle of a length/)
  refuses('04', /middle of a length/)
  refuses('', /no bytes/)
  refuses('0500ff', /1 bytes follow/)
})

test('X.690 §8.1.3.6: BER lengths are read where BER is asked for', () => {
  const inner = (hex: string) => {
    const element = parseDer(fromHex(hex), { rules: 'BER' })
    return Reader.inside(element)
      .rest('a part')
      .map(part => toHex(part.whole))
  }
  assert.deepEqual(inner('3080020101020102 0000'), ['020101', '020102'])
  assert.deepEqual(inner('3080 3080 020101 0000 0000'), ['30800201010000'])
  assert.deepEqual(inner('30820003020101'), ['020101'])
  const ber = (bytes: Bytes) => parseDer(bytes, { rules: 'BER' })
  refuses('3080020101', /end of the contents is missing/, ber)
  refuses('04800000', /primitive element is indefinite/, ber)
  refuses('308000010000', /not 00 00/, ber)
  refuses('3080'.repeat(100) + '0000'.repeat(100), /nested more than 64/, ber)
})

test('nesting beyond the bound is refused, not overflowed', () => {
  let bytes = der.null()
  for (let i = 0; i < 70; i++) bytes = der.sequence(bytes)
  let element: Element = parseDer(bytes)
  assert.throws(() => {
    for (;;) element = Reader.inside(element).next('a part')
  }, /nested more than 64/)
})

test('X.690 §8.3: integers in the fewest octets', () => {
  for (const [hex, value] of [
    ['020100', 0n],
    ['02017f', 127n],
    ['02020080', 128n],
    ['02020100', 256n],
    ['020180', -128n],
    ['0202ff7f', -129n],
    ['0201ff', -1n],
    ['020900ffffffffffffffff', 0xffffffffffffffffn],
  ] as const) {
    assert.equal(reader(hex).integer('the number'), value)
    assert.equal(toHex(der.integer(value)), hex)
  }
  for (const hex of ['0200', '02020000', '0202007f', '0202ffff', '0202ff80']) {
    refuses(hex, /INTEGER/, bytes => new Reader(bytes).integer('the number'))
  }
})

test('integers and octets are each other’s opposite', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }), number => {
      assert.equal(fromSignedOctets(toSignedOctets(number)), number)
      const size = number < 0n ? -number : number
      assert.equal(fromOctets(toOctets(size)), size)
      assert.equal(bitLength(size), size.toString(2).replace(/^0$/, '').length)
    }),
  )
  assert.throws(() => toOctets(256n, 1), /does not fit in 1 bytes/)
  assert.throws(() => toOctets(-1n), /negative/)
})

test('X.690 §11.1, §11.2: booleans are 00 or ff, unused bits are zero', () => {
  assert.equal(reader('0101ff').boolean('it'), true)
  assert.equal(reader('010100').boolean('it'), false)
  refuses('010101', /other than 00 or ff/, bytes => new Reader(bytes).boolean('it'))
  refuses('0100', /other than 00 or ff/, bytes => new Reader(bytes).boolean('it'))
  assert.deepEqual(setBits(reader('030206c0').bitString('it')), [0, 1])
  assert.deepEqual(setBits(reader('03020780').bitString('it')), [0])
  assert.deepEqual(setBits(reader('030100').bitString('it')), [])
  for (const [hex, words] of [
    ['0300', /without content/],
    ['030101', /1 unused bits/],
    ['03020800', /8 unused bits/],
    ['030204ff', /not zero/],
  ] as const) {
    refuses(hex, words, bytes => new Reader(bytes).bitString('it'))
  }
  for (const bits of [[], [0], [5, 6], [8], [0, 15]]) {
    assert.deepEqual(setBits(new Reader(der.namedBits(bits)).bitString('it')), bits)
  }
})

test('a wrong type is refused with what was expected, where, and for what', () => {
  refuses('0500', /expected an INTEGER for the version, got a NULL \(at byte 0\)/, b =>
    new Reader(b).integer('the version'),
  )
  refuses('2403020100', /is constructed/, b => new Reader(b).octetString('the key'))
  refuses('1000', /is not constructed/, b => new Reader(b).sequence('the key'))
  refuses('050100', /NULL with content/, b => new Reader(b).null('the parameters'))
  refuses('8000', /not constructed/, b => new Reader(b).explicit(0, 'the version'))
  refuses('0202ffff', /INTEGER/, b => new Reader(b).smallInteger('the version'))
  refuses('0201ff', /out of range/, b => new Reader(b).smallInteger('the version'))
  refuses('3002050000', /1 bytes follow/, b => parseDer(b))
  assert.throws(() => Reader.inside(parseDer(fromHex('30030201ff'))).boolean('the flag'), /at byte 2/)
})

const time = (tag: string, text: string) =>
  timeOf(parseDer(fromHex(tag + toHex(Uint8Array.of(text.length, ...Buffer.from(text))))), 'the time')

test('RFC 5280 §4.1.2.5: both kinds of time, and what is wrong with the others', () => {
  assert.equal(time('17', '491231235959Z').date.toISOString(), '2049-12-31T23:59:59.000Z')
  assert.equal(time('17', '500101000000Z').date.toISOString(), '1950-01-01T00:00:00.000Z')
  assert.equal(time('18', '99991231235959Z').date.toISOString(), '9999-12-31T23:59:59.000Z')
  assert.equal(time('18', '00500101000000Z').date.toISOString(), '0050-01-01T00:00:00.000Z')
  assert.match(time('17', '5001010000Z').fault ?? '', /seconds/)
  assert.match(time('18', '20500101000000.5Z').fault ?? '', /fractions/)
  assert.match(time('18', '20500101000000').fault ?? '', /no time zone/)
  const zoned = time('17', '990101010000+0200')
  assert.equal(zoned.date.toISOString(), '1998-12-31T23:00:00.000Z')
  assert.match(zoned.fault ?? '', /time zone other/)
  for (const text of ['991301000000Z', '990230000000Z', '990101240000Z', '990101006000Z', '990101000060Z', '99', '']) {
    assert.throws(() => time('17', text), /is not a time/)
  }
  for (const iso of ['1949-06-01T12:34:56Z', '1950-01-01T00:00:00Z', '2049-12-31T23:59:59Z', '2050-01-01T00:00:00Z']) {
    const date = new Date(iso)
    assert.deepEqual(timeOf(parseDer(der.time(date)), 'it').date, date)
  }
  assert.equal(der.time(new Date('2049-12-31T23:59:59Z'))[0], 0x17)
  assert.equal(der.time(new Date('2050-01-01T00:00:00Z'))[0], 0x18)
})

test('what is written is what openssl asn1parse reads', () => {
  const bytes = der.sequence(
    der.integer(-129),
    der.setOf(der.oid('2.999.3'), der.boolean(true)),
    der.explicit(1, der.utf8String('é'), der.ia5String('a@b'), der.printableString('A')),
    der.octetString(new Uint8Array(300)),
    der.implicit(2, Uint8Array.of(1)),
    der.implicitConstructed(3, der.null(), der.enumerated(3)),
    der.generalizedTime(new Date('2050-01-01T00:00:00Z')),
  )
  const { stdout, stderr, status } = spawnSync('openssl', ['asn1parse', '-inform', 'DER'], { input: bytes })
  assert.equal(status, 0, String(stderr))
  const lines = String(stdout).trim().split('\n')
  assert.equal(lines.length, 15)
  assert.match(lines[1] ?? '', /INTEGER +:-81/)
  assert.match(lines[3] ?? '', /BOOLEAN +:255/)
  assert.match(lines[4] ?? '', /OBJECT +:2.999.3/)
})

test('no bytes make the reader do anything but read or refuse with a RangeError', () => {
  const walk = (element: Element): void => {
    if (element.constructed) for (const part of Reader.inside(element).rest('a part')) walk(part)
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.constantFrom('DER', 'BER'), (bytes, rules) => {
      try {
        walk(parseDer(Uint8Array.from(bytes), { rules: rules === 'BER' ? 'BER' : 'DER' }))
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error))
      }
    }),
    { numRuns: 2000 },
  )
})
