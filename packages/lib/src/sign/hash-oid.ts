import type { HashName } from '../hash/digest.ts'

/** Identifiers of hash functions in signatures: RFC 8017 §B.1 and the registry of NIST. */
export const hashOids = {
  MD5: '1.2.840.113549.2.5',
  'SHA-1': '1.3.14.3.2.26',
  'SHA-224': '2.16.840.1.101.3.4.2.4',
  'SHA-256': '2.16.840.1.101.3.4.2.1',
  'SHA-384': '2.16.840.1.101.3.4.2.2',
  'SHA-512': '2.16.840.1.101.3.4.2.3',
  'SHA-512/224': '2.16.840.1.101.3.4.2.5',
  'SHA-512/256': '2.16.840.1.101.3.4.2.6',
  'SHA3-224': '2.16.840.1.101.3.4.2.7',
  'SHA3-256': '2.16.840.1.101.3.4.2.8',
  'SHA3-384': '2.16.840.1.101.3.4.2.9',
  'SHA3-512': '2.16.840.1.101.3.4.2.10',
} as const satisfies Partial<Record<HashName, string>>

/** A hash function that signatures can name. */
export type SignatureHash = keyof typeof hashOids

const byOid = new Map(Object.entries(hashOids).map(([name, oid]) => [oid as string, name as SignatureHash]))
export const hashByOid = (oid: string): SignatureHash | undefined => byOid.get(oid)
