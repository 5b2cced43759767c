import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Bytes, fromHex, fromUtf8, toHex } from '../bytes.ts'

/**
 * Ethereum addresses with a checksum in the case of their letters: EIP-55, and EIP-1191 for the chains that adopted
 * it.
 */

export const ADDRESS_BYTES = 20

/** EIP-1191, Adoption Table. For every other chain the checksum is that of EIP-55. */
export const eip1191Chains: ReadonlyMap<number, string> = new Map([
  [30, 'Rootstock mainnet'],
  [31, 'Rootstock testnet'],
])

/** The address behind its forty digits, with 0x before them or not; RangeError for anything else. */
export function readAddress(text: string): Bytes {
  const [, digits] = /^(?:0x)?([0-9a-f]{40})$/i.exec(text) ?? []
  if (digits === undefined) throw new RangeError('expected an address of 40 hexadecimal digits, with 0x or without')
  return fromHex(digits)
}

/**
 * The address with its checksum: a letter is a capital where the same digit of the Keccak-256 hash is 8 or more. What
 * is hashed is the address in small letters, without 0x, and for chains of EIP-1191 with the chain id and 0x before.
 */
export function checksumAddress(address: Uint8Array, chainId = 0): string {
  const digits = toHex(address)
  const hashed = eip1191Chains.has(chainId) ? `${chainId}0x${digits}` : digits
  const hash = toHex(keccak_256(fromUtf8(hashed)))
  const cased = [...digits].map((digit, i) => (hash.charAt(i) >= '8' ? digit.toUpperCase() : digit))
  return `0x${cased.join('')}`
}

/** A letter in the wrong case: its place among the forty digits, counted from 1, and what belongs there. */
export interface WrongLetter {
  position: number
  typed: string
  expected: string
}

/** What the case of the letters says: right, wrong, or nothing because it is all one. */
export type ChecksumVerdict = 'correct' | 'wrong' | 'none'

/** Compares the letters of an address with its checksum. */
export function checkAddress(
  text: string,
  chainId = 0,
): { address: string; verdict: ChecksumVerdict; wrong: WrongLetter[] } {
  const address = checksumAddress(readAddress(text), chainId)
  const typed = text.slice(-2 * ADDRESS_BYTES)
  const right = address.slice(2)
  if (typed === right) return { address, verdict: 'correct', wrong: [] }
  if (typed === typed.toLowerCase() || typed === typed.toUpperCase()) return { address, verdict: 'none', wrong: [] }
  const wrong = [...right].flatMap((expected, i) =>
    expected === typed[i] ? [] : [{ position: i + 1, typed: typed.charAt(i), expected }],
  )
  return { address, verdict: 'wrong', wrong }
}
