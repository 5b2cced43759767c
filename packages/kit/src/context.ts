import type { Message, ResourceRecord } from '@assay/lib/dns/message'
import type { Dnssec } from './context-dnssec.ts'
import type { EncryptedDns } from './context-encrypted-dns.ts'
import type { NameServers } from './context-name-servers.ts'
import type { RawDns } from './context-raw-dns.ts'
import type { TlsHandshaker } from './context-tls-handshake.ts'
import type { TlsScanner } from './context-tls-scan.ts'
import type { Trace } from './context-trace.ts'
import type { Whois } from './context-whois.ts'

/**
 * What a tool may reach beyond its input. Tools have no clock, no randomness and no network of their own:
 * tests hand them fixed ones, the browser its own, and only the server a net.
 */
export interface Context {
  /** Aborted when the visitor cancels or the time is up. */
  signal: AbortSignal
  /** The wall clock. */
  now(): Date
  /** Bytes from the platform's cryptographic generator; any length. */
  random(length: number): Uint8Array<ArrayBuffer>
}

/** The context of a tool that runs on the server: the same, and the network through its one door. */
export interface ServerContext extends Context {
  dns: Dns
  dnssec: Dnssec
  rawDns: RawDns
  nameServers: NameServers
  http: Http
  tcp: Tcp
  whois: Whois
  trace: Trace
  encryptedDns: EncryptedDns
  tls: TlsScanner & TlsHandshaker
}

/** How a question to the DNS ended. Never two of these under one name: "no such name" is not "could not tell". */
export type DnsStatus =
  | 'answer'
  | 'nodata'
  | 'nxdomain'
  | 'servfail'
  | 'refused'
  | 'lame'
  | 'cname-loop'
  | 'timeout'
  | 'network'

/** The outcome of resolving one name and type from the root servers down. */
export interface DnsAnswer {
  status: DnsStatus
  /** The question as asked, in presentation form with its final dot. */
  name: string
  type: string
  /** CNAME and DNAME records followed, in order, then the records of the type asked for. */
  records: ResourceRecord[]
  /** The SOA that a negative answer carried. */
  soa?: ResourceRecord
  /** Extended DNS errors (RFC 8914) that servers sent along. */
  errors: { code: number; text: string }[]
  /** One sentence for people when there is no answer: which server said what. */
  reason?: string
  /** The address of the server that gave the last answer. */
  server?: string
  /** The zone that server is authoritative for. */
  zone?: string
  milliseconds: number
  /** Packets sent for this question. */
  queries: number
}

/** Questions to the DNS. All share the query budget of the job. */
export interface Dns {
  /** Resolves from the root hints, following delegations, CNAME and DNAME. Never throws for what a server says. */
  resolve(name: string, type: string): Promise<DnsAnswer>
  /** Asks one server one question and gives the message as it came, over UDP with fall back to TCP. */
  ask(server: string, name: string, type: string, options?: DnsAskOptions): Promise<Message>
}

export interface DnsAskOptions {
  transport?: 'udp' | 'tcp'
  recursionDesired?: boolean
  dnssec?: boolean
  timeoutMs?: number
}

/** HTTP through the door: every hop is resolved, checked and pinned anew. */
export interface Http {
  get(url: string, options?: HttpOptions): Promise<HttpExchange>
}

export interface HttpOptions {
  /** All of them safe (RFC 9110 §9.2.1). */
  method?: 'GET' | 'HEAD' | 'OPTIONS' | 'TRACE'
  headers?: Record<string, string>
  /** Hops to follow, at most 5. */
  redirects?: number
  /** Largest body kept, counted after decompression. */
  bodyBytes?: number
  timeoutMs?: number
  /** Go on when the certificate does not hold, and say so in `tls.problem`. */
  acceptBadCertificate?: boolean
  /** Told of each step before it begins, so that a failure can be placed. */
  onStep?(step: HttpStep): void
}

/** Where a request is: at which address, and what comes next there. */
export interface HttpStep {
  url: string
  phase: 'dns' | 'connect' | 'tls' | 'response'
}

/** One request with the redirects that were followed. */
export interface HttpExchange {
  /** The address of the last response. */
  url: string
  status: number
  statusText: string
  httpVersion: string
  /** Header fields as received: order, case and duplicates kept. */
  headers: [name: string, value: string][]
  body: Uint8Array
  /** The body was longer than `bodyBytes`. */
  truncated: boolean
  /** Responses before the last one. */
  hops: { url: string; status: number; location: string; headers: [string, string][] }[]
  /** The address connected to. */
  address: string
  /** `names` are the host names that the certificate is for, wildcards too. */
  tls?: { protocol: string; cipher: string; problem?: string; names?: string[] }
  timings: { dnsMs: number; connectMs: number; tlsMs?: number; firstByteMs: number; totalMs: number }
}

/** How a TCP port answered a connection attempt. */
export interface PortAnswer {
  port: number
  state: 'open' | 'closed' | 'filtered'
  /** Why: "connected", "connection refused", "no answer in 1200 ms", "host unreachable". */
  reason: string
  milliseconds: number
  scannedAt: Date
}

export interface Tcp {
  /** Resolves and checks a target once; every later connection goes to this address. */
  pin(target: string): Promise<{ address: string; addresses: string[] }>
  /** Connects to each port of a pinned address, yielding answers as they arrive. */
  scan(address: string, ports: readonly number[]): AsyncIterable<PortAnswer>
}
