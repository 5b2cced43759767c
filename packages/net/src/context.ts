/** The live context of tools that need the network: everything in it goes through one door and spends one budget. */

import { randomFillSync, randomUUID } from 'node:crypto'
import { createFindings, type Dns, type ServerContext } from '@assay/kit'
import { rootAnchors } from '@assay/lib/dns/trust-anchors'
import { type Budget, createBudget, type JobKind, jobLimits, type Limits } from './budget.ts'
import { createDnsTransport, type DnsTransport } from './dns-transport.ts'
import { createDoh } from './doh.ts'
import { createDot } from './dot.ts'
import { createEgress, type Door } from './egress.ts'
import { createGuard, type GuardSettings } from './guard.ts'
import { createHttp } from './http.ts'
import { createNameServers } from './name-servers.ts'
import { createPaces } from './pace.ts'
import { createRawDns } from './raw-dns.ts'
import { createResolver } from './resolver.ts'
import { createResolverCache } from './resolver-cache.ts'
import { createDnssec } from './resolver-dnssec.ts'
import { createRoots } from './roots.ts'
import { createTcp } from './tcp.ts'
import { createTls, type Tls } from './tls.ts'
import { createHandshakeContexts, createTlsHandshaker } from './tls-handshake.ts'
import { createTlsScanner } from './tls-scan.ts'
import { createTrace } from './trace.ts'
import { createBootstrapCache, createWhois } from './whois.ts'

export interface Clock {
  now(): Date
}

export interface NetSettings extends GuardSettings {
  /** Names the service and an address for complaints; sent with every HTTP request. */
  userAgent: string
  /** Marks our own requests, the same for all processes of a deployment. Random unless given. */
  viaToken?: string
  /** Certificates of authorities trusted beside those of Node and the system, in PEM. */
  certificateAuthorities?: readonly string[]
  /** DS records of the root's keys as in a zone file, where trust in DNSSEC begins; IANA's unless given. */
  trustAnchors?: string
}

/** What a resolver is made of, for one job. */
export interface DnsParts {
  transport: DnsTransport
  budget: Budget
  clock: Clock
  random: (length: number) => Uint8Array<ArrayBuffer>
}

export type CreateDns = (parts: DnsParts) => Dns

export interface JobOptions {
  kind: JobKind
  /** Aborted when the visitor leaves. */
  signal?: AbortSignal
  clock?: Clock
  /** Other limits than those of the kind. */
  limits?: Partial<Limits>
}

export interface Job {
  context: ServerContext
  /** For what the context has no word for. */
  door: Door
  transport: DnsTransport
  tls: Tls
  /** Ends the job and closes whatever it has open. */
  dispose(): void
}

export interface Net {
  createJob(options: JobOptions): Job
  /** Whether a request that reached us was sent by us: then somebody had us look at ourselves. */
  isOwnRequest(userAgent: string | undefined): boolean
}

const systemClock: Clock = { now: () => new Date() }

const random = (length: number): Uint8Array<ArrayBuffer> => randomFillSync(new Uint8Array(length))

/** What all jobs of a process share, the resolver's memory too. `createDns` makes another resolver of one job's parts. */
export function createNet(settings: NetSettings, createDns: CreateDns = rememberingResolver()): Net {
  const egress = createEgress(createGuard(settings))
  const tls = createTls(settings.certificateAuthorities)
  const roots = createRoots(settings.certificateAuthorities)
  const contexts = createHandshakeContexts(settings.certificateAuthorities)
  const findings = createFindings()
  const bootstraps = createBootstrapCache()
  const paces = createPaces()
  const signedAnswers = createResolverCache()
  const token = `via/${settings.viaToken ?? randomUUID()}`
  const userAgent = `${settings.userAgent} ${token}`

  return {
    isOwnRequest: sender => sender?.includes(token) ?? false,
    createJob({ kind, signal, clock = systemClock, limits }) {
      const allowed = { ...jobLimits[kind], ...limits }
      const budget = createBudget(allowed, signal)
      const door = egress.door(budget, { resolve: (name, type) => dns.resolve(name, type) })
      const transport = createDnsTransport(door)
      const dns = createDns({ transport, budget, clock, random })
      const now = () => clock.now()
      const http = createHttp(door, tls, { userAgent })
      return {
        context: {
          signal: budget.signal,
          now,
          random,
          dns,
          nameServers: createNameServers({
            door,
            transport,
            random,
            paceOf: server => paces.of(server, allowed.questionsPerSecond),
          }),
          dnssec: createDnssec({
            transport,
            signal: budget.signal,
            random,
            cache: signedAnswers,
            now: () => performance.now(),
            anchors: settings.trustAnchors ?? rootAnchors,
            maxQueries: budget.left('packets'),
          }),
          rawDns: createRawDns({ door, findings }),
          http,
          tcp: createTcp(door, { now }),
          trace: createTrace(door),
          encryptedDns: {
            overTls: createDot({ door, tls, random }),
            ...createDoh({ door, tls, settings: { userAgent } }),
          },
          tls: {
            ...createTlsScanner({ door, tls, random }),
            ...createTlsHandshaker({ door, contexts, roots }),
          },
          whois: createWhois(door, http, bootstraps),
        },
        door,
        transport,
        tls,
        dispose() {
          door.close()
          budget.end()
        },
      }
    },
  }
}

function rememberingResolver(): CreateDns {
  const cache = createResolverCache()
  return ({ transport, budget, random }) =>
    createResolver({ transport, random, cache, signal: budget.signal, maxQueries: budget.left('packets') })
}
