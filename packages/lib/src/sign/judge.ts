import type { Bytes } from '../bytes.ts'
import { isSigningCurve, signingCurves } from '../key/ec.ts'
import type { DsaPublicKey, EcPublicKey, PublicKey, RsaPublicKey } from '../key/key.ts'
import { checkDsaKey, dsaRangeFault, readDsaSignature, verifyDsa } from './dsa.ts'
import { readEcdsaSignature, verifyEcdsa } from './ecdsa.ts'
import { checkEddsaKey, eddsaFault } from './eddsa.ts'
import { hashOids, type SignatureHash } from './hash-oid.ts'
import { explainRsa, verifyPkcs1, verifyPssAnySalt } from './rsa-signature.ts'

/** Whether a signature holds, by the kind of its key, and what is wrong with it when it does not. */
export interface Verdict {
  valid: boolean
  /** A clause. */
  reason?: string
  /** What it is: "RSASSA-PSS, salt of 32 bytes", "ECDSA in P1363". */
  scheme?: string
}

export interface Statement {
  hash: SignatureHash
  message: Uint8Array
  signature: Bytes
  /** Of Ed448. */
  context?: Uint8Array | undefined
}

const OTHER = 'it was made for another message or with another key'

export async function judgeSignature(key: PublicKey, statement: Statement): Promise<Verdict> {
  switch (key.type) {
    case 'RSA':
      return judgeRsa(key, statement)
    case 'EC':
      return judgeEcdsa(key, statement)
    case 'DSA':
      return judgeDsa(key, statement)
    case 'Ed25519':
    case 'Ed448': {
      await checkEddsaKey(key.type, key.bytes)
      const { message, signature, context } = statement
      const reason = await eddsaFault(key.type, key.bytes, message, signature, context)
      return { valid: !reason, scheme: key.type, ...(reason && { reason }) }
    }
    default:
      throw new RangeError(`a key of ${key.type} is for agreement, and nothing is signed with it`)
  }
}

/** Either padding; of PSS any length of salt, with the same hash function in the mask or SHA-1. */
async function judgeRsa(key: RsaPublicKey, { hash, message, signature }: Statement): Promise<Verdict> {
  if (!key.restricted && (await verifyPkcs1(key, hash, message, signature))) {
    return { valid: true, scheme: 'RSASSA-PKCS1-v1_5' }
  }
  for (const mgfHash of new Set<SignatureHash>([hash, 'SHA-1'])) {
    const salt = await verifyPssAnySalt(key, message, signature, { hash, mgfHash })
    if (salt === undefined) continue
    const mask = mgfHash === hash ? '' : `, mask with ${mgfHash}`
    return { valid: true, scheme: `RSASSA-PSS, salt of ${salt} bytes${mask}` }
  }
  return { valid: false, reason: await explainRsa(key, { hash }, message, signature) }
}

/** Both ways to write two numbers; a signature in DER is never as long as one in P1363 and DER at once. */
async function judgeEcdsa(key: EcPublicKey, { hash, message, signature }: Statement): Promise<Verdict> {
  const { curve } = key
  if (!isSigningCurve(curve)) {
    throw new RangeError(`the key is on the curve ${curve}, and the curves at hand are ${signingCurves.join(', ')}`)
  }
  let fault = ''
  for (const format of ['DER', 'P1363'] as const) {
    const scheme = `ECDSA on ${curve}, ${format}`
    try {
      const pair = await readEcdsaSignature(signature, format, curve)
      if (await verifyEcdsa(key, hash, message, pair)) return { valid: true, scheme }
      const other = await otherHash(hash, name => verifyEcdsa(key, name, message, pair))
      return { valid: false, scheme, reason: other ?? OTHER }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      if (looksLike(format, signature) || !fault) fault = error.message
    }
  }
  return { valid: false, reason: `it is not a signature in strict DER or P1363: ${fault}` }
}

async function judgeDsa(key: DsaPublicKey, { hash, message, signature }: Statement): Promise<Verdict> {
  checkDsaKey(key)
  let fault = ''
  for (const format of ['DER', 'P1363'] as const) {
    const scheme = `DSA, ${format}`
    try {
      const pair = readDsaSignature(signature, format, key)
      const range = dsaRangeFault(pair, key)
      if (range) return { valid: false, scheme, reason: range }
      if (await verifyDsa(key, hash, message, pair)) return { valid: true, scheme }
      const other = await otherHash(hash, name => verifyDsa(key, name, message, pair))
      return { valid: false, scheme, reason: other ?? OTHER }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      if (looksLike(format, signature) || !fault) fault = error.message
    }
  }
  return { valid: false, reason: `it is not a signature in strict DER or P1363: ${fault}` }
}

/** Whose complaint is worth telling: a SEQUENCE is meant to be DER. */
const looksLike = (format: 'DER' | 'P1363', [first]: Uint8Array): boolean => (first === 0x30) === (format === 'DER')

/** Says with which other hash function it holds. */
async function otherHash(asked: SignatureHash, holds: (name: SignatureHash) => Promise<boolean>) {
  for (const name of Object.keys(hashOids) as SignatureHash[]) {
    if (name !== asked && (await holds(name))) return `it was made with ${name}, not with ${asked}, and holds with that`
  }
  return undefined
}
