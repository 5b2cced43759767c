import { type Bytes, concat } from '../bytes.ts'
import { decryptAes, encryptAes } from '../cipher/aes.ts'
import { type AgreedKdf, agreedKey } from '../kdf/agreed-key.ts'
import {
  type AgreementPrivateKey,
  type AgreementPublicKey,
  agreementCurveOf,
  isMontgomery,
  publicOctets,
  sharedPoint,
  sharedSecret,
} from './agreement.ts'
import { curveOf } from './curves.ts'
import { generateEcKey, isSigningCurve } from './ec.ts'
import { okpLengths } from './key.ts'
import { generateOkpKey, okpPublicKeyOf } from './okp.ts'

/**
 * The Elliptic Curve Integrated Encryption Scheme. SEC 1 §5.1, with AES-256-GCM in the place of its cipher and MAC, in two layouts:
 *
 * - Assay: ephemeral public key ‖ nonce of 12 bytes ‖ ciphertext ‖ tag of 16 bytes. The key is derived from the shared secret, with
 *   ephemeral public key ‖ public key of the receiver as info or SharedInfo, so that no other pair of keys gives the same one.
 * - eciesjs: ephemeral public key ‖ nonce of 16 bytes ‖ tag of 16 bytes ‖ ciphertext, as the packages eciesjs and ecies write it.
 *   The key is HKDF-SHA256 over ephemeral public key ‖ shared point, without salt and info.
 *
 * Points are uncompressed; keys of X25519 have 32 bytes. The associated data is empty.
 */
export const eciesCurves = ['secp256k1', 'P-256', 'P-384', 'X25519'] as const
export type EciesCurve = (typeof eciesCurves)[number]
export const eciesLayouts = ['Assay', 'eciesjs'] as const
export type EciesLayout = (typeof eciesLayouts)[number]

/** What eciesjs has: https://github.com/ecies/js, src/config.ts. */
const eciesjsCurves: readonly EciesCurve[] = ['secp256k1', 'X25519']

const TAG_BYTES = 16
const nonceBytes: Readonly<Record<EciesLayout, number>> = { Assay: 12, eciesjs: 16 }

export interface EciesTerms {
  kdf: AgreedKdf
  layout: EciesLayout
}

/** A ciphertext does not open: with which fault is never told, because there is no more to tell. */
export class EciesError extends Error {
  constructor() {
    super('the ciphertext does not open with this key')
    this.name = 'EciesError'
  }
}

export function eciesCurveOf(key: AgreementPublicKey | AgreementPrivateKey): EciesCurve {
  const name = agreementCurveOf(key)
  const found = eciesCurves.find(curve => curve === name)
  if (!found) throw new RangeError(`the key is on ${name}, and the curves at hand are ${eciesCurves.join(', ')}`)
  return found
}

/** Refuses what the layout does not have. */
export function checkEcies(curve: EciesCurve, { kdf, layout }: EciesTerms): void {
  if (layout === 'Assay') return
  if (!eciesjsCurves.includes(curve)) throw new RangeError(`eciesjs has ${eciesjsCurves.join(' and ')}, not ${curve}`)
  if (kdf !== 'HKDF-SHA256') throw new RangeError('eciesjs derives its keys with HKDF-SHA256')
}

/** Bytes of the ephemeral public key. */
const publicBytes = (curve: EciesCurve): number =>
  isMontgomery(curve) ? okpLengths[curve] : 1 + 2 * curveOf(curve).bytes

/** Bytes that a ciphertext has beyond its text. */
export const eciesOverhead = (curve: EciesCurve, layout: EciesLayout): number =>
  publicBytes(curve) + nonceBytes[layout] + TAG_BYTES

async function ephemeralKey(curve: EciesCurve, random: (length: number) => Bytes): Promise<AgreementPrivateKey> {
  if (isMontgomery(curve)) {
    const { bytes } = await generateOkpKey(curve, random)
    return {
      type: curve,
      bytes,
      publicKey: { type: curve, bytes: (await okpPublicKeyOf({ type: curve, bytes })).bytes },
    }
  }
  if (!isSigningCurve(curve)) throw new RangeError(`nothing is computed on ${curve} here`)
  return generateEcKey(curve, random)
}

interface Exchange {
  own: AgreementPrivateKey
  other: AgreementPublicKey
  ephemeral: AgreementPublicKey
  receiver: AgreementPublicKey
}

/** undefined when the other public key is of small order: everybody would know the key. */
async function contentKey({ own, other, ephemeral, receiver }: Exchange, { kdf, layout }: EciesTerms) {
  const { bytes, zero } = await sharedSecret(own, other)
  if (zero) return undefined
  if (layout === 'eciesjs') {
    const point = own.type === 'EC' ? await sharedPoint(own, other) : bytes
    return agreedKey('HKDF-SHA256', concat(publicOctets(ephemeral), point), { length: 32 })
  }
  const info = concat(publicOctets(ephemeral), publicOctets(receiver))
  return agreedKey(kdf, bytes, { info, length: 32 })
}

const job = (key: Bytes, iv: Bytes) =>
  ({ mode: 'GCM', key, iv, aad: new Uint8Array(), tagBytes: TAG_BYTES, padding: 'None' }) as const

/** SEC 1 §5.1.3 */
export async function encryptEcies(
  receiver: AgreementPublicKey,
  text: Bytes,
  terms: EciesTerms,
  random: (length: number) => Bytes,
): Promise<Bytes> {
  const curve = eciesCurveOf(receiver)
  checkEcies(curve, terms)
  const own = await ephemeralKey(curve, random)
  const key = await contentKey({ own, other: receiver, ephemeral: own.publicKey, receiver }, terms)
  if (!key) throw new RangeError('the public key is a point of small order, so everybody could decrypt')
  const nonce = random(nonceBytes[terms.layout])
  const { ciphertext, tag } = await encryptAes(job(key, nonce), text, random)
  const head = concat(publicOctets(own.publicKey), nonce)
  return terms.layout === 'Assay' ? concat(head, ciphertext, tag) : concat(head, tag, ciphertext)
}

/** SEC 1 §5.1.4; RangeError when it is too short to be a ciphertext, EciesError when it does not open. */
export async function decryptEcies(own: AgreementPrivateKey, input: Bytes, terms: EciesTerms): Promise<Bytes> {
  const curve = eciesCurveOf(own)
  checkEcies(curve, terms)
  const least = eciesOverhead(curve, terms.layout)
  if (input.length < least) {
    throw new RangeError(`a ciphertext on ${curve} has at least ${least} bytes, and this one has ${input.length}`)
  }
  const end = publicBytes(curve)
  const ephemeral = pointOf(curve, input.slice(0, end))
  const nonce = input.slice(end, end + nonceBytes[terms.layout])
  const rest = input.subarray(end + nonce.length)
  const [ciphertext, tag] =
    terms.layout === 'Assay'
      ? [rest.slice(0, rest.length - TAG_BYTES), rest.slice(rest.length - TAG_BYTES)]
      : [rest.slice(TAG_BYTES), rest.slice(0, TAG_BYTES)]
  const key = await contentKey({ own, other: ephemeral, ephemeral, receiver: own.publicKey }, terms).catch(asEciesError)
  const text = key && (await decryptAes(job(key, nonce), ciphertext, tag))
  if (!text) throw new EciesError()
  return text
}

const pointOf = (curve: EciesCurve, bytes: Bytes): AgreementPublicKey =>
  isMontgomery(curve) ? { type: curve, bytes } : { type: 'EC', curve, point: bytes }

/** A point that is none is one more way for a ciphertext to be wrong. */
function asEciesError(error: unknown): never {
  if (error instanceof RangeError) throw new EciesError()
  throw error
}
