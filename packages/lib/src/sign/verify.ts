import { type Algorithm, hasNoParameters, readAlgorithm } from '../asn1/algorithm.ts'
import { Reader } from '../asn1/der.ts'
import { oidLabel } from '../asn1/oid-names.ts'
import type { BitString } from '../asn1/value.ts'
import { isSigningCurve } from '../key/ec.ts'
import type { EcPublicKey, PublicKey } from '../key/key.ts'
import { checkRsaPublicKey } from '../key/rsa.ts'
import { readDsaSignature, verifyDsa } from './dsa.ts'
import { readEcdsaSignature, signatureOctets, verifyEcdsa } from './ecdsa.ts'
import { hashByOid, type SignatureHash } from './hash-oid.ts'
import { type PssOptions, verifyPkcs1, verifyPss } from './rsa-signature.ts'

/** Signatures by the algorithm identifiers of certificates. RFC 3279 §2.2, RFC 4055, RFC 5758, RFC 8410. */

type Scheme =
  | { scheme: 'RSA PKCS #1 v1.5' | 'ECDSA' | 'DSA'; hash: SignatureHash }
  | { scheme: 'RSA-PSS' }
  | { scheme: 'Ed25519' | 'Ed448' }

const rsa = (hash: SignatureHash): Scheme => ({ scheme: 'RSA PKCS #1 v1.5', hash })
const ecdsa = (hash: SignatureHash): Scheme => ({ scheme: 'ECDSA', hash })
const dsa = (hash: SignatureHash): Scheme => ({ scheme: 'DSA', hash })

const schemes: Readonly<Record<string, Scheme>> = {
  '1.2.840.113549.1.1.4': rsa('MD5'),
  '1.2.840.113549.1.1.5': rsa('SHA-1'),
  '1.3.14.3.2.29': rsa('SHA-1'),
  '1.2.840.113549.1.1.11': rsa('SHA-256'),
  '1.2.840.113549.1.1.12': rsa('SHA-384'),
  '1.2.840.113549.1.1.13': rsa('SHA-512'),
  '1.2.840.113549.1.1.14': rsa('SHA-224'),
  '1.2.840.113549.1.1.15': rsa('SHA-512/224'),
  '1.2.840.113549.1.1.16': rsa('SHA-512/256'),
  '2.16.840.1.101.3.4.3.13': rsa('SHA3-224'),
  '2.16.840.1.101.3.4.3.14': rsa('SHA3-256'),
  '2.16.840.1.101.3.4.3.15': rsa('SHA3-384'),
  '2.16.840.1.101.3.4.3.16': rsa('SHA3-512'),
  '1.2.840.113549.1.1.10': { scheme: 'RSA-PSS' },
  '1.2.840.10045.4.1': ecdsa('SHA-1'),
  '1.2.840.10045.4.3.1': ecdsa('SHA-224'),
  '1.2.840.10045.4.3.2': ecdsa('SHA-256'),
  '1.2.840.10045.4.3.3': ecdsa('SHA-384'),
  '1.2.840.10045.4.3.4': ecdsa('SHA-512'),
  '2.16.840.1.101.3.4.3.9': ecdsa('SHA3-224'),
  '2.16.840.1.101.3.4.3.10': ecdsa('SHA3-256'),
  '2.16.840.1.101.3.4.3.11': ecdsa('SHA3-384'),
  '2.16.840.1.101.3.4.3.12': ecdsa('SHA3-512'),
  '1.2.840.10040.4.3': dsa('SHA-1'),
  '2.16.840.1.101.3.4.3.1': dsa('SHA-224'),
  '2.16.840.1.101.3.4.3.2': dsa('SHA-256'),
  '2.16.840.1.101.3.4.3.3': dsa('SHA-384'),
  '2.16.840.1.101.3.4.3.4': dsa('SHA-512'),
  '1.3.101.112': { scheme: 'Ed25519' },
  '1.3.101.113': { scheme: 'Ed448' },
}

/** RSASSA-PSS-params: RFC 4055 §3.1. What is left out is SHA-1, MGF1 with SHA-1, 20 bytes of salt. */
export function readPssParameters({ parameters }: Algorithm): PssOptions<SignatureHash> {
  if (!parameters) throw new RangeError('the parameters of RSA-PSS are missing')
  const reader = Reader.inside(parameters)
  const hash = hashNamed(reader.explicit(0, 'the hash function'))
  const mask = reader.explicit(1, 'the mask generation function')
  const mgf = mask && readAlgorithm(mask, 'the mask generation function')
  if (mgf && (mgf.oid !== '1.2.840.113549.1.1.8' || !mgf.parameters)) {
    throw new RangeError(`the mask generation function ${oidLabel(mgf.oid)} is not MGF1`)
  }
  const mgfHash = hashNamed(mgf?.parameters && new Reader(mgf.parameters.whole))
  const salt = reader.explicit(2, 'the length of the salt')
  const saltBytes = salt ? salt.smallInteger('the length of the salt') : 20
  const trailer = reader.explicit(3, 'the trailer')
  if (trailer && trailer.integer('the trailer') !== 1n) throw new RangeError('the trailer of RSA-PSS is not 1')
  reader.end('the parameters of RSA-PSS')
  return { hash, mgfHash, saltBytes }
}

function hashNamed(reader: Reader | undefined): SignatureHash {
  if (!reader) return 'SHA-1'
  const algorithm = readAlgorithm(reader, 'the hash function')
  const hash = hashByOid(algorithm.oid)
  if (!hash || !hasNoParameters(algorithm))
    throw new RangeError(`RSA-PSS with ${oidLabel(algorithm.oid)} is not computed here`)
  return hash
}

export interface SignatureAlgorithm {
  oid: string
  /** As its document names it. */
  name: string
  /** The parts of it that are understood here. */
  scheme?: Scheme['scheme']
  hash?: SignatureHash
  pss?: PssOptions
}

/** What an algorithm identifier means. One that is not known here has its name or its numbers only. */
export function signatureAlgorithmOf(algorithm: Algorithm): SignatureAlgorithm {
  const { oid } = algorithm
  const name = oidLabel(oid)
  const found = schemes[oid]
  if (!found) return { oid, name }
  if (found.scheme !== 'RSA-PSS') return { oid, name, ...found }
  try {
    const pss = readPssParameters(algorithm)
    return { oid, name, scheme: found.scheme, hash: pss.hash, pss }
  } catch (error) {
    if (error instanceof RangeError) return { oid, name, scheme: found.scheme }
    throw error
  }
}

/** `unknown` means that it was not computed, never that it is wrong. */
export type SignatureVerdict = { verdict: 'valid' } | { verdict: 'invalid' | 'unknown'; reason: string }

const unknown = (reason: string): SignatureVerdict => ({ verdict: 'unknown', reason })

/** Whether `signature` over `message` was made with the key. */
export async function verifySignature(
  algorithm: Algorithm,
  key: PublicKey,
  message: Uint8Array,
  signature: BitString,
): Promise<SignatureVerdict> {
  const { name, scheme, hash, pss } = signatureAlgorithmOf(algorithm)
  if (!scheme) return unknown(`Signatures with ${name} are not computed here.`)
  if (keyTypeOf[scheme] !== key.type) {
    return { verdict: 'invalid', reason: `The signature is made with ${name}, and the key is of the kind ${key.type}.` }
  }
  if (scheme === 'RSA-PSS' && !pss) return unknown('The parameters of RSA-PSS are not understood here.')
  if (key.type === 'EC' && !isSigningCurve(key.curve)) {
    return unknown(`Signatures on the curve ${key.curve} are not computed here.`)
  }
  try {
    const valid = await check({ scheme, hash, pss }, key, message, signature)
    return valid
      ? { verdict: 'valid' }
      : { verdict: 'invalid', reason: 'The signature does not belong to this content and key.' }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { verdict: 'invalid', reason: `The signature or the key is malformed: ${error.message}.` }
  }
}

const keyTypeOf: Readonly<Record<Scheme['scheme'], PublicKey['type']>> = {
  'RSA PKCS #1 v1.5': 'RSA',
  'RSA-PSS': 'RSA',
  ECDSA: 'EC',
  DSA: 'DSA',
  Ed25519: 'Ed25519',
  Ed448: 'Ed448',
}

/** Whether a key of this kind makes such signatures; undefined for algorithms that are not known here. */
export function fitsAlgorithm(algorithm: Algorithm, key: PublicKey): boolean | undefined {
  const { scheme } = signatureAlgorithmOf(algorithm)
  return scheme && keyTypeOf[scheme] === key.type
}

interface Terms {
  scheme: Scheme['scheme']
  hash: SignatureHash | undefined
  pss: PssOptions | undefined
}

async function check(
  { hash = 'SHA-256', pss }: Terms,
  key: PublicKey,
  message: Uint8Array,
  bits: BitString,
): Promise<boolean> {
  const signature = signatureOctets(bits)
  switch (key.type) {
    case 'RSA': {
      checkRsaPublicKey(key)
      return pss ? verifyPss(key, message, signature, pss) : verifyPkcs1(key, hash, message, signature)
    }
    case 'EC':
      return checkEcdsa(key, hash, message, bits)
    case 'DSA':
      return verifyDsa(key, hash, message, readDsaSignature(signature, 'DER', key))
    case 'Ed25519': {
      const { ed25519 } = await import('@noble/curves/ed25519.js')
      // RFC 8032 §5.1.7 with canonical encodings only.
      return signature.length === 64 && ed25519.verify(signature, message, key.bytes, { zip215: false })
    }
    case 'Ed448': {
      const { ed448 } = await import('@noble/curves/ed448.js')
      return signature.length === 114 && ed448.verify(signature, message, key.bytes)
    }
    default:
      return false
  }
}

async function checkEcdsa(
  key: EcPublicKey,
  hash: SignatureHash,
  message: Uint8Array,
  bits: BitString,
): Promise<boolean> {
  if (!isSigningCurve(key.curve)) return false
  return verifyEcdsa(key, hash, message, await readEcdsaSignature(signatureOctets(bits), 'DER', key.curve))
}
