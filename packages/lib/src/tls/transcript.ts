import { type Bytes, concat, toLatin1 } from '../bytes.ts'
import { type RecordOpener, recordOpener } from './record-protection.ts'
import { extensionTypes } from './registry.ts'
import { Cursor, Fault, readHello, readKeyExchange, readStatus, type ServerHello } from './server-flight.ts'
import { suiteOf } from './suites.ts'

/**
 * A handshake as it went over the wire, read message by message. RFC 8446 §4 and §5, RFC 5246 §7. What TLS 1.3 encrypts
 * is opened with the secrets that the client itself logs; what TLS 1.2 encrypts is one Finished on each side.
 */

export type Side = 'client' | 'server'

/** Bytes as they passed. */
export interface WirePiece {
  from: Side
  milliseconds: number
  bytes: Uint8Array
}

/** The secrets of TLS 1.3 by the labels of RFC 9850 §2.1. */
export type TrafficSecrets = Readonly<Record<string, Uint8Array>>

export interface TranscriptMessage {
  from: Side
  /** When its last byte had come. */
  milliseconds: number
  /** `client_hello`, as RFC 8446 §B.3 writes it; `alert`, `change_cipher_spec` for what is no handshake message. */
  name: string
  /** With its header. */
  bytes: number
  encrypted: boolean
}

export interface ClientOffer {
  serverName?: string
  versions: number[]
  suites: number[]
  groups: number[]
  shares: number[]
  protocols: string[]
  extensions: number[]
}

export interface SessionTicket {
  lifetimeSeconds: number
  bytes: number
}

export interface Transcript {
  messages: TranscriptMessage[]
  offer?: ClientOffer
  hello?: ServerHello
  /** The server asked for another key share first (RFC 8446 §4.1.4). */
  retried: boolean
  /** Of ServerHello and EncryptedExtensions. */
  extensions: number[]
  protocol?: string
  group?: number
  primeBits?: number
  /** The scheme of CertificateVerify or ServerKeyExchange; before TLS 1.2 it is not said. */
  signatureScheme?: number
  /** As sent. */
  certificates: Bytes[]
  status?: Bytes
  timestamps?: Bytes
  tickets: SessionTicket[]
  clientCertificateAsked: boolean
  alert?: { from: Side; fatal: boolean; code: number }
  /** What breaks a rule, or could not be read. */
  fault?: string
}

const MAX_MESSAGES = 200
const HEADER_BYTES = 5

/** RFC 8446 §B.3 and RFC 5246 §A.4. */
const messageNames: Readonly<Record<number, string>> = {
  0: 'hello_request',
  1: 'client_hello',
  2: 'server_hello',
  4: 'new_session_ticket',
  5: 'end_of_early_data',
  8: 'encrypted_extensions',
  11: 'certificate',
  12: 'server_key_exchange',
  13: 'certificate_request',
  14: 'server_hello_done',
  15: 'certificate_verify',
  16: 'client_key_exchange',
  20: 'finished',
  22: 'certificate_status',
  24: 'key_update',
  25: 'compressed_certificate',
}

const TLS13 = 0x0304

/** Reads everything that passed between the two sides, in its order. */
export async function readTranscript(pieces: readonly WirePiece[], secrets: TrafficSecrets): Promise<Transcript> {
  const reader = new TranscriptReader(secrets)
  try {
    for (const piece of pieces) await reader.push(piece)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    reader.transcript.fault = error.message
  }
  return reader.transcript
}

interface Direction {
  rest: Uint8Array
  /** A handshake message that goes on in the next record. */
  open: Uint8Array
  /** Before TLS 1.3: everything after ChangeCipherSpec is encrypted. */
  changed: boolean
  opener?: RecordOpener | undefined
}

class TranscriptReader {
  readonly transcript: Transcript = {
    messages: [],
    retried: false,
    extensions: [],
    certificates: [],
    tickets: [],
    clientCertificateAsked: false,
  }
  readonly #secrets: TrafficSecrets
  readonly #sides: Record<Side, Direction> = { client: direction(), server: direction() }

  constructor(secrets: TrafficSecrets) {
    this.#secrets = secrets
  }

  async push({ from, milliseconds, bytes }: WirePiece): Promise<void> {
    const side = this.#sides[from]
    side.rest = concat(side.rest, bytes)
    while (side.rest.length >= HEADER_BYTES) {
      const [type = 0, major = 0, , high = 0, low = 0] = side.rest
      if (type < 20 || type > 24 || major !== 3) throw new Fault('what came is not TLS')
      const end = HEADER_BYTES + high * 256 + low
      if (side.rest.length < end) return
      const header = side.rest.subarray(0, HEADER_BYTES)
      const content = side.rest.subarray(HEADER_BYTES, end)
      side.rest = side.rest.subarray(end)
      await this.#record({ from, milliseconds }, header, content)
    }
  }

  async #record(at: Pick<TranscriptMessage, 'from' | 'milliseconds'>, header: Uint8Array, content: Uint8Array) {
    const side = this.#sides[at.from]
    const type = header[0] ?? 0
    if (type === 20) {
      side.changed = true
      return this.#add({ ...at, name: 'change_cipher_spec', bytes: content.length, encrypted: false })
    }
    if (this.transcript.hello?.version === TLS13 && type === 23) {
      const opened = side.opener?.open(header, content)
      if (opened) return this.#content(at, opened.type, opened.content, 'encrypted')
      return this.#add({ ...at, name: 'application_data', bytes: content.length, encrypted: true })
    }
    // Beside a HelloRetryRequest it changes nothing, and the hello is still to come.
    const { hello } = this.transcript
    if (side.changed && hello && hello.version !== TLS13) {
      const name = type === 22 ? 'finished' : type === 21 ? 'alert' : 'application_data'
      return this.#add({ ...at, name, bytes: content.length, encrypted: true })
    }
    return this.#content(at, type, content, 'plain')
  }

  async #content(
    at: Pick<TranscriptMessage, 'from' | 'milliseconds'>,
    type: number,
    content: Uint8Array,
    protection: 'plain' | 'encrypted',
  ): Promise<void> {
    const encrypted = protection === 'encrypted'
    if (type === 21) {
      const [level = 0, code = 0] = content
      this.transcript.alert ??= { from: at.from, fatal: level === 2, code }
      return this.#add({ ...at, name: 'alert', bytes: content.length, encrypted })
    }
    if (type !== 22) return this.#add({ ...at, name: 'application_data', bytes: content.length, encrypted })
    const side = this.#sides[at.from]
    side.open = concat(side.open, content)
    for (let size = sizeOf(side.open); size !== undefined && side.open.length >= size; size = sizeOf(side.open)) {
      const message = side.open.slice(0, size)
      side.open = side.open.subarray(size)
      const code = message[0] ?? 0
      this.#add({ ...at, name: messageNames[code] ?? `handshake message ${code}`, bytes: size, encrypted })
      await this.#message(at.from, code, message.slice(4))
    }
  }

  #add(message: TranscriptMessage): void {
    if (this.transcript.messages.length >= MAX_MESSAGES) throw new Fault('the handshake never ends')
    this.transcript.messages.push(message)
  }

  async #message(from: Side, code: number, body: Bytes): Promise<void> {
    const { transcript } = this
    const is13 = transcript.hello?.version === TLS13
    switch (code) {
      case 1:
        if (from === 'client') transcript.offer ??= readOffer(body)
        return
      case 2:
        return this.#hello(readHello(body))
      case 8:
        return readEncryptedExtensions(body, transcript)
      case 11:
        if (from === 'server') readCertificateMessage(body, transcript, is13 ? 'TLS 1.3' : 'before')
        return
      case 12:
        return readServerKeyExchange(body, transcript)
      case 13:
        transcript.clientCertificateAsked = true
        return
      case 15:
        if (from === 'server') transcript.signatureScheme = new Cursor(body).number(2)
        return
      case 22:
        transcript.status = readStatus(body)
        return
      case 4:
        transcript.tickets.push(readTicket(body, is13 ? 'TLS 1.3' : 'before'))
        return
      case 20:
        if (is13) await this.#rekey(from, from === 'server' ? 'SERVER_TRAFFIC_SECRET_0' : 'CLIENT_TRAFFIC_SECRET_0')
        return
    }
  }

  async #hello(hello: ServerHello): Promise<void> {
    const { transcript } = this
    if (hello.retry) {
      transcript.retried = true
      const last = transcript.messages.at(-1)
      if (last) last.name = 'hello_retry_request'
      return
    }
    transcript.hello = hello
    transcript.extensions.push(...hello.extensions)
    if (hello.protocol !== undefined) transcript.protocol = hello.protocol
    if (hello.group !== undefined) transcript.group = hello.group
    if (hello.timestamps) transcript.timestamps = hello.timestamps
    if (hello.version !== TLS13) return
    await this.#rekey('server', 'SERVER_HANDSHAKE_TRAFFIC_SECRET')
    await this.#rekey('client', 'CLIENT_HANDSHAKE_TRAFFIC_SECRET')
  }

  async #rekey(side: Side, label: string): Promise<void> {
    const secret = this.#secrets[label]
    const suite = this.transcript.hello?.suite ?? 0
    this.#sides[side].opener = secret && (await recordOpener(suite, secret))
  }
}

const direction = (): Direction => ({ rest: new Uint8Array(), open: new Uint8Array(), changed: false })

/** RFC 8446 §4: the length with the four bytes before it. */
function sizeOf(bytes: Uint8Array): number | undefined {
  if (bytes.length < 4) return undefined
  const [, high = 0, middle = 0, low = 0] = bytes
  return 4 + high * 65_536 + middle * 256 + low
}

/** RFC 8446 §4.1.2 */
function readOffer(body: Bytes): ClientOffer {
  const cursor = new Cursor(body)
  const legacy = cursor.number(2)
  cursor.take(32)
  cursor.vector(1)
  const offer: ClientOffer = {
    versions: [],
    suites: numbers(cursor.vector(2)),
    groups: [],
    shares: [],
    protocols: [],
    extensions: [],
  }
  cursor.vector(1)
  const list = new Cursor(cursor.left ? cursor.vector(2) : new Uint8Array())
  while (list.left > 0) {
    const type = list.number(2)
    const content = new Cursor(list.vector(2))
    offer.extensions.push(type)
    if (type === extensionTypes.serverName) offer.serverName = toLatin1(serverName(new Cursor(content.vector(2))))
    if (type === extensionTypes.supportedVersions) offer.versions = numbers(content.vector(1))
    if (type === extensionTypes.supportedGroups) offer.groups = numbers(content.vector(2))
    if (type === extensionTypes.alpn) offer.protocols = protocolsIn(new Cursor(content.vector(2)))
    if (type === extensionTypes.keyShare) offer.shares = sharesIn(new Cursor(content.vector(2)))
  }
  if (!offer.versions.length) offer.versions = [legacy]
  return offer
}

function serverName(list: Cursor): Bytes {
  list.number(1)
  return list.vector(2)
}

function protocolsIn(list: Cursor): string[] {
  const found: string[] = []
  while (list.left) found.push(toLatin1(list.vector(1)))
  return found
}

function sharesIn(list: Cursor): number[] {
  const found: number[] = []
  while (list.left) {
    found.push(list.number(2))
    list.vector(2)
  }
  return found
}

const numbers = (bytes: Uint8Array): number[] =>
  Array.from({ length: bytes.length >> 1 }, (_, i) => (bytes[2 * i] ?? 0) * 256 + (bytes[2 * i + 1] ?? 0))

/** RFC 8446 §4.3.1 */
function readEncryptedExtensions(body: Bytes, transcript: Transcript): void {
  const list = new Cursor(new Cursor(body).vector(2))
  while (list.left > 0) {
    const type = list.number(2)
    const content = new Cursor(list.vector(2))
    transcript.extensions.push(type)
    if (type === extensionTypes.alpn) [transcript.protocol = ''] = protocolsIn(new Cursor(content.vector(2)))
  }
}

/** RFC 8446 §4.4.2 with an extension list behind each certificate; RFC 5246 §7.4.2 without. */
function readCertificateMessage(body: Bytes, transcript: Transcript, form: 'TLS 1.3' | 'before'): void {
  const cursor = new Cursor(body)
  if (form === 'TLS 1.3') cursor.vector(1)
  const list = new Cursor(cursor.vector(3))
  while (list.left > 0) {
    transcript.certificates.push(list.vector(3))
    if (form === 'before') continue
    const extensions = new Cursor(list.vector(2))
    while (extensions.left > 0) {
      const type = extensions.number(2)
      const content = extensions.vector(2)
      if (transcript.certificates.length > 1) continue
      if (type === extensionTypes.statusRequest) transcript.status = readStatus(content)
      if (type === extensionTypes.timestamps) transcript.timestamps = content
    }
  }
}

/** RFC 5246 §7.4.3 and RFC 8422 §5.4, as far as the parameters are named; from TLS 1.2 on with the scheme after them. */
function readServerKeyExchange(body: Bytes, transcript: Transcript): void {
  const { hello } = transcript
  const exchange = hello && suiteOf(hello.suite)?.exchange
  const { group, primeBits } = readKeyExchange(body, exchange)
  if (group !== undefined) transcript.group = group
  if (primeBits !== undefined) transcript.primeBits = primeBits
  if (hello?.version !== 0x0303) return
  const cursor = new Cursor(body)
  if (exchange === 'ECDHE') {
    cursor.take(3)
    cursor.vector(1)
  } else if (exchange === 'DHE') {
    for (let i = 0; i < 3; i++) cursor.vector(2)
  } else return
  if (cursor.left) transcript.signatureScheme = cursor.number(2)
}

/** RFC 8446 §4.6.1 and RFC 5077 §3.3. */
function readTicket(body: Bytes, form: 'TLS 1.3' | 'before'): SessionTicket {
  const cursor = new Cursor(body)
  const lifetimeSeconds = cursor.number(2) * 65_536 + cursor.number(2)
  if (form === 'TLS 1.3') {
    cursor.take(4)
    cursor.vector(1)
  }
  return { lifetimeSeconds, bytes: cursor.vector(2).length }
}
