/**
 * One question to one server: what has to match before a message counts as the answer (RFC 5452 §9.1), and what is
 * tried again in another way: over TCP when truncated (RFC 7766 §5), without EDNS when that is not understood (RFC 6891
 * §7), with the server's cookie when it wants one (RFC 7873 §5.3), and when forged answers came, over TCP or, where there
 * is none, with the letters in random case.
 */
import { Problem, type ProblemCode } from '@assay/kit'
import { equalBytes } from '@assay/lib/bytes'
import { cookieOf, cookieOption } from '@assay/lib/dns/edns'
import { createQuery, decodeAnswer, encodeMessage, type Message, sameQuestion } from '@assay/lib/dns/message'
import { WireError } from '@assay/lib/dns/wire'
import type { DnsTransport } from './dns-transport.ts'
import { mixCase } from './mixed-case.ts'
import { type ResolverCache, SERVER_MEMORY_SECONDS, type ServerCookies } from './resolver-cache.ts'

export const UDP_TIMEOUT_MS = 1_500
export const TCP_TIMEOUT_MS = 3_000

export interface Inquiry {
  /** A literal address. */
  server: string
  name: string
  type: string
  /** UDP falls back to TCP when the answer is truncated. */
  transport: 'udp' | 'tcp'
  edns: boolean
  dnssec: boolean
  recursionDesired: boolean
  /** For each packet; the default depends on the transport. */
  timeoutMs?: number
}

export interface ExchangeParts {
  transport: DnsTransport
  signal: AbortSignal
  random: (length: number) => Uint8Array<ArrayBuffer>
  cache: Pick<ResolverCache, 'servers' | 'cookies'>
  /** Called before each packet. Throws when there may be no more. */
  spend: () => void
  /** The longest that a packet may still take. */
  timeLeftMs: () => number
}

/** Packets came, but none that answered: forged ones, or a server that is out of its mind. */
export class Misfit extends Problem {
  /** Said of the server: "answered another question". */
  readonly why: string
  constructor(why: string, cause: unknown) {
    super('unreachable', 'The server did not answer the question', { detail: `It ${why}.`, cause })
    this.why = why
  }
}

/** The message that answers the question. Throws a problem when there is none, or when the job is over. */
export async function exchange(parts: ExchangeParts, inquiry: Inquiry): Promise<Message> {
  const overTcp = () => send(parts, { ...inquiry, transport: 'tcp' })
  const overUdp = inquiry.transport === 'udp'
  let answer: Message
  try {
    answer = await send(parts, inquiry)
    if (answer.rcode === 'BADCOOKIE') answer = await send(parts, inquiry)
  } catch (error) {
    if (!(error instanceof Misfit && overUdp)) throw error
    return afterForgery(parts, inquiry)
  }
  if (inquiry.edns && lacksEdns(answer)) {
    const plain = await exchange(parts, { ...inquiry, edns: false })
    if (!lacksEdns(plain)) parts.cache.servers.set(inquiry.server, { plain: true }, SERVER_MEMORY_SECONDS)
    return plain
  }
  // What a truncated message holds is not used (RFC 2181 §9).
  return overUdp && (answer.tc || answer.rcode === 'BADCOOKIE') ? overTcp() : answer
}

const NO_TCP: ReadonlySet<ProblemCode> = new Set(['unreachable', 'timeout'])

/** Who forges answers to UDP has a harder time with TCP (RFC 5452 §9.3), or else with a question in random case. */
async function afterForgery(parts: ExchangeParts, inquiry: Inquiry): Promise<Message> {
  try {
    return await send(parts, { ...inquiry, transport: 'tcp' })
  } catch (error) {
    const noTcp = error instanceof Problem && NO_TCP.has(error.code) && !(error instanceof Misfit)
    if (!noTcp) throw error
    return send(parts, inquiry, 'random case')
  }
}

const lacksEdns = ({ rcode }: Message) => rcode === 'FORMERR' || rcode === 'NOTIMP' || rcode === 'BADVERS'

async function send(parts: ExchangeParts, inquiry: Inquiry, spelling?: 'random case'): Promise<Message> {
  const { transport, cache } = parts
  const cookies = cache.cookies.get(inquiry.server) ?? { client: parts.random(8) }
  const query = buildQuery(parts, inquiry, cookies)
  const plain = { bytes: encodeMessage(query), restore: (response: Uint8Array) => response }
  const { bytes, restore } = spelling ? mixCase(plain.bytes, parts.random) : plain
  const limit = inquiry.timeoutMs ?? (inquiry.transport === 'udp' ? UDP_TIMEOUT_MS : TCP_TIMEOUT_MS)
  const timeoutMs = Math.min(limit, parts.timeLeftMs())
  if (timeoutMs <= 0) throw new Problem('timeout', 'The time for this question is up')
  parts.spend()
  let answer: Message | undefined
  let misfit: string | undefined
  const accepts = (datagram: Uint8Array) => {
    const restored = restore(datagram)
    const message = restored && readMessage(restored)
    if (!restored) misfit = 'repeated the question in another case'
    else misfit = message ? misfitOf(message, query) : 'sent something that is not a DNS message'
    if (misfit === undefined) answer = message
    return misfit === undefined
  }
  try {
    await transport[inquiry.transport]({ address: inquiry.server }, bytes, { timeoutMs, accepts })
  } catch (error) {
    parts.signal.throwIfAborted()
    // Forged answers are waited out, so that only a silent server shows what it sent instead.
    if (misfit && error instanceof Problem) {
      throw new Misfit(misfit, error)
    }
    throw error
  }
  if (!answer) throw new Error('the transport returned a message that was not accepted')
  rememberCookies(cache, inquiry.server, cookies, answer)
  return answer
}

function buildQuery({ random }: ExchangeParts, inquiry: Inquiry, cookies: ServerCookies): Message {
  const [high = 0, low = 0] = random(2)
  const { name, type, recursionDesired: rd } = inquiry
  const edns = inquiry.edns ? { do: inquiry.dnssec, options: [cookieOption(cookies)] } : 'none'
  return createQuery({ id: (high << 8) | low, name, type, rd, edns })
}

function readMessage(bytes: Uint8Array): Message | undefined {
  try {
    return decodeAnswer(bytes)
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

/** Why a message is not the answer to a query; the address and port were checked by the door. */
function misfitOf(message: Message, query: Message): string | undefined {
  if (!message.qr || message.id !== query.id) return 'sent a message with another id'
  const [asked] = query.questions
  const [returned] = message.questions
  // Servers that do not understand a query may leave its question out.
  const refusedWhole = !returned && lacksEdns(message)
  if (!refusedWhole && (!asked || !returned || message.questions.length !== 1 || !sameQuestion(asked, returned))) {
    return 'answered another question'
  }
  const [sent, received] = [cookieOf(query.edns), cookieOf(message.edns)]
  if (sent && received && !equalBytes(sent.client, received.client)) return 'sent a cookie that is not ours'
  return undefined
}

function rememberCookies(cache: ExchangeParts['cache'], server: string, cookies: ServerCookies, answer: Message): void {
  const received = cookieOf(answer.edns)
  cache.cookies.set(server, received?.server ? received : cookies, SERVER_MEMORY_SECONDS)
}
