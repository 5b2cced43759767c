/// <reference path="../hash/hash-wasm.d.ts" />
import type { Bytes } from '../bytes.ts'

/** scrypt, the memory-hard key derivation function of C. Percival. RFC 7914. */
export interface ScryptParameters {
  /** N, a power of two. */
  cost: number
  /** r */
  blockSize: number
  /** p */
  parallelism: number
  /** Of the key, in bytes. */
  length: number
}

/** RangeError for parameters that RFC 7914 §2 does not allow. */
export function checkScrypt({ cost, blockSize, parallelism, length }: ScryptParameters): void {
  if (!Number.isInteger(Math.log2(cost)) || cost < 2) throw new RangeError('expected a power of two, at least 2')
  // §6: N must be less than 2^(128 r / 8); only r = 1 can fail, at 65536.
  if (Math.log2(cost) >= 16 * blockSize) throw new RangeError(`expected less than 2^${16 * blockSize} for this r`)
  if (blockSize < 1 || parallelism < 1) throw new RangeError('expected r and p of at least one')
  if (length < 1) throw new RangeError('expected a key of at least one byte')
}

/** Bytes that scrypt fills: 128 · r for each of N blocks, for each of p, and once more to work in. */
export const scryptBytes = ({ cost, blockSize, parallelism }: ScryptParameters): number =>
  128 * blockSize * (cost + parallelism + 1)

/** Above this hash-wasm 4.13 reads beyond its memory for some N. */
const MAX_WASM_BLOCK_SIZE = 64

/** The derived key: in WebAssembly, or in JavaScript at twice the time for blocks of unusual size. */
export async function scrypt(password: Uint8Array, salt: Uint8Array, parameters: ScryptParameters): Promise<Bytes> {
  checkScrypt(parameters)
  const { cost, blockSize, parallelism, length } = parameters
  if (blockSize > MAX_WASM_BLOCK_SIZE) {
    const noble = await import('@noble/hashes/scrypt.js')
    const options = { N: cost, r: blockSize, p: parallelism, dkLen: length }
    return noble.scrypt(password, salt, { ...options, maxmem: scryptBytes(parameters) }) as Bytes
  }
  const { default: wasm } = await import('hash-wasm/dist/scrypt.umd.min.js')
  const key: Uint8Array = await wasm.scrypt({
    password,
    salt,
    costFactor: cost,
    blockSize,
    parallelism,
    hashLength: length,
    outputType: 'binary',
  })
  return key as Bytes
}
