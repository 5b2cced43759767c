import { base32nopad, base58 } from '@scure/base'
import { type Bytes, concat, fromBase64, fromHex, toHex } from '../bytes.ts'

/** Content identifiers of IPFS: the CID, multibase and multihash specifications of the multiformats project. */
export interface Cid {
  version: 0 | 1
  /** A number of the multicodec table: 0x70 for dag-pb, 0x55 for raw bytes. */
  codec: number
  /** The hash function, a number of the same table. */
  hash: number
  digest: Bytes
}

/** Multicodec table, tag ipld. */
export const RAW = 0x55
export const DAG_PB = 0x70
/** Multicodec table, tag multihash. */
export const SHA2_256 = 0x12
const SHA2_256_BYTES = 32

const codecNames = new Map([
  [RAW, 'raw'],
  [DAG_PB, 'dag-pb'],
  [0x71, 'dag-cbor'],
  [0x72, 'libp2p-key'],
  [0x78, 'git-raw'],
  [0x90, 'eth-block'],
  [0xb0, 'bitcoin-block'],
  [0x0129, 'dag-json'],
  [0x0200, 'json'],
  [0x0202, 'car'],
])
const hashNames = new Map([
  [0x00, 'identity'],
  [0x11, 'sha1'],
  [SHA2_256, 'sha2-256'],
  [0x13, 'sha2-512'],
  [0x14, 'sha3-512'],
  [0x15, 'sha3-384'],
  [0x16, 'sha3-256'],
  [0x17, 'sha3-224'],
  [0x1b, 'keccak-256'],
  [0x1e, 'blake3'],
  [0x1012, 'sha2-256-trunc254-padded'],
  [0xb220, 'blake2b-256'],
  [0xb260, 'blake2s-256'],
])
const nameOf = (names: Map<number, string>, code: number) => names.get(code) ?? `0x${code.toString(16)}`
export const codecName = (code: number): string => nameOf(codecNames, code)
export const hashName = (code: number): string => nameOf(hashNames, code)

export const multibases = ['base32', 'base58btc', 'base36'] as const
export type Multibase = (typeof multibases)[number]

/** An unsigned LEB128 number in as few bytes as it takes. */
export function varint(value: number): Bytes {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Uint8Array.of(...bytes, rest)
}

/** The bytes of a CID; those of version 0 are the multihash alone. */
export function cidBytes({ version, codec, hash, digest }: Cid): Bytes {
  const multihash = concat(varint(hash), varint(digest.length), digest)
  return version === 0 ? multihash : concat(varint(1), varint(codec), multihash)
}

/** The text of a CID. Version 0 has one form, whatever base is asked for. */
export function formatCid(cid: Cid, base: Multibase): string {
  const bytes = cidBytes(cid)
  if (cid.version === 0) return base58.encode(bytes)
  switch (base) {
    case 'base32':
      return `b${base32nopad.encode(bytes).toLowerCase()}`
    case 'base58btc':
      return `z${base58.encode(bytes)}`
    case 'base36':
      return `k${BigInt(`0x${toHex(bytes)}`).toString(36)}`
  }
}

const MAX_CID_LENGTH = 512

/** Reads a CID in any of the usual bases, bare or behind `ipfs://` or `/ipfs/`; RangeError for anything else. */
export function parseCid(text: string): { cid: Cid; base: string } {
  const value = text.trim().replace(/^(?:ipfs:\/\/|\/ipfs\/)/, '')
  if (value.length > MAX_CID_LENGTH) throw new RangeError(`expected at most ${MAX_CID_LENGTH} characters`)
  if (/^Qm[1-9A-HJ-NP-Za-km-z]{44}$/.test(value)) {
    const bytes = decode(() => base58.decode(value))
    return { cid: { version: 0, codec: DAG_PB, ...readMultihash(bytes) }, base: 'base58btc' }
  }
  const { base, bytes } = readMultibase(value)
  const [version, afterVersion] = readVarint(bytes, 0)
  if (version !== 1) throw new RangeError('expected version 1 after the letter of the base')
  const [codec, afterCodec] = readVarint(bytes, afterVersion)
  return { cid: { version: 1, codec, ...readMultihash(bytes.subarray(afterCodec)) }, base }
}

function readMultibase(value: string): { base: string; bytes: Uint8Array } {
  const body = value.slice(1)
  switch (value[0]) {
    case 'b':
      if (body === body.toLowerCase())
        return { base: 'base32', bytes: decode(() => base32nopad.decode(body.toUpperCase())) }
      break
    case 'B':
      return { base: 'base32upper', bytes: decode(() => base32nopad.decode(body)) }
    case 'z':
      return { base: 'base58btc', bytes: decode(() => base58.decode(body)) }
    case 'k':
      return { base: 'base36', bytes: readBase36(body) }
    case 'f':
      return { base: 'base16', bytes: fromHex(body) }
    case 'm':
    case 'u':
      return { base: value[0] === 'm' ? 'base64' : 'base64url', bytes: fromBase64(body) }
  }
  throw new RangeError('expected a CID, which begins with Qm or with the letter of its base, mostly b')
}

function decode(work: () => Uint8Array): Uint8Array {
  try {
    return work()
  } catch (cause) {
    throw new RangeError('expected only characters of its base, and not cut short', { cause })
  }
}

function readBase36(text: string): Uint8Array {
  if (!/^[0-9a-z]+$/.test(text)) throw new RangeError('expected only digits and small letters in base 36')
  let value = 0n
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36))
  const hex = value.toString(16)
  return fromHex(hex.padStart(hex.length + (hex.length % 2), '0'))
}

function readVarint(bytes: Uint8Array, start: number): [value: number, end: number] {
  let value = 0
  for (let i = 0; i < 6; i++) {
    const byte = bytes[start + i]
    if (byte === undefined) break
    value += (byte & 127) * 128 ** i
    if (byte < 128) return [value, start + i + 1]
  }
  throw new RangeError('expected a whole number where the CID ends or goes on too long')
}

function readMultihash(bytes: Uint8Array): { hash: number; digest: Bytes } {
  const [hash, afterHash] = readVarint(bytes, 0)
  const [length, afterLength] = readVarint(bytes, afterHash)
  const digest = Uint8Array.from(bytes.subarray(afterLength))
  if (digest.length !== length) throw new RangeError(`expected a hash of ${length} bytes, got ${digest.length}`)
  if (hash === SHA2_256 && length !== SHA2_256_BYTES) throw new RangeError('expected a SHA-256 hash of 32 bytes')
  return { hash, digest }
}
