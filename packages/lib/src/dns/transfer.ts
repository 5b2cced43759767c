/**
 * Zone transfers (AXFR, RFC 5936) judged message by message: a transfer is the SOA record, everything else, and the
 * SOA record again (§2.2). What a server does instead is told apart, because "refused" and "broke off" are not the same.
 */
import type { Message, ResourceRecord } from './message.ts'
import { equalNames, isWithin } from './name.ts'

/**
 * How a transfer ended. 'limit' and 'cut' come after records were given; 'soa-only' is what a server gives that has
 * taken the question for IXFR (RFC 1995 §4); 'closed' is a connection that ended without any answer.
 */
export type TransferStatus =
  | 'transferred'
  | 'limit'
  | 'cut'
  | 'soa-only'
  | 'refused'
  | 'notauth'
  | 'error'
  | 'empty'
  | 'closed'
  | 'timeout'
  | 'unreachable'

export interface TransferEnd {
  status: TransferStatus
  /** Response code of the last message. */
  rcode?: string
  messages: number
  /** Records received, the SOA at both ends included. */
  records: number
  bytes: number
}

export interface TransferLimits {
  records: number
  bytes: number
}

/** What a transfer may bring before it is broken off. */
export const TRANSFER_LIMITS: TransferLimits = { records: 20_000, bytes: 4_194_304 }

/** Reads the messages of one transfer and knows when it is over. */
export class TransferReader {
  readonly #zone: string
  readonly #limits: TransferLimits
  #messages = 0
  #records = 0
  #bytes = 0
  #rcode: string | undefined
  #over: TransferStatus | undefined

  constructor(zone: string, limits: TransferLimits = TRANSFER_LIMITS) {
    this.#zone = zone
    this.#limits = limits
  }

  /** Whether nothing that comes after matters. */
  get over(): boolean {
    return this.#over !== undefined
  }

  /** Takes a message and gives the records in it that belong to the zone, the closing SOA left out. */
  read(message: Message, bytes: number): ResourceRecord[] {
    this.#messages++
    this.#bytes += bytes
    this.#rcode = message.rcode
    if (message.rcode !== 'NOERROR') return this.#stop(statusOfRcode(message.rcode, this.#records))
    if (message.answers.length === 0) return this.#stop(this.#records ? 'cut' : 'empty')
    const found: ResourceRecord[] = []
    for (const record of message.answers) {
      const isSoa = record.type === 'SOA' && equalNames(record.name, this.#zone)
      // §2.2: the first record is the SOA; anything else is an answer to some other question.
      if (this.#records === 0 && !isSoa) return this.#stop('error')
      this.#records++
      if (isSoa && this.#records > 1) {
        this.#over = this.#records === 2 ? 'soa-only' : 'transferred'
        return found
      }
      // §3: only what lies in the zone counts.
      if (isWithin(record.name, this.#zone)) found.push(record)
      if (this.#records >= this.#limits.records) break
    }
    if (message.cut !== undefined) this.#over = this.#records > 1 ? 'cut' : 'error'
    if (this.#records >= this.#limits.records || this.#bytes >= this.#limits.bytes) this.#over ??= 'limit'
    return found
  }

  /** How it ended; `interruption` is what stopped the messages where they did not stop by themselves. */
  end(interruption: 'closed' | 'timeout' | 'unreachable' = 'closed'): TransferEnd {
    return {
      status: this.#over ?? this.#interrupted(interruption),
      ...(this.#rcode !== undefined && { rcode: this.#rcode }),
      messages: this.#messages,
      records: this.#records,
      bytes: this.#bytes,
    }
  }

  #interrupted(interruption: 'closed' | 'timeout' | 'unreachable'): TransferStatus {
    if (this.#records === 0) return interruption
    return this.#records === 1 ? 'soa-only' : 'cut'
  }

  #stop(status: TransferStatus): ResourceRecord[] {
    this.#over = status
    return []
  }
}

function statusOfRcode(rcode: string, records: number): TransferStatus {
  if (records > 1) return 'cut'
  if (rcode === 'REFUSED') return 'refused'
  return rcode === 'NOTAUTH' ? 'notauth' : 'error'
}

/** Records that a server must have given to whoever asks before it counts as open: both SOAs and one between. */
const OPEN_RECORDS = 3

/** Whether the server handed out the zone, or so much of it that it would have gone on. */
export const isOpen = ({ status, records }: TransferEnd): boolean =>
  records >= OPEN_RECORDS && (status === 'transferred' || status === 'limit' || status === 'cut')
