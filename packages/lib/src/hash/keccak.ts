import { keccak_224, keccak_256, keccak_384, keccak_512 } from '@noble/hashes/sha3.js'
import type { Bytes } from '../bytes.ts'

/**
 * Keccak as its authors submitted it: "The Keccak reference", version 3.0 of 2011, with rates of 1600 bits less twice
 * the output. FIPS 202 later put the bits 01 between message and padding, so SHA-3 gives other hashes; Ethereum and
 * others had begun by then and stayed.
 */
const functions = { 224: keccak_224, 256: keccak_256, 384: keccak_384, 512: keccak_512 } as const

export type KeccakBits = `${keyof typeof functions}`

/** The hash of a byte string. */
export const keccak = (bits: KeccakBits, message: Uint8Array): Bytes => functions[bits](message) as Bytes
