import { sha256 } from '@noble/hashes/sha2.js'
import { concat, fromUtf8 } from '../bytes.ts'
import type { Random } from './uniform.ts'

/** A generator of known bytes for tests that count: SHA-256 of a seed and a counter, each byte used once. */
export function seeded(seed: string): Random {
  let counter = 0
  let left = new Uint8Array()
  return length => {
    const blocks = [left]
    for (let have = left.length; have < length; have += 32) blocks.push(sha256(fromUtf8(`${seed} ${counter++}`)))
    const bytes = concat(...blocks)
    left = bytes.slice(length)
    return bytes.slice(0, length)
  }
}
