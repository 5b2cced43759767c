/** DNSKEY and DS in words: key tags (RFC 4034 Appendix B), roles, key sizes and algorithm names. */
import type { RecordData } from './message.ts'

/** IANA "DNS Security Algorithm Numbers"; deprecated ones by RFC 8624 and RFC 9905. */
const ALGORITHMS: Readonly<Record<number, string>> = {
  1: 'RSA/MD5',
  3: 'DSA/SHA-1',
  5: 'RSA/SHA-1',
  6: 'DSA-NSEC3-SHA1',
  7: 'RSASHA1-NSEC3-SHA1',
  8: 'RSA/SHA-256',
  10: 'RSA/SHA-512',
  12: 'GOST R 34.10-2001',
  13: 'ECDSA P-256 / SHA-256',
  14: 'ECDSA P-384 / SHA-384',
  15: 'Ed25519',
  16: 'Ed448',
}

/** IANA "DS RR Type Digest Algorithms". */
const DIGESTS: Readonly<Record<number, string>> = { 1: 'SHA-1', 2: 'SHA-256', 3: 'GOST R 34.11-94', 4: 'SHA-384' }

export const algorithmTitle = (number: number): string => ALGORITHMS[number] ?? `algorithm ${number}`
export const digestTitle = (number: number): string => DIGESTS[number] ?? `digest type ${number}`

const ZONE_KEY = 0x0100
const REVOKED = 0x0080
const SECURE_ENTRY_POINT = 0x0001
const RSA_MD5 = 1

/** The key tag of a DNSKEY's data. RFC 4034 Appendix B; algorithm 1 by Appendix B.1. */
export function keyTag(rdata: Uint8Array): number {
  if (rdata[3] === RSA_MD5) return ((rdata.at(-3) ?? 0) << 8) | (rdata.at(-2) ?? 0)
  let sum = 0
  for (let i = 0; i < rdata.length; i++) sum += i & 1 ? (rdata[i] ?? 0) : (rdata[i] ?? 0) << 8
  return (sum + (sum >>> 16)) & 0xffff
}

/** What a key is for, by its flags. RFC 4034 §2.1.1, RFC 5011 §3. */
export function keyRole({ flags }: Pick<RecordData<'DNSKEY'>, 'flags'>): string {
  if (!(flags & ZONE_KEY)) return 'no zone key'
  const role = flags & SECURE_ENTRY_POINT ? 'KSK' : 'ZSK'
  return flags & REVOKED ? `${role}, revoked` : role
}

/** The size of a public key in bits; undefined when the algorithm does not tell. RFC 3110 §2 for RSA. */
export function keyBits({
  algorithm,
  publicKey,
}: Pick<RecordData<'DNSKEY'>, 'algorithm' | 'publicKey'>): number | undefined {
  const fixed: Readonly<Record<number, number>> = { 13: 256, 14: 384, 15: 256, 16: 456 }
  if (fixed[algorithm]) return fixed[algorithm]
  if (![1, 5, 7, 8, 10].includes(algorithm) || !publicKey.length) return undefined
  const short = publicKey[0] ?? 0
  const exponent = short ? short + 1 : 3 + (((publicKey[1] ?? 0) << 8) | (publicKey[2] ?? 0))
  const modulus = publicKey.subarray(exponent)
  const lead = modulus.findIndex(byte => byte !== 0)
  if (lead < 0) return undefined
  return (modulus.length - lead) * 8 - Math.clz32(modulus[lead] ?? 0) + 24
}
