import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { fromHex, toHex } from '../bytes.ts'
import { cookieOf } from './edns.ts'
import {
  decodeMessage,
  encodeMessage,
  type Message,
  presentation,
  type ResourceRecord,
  recordFromBytes,
} from './message.ts'
import { parseZone } from './zone.ts'

// A second opinion: what dig makes of the bytes we write, against what we print.

const vectors: { records: { owner: string; type: string; rdataHex: string }[] } = JSON.parse(
  readFileSync(new URL('../../../../vectors/dns/records.json', import.meta.url), 'utf8'),
)

const everyByte = Array.from({ length: 8 }, (_, i) =>
  Array.from({ length: 32 }, (_, j) => `\\${String(32 * i + j).padStart(3, '0')}`).join(''),
)

const records: ResourceRecord[] = [
  ...vectors.records.map(({ owner, type, rdataHex }) =>
    recordFromBytes(type, { name: owner, ttl: 300 }, fromHex(rdataHex)),
  ),
  ...parseZone(`
$ORIGIN more.test.
$TTL 60
${everyByte.map(label => `${label} PTR ${label}.example.`).join('\n')}
strings TXT ${everyByte.map(bytes => `"${bytes}"`).join(' ')}
a AAAA ::
a AAAA ::1
a AAAA ::2
a AAAA ::1:2
a AAAA ::ffff:192.0.2.1
a AAAA ::fffe:192.0.2.1
a AAAA 1:0:2:0:0:3:0:4
a AAAA 1:0:0:2:0:0:3:4
a AAAA 1:0:2:3:4:5:6:7
a AAAA 1::
loc LOC 42 21 54 N 71 06 18 W -24m 30m
loc LOC 0 0 0.001 S 179 59 59.999 E 42849672.95m 90000000m 0.90m 0.09m
loc LOC 1 2 3 S 4 5 6 W -100000.00m 1m 2m 3m
sig RRSIG A 13 2 300 20380119031408 20260101000000 12345 more.test. oJB1W6WN
2T7B4G4VSA5SMI47K61MV5BV1A22BOJR NSEC3 1 1 12 AABBCCDD 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR A CAA TYPE65280
deny NSEC3PARAM 1 0 0 -
cert CERT PKIX 1 RSASHA256 mQENBFit
cert CERT 65000 1 250 mQENBFit
svcb SVCB 1 . alpn="a\\"b,c" no-default-alpn ech=AAEC key65000
apl APL !2:2001:db8::/32 1:0.0.0.0/0
l64 L64 10 2001:db8:0:1
lp LP 10 l64
caa CAA 0 iodef "a\\"b\\\\c;d"
mail MINFO a b
spf SPF "v=spf1 -all"
`),
]

let server: Server
const sockets = new Set<Socket>()
let lastQuery: Message | undefined

before(async () => {
  server = createServer(socket => {
    sockets.add(socket)
    let received = Buffer.alloc(0)
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk])
      if (received.length < 2 || received.length < 2 + received.readUInt16BE()) return
      lastQuery = decodeMessage(received.subarray(2))
      const { edns: _, ...query } = lastQuery
      const bytes = encodeMessage({ ...query, qr: true, aa: true, answers: records })
      const length = Buffer.alloc(2)
      length.writeUInt16BE(bytes.length)
      socket.end(Buffer.concat([length, bytes]))
    })
    socket.on('error', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})

after(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

async function dig(...options: string[]): Promise<string[]> {
  const address = server.address()
  const port = address && typeof address === 'object' ? String(address.port) : assert.fail()
  const common = ['@127.0.0.1', '-p', port, '+tcp', '+noall', '+answer', '+nosplit', '+tries=1', '+time=5']
  const { stdout } = await promisify(execFile)('dig', [...common, ...options], { timeout: 10_000 })
  return stdout.split('\n').filter(line => line !== '')
}

/** The owner, TTL, class and type, then the data with its blanks as they are. */
const fields = (line: string) => /^(\S+)\s+(\d+)\s+(\S+)\s+(\S+)\s*(.*)$/.exec(line)?.slice(1) ?? assert.fail(line)

test('dig reads every record we write and prints it as we do', async () => {
  const lines = await dig('types.test.', 'ANY')
  assert.equal(lines.length, records.length)
  for (const [i, record] of records.entries()) {
    assert.deepEqual(fields(lines[i] ?? ''), [
      record.name,
      String(record.ttl),
      record.class,
      record.type,
      presentation(record),
    ])
  }
})

test('dig reads from the wire the same bytes that we hold as rdata (RFC 3597 §5)', async () => {
  const lines = await dig('+unknownformat', 'types.test.', 'ANY')
  for (const [i, record] of records.entries()) {
    const hex = toHex(record.rdata).toUpperCase()
    assert.equal(fields(lines[i] ?? '')[4], `\\# ${record.rdata.length} ${hex}`.trimEnd())
  }
})

test('a query of dig is read with its options', async () => {
  await dig('+dnssec', '+norec', '+cd', '+bufsize=1400', '+cookie=0102030405060708', 'Example.Test.', 'TYPE65280')
  assert.deepEqual(lastQuery?.questions, [{ name: 'Example.Test.', type: 'TYPE65280', class: 'IN' }])
  assert.deepEqual([lastQuery?.rd, lastQuery?.cd, lastQuery?.edns?.do], [false, true, true])
  assert.equal(lastQuery?.edns?.udpSize, 1400)
  assert.deepEqual(cookieOf(lastQuery?.edns), { client: fromHex('0102030405060708') })
})
