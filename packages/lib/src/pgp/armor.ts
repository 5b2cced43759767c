import { type Bytes, concat, fromBase64, fromHex, toBase64 } from '../bytes.ts'
import type { Profile } from './library.ts'

/** ASCII armor. RFC 9580 §6. */
export interface ArmoredBlock {
  /** PUBLIC KEY BLOCK, MESSAGE, SIGNATURE … */
  label: string
  bytes: Bytes
  headers: string[]
}

/** Characters of one input. */
export const MAX_ARMOR_LENGTH = 48 * 1_048_576
const MAX_BLOCKS = 100

/** The labels of §6.2. */
const LABELS = /^(?:MESSAGE(?:, PART \d+(?:\/\d+)?)?|PUBLIC KEY BLOCK|PRIVATE KEY BLOCK|SECRET KEY BLOCK|SIGNATURE)$/

/** Every block of a text, or the bytes in Base64 or hexadecimal where there is no armor; RangeError says what is wrong. */
export function blocksIn(text: string): ArmoredBlock[] {
  if (text.length > MAX_ARMOR_LENGTH) {
    throw new RangeError(`expected at most ${MAX_ARMOR_LENGTH} characters, got ${text.length}`)
  }
  const trimmed = text.trim()
  if (!trimmed) throw new RangeError('there is nothing in it')
  if (!/-----BEGIN/.test(trimmed)) return [{ label: '', bytes: bareBytes(trimmed), headers: [] }]
  const blocks: ArmoredBlock[] = []
  const lines = trimmed.split(/\r\n|\r|\n/)
  for (let at = 0; at < lines.length; at++) {
    const label = /^-----BEGIN PGP ([^-]+)-----\s*$/.exec(lines[at] ?? '')?.[1]
    if (!label) continue
    if (label === 'SIGNED MESSAGE') continue
    if (!LABELS.test(label)) throw new RangeError('a block has a label that OpenPGP does not have')
    const end = lines.findIndex((line, index) => index > at && line.trimEnd() === `-----END PGP ${label}-----`)
    if (end < 0) throw new RangeError(`the block that begins on line ${at + 1} has no line that ends it`)
    blocks.push({ label, ...bodyOf(lines.slice(at + 1, end), at + 2) })
    if (blocks.length > MAX_BLOCKS) throw new RangeError(`expected at most ${MAX_BLOCKS} blocks`)
    at = end
  }
  if (!blocks.length) throw new RangeError('there is no line that reads -----BEGIN PGP …-----')
  return blocks
}

function bareBytes(text: string): Bytes {
  try {
    return /^[0-9a-f\s:]+$/i.test(text) ? fromHex(text) : fromBase64(text)
  } catch (cause) {
    throw new RangeError('expected ASCII armor, or the bytes in Base64 or hexadecimal', { cause })
  }
}

/** Headers up to an empty line, then Base64, then a checksum that §6.1 says to ignore when it is missing. */
function bodyOf(lines: readonly string[], first: number): { bytes: Bytes; headers: string[] } {
  let at = 0
  const headers: string[] = []
  while (/^[A-Za-z][A-Za-z0-9-]*: ?/.test(lines[at] ?? '')) headers.push(lines[at++] ?? '')
  const body = lines.slice(at).map(line => line.trim())
  const checksum = body.findIndex(line => /^=[A-Za-z0-9+/]{4}$/.test(line))
  const base64 = (checksum < 0 ? body : body.slice(0, checksum)).join('')
  let bytes: Bytes
  try {
    bytes = fromBase64(base64)
  } catch (cause) {
    throw new RangeError(`the Base64 of the block that begins on line ${first - 1} is damaged`, { cause })
  }
  if (!bytes.length) throw new RangeError(`the block that begins on line ${first - 1} is empty`)
  const sum = checksum < 0 ? undefined : fromBase64(body[checksum]?.slice(1) ?? '')
  if (sum && crc24(bytes) !== sum.reduce((value, octet) => value * 256 + octet, 0)) {
    throw new RangeError(
      `the checksum of the block that begins on line ${first - 1} does not match, so a part of it is changed`,
    )
  }
  return { bytes, headers }
}

/** §6.1.1 */
function crc24(bytes: Uint8Array): number {
  let crc = 0xb704ce
  for (const octet of bytes) {
    crc ^= octet << 16
    for (let bit = 0; bit < 8; bit++) {
      crc <<= 1
      if (crc & 0x1000000) crc ^= 0x1864cfb
    }
  }
  return crc & 0xffffff
}

/**
 * A block with lines of 64 characters. GnuPG 2.2 stumbles over blocks without a checksum; for peers that know RFC 9580,
 * §6.1 forbids it.
 */
export function toArmor(label: string, bytes: Uint8Array, profile: Profile): string {
  const body = toBase64(bytes).match(/.{1,64}/g) ?? []
  const crc = crc24(bytes)
  const checksum = profile === 'RFC 9580' ? [] : [`=${toBase64(Uint8Array.of(crc >> 16, crc >> 8, crc))}`]
  return [`-----BEGIN PGP ${label}-----`, '', ...body, ...checksum, `-----END PGP ${label}-----`, ''].join('\n')
}

/** The bytes of all blocks of the wanted kinds, one after the other: keys may come in several. */
export function bytesOfBlocks(text: string, wanted: RegExp, expected: string): Bytes {
  const found = blocksIn(text).filter(({ label }) => label === '' || wanted.test(label))
  if (!found.length) throw new RangeError(`expected ${expected}`)
  return concat(...found.map(({ bytes }) => bytes))
}

/** A text signed in the clear: §7. */
export function clearSigned(text: string): string | undefined {
  const start = text.search(/^-----BEGIN PGP SIGNED MESSAGE-----[ \t]*\r?$/m)
  return start < 0 ? undefined : text.slice(start)
}
