import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concat, fromHex, toHex } from '../bytes.ts'
import { FlightReader, readSsl2Hello } from './server-flight.ts'

/** RFC 8448 §3, "send handshake record" of the ServerHello. */
const serverHello = fromHex(
  '160303005a020000560303a6af06a4121860dc5e6e60249cd34c95930c8ac5cb1434dac155772ed3e2692800130100002e00330024001d0020c9828876112095fe66762bdbf7c672e156d6cc253b833df1dd69b1b04e751f0f002b00020304',
)
/** RFC 8448 §5: the HelloRetryRequest. */
const retryRequest = fromHex(
  '16030300b0020000ac0303cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c001301000084003300020017002c0074007271dcd04bb88bc3189119398a00000000eefafc76c146b823b096f8aacad365dd0030953f4edf625636e5f21bb2e23fcc654b1b5b40318d10d137abcbb87574e36e8a1f025f7dfa5d6e50781b5eda4aa15b0c8be778257d16aa3030e9e7841dd9e4c0342267e8ca0caf571fb2b7cff0f934b0002b00020304',
)

const read = (...pieces: Uint8Array[]) => {
  const reader = new FlightReader()
  for (const piece of pieces) reader.push(piece)
  return reader.flight
}
const bytewise = (bytes: Uint8Array) => Array.from(bytes, byte => Uint8Array.of(byte))
const record = (type: number, ...content: number[]) =>
  Uint8Array.of(type, 3, 3, content.length >> 8, content.length & 255, ...content)
const message = (type: number, body: Uint8Array) =>
  concat(Uint8Array.of(type, body.length >> 16, (body.length >> 8) & 255, body.length & 255), body)
const hello12 = message(2, concat(fromHex('0303'), new Uint8Array(32), fromHex('00c02f00')))
const handshake = (...messages: Uint8Array[]) => record(22, ...concat(...messages))

test('RFC 8448 §3: version, suite and group of the ServerHello, whole or byte by byte', () => {
  for (const flight of [read(serverHello), read(...bytewise(serverHello))]) {
    assert.equal(flight.fault, undefined)
    const { version, suite, group, retry, extensions } = flight.hello ?? assert.fail()
    assert.deepEqual([version, suite, group, retry, extensions], [0x0304, 0x1301, 29, false, [51, 43]])
  }
})

test('RFC 8448 §5: a HelloRetryRequest is told apart and names the group', () => {
  const { version, suite, group, retry } = read(retryRequest).hello ?? assert.fail()
  assert.deepEqual([version, suite, group, retry], [0x0304, 0x1301, 23, true])
})

test('RFC 5246 §6.2.1: messages may be cut anywhere, or share a record', () => {
  const whole = concat(hello12, message(14, new Uint8Array()))
  assert.equal(read(handshake(whole)).done, true)
  const apart = bytewise(whole).map(piece => handshake(piece))
  assert.equal(read(...apart).done, true)
})

test('RFC 8422 §5.4 and RFC 5246 §7.4.3: the suite says whether a curve or a prime follows', () => {
  const curve = message(12, fromHex('03001d20'))
  assert.deepEqual(read(handshake(hello12, curve)).keyExchange, { group: 29 })
  const dhe = message(2, concat(fromHex('0303'), new Uint8Array(32), fromHex('00009e00')))
  for (const [bytes, first, bits] of [
    [128, 0x80, 1024],
    [128, 0x40, 1023],
    [768, 0xff, 6144],
  ] as const) {
    const prime = new Uint8Array(bytes).fill(first, 0, 1)
    const exchange = message(12, concat(Uint8Array.of(bytes >> 8, bytes & 255), prime))
    assert.deepEqual(read(handshake(dhe, exchange)).keyExchange, { primeBits: bits })
  }
})

test('RFC 8446 §6: alerts, of which a warning does not end the handshake', () => {
  assert.deepEqual(read(record(21, 2, 70)).alert, { fatal: true, code: 70 })
  const warned = read(record(21, 1, 112), handshake(hello12))
  assert.deepEqual([warned.alert, warned.hello?.suite], [{ fatal: false, code: 112 }, 0xc02f])
})

test('what is not TLS, and what breaks its rules, is told and read no further', () => {
  const ascii = (text: string) => Uint8Array.from(text, char => char.charCodeAt(0))
  const many = (count: number, piece: Uint8Array) => Array.from({ length: count }, () => piece)
  for (const [name, pieces, fault] of [
    ['HTTP', [ascii('HTTP/1.1 400 Bad Request\r\n\r\n')], /not TLS/],
    ['SSH', [ascii('SSH-2.0-OpenSSH_9.2\r\n')], /not TLS/],
    ['a record of 65535 bytes', [fromHex('160303ffff')], /longer than the protocol/],
    ['a message of 16 MB', [handshake(hello12), fromHex('16030300040bffffff')], /too long/],
    ['an empty handshake record', [fromHex('1603030000')], /empty/],
    ['hello twice', [handshake(hello12, hello12)], /twice/],
    ['a certificate first', [handshake(message(11, fromHex('000000')))], /did not begin/],
    ['encrypted data first', [record(23, 1, 2, 3)], /something else/],
    ['warnings for ever', many(300, record(21, 1, 112)), /never ends/],
    ['hello requests for ever', many(300, handshake(message(0, new Uint8Array()))), /never ends/],
    ['an alert of one byte', [record(21, 2)], /cut short/],
    [
      'an extension beyond the end',
      [handshake(message(2, concat(fromHex('0303'), new Uint8Array(32), fromHex('00c02f00000a0010ffff'))))],
      /promises more/,
    ],
    [
      'an extension twice',
      [handshake(message(2, concat(fromHex('0303'), new Uint8Array(32), fromHex('00c02f0000080017000000170000'))))],
      /twice/,
    ],
    [
      'a chain of 17 certificates',
      [handshake(hello12, message(11, concat(fromHex('000044'), ...many(17, fromHex('00000100')))))],
      /more than 16/,
    ],
  ] as const) {
    const flight = read(...pieces)
    assert.match(flight.fault ?? '', fault, name)
  }
})

test('whatever is changed in a flight, reading it ends without an exception', () => {
  const whole = concat(serverHello, retryRequest, handshake(hello12, message(11, fromHex('00000400000101'))))
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  for (let round = 0; round < 5_000; round++) {
    const bytes = whole.slice(0, 1 + random(whole.length))
    for (let change = 0; change <= random(4); change++) bytes[random(bytes.length)] = random(256)
    const cut = random(bytes.length)
    read(bytes.subarray(0, cut), bytes.subarray(cut))
    readSsl2Hello(bytes)
  }
})

test('draft-hickman-netscape-ssl-00 §2.6: the hello of SSL 2.0 and its ciphers', () => {
  const body = concat(
    fromHex('04000100020003000600 10'.replace(' ', '')),
    fromHex('aabbcc'),
    fromHex('0100800700c0'),
    new Uint8Array(16),
  )
  const whole = concat(Uint8Array.of(0x80 | (body.length >> 8), body.length & 255), body)
  assert.deepEqual(readSsl2Hello(whole), { ciphers: [0x010080, 0x0700c0] })
  assert.equal(readSsl2Hello(whole.subarray(0, 20)), undefined)
  assert.equal(readSsl2Hello(fromHex('15030100020246')), 'other')
  assert.equal(toHex(whole.subarray(2, 3)), '04')
})
