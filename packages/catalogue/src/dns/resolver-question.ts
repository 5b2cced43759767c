import { Problem, type ServerContext } from '@assay/kit'
import { createQuery, decodeAnswer, encodeMessage, type Message, sameQuestion } from '@assay/lib/dns/message'
import { WireError } from '@assay/lib/dns/wire'

/** For each packet to a resolver that others ask at the same time; three fit into the four seconds of a whole check. */
export const PACKET_TIMEOUT_MS = 1_200

export interface ResolverQuestion {
  /** A literal address. */
  server: string
  name: string
  type: string
  /** Datagrams sent before silence is taken for an answer. */
  tries?: number
  timeoutMs?: number
  /** Off for authoritative servers. */
  recursionDesired?: boolean
}

/** What one resolver said and how long it took, or why nothing was heard. */
export type ResolverReply =
  | { message: Message; milliseconds: number; transport: 'UDP' | 'TCP' | 'HTTPS'; failure?: undefined }
  | { failure: 'silent' | 'unreachable'; reason: string; message?: undefined }

type Ask = Pick<ServerContext, 'rawDns' | 'random' | 'signal'>

/**
 * Asks one resolver over UDP, over TCP when the answer is truncated (RFC 7766 §5), and without EDNS when that is not
 * understood (RFC 6891 §7). A resolver that fails is told beside the others; only the end of the job is thrown.
 */
export async function askResolver(context: Ask, question: ResolverQuestion): Promise<ResolverReply> {
  const { tries = 2 } = question
  for (let attempt = 1; ; attempt++) {
    try {
      const reply = await askOnce(context, question)
      const { rcode } = reply.message
      return rcode === 'FORMERR' || rcode === 'NOTIMP' || rcode === 'BADVERS'
        ? await askOnce(context, question, 'none')
        : reply
    } catch (error) {
      context.signal.throwIfAborted()
      if (!(error instanceof Problem) || (error.code !== 'timeout' && error.code !== 'unreachable')) throw error
      const failure = error.code === 'timeout' ? 'silent' : 'unreachable'
      if (failure === 'unreachable' || attempt >= tries) {
        return { failure, reason: error.detail ? `${error.message}. ${error.detail}` : `${error.message}.` }
      }
    }
  }
}

async function askOnce(context: Ask, question: ResolverQuestion, edns?: 'none') {
  const { server, name, type, timeoutMs = PACKET_TIMEOUT_MS, recursionDesired: rd = true } = question
  const [high = 0, low = 0] = context.random(2)
  const query = createQuery({ id: (high << 8) | low, name, type, rd, ...(edns && { edns }) })
  const bytes = encodeMessage(query)
  let answer: Message | undefined
  const accepts = (message: Uint8Array) => {
    const read = readMessage(message)
    if (!read || !answers(read, query)) return false
    answer = read
    return true
  }
  const send = async (transport: 'udp' | 'tcp') => {
    const { message, milliseconds } = await context.rawDns.exchange(server, bytes, { transport, timeoutMs, accepts })
    return { message: answer ?? decodeAnswer(message), milliseconds }
  }
  const overUdp = await send('udp')
  if (!overUdp.message.tc) return { ...overUdp, transport: 'UDP' as const }
  return { ...(await send('tcp')), transport: 'TCP' as const }
}

function readMessage(bytes: Uint8Array): Message | undefined {
  try {
    return decodeAnswer(bytes)
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

/** RFC 5452 §9.1. A server that does not understand a query may leave its question out. */
function answers(message: Message, query: Message): boolean {
  const [asked] = query.questions
  const [returned] = message.questions
  if (!message.qr || message.id !== query.id || !asked) return false
  if (!returned) return message.rcode !== 'NOERROR' && message.rcode !== 'NXDOMAIN'
  return sameQuestion(asked, returned)
}

/** Waits, but not beyond the end of the job. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

/** The outcomes of many questions as they come in, in the order of their arrival. */
export async function* asTheyArrive<T>(promises: readonly Promise<T>[]): AsyncGenerator<T, void, void> {
  const waiting = new Map(promises.map((promise, i) => [i, promise.then(value => ({ i, value }))]))
  while (waiting.size) {
    const { i, value } = await Promise.race(waiting.values())
    waiting.delete(i)
    yield value
  }
}

/** Lets so many pieces of work run at once; the others wait for their turn. */
export function inLanes(lanes: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = lanes
  return async work => {
    if (free > 0) free--
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
