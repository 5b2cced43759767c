/**
 * What a server says to a ClientHello, read as it arrives: records (RFC 8446 §5.1), the handshake messages across them
 * (RFC 5246 §7.4), alerts. Everything has a bound, and what breaks a rule ends the reading with a clause that says which.
 */
import { type Bytes, equalBytes, fromHex, toLatin1 } from '../bytes.ts'
import { extensionTypes } from './registry.ts'
import { type Suite, ssl2Ciphers, suiteOf } from './suites.ts'

/** RFC 5246 §6.2.3: 2^14 and what protection may add. */
const MAX_RECORD_BYTES = 16_384 + 2_048
/** Of one handshake message: several times the longest chain of certificates that is seen. */
const MAX_MESSAGE_BYTES = 131_072
/** Of everything, and messages in it. */
const MAX_FLIGHT_BYTES = 262_144
const MAX_MESSAGES = 32
const MAX_RECORDS = 256
const MAX_CERTIFICATES = 16
const RECORD_HEADER = 5

export interface ServerHello {
  /** The version that was chosen, with supported_versions taken into account. */
  version: number
  suite: number
  compression: number
  /** A HelloRetryRequest (RFC 8446 §4.1.4). */
  retry: boolean
  /** Extension types in order. */
  extensions: number[]
  /** key_share of TLS 1.3: the group chosen. */
  group?: number
  protocol?: string
  /** signed_certificate_timestamp, as it came. */
  timestamps?: Bytes
}

export interface KeyExchange {
  /** The named curve (RFC 8422 §5.4). */
  group?: number
  /** Bits of the prime of a Diffie-Hellman group. */
  primeBits?: number
}

export interface ServerFlight {
  hello?: ServerHello
  certificates?: Bytes[]
  /** OCSP response (RFC 6066 §8). */
  status?: Bytes
  keyExchange?: KeyExchange
  /** ServerHelloDone has come. */
  done: boolean
  alert?: { fatal: boolean; code: number }
  /** What breaks a rule. */
  fault?: string
}

/** SHA-256 of "HelloRetryRequest" (RFC 8446 §4.1.3). */
const RETRY_RANDOM = fromHex('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c')

/** What breaks a rule of the protocol: a clause that starts in lower case. */
export class Fault extends Error {}

/** Reads numbers and slices; past the end it is a fault. */
export class Cursor {
  readonly #bytes: Uint8Array
  #at = 0
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }
  get left(): number {
    return this.#bytes.length - this.#at
  }
  number(size: 1 | 2 | 3): number {
    let value = 0
    for (const byte of this.take(size)) value = value * 256 + byte
    return value
  }
  take(length: number): Bytes {
    if (length > this.left) throw new Fault('a message promises more bytes than it has')
    const part = this.#bytes.slice(this.#at, this.#at + length)
    this.#at += length
    return part
  }
  vector(size: 1 | 2 | 3): Bytes {
    return this.take(this.number(size))
  }
}

/** Takes the pieces that arrive, and knows after each what the server has said. */
export class FlightReader {
  readonly flight: ServerFlight = { done: false }
  readonly #record = new Uint8Array(RECORD_HEADER + MAX_RECORD_BYTES)
  #filled = 0
  #message: Uint8Array = new Uint8Array(1_024)
  #messageFilled = 0
  #total = 0
  #records = 0
  #messages = 0

  /** Whether anything more would be read. */
  get over(): boolean {
    const { done, alert, fault } = this.flight
    return done || alert?.fatal === true || fault !== undefined
  }

  push(piece: Uint8Array): void {
    try {
      this.#total += piece.length
      for (let at = 0; at < piece.length && !this.over; ) at += this.#fill(piece, at)
      if (this.#total > MAX_FLIGHT_BYTES && !this.over) throw new Fault('the handshake never ends')
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      this.flight.fault = error.message
    }
  }

  /** Puts bytes into the record under way; gives how many. */
  #fill(piece: Uint8Array, at: number): number {
    const wanted = this.#filled < RECORD_HEADER ? RECORD_HEADER : RECORD_HEADER + this.#length()
    const count = Math.min(wanted - this.#filled, piece.length - at)
    this.#record.set(piece.subarray(at, at + count), this.#filled)
    this.#filled += count
    if (this.#filled < RECORD_HEADER) return count
    if (this.#filled === RECORD_HEADER) this.#checkHeader()
    if (this.#filled === RECORD_HEADER + this.#length()) {
      this.#readRecord(this.#record[0] ?? 0, this.#record.subarray(RECORD_HEADER, this.#filled))
      this.#filled = 0
    }
    return count
  }

  #length(): number {
    return ((this.#record[3] ?? 0) << 8) | (this.#record[4] ?? 0)
  }

  #checkHeader(): void {
    const [type = 0, major = 0] = this.#record
    if (type < 20 || type > 24 || major !== 3) throw new Fault('what came is not TLS')
    if (this.#length() > MAX_RECORD_BYTES) throw new Fault('a record is longer than the protocol permits')
    if (++this.#records > MAX_RECORDS) throw new Fault('the handshake never ends')
    if (this.#length() === 0 && type === 22) throw new Fault('a handshake record is empty')
  }

  #readRecord(type: number, content: Uint8Array): void {
    if (type === 21) {
      if (content.length < 2) throw new Fault('an alert is cut short')
      const alert = { fatal: content[0] === 2, code: content[1] ?? 0 }
      // close_notify ends the connection whatever its level says (RFC 8446 §6.1).
      this.flight.alert = { ...alert, fatal: alert.fatal || alert.code === 0 }
      return
    }
    // After the hello, TLS 1.3 sends a change of cipher for old firewalls, and then everything is encrypted.
    if (type !== 22) {
      if (!this.flight.hello) throw new Fault('the server began with something else than a handshake')
      this.flight.done = true
      return
    }
    this.#append(content)
    for (let size = this.#messageSize(); size !== undefined && this.#messageFilled >= size && !this.over; ) {
      this.#readMessage(this.#message[0] ?? 0, this.#message.slice(4, size))
      this.#message.copyWithin(0, size, this.#messageFilled)
      this.#messageFilled -= size
      size = this.#messageSize()
    }
  }

  #append(content: Uint8Array): void {
    const wanted = this.#messageFilled + content.length
    if (wanted > MAX_MESSAGE_BYTES + MAX_RECORD_BYTES) throw new Fault('a handshake message is too long')
    if (wanted > this.#message.length) {
      const larger = new Uint8Array(Math.max(wanted, 2 * this.#message.length))
      larger.set(this.#message)
      this.#message = larger
    }
    this.#message.set(content, this.#messageFilled)
    this.#messageFilled = wanted
  }

  #messageSize(): number | undefined {
    if (this.#messageFilled < 4) return undefined
    const [, high = 0, middle = 0, low = 0] = this.#message
    const size = 4 + high * 65_536 + middle * 256 + low
    if (size > MAX_MESSAGE_BYTES) throw new Fault('a handshake message is too long')
    return size
  }

  #readMessage(type: number, body: Bytes): void {
    if (++this.#messages > MAX_MESSAGES) throw new Fault('the handshake never ends')
    const { flight } = this
    if (type === 0) return
    if (type === 2) {
      if (flight.hello) throw new Fault('the server said hello twice')
      flight.hello = readHello(body)
      return
    }
    if (!flight.hello) throw new Fault('the server did not begin with its hello')
    if (type === 11) flight.certificates = readCertificates(body)
    if (type === 22) flight.status = readStatus(body)
    if (type === 12) flight.keyExchange = readKeyExchange(body, suiteOf(flight.hello.suite)?.exchange)
    if (type === 14) flight.done = true
  }
}

export function readHello(body: Bytes): ServerHello {
  const cursor = new Cursor(body)
  const legacy = cursor.number(2)
  const random = cursor.take(32)
  cursor.vector(1)
  const hello: ServerHello = {
    version: legacy,
    suite: cursor.number(2),
    compression: cursor.number(1),
    retry: equalBytes(random, RETRY_RANDOM),
    extensions: [],
  }
  if (cursor.left === 0) return hello
  const list = new Cursor(cursor.vector(2))
  while (list.left > 0) {
    const type = list.number(2)
    const content = new Cursor(list.vector(2))
    if (hello.extensions.includes(type)) throw new Fault('an extension came twice')
    hello.extensions.push(type)
    if (type === extensionTypes.supportedVersions) hello.version = content.number(2)
    if (type === extensionTypes.keyShare) hello.group = content.number(2)
    if (type === extensionTypes.alpn) hello.protocol = toLatin1(new Cursor(content.vector(2)).vector(1))
    if (type === extensionTypes.timestamps && content.left) hello.timestamps = content.take(content.left)
  }
  return hello
}

function readCertificates(body: Bytes): Bytes[] {
  const list = new Cursor(new Cursor(body).vector(3))
  const found: Bytes[] = []
  while (list.left > 0) {
    if (found.length === MAX_CERTIFICATES) throw new Fault(`the chain has more than ${MAX_CERTIFICATES} certificates`)
    found.push(list.vector(3))
  }
  return found
}

export function readStatus(body: Bytes): Bytes {
  const cursor = new Cursor(body)
  if (cursor.number(1) !== 1) throw new Fault('the stapled status is of an unknown kind')
  return cursor.vector(3)
}

/** Only the beginning: the named curve (RFC 8422 §5.4), or the prime (RFC 5246 §7.4.3). The suite says which it is. */
export function readKeyExchange(body: Bytes, exchange: Suite['exchange'] | undefined): KeyExchange {
  const cursor = new Cursor(body)
  if (exchange === 'ECDHE' || exchange === 'ECDH') return cursor.number(1) === 3 ? { group: cursor.number(2) } : {}
  if (exchange !== 'DHE' && exchange !== 'DH') return {}
  const prime = cursor.vector(2)
  const start = prime.findIndex(byte => byte !== 0)
  return { primeBits: start < 0 ? 0 : 8 * (prime.length - start) + 24 - Math.clz32(prime[start] ?? 0) }
}

/** Whether these bytes are a hello of SSL 2.0, and which of its ciphers it takes; undefined until enough came. */
export function readSsl2Hello(bytes: Uint8Array): { ciphers: number[] } | 'other' | undefined {
  const [first = 0, second = 0, type] = bytes
  if (bytes.length === 0) return undefined
  if ((first & 0x80) === 0) return 'other'
  if (type === undefined) return undefined
  if (type !== 4) return 'other'
  const length = ((first & 0x7f) << 8) | second
  if (bytes.length < length + 2) return undefined
  try {
    const cursor = new Cursor(bytes.subarray(3, length + 2))
    cursor.take(2)
    if (cursor.number(2) !== 2) return 'other'
    const [certificate, specs] = [cursor.number(2), cursor.number(2)]
    cursor.number(2)
    cursor.take(certificate)
    const list = new Cursor(cursor.take(specs))
    const ciphers: number[] = []
    while (list.left >= 3) ciphers.push(list.number(3))
    return { ciphers: ciphers.filter(code => ssl2Ciphers.some(([known]) => known === code)) }
  } catch (error) {
    if (error instanceof Fault) return 'other'
    throw error
  }
}
