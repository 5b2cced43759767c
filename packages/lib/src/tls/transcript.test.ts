import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Bytes, concat, fromHex, toHex } from '../bytes.ts'
import { messageMeaning } from './message-meaning.ts'
import { expandLabel, recordOpener } from './record-protection.ts'
import { alertName, signatureSchemeName } from './registry.ts'
import { readTranscript, type WirePiece } from './transcript.ts'

const record = (type: number, content: Uint8Array): Bytes =>
  concat(Uint8Array.of(type, 3, 3, content.length >> 8, content.length & 255), content)
const message = (type: number, body: Uint8Array): Bytes =>
  concat(Uint8Array.of(type, body.length >> 16, (body.length >> 8) & 255, body.length & 255), body)
const fromServer = (...bytes: Uint8Array[]): WirePiece => ({ from: 'server', milliseconds: 1, bytes: concat(...bytes) })

/** RFC 8448 §3: the secrets and the first protected record of the server. */
const serverHandshakeSecret = fromHex('b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38')

test('RFC 8448 §3: the write key and the initial vector of the server', async () => {
  assert.equal(
    toHex(await expandLabel('SHA-256', serverHandshakeSecret, 'key', 16)),
    '3fce516009c21727d0f2e4e86ee403bc',
  )
  assert.equal(toHex(await expandLabel('SHA-256', serverHandshakeSecret, 'iv', 12)), '5d313eb2671276ee13000b30')
})

test('RFC 8446 §5.2: a record that does not belong to the secret stays closed', async () => {
  const opener = await recordOpener(0x1301, serverHandshakeSecret)
  assert.equal(opener?.open(fromHex('1703030020'), new Uint8Array(32)), undefined)
  assert.equal(opener?.open(fromHex('1703030002'), new Uint8Array(2)), undefined)
  assert.equal(await recordOpener(0x1304, serverHandshakeSecret), undefined)
})

test('RFC 8446 §5.1: messages across records and several in one record', async () => {
  const done = message(14, new Uint8Array())
  const hello = message(2, concat(Uint8Array.of(3, 3), new Uint8Array(33), Uint8Array.of(0xc0, 0x2f, 0)))
  const pieces = [record(22, hello.slice(0, 7)), record(22, concat(hello.slice(7), done))]
  const all = concat(...pieces)
  for (const cut of [1, 5, 6, 12, 20]) {
    const { messages, hello: read } = await readTranscript(
      [fromServer(all.slice(0, cut)), fromServer(all.slice(cut))],
      {},
    )
    assert.deepEqual(
      messages.map(({ name }) => name),
      ['server_hello', 'server_hello_done'],
    )
    assert.equal(read?.suite, 0xc02f)
  }
})

test('RFC 8446 §6: an alert is read with its level', async () => {
  const { alert, messages } = await readTranscript([fromServer(record(21, Uint8Array.of(2, 40)))], {})
  assert.deepEqual(alert, { from: 'server', fatal: true, code: 40 })
  assert.equal(alertName(40), 'handshake_failure')
  assert.deepEqual(
    messages.map(({ name }) => name),
    ['alert'],
  )
})

test('what is not TLS, what lies about its length and what never ends is a fault, not an exception', async () => {
  assert.equal((await readTranscript([fromServer(fromHex('485454502f312e31'))], {})).fault, 'what came is not TLS')
  const lie = record(22, message(2, concat(Uint8Array.of(3, 3), new Uint8Array(32), Uint8Array.of(255))))
  assert.match((await readTranscript([fromServer(lie)], {})).fault ?? '', /promises more bytes/)
  const endless = concat(...Array.from({ length: 300 }, () => record(22, message(0, new Uint8Array()))))
  assert.equal((await readTranscript([fromServer(endless)], {})).fault, 'the handshake never ends')
})

test('whatever arrives is read without an exception', async () => {
  const piece = fc.record({
    from: fc.constantFrom('client' as const, 'server' as const),
    milliseconds: fc.constant(0),
    bytes: fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .tuple(fc.integer({ min: 20, max: 24 }), fc.uint8Array({ maxLength: 200 }))
        .map(([type, content]) => record(type, content)),
      fc
        .tuple(fc.integer({ min: 0, max: 25 }), fc.uint8Array({ maxLength: 200 }))
        .map(([type, body]) => record(22, message(type, body))),
    ),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async pieces => {
      await readTranscript(pieces, { SERVER_HANDSHAKE_TRAFFIC_SECRET: serverHandshakeSecret })
    }),
    { numRuns: 500 },
  )
})

test('every message that is named has its words, in both eras', () => {
  for (const name of ['client_hello', 'server_hello', 'certificate', 'change_cipher_spec', 'finished', 'alert']) {
    for (const era of ['TLS 1.3', 'before'] as const) assert.match(messageMeaning(name, era).meaning, /^[A-Z].*\.$/)
  }
  assert.match(messageMeaning('handshake message 99', 'before').meaning, /not known/)
  assert.equal(signatureSchemeName(0x0804), 'rsa_pss_rsae_sha256')
  assert.equal(signatureSchemeName(0xfefe), 'scheme 0xfefe')
})
