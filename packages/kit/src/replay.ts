import type { Dns, DnsAnswer, HttpExchange, PortAnswer, ServerContext } from './context.ts'
import type { TlsHandshake, TrustedRoot } from './context-tls-handshake.ts'
import type { TlsObservation } from './context-tls-scan.ts'
import type { TraceHop } from './context-trace.ts'
import { Problem } from './problem.ts'
import { type RecordedDnssec, recordedDnssec } from './replay-dnssec.ts'
import { type RecordedResolver, recordedEncryptedDns } from './replay-encrypted-dns.ts'
import { recordedNameServers } from './replay-name-servers.ts'
import { type RecordedServer, recordedRawDns } from './replay-servers.ts'

/** A network in a few lines, for examples and tests: what the world answers, and when. */
export interface Recording {
  /** The wall clock, ISO 8601. */
  now?: string
  /** Every name there is, as a zone file; a name that is not in it does not exist. */
  zone?: string
  /** Name servers and resolvers by address; all others are silent. */
  servers?: Readonly<Record<string, RecordedServer>>
  /** Addresses of name servers that give the zone to whoever asks. */
  transfers?: readonly string[]
  /** Answers with DNSSEC. */
  dnssec?: RecordedDnssec
  /** Responses by address. */
  http?: Readonly<Record<string, RecordedResponse>>
  /** Open ports by target; all others are closed. */
  ports?: Readonly<Record<string, readonly number[]>>
  /** Ways by target: who answers at each hop and after how many seconds, null for nobody. */
  routes?: Readonly<Record<string, readonly (readonly [address: string, rttSeconds: number] | null)[]>>
  /** Resolvers over TLS by address ("tls://192.0.2.53") and over HTTPS by URL; all others refuse the connection. */
  encryptedDns?: Readonly<Record<string, RecordedResolver>>
  /** TLS servers by "host:port"; all others refuse the connection. */
  tls?: Readonly<Record<string, TlsObservation>>
  /** Handshakes by "host:port", and the roots that are trusted. */
  handshakes?: Readonly<Record<string, TlsHandshake>>
  roots?: readonly TrustedRoot[]
  /** What WHOIS servers say, by "server question". */
  whois?: Readonly<Record<string, string>>
}

export interface RecordedResponse {
  status: number
  headers: readonly (readonly [string, string])[]
  body?: string
}

const EPOCH = '2026-01-01T00:00:00Z'

/** A context that answers from a recording: the same input always gives the same result, with no network at all. */
export function replay(recording: Recording = {}, signal: AbortSignal = new AbortController().signal): ServerContext {
  const now = new Date(recording.now ?? EPOCH)
  return {
    signal,
    now: () => now,
    random: length => crypto.getRandomValues(new Uint8Array(length)),
    dns: recordedDns(recording.zone ?? ''),
    dnssec: recordedDnssec(recording.dnssec),
    rawDns: recordedRawDns(recording.servers),
    nameServers: recordedNameServers(recording.zone, recording.transfers),
    encryptedDns: recordedEncryptedDns(recording.encryptedDns ?? {}),
    tls: {
      // biome-ignore lint/correctness/useYield: a recording has no steps
      async *scan(host, port) {
        const found = recording.tls?.[`${host}:${port}`]
        if (found) return found
        throw new Problem('unreachable', 'The server refuses the connection: nothing listens on that port')
      },
      async handshake(host, port) {
        const found = recording.handshakes?.[`${host}:${port}`]
        if (found) return found
        throw new Problem('unreachable', 'The server refuses the connection: nothing listens on that port')
      },
      rootsFor: () => [...(recording.roots ?? [])],
    },
    http: {
      async get(url, options) {
        options?.onStep?.({ url, phase: 'connect' })
        return recordedExchange(url, recording.http?.[url])
      },
    },
    trace: {
      async *route(target): AsyncGenerator<TraceHop> {
        for (const [i, answer] of (recording.routes?.[target] ?? []).entries()) {
          const [address, rttSeconds] = answer ?? [null, null]
          yield { hop: i + 1, address, reached: address === target, probes: [{ address, rttSeconds }] }
        }
      },
    },
    tcp: {
      pin: async target => ({ address: target, addresses: [target] }),
      async *scan(address, ports): AsyncGenerator<PortAnswer> {
        const open = new Set(recording.ports?.[address])
        for (const port of ports) {
          const state = open.has(port) ? 'open' : 'closed'
          yield {
            port,
            state,
            reason: open.has(port) ? 'connected' : 'connection refused',
            milliseconds: 0,
            scannedAt: now,
          }
        }
      },
    },
    whois: {
      async ask(server, question) {
        const text = recording.whois?.[`${server} ${question}`]
        if (text === undefined) throw new Problem('unreachable', 'The recording holds no answer of this server.')
        return { address: '', bytes: new TextEncoder().encode(text), end: 'closed', milliseconds: 0 }
      },
      async bootstrap(registry) {
        const [{ BOOTSTRAP_URL }, { bundledBootstrap }] = await Promise.all([
          import('@assay/lib/rdap/bootstrap'),
          import('@assay/lib/rdap/bundled'),
        ])
        const published = recording.http?.[`${BOOTSTRAP_URL}${registry}.json`]?.body
        return { text: published ?? bundledBootstrap(registry), source: published ? 'iana' : 'bundled' }
      },
    },
  }
}

function recordedDns(zone: string): Dns {
  return {
    async resolve(name, type): Promise<DnsAnswer> {
      const [{ parseZone }, { equalNames }] = await Promise.all([
        import('@assay/lib/dns/zone'),
        import('@assay/lib/dns/name'),
      ])
      const all = parseZone(zone, '.')
      const base = { name, type, errors: [], milliseconds: 0, queries: 0 }
      const records: DnsAnswer['records'] = []
      let owner = name.endsWith('.') ? name : `${name}.`
      for (let links = 0; links < 12; links++) {
        const here = all.filter(record => equalNames(record.name, owner))
        const found = here.filter(record => record.type === type)
        if (found.length) return { ...base, status: 'answer', records: [...records, ...found] }
        const alias = here.find(record => record.type === 'CNAME')
        const target = alias?.data && 'cname' in alias.data ? String(alias.data.cname) : undefined
        if (!alias || !target) {
          const below = all.some(record => record.name.toLowerCase().endsWith(`.${owner.toLowerCase()}`))
          return { ...base, status: here.length || below ? 'nodata' : 'nxdomain', records }
        }
        records.push(alias)
        owner = target
      }
      return { ...base, status: 'cname-loop', records, reason: 'The alias leads back to itself.' }
    },
    ask: async () => {
      throw new Problem('unreachable', 'The recording holds no server to ask.')
    },
  }
}

function recordedExchange(url: string, recorded: RecordedResponse | undefined): HttpExchange {
  if (!recorded) throw new Problem('unreachable', 'The recording holds no response for this address.')
  return {
    url,
    status: recorded.status,
    statusText: '',
    httpVersion: '1.1',
    headers: recorded.headers.map(([name, value]) => [name, value]),
    body: new TextEncoder().encode(recorded.body ?? ''),
    truncated: false,
    hops: [],
    address: '',
    timings: { dnsMs: 0, connectMs: 0, firstByteMs: 0, totalMs: 0 },
  }
}
