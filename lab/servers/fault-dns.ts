/** Faults of name servers. See src/faults.ts. */
import { createRecord, decodeMessage, encodeMessage, type Message, type ResourceRecord } from '@assay/lib/dns/message'
import { canary, type Faults } from '../src/faults.ts'
import { address } from '../src/inventory.ts'

const ttl = 60
const site = address('www.good.test')

type Fault = (query: Message, via: 'udp' | 'tcp') => Uint8Array[]

const nameOf = (query: Message) => query.questions[0]?.name ?? '.'
const own = (query: Message) => ({ name: nameOf(query), ttl })

/** The header and question of an answer with authority, and what it is to hold. */
const respond = (query: Message, changes: Partial<Message> = {}): Message => ({
  ...query,
  qr: true,
  aa: true,
  answers: [],
  authorities: [],
  additionals: [],
  ...(query.edns && { edns: { ...query.edns, options: [] } }),
  ...changes,
})

/** What an honest server says. */
export function soundAnswer(query: Message): Message {
  const records: Record<string, () => ResourceRecord> = {
    A: () => createRecord('A', own(query), { address: site.v4 }),
    AAAA: () => createRecord('AAAA', own(query), { address: site.v6 }),
    TXT: () => createRecord('TXT', own(query), { strings: [canary] }),
  }
  const record = records[query.questions[0]?.type ?? '']?.()
  return respond(query, record && { answers: [record] })
}

/** Datagrams hold little: over UDP everybody is sent to TCP. */
const overTcp =
  (fault: (query: Message) => Uint8Array[]): Fault =>
  (query, via) =>
    via === 'tcp' ? fault(query) : [encodeMessage(respond(query, { tc: true }))]

const sound = (query: Message) => Buffer.from(encodeMessage(soundAnswer(query)))

/** The sound answer with a number of 16 bits changed. */
function patched(query: Message, ...changes: readonly (readonly [at: number, value: number])[]): Buffer {
  const bytes = sound(query)
  for (const [at, value] of changes) bytes.writeUInt16BE(value, at < 0 ? bytes.length + at : at)
  return bytes
}

const referral = (query: Message, zone: string, servers: readonly string[]) =>
  encodeMessage(
    respond(query, {
      aa: false,
      authorities: servers.map(nsdname => createRecord('NS', { name: zone, ttl }, { nsdname })),
    }),
  )

const zoneOf = (query: Message) => /zone\.dns-[a-z-]+\.fault\.test\.$/.exec(nameOf(query))?.[0] ?? nameOf(query)
const serverOf = (query: Message) => zoneOf(query).replace(/^zone\./, '')

/** RFC 7873 §4: option 10; eight octets of the client, then those of the server. */
const cookie = (client: Uint8Array) => ({
  code: 10,
  data: Uint8Array.from([...client, ...Buffer.from(`srv${Math.random()}`).subarray(0, 8)]),
})
const plain = ({ edns: _, ...query }: Message): Message => query
const cookieOf = (query: Message) =>
  query.edns?.options.find(({ code }) => code === 10)?.data.subarray(0, 8) ?? new Uint8Array(8)
const withCookie = (query: Message, rcode: Message['rcode'], client: Uint8Array): Message =>
  respond(query, {
    rcode: query.edns ? rcode : 'NOERROR',
    ...(query.edns && { edns: { ...query.edns, options: [cookie(client)] } }),
  })

/** Every record is owned by the end of a chain of pointers, each of which leads to the one before. */
function pointers(query: Message): Buffer {
  const head = Buffer.from(encodeMessage(respond(plain(query))))
  const links: Buffer[] = []
  // What pointers can reach (RFC 1035 §4.1.4); one label before each, and the chain begins anew before names get too long.
  for (let at = head.length, length = 0; at < 0x3fc0; length = (length + 1) % 100) {
    const link = Buffer.from([1, 0x61, 0xc0 | ((length ? at - 4 : 12) >> 8), (length ? at - 4 : 12) & 255])
    links.push(link)
    at += 4
  }
  const rdata = Buffer.concat(links)
  const holder = Buffer.concat([
    Buffer.from([0, 0xff, 0x01, 0, 1, 0, 0, 0, 60, rdata.length >> 8, rdata.length & 255]),
    rdata,
  ])
  const last = head.length + holder.length - 4
  const record = Buffer.from([0xc0 | (last >> 8), last & 255, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 1, 2, 3, 4])
  const count = Math.floor((65_000 - head.length - holder.length) / record.length)
  head.writeUInt16BE(1 + count, 6)
  return Buffer.concat([head, holder, ...Array.from({ length: count }, () => record)])
}

export const dnsFaults: Record<keyof Faults['dns'], Fault> = {
  'dns-cookie': query => [encodeMessage(withCookie(query, 'BADCOOKIE', cookieOf(query)))],
  'dns-foreign-cookie': query => [encodeMessage(withCookie(query, 'NOERROR', Buffer.alloc(8, 7)))],
  'dns-long': overTcp(query => [
    encodeMessage(
      respond(query, {
        answers: [createRecord('TXT', own(query), { strings: Array.from({ length: 252 }, () => canary.repeat(23)) })],
      }),
    ),
  ]),
  'dns-many': overTcp(query => [
    encodeMessage(
      respond(query, {
        answers: Array.from({ length: 4_000 }, (_, i) =>
          createRecord('A', own(query), { address: `26.3.${(i >> 8) & 255}.${i & 255}` }),
        ),
      }),
    ),
  ]),
  'dns-control': query => [
    encodeMessage(
      respond(query, {
        answers: [
          createRecord('TXT', own(query), { strings: [`\u0000\u001b[31m${canary}"\\\r\n`, '\u0007'.repeat(200)] }),
          createRecord('MX', own(query), { preference: 1, exchange: '\\000\\027[31m\\"\\\\\\.x.test.' }),
        ],
      }),
    ),
  ],
  'dns-pointers': overTcp(query => [pointers(query)]),
  'dns-loop': query => {
    const bytes = sound(query)
    bytes.writeUInt16BE(0xc00c, 12)
    return [bytes]
  },
  'dns-counts': query => [patched(query, [4, 0xffff], [6, 0xffff], [8, 0xffff], [10, 0xffff])],
  'dns-beyond': query => [patched(plain(query), [-6, 0xffff])],
  'dns-id': query => Array.from({ length: 1_000 }, (_, i) => patched(query, [0, query.id ^ (i + 1)])),
  'dns-question': query =>
    Array.from({ length: 100 }, (_, i) =>
      encodeMessage(soundAnswer({ ...query, questions: [{ name: `${canary}-${i}.test.`, type: 'A', class: 'IN' }] })),
    ),
  'dns-self': query => [referral(query, zoneOf(query), [serverOf(query)])],
  'dns-up': query => [referral(query, '.', ['a.root-servers.net.'])],
  'dns-many-servers': overTcp(query => [
    referral(
      query,
      nameOf(query),
      Array.from({ length: 1_000 }, (_, i) => `ns${i}.${serverOf(query)}`),
    ),
  ]),
  'dns-aliases': query => [
    encodeMessage(respond(query, { answers: [createRecord('CNAME', own(query), { cname: `a.${nameOf(query)}` })] })),
  ],
  'dns-transfer': query => [encodeMessage(soundAnswer(query))],
  'dns-opcode': query => [patched(query, [2, 0xffff])],
}

/** Messages of a transfer, which begins with the SOA record and never comes back to it (RFC 5936 §2.2). */
export function transferPiece(bytes: Uint8Array, piece: number): Buffer {
  const query = decodeMessage(bytes)
  const zone = nameOf(query)
  const soa = createRecord(
    'SOA',
    { name: zone, ttl },
    { mname: zone, rname: zone, serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 },
  )
  const rest = Array.from({ length: 200 }, (_, i) =>
    createRecord('TXT', { name: `n${piece}-${i}.${zone}`, ttl }, { strings: [canary] }),
  )
  return framed(encodeMessage(respond(query, { answers: piece ? rest : [soa, ...rest] })))
}

/** RFC 1035 §4.2.2. */
export const framed = (message: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([message.length >> 8, message.length & 255]), message])
