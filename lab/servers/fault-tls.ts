/** What a server may say instead of a TLS handshake: records (RFC 8446 §5.1), written by hand. See src/faults.ts. */
import { canary, type Faults } from '../src/faults.ts'
import { type Answer, drip, pour } from './fault-stream.ts'

const tls12 = 0x0303
const handshake = 22
const alert = 21
/** RFC 5246 §6.2.1. */
const largestRecord = 16_384
const messages = { hello: 2, certificate: 11 }
/** TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 and TLS_NULL_WITH_NULL_NULL. */
const suites = { usual: 0xc02b, none: 0 }

const u16 = (value: number) => Buffer.from([value >> 8, value & 255])
const u24 = (value: number) => Buffer.from([value >> 16, (value >> 8) & 255, value & 255])

const record = (type: number, content: Buffer, length = content.length) =>
  Buffer.concat([Buffer.from([type]), u16(tls12), u16(length), content])
const message = (type: number, body: Buffer) => Buffer.concat([Buffer.from([type]), u24(body.length), body])

/** A message over as many records as it needs. */
function spread(bytes: Buffer): Buffer {
  const records: Buffer[] = []
  for (let at = 0; at < bytes.length; at += largestRecord) {
    records.push(record(handshake, bytes.subarray(at, at + largestRecord)))
  }
  return Buffer.concat(records)
}

/** RFC 5246 §7.4.1.3, without extensions. */
const hello = ({ version = tls12, suite = suites.usual } = {}) =>
  message(
    messages.hello,
    Buffer.concat([u16(version), Buffer.alloc(32, 7), Buffer.from([0]), u16(suite), Buffer.from([0])]),
  )
/** RFC 5246 §7.4.2. */
const chain = (...certificates: readonly Buffer[]) => {
  const list = Buffer.concat(certificates.map(der => Buffer.concat([u24(der.length), der])))
  return message(messages.certificate, Buffer.concat([u24(list.length), list]))
}
const says =
  (...records: readonly Buffer[]): Answer =>
  socket =>
    void socket.write(Buffer.concat(records))

export const tlsFaults: Record<keyof Faults['tls'], Answer> = {
  'tls-alert': says(record(alert, Buffer.from([2, 40]))),
  'tls-unknown-alert': says(record(alert, Buffer.from([2, 199]))),
  'tls-warnings': socket => pour(socket, () => record(alert, Buffer.from([1, 90]))),
  'tls-stall': says(record(handshake, hello())),
  'tls-drip': socket => drip(socket, record(handshake, hello())),
  'tls-empty': socket => pour(socket, () => record(handshake, Buffer.alloc(0))),
  'tls-long-record': says(record(handshake, Buffer.alloc(65_535, 2))),
  'tls-version': says(record(handshake, hello({ version: 0x0505 }))),
  'tls-suite': says(record(handshake, hello({ suite: suites.none }))),
  'tls-lengths': says(
    record(handshake, Buffer.concat([Buffer.from([messages.hello]), u24(38), Buffer.alloc(38, 255)])),
  ),
  'tls-broken-certificate': says(record(handshake, hello()), record(handshake, chain(Buffer.from(canary.repeat(20))))),
  'tls-giant-chain': says(record(handshake, hello()), spread(chain(Buffer.alloc(1_048_576, 0x30)))),
  'tls-many-certificates': says(
    record(handshake, hello()),
    spread(chain(...Array.from({ length: 10_000 }, () => Buffer.from([0x30, 0x03, 0x02, 0x01, 0x01])))),
  ),
  'tls-http': socket => void socket.end(`HTTP/1.1 400 Bad Request\r\nServer: ${canary}\r\n\r\n`),
}
