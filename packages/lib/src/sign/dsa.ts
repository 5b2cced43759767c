import { parseSequence } from '../asn1/der.ts'
import { bitLength, fromOctets } from '../asn1/integer.ts'
import type { Bytes } from '../bytes.ts'
import { digest } from '../hash/digest.ts'
import type { DsaPublicKey } from '../key/key.ts'
import { modInverse, modPow } from '../key/modular.ts'
import { checkDsaParameters } from '../key/spki.ts'
import type { SignatureHash } from './hash-oid.ts'

/** DSA signatures. FIPS 186-4 §4. */

/** Dss-Sig-Value of RFC 3279 §2.2.2, strictly. */
export function readDsaSignature(bytes: Bytes): { r: bigint; s: bigint } {
  const reader = parseSequence(bytes, 'the signature')
  const [r, s] = [reader.integer('r'), reader.integer('s')]
  reader.end('the signature')
  return { r, s }
}

/** FIPS 186-4 §4.7 */
export async function verifyDsa(
  { p, q, g, y }: DsaPublicKey,
  hash: SignatureHash,
  message: Uint8Array,
  { r, s }: { r: bigint; s: bigint },
): Promise<boolean> {
  checkDsaParameters({ p, q, g })
  if (y < 2n || y >= p) throw new RangeError('the DSA key is out of range')
  if (r < 1n || s < 1n || r >= q || s >= q) return false
  const octets = await digest(hash, message)
  const excess = octets.length * 8 - bitLength(q)
  const z = excess > 0 ? fromOctets(octets) >> BigInt(excess) : fromOctets(octets)
  const w = modInverse(s, q)
  const v = (modPow(g, (z * w) % q, p) * modPow(y, (r * w) % q, p)) % p
  return v % q === r
}
