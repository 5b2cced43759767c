import { type Bytes, toHex, toLatin1, toUtf8 } from '../bytes.ts'

/** What packets a block of OpenPGP consists of, without any key. RFC 9580 §4 and §5, as `gpg --list-packets` lists them. */
export interface PacketReport {
  /** Where it begins. */
  offset: number
  tag: number
  name: string
  /** Bytes of its body; in several parts (§4.2.1.4) all of them together. */
  bytes: number
  format: 'OpenPGP' | 'legacy'
  fields: readonly (readonly [label: string, value: string])[]
  /** What is wrong with it. */
  fault?: string
}

const MAX_PACKETS = 1_000
const MAX_SUBPACKETS = 200

/** RFC 9580 §5, table 3, and what GnuPG writes beside it. */
const names: Readonly<Record<number, string>> = {
  1: 'Public-Key Encrypted Session Key',
  2: 'Signature',
  3: 'Symmetric-Key Encrypted Session Key',
  4: 'One-Pass Signature',
  5: 'Secret Key',
  6: 'Public Key',
  7: 'Secret Subkey',
  8: 'Compressed Data',
  9: 'Symmetrically Encrypted Data',
  10: 'Marker',
  11: 'Literal Data',
  12: 'Trust',
  13: 'User ID',
  14: 'Public Subkey',
  17: 'User Attribute',
  18: 'Symmetrically Encrypted and Integrity Protected Data',
  19: 'Modification Detection Code',
  20: 'AEAD Encrypted Data (GnuPG)',
  21: 'Padding',
}

/** §9.1 */
const publicKeys: Readonly<Record<number, string>> = {
  1: 'RSA',
  2: 'RSA (encryption only)',
  3: 'RSA (signing only)',
  16: 'Elgamal',
  17: 'DSA',
  18: 'ECDH',
  19: 'ECDSA',
  22: 'EdDSA (legacy)',
  25: 'X25519',
  26: 'X448',
  27: 'Ed25519',
  28: 'Ed448',
}
/** §9.3 */
const ciphers: Readonly<Record<number, string>> = {
  0: 'none',
  1: 'IDEA',
  2: 'Triple DES',
  3: 'CAST5',
  4: 'Blowfish',
  7: 'AES-128',
  8: 'AES-192',
  9: 'AES-256',
  10: 'Twofish',
  11: 'Camellia-128',
  12: 'Camellia-192',
  13: 'Camellia-256',
}
/** §9.5 */
const hashes: Readonly<Record<number, string>> = {
  1: 'MD5',
  2: 'SHA-1',
  3: 'RIPEMD-160',
  8: 'SHA-256',
  9: 'SHA-384',
  10: 'SHA-512',
  11: 'SHA-224',
  12: 'SHA3-256',
  14: 'SHA3-512',
}
/** §9.4 */
const compressions: Readonly<Record<number, string>> = { 0: 'none', 1: 'ZIP', 2: 'ZLIB', 3: 'BZip2' }
/** §9.6 */
const aeads: Readonly<Record<number, string>> = { 1: 'EAX', 2: 'OCB', 3: 'GCM' }
/** §5.2.1 */
const signatureTypes: Readonly<Record<number, string>> = {
  0: 'binary document',
  1: 'text document',
  2: 'standalone',
  16: 'generic certification',
  17: 'persona certification',
  18: 'casual certification',
  19: 'positive certification',
  24: 'subkey binding',
  25: 'primary key binding',
  31: 'direct key',
  32: 'key revocation',
  40: 'subkey revocation',
  48: 'certification revocation',
  64: 'timestamp',
  80: 'third-party confirmation',
}
/** §5.2.3.7 */
const subpacketNames: Readonly<Record<number, string>> = {
  2: 'Created',
  3: 'Signature expires after',
  4: 'Exportable',
  5: 'Trust',
  6: 'Regular expression',
  7: 'Revocable',
  9: 'Key expires after',
  11: 'Preferred ciphers',
  12: 'Revocation key',
  16: 'Issuer',
  20: 'Notation',
  21: 'Preferred hash functions',
  22: 'Preferred compression',
  23: 'Key server preferences',
  24: 'Preferred key server',
  25: 'Primary user ID',
  26: 'Policy',
  27: 'Key flags',
  28: 'Signer’s user ID',
  29: 'Reason for revocation',
  30: 'Features',
  31: 'Signature target',
  32: 'Embedded signature',
  33: 'Issuer fingerprint',
  35: 'Intended recipient',
  39: 'Preferred AEAD suites',
}

class Short extends Error {}

/** Reads numbers and slices; past the end it is a fault of the packet. */
class Cursor {
  readonly bytes: Uint8Array
  #at = 0
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
  get left(): number {
    return this.bytes.length - this.#at
  }
  take(length: number): Bytes {
    if (length > this.left) throw new Short('it ends in the middle of a field')
    const part = this.bytes.slice(this.#at, this.#at + length)
    this.#at += length
    return part
  }
  number(size: number): number {
    return this.take(size).reduce((value, octet) => value * 256 + octet, 0)
  }
  time(): string {
    return new Date(this.number(4) * 1000).toISOString()
  }
  rest(): Bytes {
    return this.take(this.left)
  }
}

type Fields = [label: string, value: string][]

/** Every packet, in order; RangeError when the bytes are no packets at all. */
export function listPackets(bytes: Bytes): PacketReport[] {
  const packets: PacketReport[] = []
  for (let at = 0; at < bytes.length; ) {
    if (packets.length === MAX_PACKETS) throw new RangeError(`expected at most ${MAX_PACKETS} packets`)
    const header = readHeader(bytes, at)
    if (typeof header === 'string') {
      if (!packets.length) throw new RangeError('these bytes are no packets of OpenPGP')
      packets.push({
        offset: at,
        tag: 0,
        name: 'Not a packet',
        bytes: bytes.length - at,
        format: 'OpenPGP',
        fields: [],
        fault: header,
      })
      break
    }
    const { tag, body, next, format, fault } = header
    packets.push({
      offset: at,
      tag,
      name: names[tag] ?? `Packet ${tag}`,
      bytes: body.length,
      format,
      ...described(tag, body, fault),
    })
    at = next
  }
  if (!packets.length) throw new RangeError('there are no packets in it')
  return packets
}

interface Header {
  tag: number
  body: Uint8Array
  next: number
  format: PacketReport['format']
  fault?: string
}

/** §4.2; a sentence without its capital where there is no header. */
function readHeader(bytes: Bytes, start: number): Header | string {
  const first = bytes[start] ?? 0
  if (!(first & 0x80)) return 'the byte at this place begins no packet'
  return first & 0x40 ? readNew(bytes, start) : readLegacy(bytes, start)
}

/** §4.2.1: lengths of one, two or five octets, or in parts. */
function readNew(bytes: Bytes, start: number): Header | string {
  const tag = (bytes[start] ?? 0) & 0x3f
  if (tag === 0) return 'the packet type 0 is reserved'
  const pieces: Uint8Array[] = []
  let at = start + 1
  for (;;) {
    const first = bytes[at]
    if (first === undefined) return 'the bytes end in the middle of a header'
    const partial = first >= 224 && first < 255
    const width = first < 192 || partial ? 1 : first < 224 ? 2 : 5
    if (at + width > bytes.length) return 'the bytes end in the middle of a header'
    const length = partial ? 2 ** (first & 31) : bodyLength(bytes, at, first)
    at += width
    pieces.push(bytes.subarray(at, at + length))
    const missing = at + length - bytes.length
    if (missing > 0) return cut(tag, joined(pieces), bytes.length, 'OpenPGP', missing)
    at += length
    if (!partial) return { tag, body: joined(pieces), next: at, format: 'OpenPGP' }
  }
}

function bodyLength(bytes: Bytes, at: number, first: number): number {
  if (first < 192) return first
  if (first < 224) return ((first - 192) << 8) + (bytes[at + 1] ?? 0) + 192
  return bytes.subarray(at + 1, at + 5).reduce((value, octet) => value * 256 + octet, 0)
}

/** §4.2.2 */
function readLegacy(bytes: Bytes, start: number): Header | string {
  const first = bytes[start] ?? 0
  const tag = (first >> 2) & 15
  if (tag === 0) return 'the packet type 0 is reserved'
  const width = [1, 2, 4, 0][first & 3] ?? 0
  if (width === 0) return { tag, body: bytes.subarray(start + 1), next: bytes.length, format: 'legacy' }
  const at = start + 1 + width
  if (at > bytes.length) return 'the bytes end in the middle of a header'
  const length = bytes.subarray(start + 1, at).reduce((value, octet) => value * 256 + octet, 0)
  const missing = at + length - bytes.length
  if (missing > 0) return cut(tag, bytes.subarray(at), bytes.length, 'legacy', missing)
  return { tag, body: bytes.subarray(at, at + length), next: at + length, format: 'legacy' }
}

const cut = (tag: number, body: Uint8Array, next: number, format: PacketReport['format'], missing: number): Header => ({
  tag,
  body,
  next,
  format,
  fault: `${missing} bytes of it are missing`,
})

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces
  if (only && pieces.length === 1) return only
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

function described(tag: number, body: Uint8Array, fault: string | undefined): Pick<PacketReport, 'fields' | 'fault'> {
  const fields: Fields = []
  try {
    readers[tag]?.(new Cursor(body), fields)
    return { fields, ...(fault && { fault }) }
  } catch (error) {
    if (!(error instanceof Short)) throw error
    return { fields, fault: fault ?? error.message }
  }
}

const hex = (bytes: Uint8Array) => toHex(bytes).toUpperCase()
const named = (table: Readonly<Record<number, string>>, code: number) => table[code] ?? `number ${code}`

const readers: Readonly<Record<number, (cursor: Cursor, fields: Fields) => void>> = {
  1: readSessionKey,
  2: readSignature,
  3: readPasswordKey,
  4: readOnePass,
  5: readKey,
  6: readKey,
  7: readKey,
  8: (cursor, fields) => fields.push(['Compression', named(compressions, cursor.number(1))]),
  11: readLiteral,
  13: (cursor, fields) => fields.push(['User ID', text(cursor.rest())]),
  14: readKey,
  17: (cursor, fields) => fields.push(['Attribute', `${cursor.left} bytes`]),
  18: readProtected,
}

function text(bytes: Uint8Array): string {
  try {
    return toUtf8(bytes)
  } catch {
    return toLatin1(bytes)
  }
}

/** §5.5.2 and §5.5.4 */
function readKey(cursor: Cursor, fields: Fields): void {
  const version = cursor.number(1)
  fields.push(['Version', String(version)], ['Created', cursor.time()])
  if (version === 3) fields.push(['Valid for', `${cursor.number(2)} days`])
  fields.push(['Algorithm', named(publicKeys, cursor.number(1))])
}

/** §5.2.2 and §5.2.3 */
function readSignature(cursor: Cursor, fields: Fields): void {
  const version = cursor.number(1)
  fields.push(['Version', String(version)])
  if (version === 3) {
    cursor.number(1)
    fields.push(
      ['Type', named(signatureTypes, cursor.number(1))],
      ['Created', cursor.time()],
      ['Issuer', hex(cursor.take(8))],
    )
    fields.push(['Algorithm', named(publicKeys, cursor.number(1))], ['Hash function', named(hashes, cursor.number(1))])
    return
  }
  if (version < 4 || version > 6) return
  fields.push(
    ['Type', named(signatureTypes, cursor.number(1))],
    ['Algorithm', named(publicKeys, cursor.number(1))],
    ['Hash function', named(hashes, cursor.number(1))],
  )
  const width = version === 6 ? 4 : 2
  for (const area of ['hashed', 'not hashed'])
    readSubpackets(new Cursor(cursor.take(cursor.number(width))), area, fields)
  fields.push(['Begin of the hash', hex(cursor.take(2))])
}

/** §5.2.3.7 */
function readSubpackets(cursor: Cursor, area: string, fields: Fields): void {
  for (let count = 0; cursor.left > 0; count++) {
    if (count === MAX_SUBPACKETS) throw new Short(`it has more than ${MAX_SUBPACKETS} subpackets`)
    const first = cursor.number(1)
    const length = first < 192 ? first : first < 255 ? ((first - 192) << 8) + cursor.number(1) + 192 : cursor.number(4)
    const inside = new Cursor(cursor.take(length))
    const type = inside.number(1)
    const name = subpacketNames[type & 127] ?? `Subpacket ${type & 127}`
    fields.push([
      `${name}${type & 128 ? ' (critical)' : ''}${area === 'hashed' ? '' : ', not hashed'}`,
      subpacketValue(type & 127, inside),
    ])
  }
}

function subpacketValue(type: number, cursor: Cursor): string {
  switch (type) {
    case 2:
      return cursor.time()
    case 3:
    case 9:
      return duration(cursor.number(4))
    case 11:
      return [...cursor.rest()].map(code => named(ciphers, code)).join(', ')
    case 16:
      return hex(cursor.take(8))
    case 20: {
      cursor.take(4)
      const [name, value] = [cursor.number(2), cursor.number(2)]
      return `${text(cursor.take(name))} = ${text(cursor.take(value))}`
    }
    case 21:
      return [...cursor.rest()].map(code => named(hashes, code)).join(', ')
    case 22:
      return [...cursor.rest()].map(code => named(compressions, code)).join(', ')
    case 24:
    case 26:
    case 28:
      return text(cursor.rest())
    case 27:
      return keyFlags(cursor.left ? cursor.number(1) : 0)
    case 29: {
      const code = cursor.number(1)
      return `${['no reason', 'superseded', 'compromised', 'retired'][code] ?? (code === 32 ? 'user ID no longer valid' : code)} ${text(cursor.rest())}`.trim()
    }
    case 33:
    case 35: {
      const version = cursor.number(1)
      return `version ${version}, ${hex(cursor.rest())}`
    }
    default:
      return cursor.left ? hex(cursor.rest()) : 'yes'
  }
}

function duration(seconds: number): string {
  return seconds % 86_400 ? `${seconds} seconds` : `${seconds / 86_400} days`
}

function keyFlags(flags: number): string {
  const found = [
    'certify',
    'sign',
    'encrypt messages',
    'encrypt storage',
    'split',
    'authenticate',
    '',
    'shared',
  ].filter((name, bit) => name && flags & (1 << bit))
  return found.join(', ') || 'none'
}

/** §5.1 */
function readSessionKey(cursor: Cursor, fields: Fields): void {
  const version = cursor.number(1)
  fields.push(['Version', String(version)])
  if (version === 3) fields.push(['For the key', hex(cursor.take(8))])
  if (version === 6) {
    const length = cursor.number(1)
    const id = cursor.take(length)
    fields.push(['For the key', length ? hex(id.subarray(1)) : 'hidden'])
  }
  if (version === 3 || version === 6) fields.push(['Algorithm', named(publicKeys, cursor.number(1))])
}

/** §5.3 */
function readPasswordKey(cursor: Cursor, fields: Fields): void {
  const version = cursor.number(1)
  fields.push(['Version', String(version)])
  if (version === 6) cursor.number(1)
  fields.push(['Cipher', named(ciphers, cursor.number(1))])
  if (version >= 5) fields.push(['Mode', named(aeads, cursor.number(1))])
  if (version === 6) cursor.number(1)
  fields.push(['Password to key', specifier(cursor)])
}

/** §3.7 */
function specifier(cursor: Cursor): string {
  const type = cursor.number(1)
  if (type === 4) {
    cursor.take(16)
    const [passes, lanes, memory] = [cursor.number(1), cursor.number(1), cursor.number(1)]
    return `Argon2, ${passes} passes, ${lanes} lanes, 2^${memory} KiB`
  }
  const hash = named(hashes, cursor.number(1))
  if (type === 0) return `simple, ${hash}`
  cursor.take(8)
  if (type === 1) return `salted, ${hash}`
  if (type !== 3) return `kind ${type}`
  const count = cursor.number(1)
  return `iterated and salted, ${hash}, ${(16 + (count & 15)) << ((count >> 4) + 6)} bytes`
}

/** §5.4 */
function readOnePass(cursor: Cursor, fields: Fields): void {
  const version = cursor.number(1)
  fields.push(['Version', String(version)], ['Type', named(signatureTypes, cursor.number(1))])
  fields.push(['Hash function', named(hashes, cursor.number(1))], ['Algorithm', named(publicKeys, cursor.number(1))])
  if (version === 6) cursor.take(cursor.number(1))
  if (version === 3) fields.push(['Issuer', hex(cursor.take(8))])
  if (version === 6) fields.push(['Issuer', hex(cursor.take(32))])
}

/** §5.9 */
function readLiteral(cursor: Cursor, fields: Fields): void {
  const format = String.fromCharCode(cursor.number(1))
  fields.push(['Format', ({ b: 'binary', t: 'text', u: 'UTF-8 text' } as Record<string, string>)[format] ?? 'another'])
  fields.push(['File name', text(cursor.take(cursor.number(1))) || '(none)'])
  const seconds = cursor.number(4)
  fields.push(
    ['Date', seconds ? new Date(seconds * 1000).toISOString() : '(none)'],
    ['Content', `${cursor.left} bytes`],
  )
}

/** §5.13 */
function readProtected(cursor: Cursor, fields: Fields): void {
  const version = cursor.number(1)
  fields.push(['Version', String(version)])
  if (version !== 2) return
  fields.push(['Cipher', named(ciphers, cursor.number(1))], ['Mode', named(aeads, cursor.number(1))])
  fields.push(['Chunks of', `${2 ** (cursor.number(1) + 6)} bytes`])
}
