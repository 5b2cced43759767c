import type { Bytes } from '../bytes.ts'
import type { SubjectPublicKeyInfo } from '../key/spki.ts'

/** ML-DSA (FIPS 204) and SLH-DSA (FIPS 205) in their pure forms, by the identifiers of RFC 9881 and RFC 9909. */
interface Row {
  oid: string
  keyBytes: number
  signatureBytes: number
}

/** Sizes: FIPS 204 table 2, FIPS 205 table 2. */
const mlDsa = {
  'ML-DSA-44': { oid: '2.16.840.1.101.3.4.3.17', keyBytes: 1312, signatureBytes: 2420 },
  'ML-DSA-65': { oid: '2.16.840.1.101.3.4.3.18', keyBytes: 1952, signatureBytes: 3309 },
  'ML-DSA-87': { oid: '2.16.840.1.101.3.4.3.19', keyBytes: 2592, signatureBytes: 4627 },
} as const satisfies Record<string, Row>

const slhDsa = {
  'SLH-DSA-SHA2-128s': { oid: '2.16.840.1.101.3.4.3.20', keyBytes: 32, signatureBytes: 7856 },
  'SLH-DSA-SHA2-128f': { oid: '2.16.840.1.101.3.4.3.21', keyBytes: 32, signatureBytes: 17088 },
  'SLH-DSA-SHA2-192s': { oid: '2.16.840.1.101.3.4.3.22', keyBytes: 48, signatureBytes: 16224 },
  'SLH-DSA-SHA2-192f': { oid: '2.16.840.1.101.3.4.3.23', keyBytes: 48, signatureBytes: 35664 },
  'SLH-DSA-SHA2-256s': { oid: '2.16.840.1.101.3.4.3.24', keyBytes: 64, signatureBytes: 29792 },
  'SLH-DSA-SHA2-256f': { oid: '2.16.840.1.101.3.4.3.25', keyBytes: 64, signatureBytes: 49856 },
  'SLH-DSA-SHAKE-128s': { oid: '2.16.840.1.101.3.4.3.26', keyBytes: 32, signatureBytes: 7856 },
  'SLH-DSA-SHAKE-128f': { oid: '2.16.840.1.101.3.4.3.27', keyBytes: 32, signatureBytes: 17088 },
  'SLH-DSA-SHAKE-192s': { oid: '2.16.840.1.101.3.4.3.28', keyBytes: 48, signatureBytes: 16224 },
  'SLH-DSA-SHAKE-192f': { oid: '2.16.840.1.101.3.4.3.29', keyBytes: 48, signatureBytes: 35664 },
  'SLH-DSA-SHAKE-256s': { oid: '2.16.840.1.101.3.4.3.30', keyBytes: 64, signatureBytes: 29792 },
  'SLH-DSA-SHAKE-256f': { oid: '2.16.840.1.101.3.4.3.31', keyBytes: 64, signatureBytes: 49856 },
} as const satisfies Record<string, Row>

export type PostQuantumName = keyof typeof mlDsa | keyof typeof slhDsa
export type PostQuantumFamily = 'ML-DSA' | 'SLH-DSA'
const rows: Readonly<Record<PostQuantumName, Row>> = { ...mlDsa, ...slhDsa }
const names = Object.keys(rows) as PostQuantumName[]

/** Octets of a context string: FIPS 204 §5.2, FIPS 205 §10.2. */
export const MAX_CONTEXT_BYTES = 255

export interface PostQuantumKey {
  family: PostQuantumFamily
  /** A bare key of SLH-DSA fits several sets of parameters. */
  candidates: readonly PostQuantumName[]
  bytes: Bytes
}

export const familyOf = (name: PostQuantumName): PostQuantumFamily => (name in mlDsa ? 'ML-DSA' : 'SLH-DSA')

/** The key inside; undefined for any other algorithm, RangeError for a key that does not fit its own. */
export function postQuantumKeyOf({ algorithm, bits }: SubjectPublicKeyInfo): PostQuantumKey | undefined {
  const name = names.find(candidate => rows[candidate].oid === algorithm.oid)
  if (!name) return undefined
  if (algorithm.parameters) throw new RangeError(`the algorithm ${name} has parameters, and none are allowed`)
  const { keyBytes } = rows[name]
  if (bits.unused || bits.bytes.length !== keyBytes) {
    throw new RangeError(`a key of ${name} has ${keyBytes} bytes, and this one has ${bits.bytes.length}`)
  }
  return { family: familyOf(name), candidates: [name], bytes: bits.bytes }
}

/** A key that is nothing but its bytes; undefined when no set of parameters has keys of this length. */
export function barePostQuantumKey(family: PostQuantumFamily, bytes: Bytes): PostQuantumKey | undefined {
  const candidates = names.filter(name => familyOf(name) === family && rows[name].keyBytes === bytes.length)
  return candidates.length ? { family, candidates, bytes } : undefined
}

type Verifier = { verify(signature: Uint8Array, message: Uint8Array, key: Uint8Array, options?: object): boolean }

async function verifierOf(name: PostQuantumName): Promise<Verifier> {
  if (familyOf(name) === 'ML-DSA') {
    const { ml_dsa44, ml_dsa65, ml_dsa87 } = await import('@noble/post-quantum/ml-dsa.js')
    return name === 'ML-DSA-44' ? ml_dsa44 : name === 'ML-DSA-65' ? ml_dsa65 : ml_dsa87
  }
  const slh = await import('@noble/post-quantum/slh-dsa.js')
  const verifiers: Partial<Record<PostQuantumName, Verifier>> = {
    'SLH-DSA-SHA2-128s': slh.slh_dsa_sha2_128s,
    'SLH-DSA-SHA2-128f': slh.slh_dsa_sha2_128f,
    'SLH-DSA-SHA2-192s': slh.slh_dsa_sha2_192s,
    'SLH-DSA-SHA2-192f': slh.slh_dsa_sha2_192f,
    'SLH-DSA-SHA2-256s': slh.slh_dsa_sha2_256s,
    'SLH-DSA-SHA2-256f': slh.slh_dsa_sha2_256f,
    'SLH-DSA-SHAKE-128s': slh.slh_dsa_shake_128s,
    'SLH-DSA-SHAKE-128f': slh.slh_dsa_shake_128f,
    'SLH-DSA-SHAKE-192s': slh.slh_dsa_shake_192s,
    'SLH-DSA-SHAKE-192f': slh.slh_dsa_shake_192f,
    'SLH-DSA-SHAKE-256s': slh.slh_dsa_shake_256s,
    'SLH-DSA-SHAKE-256f': slh.slh_dsa_shake_256f,
  }
  const verifier = verifiers[name]
  if (!verifier) throw new RangeError(`${name} is not computed here`)
  return verifier
}

export type PostQuantumVerdict = { valid: true; name: PostQuantumName } | { valid: false; reason: string }

/** FIPS 204 algorithm 3, FIPS 205 algorithm 24: the message itself is signed, with a context that is usually empty. */
export async function verifyPostQuantum(
  { candidates, bytes }: PostQuantumKey,
  message: Uint8Array,
  signature: Uint8Array,
  context: Uint8Array,
): Promise<PostQuantumVerdict> {
  if (context.length > MAX_CONTEXT_BYTES) {
    throw new RangeError(`expected at most ${MAX_CONTEXT_BYTES} bytes of context, got ${context.length}`)
  }
  const fitting = candidates.filter(name => rows[name].signatureBytes === signature.length)
  if (!fitting.length) {
    const wanted = [...new Set(candidates.map(name => rows[name].signatureBytes))].join(' or ')
    return { valid: false, reason: `the signature has ${signature.length} bytes, and those of this key have ${wanted}` }
  }
  for (const name of fitting) {
    if ((await verifierOf(name)).verify(signature, message, bytes, { context })) return { valid: true, name }
  }
  return {
    valid: false,
    reason: 'it was made for another message, with another key or context, or over a hash value of the message',
  }
}
