import { field, mono, panel, tool } from '@assay/kit'
import { outputFormats, toHex, writeBytes } from '@assay/lib/bytes'
import type { AgreementCurve } from '@assay/lib/key/agreement'
import { passphraseField } from '../key-fields.ts'
import { explained } from './explained.ts'
import { SMALL_ORDER } from './x25519.ts'

const curves = [
  'P-256',
  'P-384',
  'P-521',
  'secp256k1',
  'X25519',
  'X448',
  'brainpoolP256r1',
  'brainpoolP384r1',
  'brainpoolP512r1',
] as const satisfies readonly AgreementCurve[]
const NONE = 'none'
const kdfs = [NONE, 'HKDF-SHA256', 'X9.63-SHA256'] as const
/** RFC 5869 §2.3: 255 blocks of SHA-256. */
const MAX_KEY_BYTES = 8160
const derived = { dependsOn: { field: 'kdf', values: ['HKDF-SHA256', 'X9.63-SHA256'] } }

/** Wycheproof ecdh_secp256r1_ecpoint_test.json, tcId 1. */
const samplePrivate = '0612465c89a023ab17855b0a6bcebfd3febb53aef84138647b5352e02c10c346'
const samplePublic =
  '0462d5bd3372af75fe85a040715d0f502428e07046868b0bfdfa61d731afe44f26ac333a93a9e70a81cd5a95b5bf8d13990eb741c8c38872b4a07d275a014e30cf'
const sampleShared = '53020d908b0219328b658b525f26780e3ae12bcd952bb25a93bc0895e1714285'

/** Agreement on a secret by elliptic curves. NIST SP 800-56A §5.7.1.2, RFC 7748 §6, SEC 1 §3.3 and §3.6.1. */
export const ecdh = tool({
  id: 'ecdh',
  path: 'ecdh',
  title: 'ECDH Key Agreement',
  category: 'digital-signatures-and-key-management',
  summary: 'Your private key and the public key of somebody else give the secret that only you two can compute.',
  keywords: [
    'elliptic curve diffie-hellman',
    'shared secret',
    'key exchange',
    'x25519',
    'x448',
    'secp256k1',
    'openssl pkeyutl -derive',
    'hkdf',
    'x9.63',
  ],
  specs: ['NIST SP 800-56A', 'RFC 7748', 'RFC 5869', 'RFC 5639'],
  runs: 'anywhere',
  fields: {
    curve: field.choice('Curve', curves, {
      help: 'Counts for bare keys in hexadecimal; any other key says itself on which curve it is.',
    }),
    privateKey: field.area('Your private key', {
      secret: true,
      placeholder: '-----BEGIN PRIVATE KEY-----',
      takes: ['private-key'],
      help: 'PEM, JWK, DER in Base64 or hexadecimal, or the bare key in hexadecimal.',
    }),
    publicKey: field.area('Public key of the other side', {
      placeholder: '-----BEGIN PUBLIC KEY-----',
      takes: ['public-key', 'certificate'],
      help: 'The same forms, or a certificate. Bare points may be compressed.',
    }),
    passphrase: passphraseField(),
    kdf: field.choice('Key derivation', kdfs, { help: 'The bare secret is not uniform: derive keys from it.' }),
    salt: field.bytes('Salt', { optional: true, line: true, dependsOn: { field: 'kdf', values: ['HKDF-SHA256'] } }),
    info: field.bytes('Info', {
      optional: true,
      line: true,
      help: 'What the key is for and for whom. X9.63 calls it SharedInfo.',
      ...derived,
    }),
    length: field.number('Key length', { min: 1, max: MAX_KEY_BYTES, default: 32, unit: 'bytes', ...derived }),
    output_format: field.choice('Output format', outputFormats),
  },
  async run({ curve, privateKey, publicKey, passphrase, kdf, salt, info, length, output_format }) {
    const agreement = await import('@assay/lib/key/agreement')
    const own = await explained('privateKey', 'Your private key', () =>
      agreement.readAgreementPrivateKey(privateKey, curve, passphrase),
    )
    const { key, note } = await explained('publicKey', 'Public key of the other side', async () => {
      const found = await agreement.readAgreementPublicKey(publicKey, agreement.agreementCurveOf(own))
      agreement.agreementCurveOf(found.key)
      return found
    })
    const secret = await explained('publicKey', 'Public key of the other side', () => agreement.sharedSecret(own, key))
    const used = agreement.agreementCurveOf(own)
    const { agreedKey } = await import('@assay/lib/kdf/agreed-key')
    const chosen = used === curve ? undefined : `The keys are on ${used}, so that curve was used.`
    const words = [note, chosen].filter(Boolean).join(' ')
    return {
      shared_secret: writeBytes(secret.bytes, output_format),
      ...(kdf !== NONE && {
        derived_key: writeBytes(await agreedKey(kdf, secret.bytes, { salt, info, length }), output_format),
      }),
      all_zero: secret.zero,
      output_format,
      curve: used,
      kdf,
      own_public_key: toHex(agreement.publicOctets(own.publicKey)),
      other_public_key: toHex(agreement.publicOctets(key)),
      ...(words && { note: words }),
    }
  },
  show: result => [
    result.all_zero
      ? panel.banner('bad', 'The secret is all zeros', {
          badge: 'NOT SECRET',
          detail: `${SMALL_ORDER} RFC 7748 §6 lets you stop here, and you should.`,
        })
      : panel.banner('good', `A shared secret on ${result.curve}`),
    panel.facts([
      ...(result.derived_key ? [[`Key from ${result.kdf}`, mono(result.derived_key)] as const] : []),
      ['Shared secret', mono(result.shared_secret)],
      ['Your public key', mono(result.own_public_key)],
      ['Public key of the other side', mono(result.other_public_key)],
    ]),
    ...(result.note ? [panel.note('info', result.note)] : []),
    ...(result.own_public_key === result.other_public_key
      ? [panel.note('warn', 'Both keys are the same pair: nothing was agreed on with anybody.')]
      : []),
  ],
  terminal: ({ kdf }) =>
    kdf === NONE
      ? { command: 'openssl pkeyutl -derive -inkey private.pem -peerkey public.pem | xxd -p -c 100' }
      : undefined,
  cost: ({ passphrase }) => ({ milliseconds: passphrase ? 400 : 40, megabytes: 16 }),
  examples: [
    {
      from: 'Wycheproof ecdh_secp256r1_ecpoint_test.json, tcId 1',
      title: 'P-256',
      input: { privateKey: samplePrivate, publicKey: samplePublic },
      result: { shared_secret: sampleShared, curve: 'P-256', all_zero: false },
    },
    {
      from: 'RFC 7748 §6.1',
      title: 'X25519, as Alice sees it',
      input: {
        curve: 'X25519',
        privateKey: '77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a',
        publicKey: 'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f',
      },
      result: { shared_secret: '4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742', curve: 'X25519' },
    },
    {
      from: 'RFC 7748 §6.2',
      title: 'X448, as Bob sees it',
      input: {
        curve: 'X448',
        privateKey:
          '1c306a7ac2a0e2e0990b294470cba339e6453772b075811d8fad0d1d6927c120bb5ee8972b0d3e21374c9c921b09d1b0366f10b65173992d',
        publicKey:
          '9b08f7cc31b7e3e67d22d5aea121074a273bd2b83de09c63faa73d2c22c5d9bbc836647241d953d40c5b12da88120d53177f80e532c41fa0',
      },
      result: {
        shared_secret:
          '07fff4181ac6cc95ec1c16a94a0f74d12da232ce40a77552281d282bb60c0b56fd2464c335543936521c24403085d59a449a5037514a879d',
      },
    },
  ],
})
