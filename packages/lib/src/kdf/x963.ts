import { type Bytes, concat } from '../bytes.ts'
import { digest, type HashName, hashFunction } from '../hash/digest.ts'

/** The key derivation function of ANSI X9.63. SEC 1 §3.6.1. */
export async function x963(hash: HashName, secret: Uint8Array, sharedInfo: Uint8Array, length: number): Promise<Bytes> {
  if (!Number.isSafeInteger(length) || length < 1) throw new RangeError('expected a key of at least one byte')
  const { outputLen } = await hashFunction(hash)
  const blocks: Bytes[] = []
  for (let counter = 1; blocks.length * outputLen < length; counter++) {
    const octets = new Uint8Array(4)
    new DataView(octets.buffer).setUint32(0, counter)
    blocks.push(await digest(hash, concat(secret, octets, sharedInfo)))
  }
  return concat(...blocks).slice(0, length)
}
