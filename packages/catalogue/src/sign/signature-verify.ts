import { field, mono, Problem, panel, tool } from '@assay/kit'
import { type Bytes, fromBase64, fromHex, toHex } from '@assay/lib/bytes'
import type { PublicKey } from '@assay/lib/key/key'
import type { SignatureHash } from '@assay/lib/sign/hash-oid'
import type { PostQuantumFamily, PostQuantumKey } from '@assay/lib/sign/post-quantum'
import { explained } from './explained.ts'
import { verifyCommand, verifyRawCommand } from './openssl.ts'
import { pkcs1Signature, rsaPublicKey, wrongHashSignature } from './rsa-examples.ts'
import { signatureForms, signatureIn } from './signature-text.ts'
import { sentence, verdictBanner } from './verdict.ts'

const algorithms = ['RSA', 'DSA', 'ECDSA', 'Ed25519', 'Ed448', 'ML-DSA', 'SLH-DSA'] as const
type Algorithm = (typeof algorithms)[number]
const hashes = [
  'SHA-1',
  'SHA-256',
  'SHA-384',
  'SHA-512',
  'SHA-224',
  'SHA3-224',
  'SHA3-256',
  'SHA3-384',
  'SHA3-512',
] as const satisfies readonly SignatureHash[]
/** Those that sign the hash value of the message; the others sign the message. */
const hashing: readonly Algorithm[] = ['RSA', 'DSA', 'ECDSA']
const slow: readonly Algorithm[] = ['ECDSA', 'DSA', 'SLH-DSA']
const withContext: readonly Algorithm[] = ['Ed448', 'ML-DSA', 'SLH-DSA']

/** Any signature with any key. RFC 8017, FIPS 186-5, RFC 8032, FIPS 204, FIPS 205. */
export const signatureVerify = tool({
  id: 'signature-verify',
  path: 'signature-verify',
  title: 'Digital Signature Verifier (any algorithm)',
  category: 'digital-signatures-and-key-management',
  summary: 'Check a signature of any usual algorithm with a public key or certificate, and learn why it fails.',
  keywords: [
    'verify signature',
    'openssl dgst -verify',
    'rsa',
    'ecdsa',
    'ed25519',
    'eddsa',
    'ml-dsa',
    'dilithium',
    'slh-dsa',
    'sphincs',
    'post-quantum',
  ],
  specs: ['RFC 8017', 'FIPS 186-5', 'RFC 8032', 'FIPS 204', 'FIPS 205', 'RFC 9881', 'RFC 9909'],
  runs: 'anywhere',
  fields: {
    message: field.bytes('Message', { placeholder: 'What was signed, to the last byte' }),
    signature: field.area('Signature', { placeholder: 'Base64, hexadecimal or PEM' }),
    publicKey: field.area('Public key', {
      placeholder: '-----BEGIN PUBLIC KEY-----',
      takes: ['public-key', 'certificate', 'private-key'],
      help: 'PEM, a certificate, JWK, OpenSSH, DER in Base64 or hexadecimal; keys of Ed25519, Ed448, ML-DSA and SLH-DSA bare too.',
    }),
    algorithm: field.choice('Algorithm', algorithms, {
      help: 'Counts for bare keys; any other key says itself what it is for. RSA takes both paddings, ECDSA and DSA both formats.',
    }),
    hash: field.choice('Hash function', hashes, {
      default: 'SHA-256',
      dependsOn: { field: 'algorithm', values: hashing },
    }),
    signature_format: field.choice('Signature format', signatureForms),
    context: field.bytes('Context', {
      optional: true,
      line: true,
      help: 'Almost always empty.',
      dependsOn: { field: 'algorithm', values: withContext },
    }),
  },
  async run({ message, signature, publicKey, algorithm, hash, signature_format, context }) {
    const bytes = await explained('signature', 'Signature', () => signatureIn(signature, signature_format))
    const key = await explained('publicKey', 'Public key', () => anyKey(publicKey, algorithm))
    const own = 'family' in key ? key.family : algorithmOf(key)
    const judged =
      'family' in key
        ? await explained('context', 'Context', () => judgePostQuantum(key, { message, signature: bytes, context }))
        : await explained('publicKey', 'Public key', async () => {
            const { judgeSignature } = await import('@assay/lib/sign/judge')
            return judgeSignature(key, { hash, message, signature: bytes, context })
          })
    const note = own === algorithm ? undefined : `The key is one of ${own}, so that algorithm was used.`
    return {
      valid: judged.valid,
      ...(judged.reason && { reason: sentence(judged.reason) }),
      algorithm: own,
      ...(judged.scheme && { scheme: judged.scheme }),
      ...(hashing.includes(own) && { hash }),
      key: await described(key),
      ...('family' in key ? {} : { public_key: await spkiHex(key) }),
      signature_bytes: bytes.length,
      message_bytes: message.length,
      ...(note && { note }),
    }
  },
  show: result => [
    verdictBanner(result),
    panel.facts([
      ['Algorithm', result.scheme ?? result.algorithm],
      ...(result.hash ? [['Hash function', result.hash] as const] : []),
      ['Key', result.key],
      ['Message', `${result.message_bytes} bytes`],
      ['Signature', `${result.signature_bytes} bytes`],
      ...(result.public_key ? [['SubjectPublicKeyInfo', mono(result.public_key)] as const] : []),
    ]),
    ...(result.note ? [panel.note('info', result.note)] : []),
    ...(result.hash === 'SHA-1'
      ? [
          panel.note(
            'warn',
            'Two texts with the same SHA-1 have been made since 2017, so the signature may be for both.',
          ),
        ]
      : []),
  ],
  terminal({ message, signature, signature_format, hash }, { valid, scheme = '', public_key, algorithm }) {
    if (!valid || !public_key || scheme.endsWith('P1363')) return undefined
    const terms = { message, spki: fromHex(public_key), signature: signatureIn(signature, signature_format) }
    if (algorithm.startsWith('Ed')) {
      return { command: verifyRawCommand(terms), prints: 'Signature Verified Successfully' }
    }
    const salt = /salt of (\d+) bytes/.exec(scheme)?.[1]
    const mask = scheme.includes('mask with') ? ['rsa_mgf1_md:sha1'] : []
    const options = salt ? ['rsa_padding_mode:pss', `rsa_pss_saltlen:${salt}`, ...mask] : []
    return { command: verifyCommand({ ...terms, hash, options }), prints: 'Verified OK' }
  },
  // A failed check of ECDSA or DSA tries the other hash functions too.
  cost: ({ algorithm }) => ({ milliseconds: slow.includes(algorithm) ? 400 : 40, megabytes: 32 }),
  examples: [
    {
      from: 'Wycheproof rsa_pkcs1_2048_sig_gen_test.json, tcId 84',
      title: 'RSA; the padding is found by itself',
      input: { message: '123400', publicKey: rsaPublicKey, signature: pkcs1Signature },
      result: { valid: true, scheme: 'RSASSA-PKCS1-v1_5', key: 'RSA, 2048 bits' },
    },
    {
      from: 'RFC 8032 §7.1, test 2',
      title: 'Ed25519 with a bare key',
      input: {
        message: '72',
        message_format: 'Hex',
        algorithm: 'Ed25519',
        publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
        signature:
          '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
      },
      result: { valid: true, scheme: 'Ed25519' },
    },
    {
      from: 'Wycheproof rsa_signature_2048_sha256_test.json, tcId 217',
      title: 'A signature that says SHA-1 where SHA-256 is asked for',
      input: { message: '123400', publicKey: rsaPublicKey, signature: wrongHashSignature },
      result: { valid: false, reason: 'It was made with SHA-1, not with SHA-256, and holds with that.' },
    },
  ],
})

/** A key in any form; one that is nothing but bytes belongs to the algorithm that is chosen beside it. */
async function anyKey(text: string, algorithm: Algorithm): Promise<PublicKey | PostQuantumKey> {
  const [{ findSpki, readPublicKey }, { barePostQuantumKey, postQuantumKeyOf }, { isOkp, okpLengths }] =
    await Promise.all([
      import('@assay/lib/key/read'),
      import('@assay/lib/sign/post-quantum'),
      import('@assay/lib/key/key'),
    ])
  const spki = findSpki(text)
  const postQuantum = spki && postQuantumKeyOf(spki)
  if (postQuantum) return postQuantum
  const bytes = spki ? undefined : bareBytes(text)
  if (isPostQuantum(algorithm)) {
    const key = bytes && barePostQuantumKey(algorithm, bytes)
    if (key) return key
  } else if (isOkp(algorithm) && bytes?.length === okpLengths[algorithm]) return { type: algorithm, bytes }
  const { key } = await readPublicKey(text)
  if (key.type === 'X25519' || key.type === 'X448') {
    throw new Problem(
      'invalid-input',
      `Public key: a key of ${key.type} is for agreement, and nothing is signed with it.`,
      {
        field: 'publicKey',
      },
    )
  }
  return key
}

const isPostQuantum = (algorithm: Algorithm): algorithm is PostQuantumFamily & Algorithm =>
  algorithm === 'ML-DSA' || algorithm === 'SLH-DSA'

function bareBytes(text: string): Bytes | undefined {
  const trimmed = text.trim().replace(/^0x/i, '')
  try {
    return /^[0-9a-f\s:]+$/i.test(trimmed) ? fromHex(trimmed) : fromBase64(trimmed)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function algorithmOf({ type }: PublicKey): Algorithm {
  if (type === 'EC') return 'ECDSA'
  return algorithms.find(name => name === type) ?? 'RSA'
}

async function judgePostQuantum(
  key: PostQuantumKey,
  { message, signature, context }: { message: Bytes; signature: Bytes; context: Bytes | undefined },
): Promise<{ valid: boolean; reason?: string; scheme?: string }> {
  const { verifyPostQuantum } = await import('@assay/lib/sign/post-quantum')
  const verdict = await verifyPostQuantum(key, message, signature, context ?? new Uint8Array())
  if (verdict.valid) return { valid: true, scheme: verdict.name }
  const [only, ...others] = key.candidates
  return { valid: false, reason: verdict.reason, ...(only && !others.length && { scheme: only }) }
}

async function described(key: PublicKey | PostQuantumKey): Promise<string> {
  if ('family' in key) {
    return key.candidates.length === 1 ? `${key.candidates[0]}` : `${key.family}, ${key.bytes.length} bytes`
  }
  return (await import('@assay/lib/key/fingerprint')).describeKey(key)
}

const spkiHex = async (key: PublicKey): Promise<string> => toHex((await import('@assay/lib/key/spki')).writeSpki(key))
