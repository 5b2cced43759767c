import { abiEncode } from './abi-encode.ts'
import { addressChecksum } from './address-checksum.ts'
import { keccak } from './keccak.ts'

/** The tools for Ethereum and its kin in page order. */
export const chain = [keccak, addressChecksum, abiEncode]
