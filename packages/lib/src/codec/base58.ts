import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58xmr } from '@scure/base'
import { type Bytes, concat, equalBytes, fromHex, toHex } from '../bytes.ts'
import { characterOf, readDigits, writeDigits } from './digits.ts'
import type { Decoded } from './grouped.ts'
import { fromDigits, toDigits } from './radix.ts'

/**
 * Base58: the bytes as one number, in digits that nobody mistakes for another (draft-msporny-base58-02). Bitcoin,
 * Ripple and Flickr differ in the order of the digits; Monero writes blocks of eight bytes as eleven digits each
 * (CryptoNote Standard 007). The library's Base58 ends at 2 KiB, so only its Monero blocks are used.
 */
export const base58Alphabets = ['Bitcoin', 'Ripple', 'Flickr', 'Monero'] as const
export type Base58Name = (typeof base58Alphabets)[number]

const BITCOIN = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const alphabets: Record<Base58Name, string> = {
  Bitcoin: BITCOIN,
  Ripple: 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz',
  Flickr: '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ',
  Monero: BITCOIN,
}

/** Measured: a third of a second. The time grows faster than the length, and 16 MiB would take minutes. */
export const MAX_BASE58_BYTES = 262_144
/** log 256 / log 58: digits for every byte. */
const DIGITS_PER_BYTE = Math.log(256) / Math.log(58)
const MAX_BASE58_DIGITS = Math.ceil(MAX_BASE58_BYTES * DIGITS_PER_BYTE)

/** Digits for 0 to 8 bytes of a block, and characters of a whole one. CryptoNote Standard 007. */
const MONERO_BLOCK_DIGITS = [0, 2, 3, 5, 6, 7, 9, 10, 11]
const MONERO_BLOCK = 11

/** Base58Check and CryptoNote end with the first four bytes of a hash. */
const CHECKSUM_BYTES = 4

export interface Base58Options {
  alphabet: Base58Name
  /** Four bytes of checksum after the bytes: SHA-256 twice, and Keccak-256 for Monero. */
  check: boolean
}

export function encodeBase58(bytes: Bytes, { alphabet, check }: Base58Options): string {
  const whole = check ? concat(bytes, checksumOf(bytes, alphabet)) : bytes
  if (alphabet === 'Monero') return base58xmr.encode(whole)
  if (whole.length > MAX_BASE58_BYTES) {
    throw new RangeError(`expected at most ${MAX_BASE58_BYTES} bytes, since Base58 writes them as one number`)
  }
  const zeros = leading(whole, 0)
  const value = whole.length > zeros ? BigInt(`0x${toHex(whole.subarray(zeros))}`) : 0n
  const digits = toDigits(value, 58, Math.ceil((whole.length - zeros) * DIGITS_PER_BYTE))
  return writeDigits(concat(new Uint8Array(zeros), digits.subarray(leading(digits, 0))), alphabets[alphabet])
}

/** Reads Base58; white space is passed over unless reading is strict. A refusal says at which character. */
export function decodeBase58(text: string, { alphabet, check }: Base58Options, strict: boolean): Decoded {
  const digits = readDigits(text, { name: 'Base58', letters: alphabets[alphabet], strict })
  const whole = alphabet === 'Monero' ? readBlocks(digits, text) : readNumber(digits)
  if (!check) return { bytes: whole, remarks: [] }
  if (whole.length < CHECKSUM_BYTES) throw new RangeError('the text is too short to end with a checksum of four bytes')
  const bytes = whole.slice(0, -CHECKSUM_BYTES)
  if (!equalBytes(checksumOf(bytes, alphabet), whole.subarray(-CHECKSUM_BYTES))) {
    throw new RangeError('the checksum does not fit, so a character is wrong or missing')
  }
  return { bytes, remarks: [] }
}

const checksumOf = (bytes: Uint8Array, alphabet: Base58Name): Uint8Array =>
  (alphabet === 'Monero' ? keccak_256(bytes) : sha256(sha256(bytes))).subarray(0, CHECKSUM_BYTES)

function readNumber(digits: Uint8Array): Bytes {
  if (digits.length > MAX_BASE58_DIGITS) {
    throw new RangeError(`expected at most ${MAX_BASE58_DIGITS} characters, since Base58 reads them as one number`)
  }
  const zeros = leading(digits, 0)
  const value = fromDigits(digits.subarray(zeros), 58)
  const hex = value ? value.toString(16) : ''
  return concat(new Uint8Array(zeros), fromHex(hex.length % 2 ? `0${hex}` : hex))
}

/** 58^6: the last six digits of a block, as many as a double can hold with the five before them. */
const LOW_DIGITS = 6
const LOW_BASE = 58n ** BigInt(LOW_DIGITS)

function readBlocks(digits: Uint8Array, text: string): Bytes {
  const rest = digits.length % MONERO_BLOCK
  if (rest && !MONERO_BLOCK_DIGITS.includes(rest)) {
    throw new RangeError(`the last block has ${rest} ${rest === 1 ? 'character' : 'characters'}, which no bytes give`)
  }
  const size = rest ? MONERO_BLOCK_DIGITS.indexOf(rest) : 0
  const bytes = new Uint8Array(Math.floor(digits.length / MONERO_BLOCK) * 8 + size)
  const word = new DataView(new ArrayBuffer(8))
  for (let at = 0, to = 0; at < digits.length; at += MONERO_BLOCK, to += 8) {
    const block = digits.subarray(at, at + MONERO_BLOCK)
    const split = Math.max(0, block.length - LOW_DIGITS)
    const value = BigInt(smallNumber(block.subarray(0, split))) * LOW_BASE + BigInt(smallNumber(block.subarray(split)))
    const length = Math.min(8, bytes.length - to)
    if (value >> BigInt(8 * length)) {
      throw new RangeError(`the block at character ${characterOf(text, at)} says more than its bytes can hold`)
    }
    word.setBigUint64(0, value)
    bytes.set(new Uint8Array(word.buffer, 8 - length), to)
  }
  return bytes
}

const smallNumber = (digits: Uint8Array): number => digits.reduce((value, digit) => value * 58 + digit, 0)

/** How many elements from the start are this one. */
function leading(values: Uint8Array, value: number): number {
  let count = 0
  while (count < values.length && values[count] === value) count++
  return count
}
