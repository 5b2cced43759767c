/**
 * Which versions, suites, groups and extensions a TLS server accepts. Each question is a ClientHello of our own on a
 * connection of its own, which ends as soon as the server has chosen: no keys, no OpenSSL, so also what OpenSSL has long
 * given up. What was chosen is taken off the list, and the rest is offered again until nothing is left.
 */

import type { Socket } from 'node:net'
import {
  Problem,
  type TlsChainObservation,
  type TlsObservation,
  type TlsScanner,
  type TlsScanStep,
  type TlsVersionObservation,
} from '@assay/kit'
import { concat } from '@assay/lib/bytes'
import { type ClientHello, clientHello, groupsBefore13, groupsOf13, ssl2ClientHello } from '@assay/lib/tls/client-hello'
import {
  alertName,
  extensionTypes,
  FALLBACK_SCSV,
  groupOf,
  type TlsVersionName,
  tlsVersions,
  versionCode,
} from '@assay/lib/tls/registry'
import { FlightReader, readSsl2Hello, type ServerFlight } from '@assay/lib/tls/server-flight'
import { suiteOf, suites } from '@assay/lib/tls/suites'
import type { Door } from './egress.ts'
import { asNetworkProblem } from './failure.ts'
import { createSlots } from './slots.ts'
import type { Tls } from './tls.ts'

/** How long a server may take to answer one hello, and to accept one connection. */
const ANSWER_MS = 4_000
const CONNECT_MS = 4_000
/** How long a question may wait for its turn among the others of a scan. */
const TURN_MS = 120_000
/** Connections at once: the door gives one address ten, and others ask it too. */
const WIDTH = 6
/** The most of one scan: every suite of every version, and room for the rest. */
const MAX_CONNECTIONS = 600
/** Silence is asked once more; a server that goes on being silent costs this many questions in all, no more. */
const MAX_SILENCES = 4
const MAX_SSL2_BYTES = 32_768
/** Certificates that Node names on the way to a root. */
const MAX_CHAIN = 10
const ALPN = ['h2', 'http/1.1']

export interface TlsScanParts {
  door: Door
  tls: Tls
  random: (length: number) => Uint8Array<ArrayBuffer>
  /** How long a server may take to answer one hello. */
  answerMs?: number
}

type Answer =
  | { kind: 'hello'; flight: ServerFlight & { hello: NonNullable<ServerFlight['hello']> } }
  | { kind: 'no'; reason: string; alert?: number }
  | { kind: 'silent'; reason: string }
  | { kind: 'fault'; reason: string }

type Hello = Omit<ClientHello, 'random' | 'serverName'>

export function createTlsScanner({ door, tls, random, answerMs = ANSWER_MS }: TlsScanParts): TlsScanner {
  return {
    async *scan(host, port): AsyncGenerator<TlsScanStep, TlsObservation, void> {
      const start = performance.now()
      const pin = await door.pin(host)
      const [address = ''] = pin.addresses
      const serverName = pin.host.kind === 'address' ? undefined : pin.host.ascii
      const probe = new Prober({ door, random, address, port, serverName, answerMs })
      yield { progress: 0.02, label: 'Connecting' }
      await probe.reach()

      const names = tlsVersions.map(({ name }) => name)
      yield { progress: 0.05, label: 'Asking for each version with all of its suites' }
      const work = Promise.all([probeSsl2(probe), ...names.map(name => enumerate(probe, name))])
      let finished = false
      work.then(
        () => {
          finished = true
        },
        () => {
          finished = true
        },
      )
      while (!finished) {
        await Promise.race([work.catch(() => {}), pause(STEP_MS)])
        if (!finished) {
          yield {
            progress: Math.min(0.75, 0.05 + probe.connections / 100),
            label: `${probe.connections} hellos answered`,
          }
        }
      }
      const versions = await work
      probe.check()

      yield { progress: 0.8, label: 'Groups, extensions and certificates' }
      const before13 = highest(versions, name => name !== 'TLSv1.3' && name !== 'SSLv2')
      const latest = versions.find(({ name, supported }) => name === 'TLSv1.3' && supported)
      const [groups13, groups12, primeBits, flights, features, checked] = await Promise.all([
        latest ? groupsIn13(probe, latest) : undefined,
        before13 ? groupsBefore(probe, before13) : [],
        before13 ? primeOf(probe, before13) : null,
        before13 ? flightsOf(probe, before13) : [],
        featuresOf(probe, versions, before13),
        checkTrust({ door, tls, address, port, name: pin.host.ascii, isAddress: serverName === undefined, answerMs }),
      ])
      probe.check()
      const [first] = flights
      const extensions = first?.hello.extensions
      const has = (type: number) => (extensions ? extensions.includes(type) : null)
      const chains = flights.flatMap(({ kind, certificates = [], status, hello: { timestamps } }) =>
        certificates.length ? [{ kind, certificates, status: status ?? null, ...(timestamps && { timestamps }) }] : [],
      )
      return {
        address,
        port,
        versions,
        groups: mergeGroups(groups12, groups13 ?? []),
        primeBits,
        features: {
          ...features,
          secureRenegotiation: has(extensionTypes.renegotiationInfo),
          extendedMainSecret: before13 && before13.name !== 'SSLv3' ? has(extensionTypes.extendedMainSecret) : null,
          sessionTickets: has(extensionTypes.sessionTicket),
          helloRetryRequest: groups13 ? groups13.length > 0 : null,
        },
        protocol: first?.hello.protocol ?? checked.protocol ?? null,
        chains: chains.length ? chains : checked.chain,
        trust: checked.trust,
        faults: [...probe.faults],
        connections: probe.connections,
        milliseconds: Math.round(performance.now() - start),
      }
    },
  }
}

/** How often the progress is told. */
const STEP_MS = 250
const pause = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds))

interface ProberParts {
  door: Door
  random: (length: number) => Uint8Array<ArrayBuffer>
  address: string
  port: number
  serverName: string | undefined
  answerMs: number
}

/** Asks one server, a few questions at a time. */
class Prober {
  connections = 0
  readonly faults = new Set<string>()
  readonly #parts: ProberParts
  readonly #slots = createSlots(WIDTH, TURN_MS)
  #silences = 0

  constructor(parts: ProberParts) {
    this.#parts = parts
  }

  check(): void {
    this.#parts.door.budget.check()
  }

  /** Whether anybody is there; throws why not. */
  async reach(): Promise<void> {
    const { door, address, port } = this.#parts
    this.connections++
    const socket = await door.connect({ address, port, purpose: 'tls' }, CONNECT_MS)
    socket.resetAndDestroy()
  }

  /** What the server says to a hello, up to the point that answers the question. */
  async ask(
    hello: Hello,
    enough: (flight: ServerFlight) => boolean = ({ hello }) => hello !== undefined,
  ): Promise<Answer> {
    const { random, serverName } = this.#parts
    const reader = new FlightReader()
    const bytes = clientHello({ ...hello, random: random(32), ...(serverName !== undefined && { serverName }) })
    const end = await this.#exchange(bytes, piece => {
      reader.push(piece)
      return reader.over || enough(reader.flight)
    })
    const { flight } = reader
    if (flight.fault) this.faults.add(flight.fault)
    // What comes behind the hello may break rules; the choice was made all the same.
    if (flight.hello) {
      const { hello: chosen } = flight
      if (chosen.version === versionCode(hello.version) && !hello.suites.includes(chosen.suite)) {
        return this.#fault('the server chose a suite that was not offered')
      }
      return { kind: 'hello', flight: { ...flight, hello: chosen } }
    }
    if (flight.fault) return { kind: 'fault', reason: flight.fault }
    if (flight.alert) {
      return { kind: 'no', reason: `The server says ${alertName(flight.alert.code)}.`, alert: flight.alert.code }
    }
    if (end === 'silent') return { kind: 'silent', reason: 'The server does not answer.' }
    return { kind: 'no', reason: 'The server hangs up.' }
  }

  /** The same in SSL 2.0, whose messages look different. */
  async askSsl2(): Promise<ReturnType<typeof readSsl2Hello> | 'silent'> {
    let received: Uint8Array = new Uint8Array(0)
    let answer: ReturnType<typeof readSsl2Hello>
    const end = await this.#exchange(ssl2ClientHello(this.#parts.random(16)), piece => {
      received = concat(received, piece)
      answer = readSsl2Hello(received)
      return answer !== undefined || received.length > MAX_SSL2_BYTES
    })
    return answer ?? (end === 'silent' ? 'silent' : 'other')
  }

  #fault(reason: string): Answer {
    this.faults.add(reason)
    return { kind: 'fault', reason }
  }

  async #exchange(bytes: Uint8Array, heard: (piece: Uint8Array) => boolean): Promise<'heard' | 'closed' | 'silent'> {
    const { door } = this.#parts
    for (let last = false; ; last = true) {
      const give = await this.#slots.take(door.budget.signal)
      try {
        if (this.#silences >= MAX_SILENCES) return 'silent'
        const end = await this.#once(bytes, heard)
        if (end !== 'silent') return end
        this.#silences++
        if (last) return end
      } finally {
        give()
      }
    }
  }

  async #once(bytes: Uint8Array, heard: (piece: Uint8Array) => boolean): Promise<'heard' | 'closed' | 'silent'> {
    const { door, address, port, answerMs } = this.#parts
    if (this.connections >= MAX_CONNECTIONS) return 'silent'
    this.connections++
    const { socket, code } = await door.attempt({ address, port, purpose: 'tls' }, CONNECT_MS)
    if (!socket) return code === 'TIMEOUT' ? 'silent' : 'closed'
    try {
      return await converse(door, socket, bytes, { heard, answerMs })
    } finally {
      // A reset frees both ends at once; after our own end of the stream libuv refuses it and would keep the socket.
      if (socket.writableEnded) socket.destroy()
      else socket.resetAndDestroy()
    }
  }
}

/** Sends, and listens until enough was heard, the server hangs up, or the time is up. */
function converse(
  door: Door,
  socket: Socket,
  bytes: Uint8Array,
  { heard, answerMs }: { heard: (piece: Uint8Array) => boolean; answerMs: number },
): Promise<'heard' | 'closed' | 'silent'> {
  const { promise, resolve, reject } = Promise.withResolvers<'heard' | 'closed' | 'silent'>()
  const timer = setTimeout(() => resolve('silent'), answerMs)
  socket.on('data', piece => {
    try {
      door.meter(socket)
      if (heard(piece)) resolve('heard')
    } catch (error) {
      reject(error)
    }
  })
  socket.once('error', () => resolve('closed'))
  socket.once('end', () => resolve('closed'))
  socket.once('close', () => resolve('closed'))
  socket.write(bytes)
  return promise.finally(() => clearTimeout(timer))
}

async function probeSsl2(probe: Prober): Promise<TlsVersionObservation> {
  const nothing = { name: 'SSLv2', suites: [], preference: null, incomplete: false } as const
  const answer = await probe.askSsl2()
  if (answer === 'silent') return { ...nothing, suites: [], supported: null, reason: 'The server does not answer.' }
  if (answer === undefined || answer === 'other') {
    return { ...nothing, suites: [], supported: false, reason: 'The server does not answer in SSL 2.0.' }
  }
  return { ...nothing, supported: true, suites: answer.ciphers }
}

/** Suites that a version may use: RFC 5246 §A.5 and RFC 8446 §B.4. */
function suitesFor(version: TlsVersionName): number[] {
  return suites
    .filter(({ tls13, since12 }) => (version === 'TLSv1.3' ? tls13 : !tls13 && (version === 'TLSv1.2' || !since12)))
    .toSorted((a, b) => rank(b) - rank(a))
    .map(({ code }) => code)
}

/** Better ones first, as a browser would have it: then the order of a server that follows the client is a good one. */
const rank = ({ forwardSecrecy, encryption, bits }: (typeof suites)[number]): number =>
  (forwardSecrecy ? 4_096 : 0) + (encryption === 'AEAD' ? 2_048 : 0) + bits

/** protocol_version and handshake_failure: a server that says something else may only miss a key share. */
const REFUSALS = new Set([40, 70])

async function enumerate(probe: Prober, name: TlsVersionName): Promise<TlsVersionObservation> {
  const code = versionCode(name)
  const found: number[] = []
  let rest = suitesFor(name)
  let share = false
  let reason: string | undefined
  let incomplete = false
  while (rest.length) {
    const answer = await probe.ask({ version: name, suites: rest, share })
    if (name === 'TLSv1.3' && !share && !found.length && answer.kind === 'no' && !REFUSALS.has(answer.alert ?? -1)) {
      share = true
      continue
    }
    if (answer.kind !== 'hello') {
      reason = answer.reason
      incomplete = answer.kind !== 'no'
      break
    }
    const { version, suite } = answer.flight.hello
    if (version !== code) {
      reason = 'The server answers in another version.'
      break
    }
    found.push(suite)
    rest = rest.filter(one => one !== suite)
  }
  if (!found.length) {
    return {
      name,
      supported: incomplete ? null : false,
      ...(reason && { reason }),
      suites: [],
      preference: null,
      incomplete: false,
    }
  }
  return { name, supported: true, suites: found, preference: await preferenceOf(probe, name, found), incomplete }
}

/** Whether the order of the offer changes the choice. */
async function preferenceOf(
  probe: Prober,
  version: TlsVersionName,
  found: readonly number[],
): Promise<TlsVersionObservation['preference']> {
  if (found.length < 2) return null
  const choice = async (offer: readonly number[]) => {
    const answer = await probe.ask({ version, suites: offer })
    return answer.kind === 'hello' ? answer.flight.hello.suite : undefined
  }
  const [forward, backward] = [await choice(found), await choice(found.toReversed())]
  if (forward === undefined || backward === undefined) return null
  return forward === backward ? 'server' : 'client'
}

type Old = TlsVersionObservation & { name: TlsVersionName }

const highest = (
  versions: readonly TlsVersionObservation[],
  wanted: (name: TlsVersionObservation['name']) => boolean,
): Old | undefined =>
  versions.findLast((one): one is Old => one.name !== 'SSLv2' && one.supported === true && wanted(one.name))

/** Groups by elimination; a HelloRetryRequest names the one the server would have (RFC 8446 §4.1.4). */
async function groupsIn13(probe: Prober, { suites: offered }: TlsVersionObservation): Promise<number[]> {
  const found: number[] = []
  for (let rest = [...groupsOf13]; rest.length; ) {
    const answer = await probe.ask({ version: 'TLSv1.3', suites: offered, groups: rest })
    const group = answer.kind === 'hello' ? answer.flight.hello.group : undefined
    if (group === undefined || !rest.includes(group)) break
    found.push(group)
    rest = rest.filter(code => code !== group)
  }
  return found
}

const withExchange = (version: Old, exchange: 'ECDHE' | 'DHE') =>
  version.suites.filter(code => suiteOf(code)?.exchange === exchange)

/** Curves by elimination: the server names its own in the key exchange (RFC 8422 §5.4). */
async function groupsBefore(probe: Prober, version: Old): Promise<number[]> {
  const all = withExchange(version, 'ECDHE')
  if (!all.length || version.name === 'SSLv3') return []
  // An ECDSA certificate cannot be used without its own curve, which would end the list early (RFC 8422 §5.3).
  const free = all.filter(code => suiteOf(code)?.authentication !== 'ECDSA')
  const offered = free.length ? free : all
  const curves = groupsBefore13.filter(code => groupOf(code)?.kind === 'curve')
  const choose = async (groups: readonly number[]) => {
    const answer = await probe.ask({ version: version.name, suites: offered, groups }, flight => !!flight.keyExchange)
    const group = answer.kind === 'hello' ? answer.flight.keyExchange?.group : undefined
    return group !== undefined && groups.includes(group) ? group : undefined
  }
  const found: number[] = []
  for (let rest = curves; rest.length; ) {
    const group = await choose(rest)
    if (group === undefined) break
    found.push(group)
    rest = rest.filter(code => code !== group)
  }
  const last = found.at(-1)
  if (free.length || last === undefined) return found
  for (const code of curves.filter(one => !found.includes(one) && (groupOf(one)?.bits ?? 0) >= 128)) {
    if ((await choose([code, last])) === code) found.push(code)
  }
  return found
}

async function primeOf(probe: Prober, version: Old): Promise<number | null> {
  const offered = withExchange(version, 'DHE')
  if (!offered.length) return null
  const answer = await probe.ask({ version: version.name, suites: offered }, flight => !!flight.keyExchange)
  return (answer.kind === 'hello' && answer.flight.keyExchange?.primeBits) || null
}

type Flight = Extract<Answer, { kind: 'hello' }>['flight'] & { kind: TlsChainObservation['kind'] }

/** One whole flight for each kind of key: certificates, stapled status, extensions. */
async function flightsOf(probe: Prober, version: Old): Promise<Flight[]> {
  const kinds = ['ECDSA', 'RSA', 'DSS'] as const
  const flights = await Promise.all(
    kinds.map(async (kind): Promise<Flight[]> => {
      const offered = version.suites.filter(code => suiteOf(code)?.authentication === kind)
      if (!offered.length) return []
      const hello = { version: version.name, suites: offered, wantsStatus: true, protocols: ALPN }
      const answer = await probe.ask(hello, ({ done }) => done)
      return answer.kind === 'hello' ? [{ ...answer.flight, kind }] : []
    }),
  )
  return flights.flat()
}

async function featuresOf(
  probe: Prober,
  versions: readonly TlsVersionObservation[],
  before13: Old | undefined,
): Promise<Pick<TlsObservation['features'], 'compression' | 'fallbackSignal' | 'greaseTolerance'>> {
  const latest = highest(versions, () => true)
  const lower = latest && highest(versions, name => name !== latest.name)
  const [compressed, fallback, greased] = await Promise.all([
    before13 && probe.ask({ version: before13.name, suites: before13.suites, compressions: [1, 0] }),
    lower && probe.ask({ version: lower.name, suites: [...lower.suites, FALLBACK_SCSV] }),
    latest && latest.name !== 'SSLv3' && probe.ask({ version: latest.name, suites: latest.suites, grease: true }),
  ])
  return {
    compression: compressed?.kind === 'hello' ? compressed.flight.hello.compression !== 0 : null,
    // RFC 7507 §3.
    fallbackSignal: fallback?.kind === 'hello' ? false : fallback?.kind === 'no' && fallback.alert === 86 ? true : null,
    greaseTolerance: greased ? greased.kind === 'hello' : null,
  }
}

interface TrustParts {
  door: Door
  tls: Tls
  address: string
  port: number
  name: string
  isAddress: boolean
  answerMs: number
}

/** What Node says of the certificate, as a browser would, and the chain of servers that encrypt theirs. */
async function checkTrust({ door, tls, address, port, name, isAddress, answerMs }: TrustParts): Promise<{
  trust: TlsObservation['trust']
  protocol?: string
  chain: TlsChainObservation[]
}> {
  try {
    const plain = await door.connect({ address, port, purpose: 'tls' }, CONNECT_MS)
    const { socket, problem } = await tls.secure(plain, {
      name,
      isAddress,
      protocols: ALPN,
      acceptBadCertificate: true,
      timeoutMs: answerMs,
    })
    try {
      const protocol = socket.alpnProtocol || undefined
      const certificates: Uint8Array<ArrayBuffer>[] = []
      let at = socket.getPeerX509Certificate()
      while (at && certificates.length < MAX_CHAIN) {
        certificates.push(new Uint8Array(at.raw))
        at = at.issuerCertificate
      }
      return {
        trust: { checked: true, ...(problem && { problem }) },
        ...(protocol && { protocol }),
        chain: certificates.length ? [{ kind: 'any', certificates, reordered: true }] : [],
      }
    } finally {
      socket.destroy()
    }
  } catch (error) {
    door.budget.check()
    const problem = asNetworkProblem(error)
    if (!(problem instanceof Problem) || problem.code === 'refused') throw problem
    const words = [problem.message, problem.detail].filter(Boolean).join('. ')
    return { trust: { checked: false, problem: words }, chain: [] }
  }
}

function mergeGroups(before: readonly number[], since: readonly number[]): TlsObservation['groups'] {
  return [...new Set([...since, ...before])].map(code => ({
    code,
    versions: [
      ...(before.includes(code) ? (['TLSv1.2'] as const) : []),
      ...(since.includes(code) ? (['TLSv1.3'] as const) : []),
    ],
  }))
}
