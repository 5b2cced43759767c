import { type Bytes, toBase64, toHex } from '../bytes.ts'

/** Signed certificate timestamps. RFC 6962 §3.2, §3.3: TLS structures, not ASN.1. */
export interface SignedTimestamp {
  version: number
  /** SHA-256 of the log's key, in Base64 as the lists of logs have it. */
  log_id: string
  timestamp: string
  extensions: string
  /** RFC 5246 §7.4.1.4.1, by name. */
  algorithm: string
  signature: string
}

const hashes = ['none', 'MD5', 'SHA-1', 'SHA-224', 'SHA-256', 'SHA-384', 'SHA-512']
const signatures = ['anonymous', 'RSA', 'DSA', 'ECDSA']
const LOG_ID_BYTES = 32

class TlsReader {
  readonly #bytes: Bytes
  #at = 0
  constructor(bytes: Bytes) {
    this.#bytes = bytes
  }
  get done(): boolean {
    return this.#at === this.#bytes.length
  }
  take(length: number): Bytes {
    const part = this.#bytes.subarray(this.#at, this.#at + length)
    if (part.length < length) throw new RangeError('the list of timestamps ends in the middle')
    this.#at += length
    return part
  }
  number(length: number): number {
    return this.take(length).reduce((number, octet) => number * 256 + octet, 0)
  }
  vector(): Bytes {
    return this.take(this.number(2))
  }
}

/** SignedCertificateTimestampList. Timestamps of an unknown version keep their bytes. */
export function readTimestamps(bytes: Bytes): SignedTimestamp[] {
  const outer = new TlsReader(bytes)
  const list = new TlsReader(outer.vector())
  if (!outer.done) throw new RangeError('bytes follow the end of the list of timestamps')
  const timestamps: SignedTimestamp[] = []
  while (!list.done) timestamps.push(readTimestamp(list.vector()))
  return timestamps
}

function readTimestamp(bytes: Bytes): SignedTimestamp {
  const reader = new TlsReader(bytes)
  const version = reader.number(1)
  const log_id = toBase64(reader.take(LOG_ID_BYTES))
  const timestamp = new Date(reader.number(8))
  if (Number.isNaN(timestamp.getTime())) throw new RangeError('the time of a timestamp is out of range')
  const extensions = toHex(reader.vector())
  const [hash, signature] = [reader.number(1), reader.number(1)]
  const signed = toHex(reader.vector())
  if (!reader.done) throw new RangeError('bytes follow the end of a timestamp')
  return {
    version: version + 1,
    log_id,
    timestamp: timestamp.toISOString(),
    extensions,
    algorithm: `${signatures[signature] ?? signature} with ${hashes[hash] ?? hash}`,
    signature: signed,
  }
}
