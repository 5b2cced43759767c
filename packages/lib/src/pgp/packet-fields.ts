import { type Bytes, toHex, toLatin1, toUtf8 } from '../bytes.ts'
import { aeads, ciphers, compressions, hashes, publicKeys, signatureTypes, subpacketNames } from './packet-names.ts'

const MAX_SUBPACKETS = 200

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

export interface Described {
  fields: readonly (readonly [label: string, value: string])[]
  /** What is wrong with it. */
  fault?: string
}

/** What stands in the body of a packet, without any key; a body that ends too early keeps what was read. */
export function described(tag: number, body: Uint8Array, fault: string | undefined): Described {
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
