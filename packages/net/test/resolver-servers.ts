/** For tests: name servers on loopback that answer from zones or by a script, and a network of invented addresses to them. */
import type { TestContext } from 'node:test'
import { createRecord, decodeMessage, encodeMessage, type Message, type ResourceRecord } from '@assay/lib/dns/message'
import { ancestorsOf, equalNames, isWithin } from '@assay/lib/dns/name'
import { parseZone } from '@assay/lib/dns/zone'
import { createDnsTransport, type DnsServer, type DnsTransport } from '../src/dns-transport.ts'
import { closedPort, listen, listenUdp, openDoor, type TestJob } from './loopback.ts'

/** What a server sends for a query: messages, bytes as they are, or nothing. */
export type Reply = Message | Uint8Array | undefined
export type Script = (query: Message, via: 'udp' | 'tcp') => Reply | Reply[]

export interface Network {
  transport: DnsTransport
  signal: AbortSignal
  /** Every packet sent: "udp 192.0.2.1 www.example. A", with "plain" at the end when it went without EDNS. */
  sent: string[]
}

/** Servers at invented addresses; addresses that nobody has refuse connections. */
export async function createNetwork(
  t: TestContext,
  servers: Record<string, Script>,
  job: TestJob = {},
): Promise<Network> {
  const door = openDoor(t, job)
  const base = createDnsTransport(door)
  const nobody = await closedPort()
  const sent: string[] = []
  const ports = new Map<string, { udp: number; tcp: number }>()
  for (const [address, script] of Object.entries(servers)) ports.set(address, await serve(t, script))
  const through =
    (via: 'udp' | 'tcp'): DnsTransport['udp'] =>
    (server, query, options) => {
      const { questions, edns } = decodeMessage(query)
      sent.push([via, server.address, questions[0]?.name, questions[0]?.type, ...(edns ? [] : ['plain'])].join(' '))
      return base[via](place(server, via), query, options)
    }
  const place = ({ address }: DnsServer, via: 'udp' | 'tcp') => ({
    address: '127.0.0.1',
    port: ports.get(address)?.[via] ?? nobody,
  })
  const transport = {
    udp: through('udp'),
    tcp: through('tcp'),
    stream: (server: DnsServer, query: Uint8Array, options: { timeoutMs: number }) =>
      base.stream(place(server, 'tcp'), query, options),
  }
  return { transport, sent, signal: door.budget.signal }
}

async function serve(t: TestContext, script: Script): Promise<{ udp: number; tcp: number }> {
  const replies = (bytes: Uint8Array, via: 'udp' | 'tcp') =>
    [script(decodeMessage(bytes), via)]
      .flat()
      .filter(reply => reply !== undefined)
      .map(reply => (reply instanceof Uint8Array ? reply : encodeMessage(reply)))
  const udp = await listenUdp(t, (query, send) => {
    for (const bytes of replies(query, 'udp')) send(bytes)
  })
  const tcp = await listen(t, socket => {
    let received = Buffer.alloc(0)
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk])
      if (received.length < 2 || received.length < 2 + received.readUInt16BE()) return
      for (const bytes of replies(received.subarray(2), 'tcp')) {
        socket.write(Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 0xff), bytes]))
      }
    })
  })
  return { udp: udp.port, tcp: tcp.port }
}

/** The header and question of a response to a query, with authority and without records. */
export function respond(query: Message, changes: Partial<Message> = {}): Message {
  return { ...query, qr: true, aa: true, answers: [], authorities: [], additionals: [], ...changes }
}

/** An authoritative server of the zones whose text is given by their names. */
export function authority(zones: Record<string, string>): Script {
  const loaded = Object.entries(zones).map(([origin, text]) => ({ origin, records: parseZone(text, origin) }))
  return query => {
    const name = query.questions[0]?.name ?? '.'
    const zone = loaded
      .filter(({ origin }) => isWithin(name, origin))
      .sort((a, b) => b.origin.length - a.origin.length)[0]
    return zone ? answerFrom(zone, query) : respond(query, { aa: false, rcode: 'REFUSED' })
  }
}

function answerFrom({ origin, records }: { origin: string; records: ResourceRecord[] }, query: Message): Message {
  const { name, type } = query.questions[0] ?? { name: '.', type: 'A' }
  const at = (owner: string) => records.filter(record => equalNames(record.name, owner))
  const cut = ancestorsOf(name)
    .filter(
      owner => isWithin(owner, origin) && !equalNames(owner, origin) && !(type === 'DS' && equalNames(owner, name)),
    )
    .findLast(owner => at(owner).some(record => record.type === 'NS'))
  if (cut) {
    const authorities = at(cut).filter(record => record.type === 'NS')
    const hosts = authorities.map(record => (record.type === 'NS' ? record.data?.nsdname : '') ?? '')
    const additionals = hosts.flatMap(at).filter(record => record.type === 'A' || record.type === 'AAAA')
    return respond(query, { aa: false, authorities, additionals })
  }
  const answers = at(name).filter(record => record.type === type)
  const alias = at(name).find(record => record.type === 'CNAME')
  if (answers.length > 0) return respond(query, { answers })
  if (alias) return respond(query, { answers: [alias] })
  const soa = createRecord(
    'SOA',
    { name: origin, ttl: 60 },
    { mname: '.', rname: '.', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 60 },
  )
  const exists = records.some(record => isWithin(record.name, name))
  return respond(query, { rcode: exists ? 'NOERROR' : 'NXDOMAIN', authorities: [soa] })
}
