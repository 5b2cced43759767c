import { action, field, mono, type Panel, panel, sh, tool } from '@assay/kit'
import { toPem } from '@assay/lib/asn1/pem'
import { type Bytes, fromHex, outputFormats, toBase64Url, toHex, writeBytes } from '@assay/lib/bytes'
import type { SigningCurve } from '@assay/lib/key/ec'
import { writeSpki } from '@assay/lib/key/spki'
import { type EcdsaFormat, ecdsaFormats } from '@assay/lib/sign/ecdsa'
import { privateKeyFields, publicKeyField } from '../key-fields.ts'
import { ecPrivateKey, ecPublicKey, type SigningKey } from './ec-input.ts'
import { explained } from './explained.ts'
import { keyPanels } from './key-file.ts'
import { signCommand, verifyCommand } from './openssl.ts'
import { signatureBytes } from './signature-text.ts'
import { verdictBanner } from './verdict.ts'

const curves = [
  'P-256',
  'P-384',
  'P-521',
  'secp256k1',
  'brainpoolP256r1',
  'brainpoolP384r1',
  'brainpoolP512r1',
] as const satisfies readonly SigningCurve[]
const hashes = ['SHA-256', 'SHA-384', 'SHA-512', 'SHA-224', 'SHA3-256', 'SHA3-384', 'SHA3-512'] as const
type Hash = (typeof hashes)[number]

const message = field.bytes('Message', { placeholder: 'What is signed' })
const hash = field.choice('Hash function', hashes)
const curve = field.choice('Curve', curves, {
  help: 'Counts for a bare key in hexadecimal; any other key says itself on which curve it is.',
})
const signatureFormat = field.choice('Signature format', ecdsaFormats, {
  help: 'DER for certificates and OpenSSL, P1363 for WebCrypto and .NET, JWS for tokens.',
})
const keyForms = 'PEM, JWK, OpenSSH, DER in Base64 or hexadecimal, or the bare key in hexadecimal.'

/** The examples of RFC 6979 §A.2.5 as PEM and as its signature in DER. */
const sampleKey = 'c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721'
const samplePublicKey =
  '0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299'
const sampleR = 'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716'
const sampleS = 'f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8'

/** Signatures on elliptic curves. FIPS 186-5 §6, SEC 1 §4.1, RFC 6979. */
export const ecdsa = tool({
  id: 'ecdsa',
  path: 'ecdsa',
  title: 'ECDSA Sign / Verify',
  category: 'digital-signatures-and-key-management',
  summary: 'Sign and verify with ECDSA on seven curves, and make keys for it.',
  keywords: [
    'elliptic curve',
    'secp256k1',
    'nist p-256',
    'prime256v1',
    'brainpool',
    'es256',
    'rfc 6979',
    'bitcoin',
    'ieee p1363',
  ],
  specs: ['FIPS 186-5', 'RFC 6979', 'RFC 5480', 'RFC 5639', 'RFC 7518'],
  runs: 'anywhere',
  actions: {
    sign: action({
      title: 'ECDSA Sign',
      summary: 'Sign a message with ECDSA, deterministically as RFC 6979 describes.',
      swap: { to: 'verify', from: 'signature', into: 'signature' },
      fields: {
        message,
        ...privateKeyFields(keyForms),
        curve,
        hash,
        signature_format: signatureFormat,
        output_format: field.choice('Output format', outputFormats, {
          dependsOn: { field: 'signature_format', values: ['DER', 'P1363'] },
        }),
      },
      async run({ message, privateKey, passphrase, curve, hash, signature_format, output_format }) {
        const { key, publicKey, note } = await ecPrivateKey(privateKey, { curve, passphrase })
        const { orderOf, signEcdsa, writeEcdsaSignature } = await import('@assay/lib/sign/ecdsa')
        const pair = await signEcdsa(key, hash, message)
        const bytes = writeEcdsaSignature(pair, signature_format, key.curve)
        return {
          signature: signature_format === 'JWS' ? toBase64Url(bytes) : writeBytes(bytes, output_format),
          signature_format,
          r: pair.r.toString(16).padStart(key.d.length * 2, '0'),
          s: pair.s.toString(16).padStart(key.d.length * 2, '0'),
          curve: publicKey.curve,
          hash,
          low_s: pair.s <= (await orderOf(publicKey.curve)) / 2n,
          public_key: toHex(publicKey.point),
          message_bytes: message.length,
          ...(note && { note }),
        }
      },
      show: result => [
        panel.facts([
          ['Signature', mono(result.signature)],
          ['Curve and hash function', `${result.curve} with ${result.hash}`],
          ['r', mono(result.r)],
          ['s', mono(result.s)],
          ['Public key', mono(result.public_key)],
        ]),
        ...notes(result),
      ],
      terminal: ({ message, hash, signature_format }) =>
        signature_format === 'DER' ? { command: signCommand({ message, hash }) } : undefined,
      cost: () => ({ milliseconds: 20, megabytes: 16 }),
      examples: [
        {
          from: 'RFC 6979 §A.2.5',
          title: 'P-256 with SHA-256, message "sample"',
          input: { message: 'sample', privateKey: sampleKey, signature_format: 'P1363' },
          result: { signature: `${sampleR}${sampleS}`, r: sampleR, s: sampleS, public_key: samplePublicKey },
        },
        {
          from: 'RFC 6979 §A.2.5',
          title: 'P-256 with SHA-512, message "sample", in DER',
          input: { message: 'sample', privateKey: sampleKey, hash: 'SHA-512' },
          result: {
            r: '8496a60b5e9b47c825488827e0495b0e3fa109ec4568fd3f8d1097678eb97f00',
            s: '2362ab1adbe2b8adf9cb9edab740ea6049c028114f2460f96554f61fae3302fe',
          },
        },
        {
          from: 'RFC 6979 §A.2.6',
          title: 'P-384 with SHA-384, message "test"',
          input: {
            message: 'test',
            privateKey:
              '6b9d3dad2e1b8c1c05b19875b6659f4de23c3b667bf297ba9aa47740787137d896d5724e4c70a825f872c9ea60d2edf5',
            curve: 'P-384',
            hash: 'SHA-384',
          },
          result: {
            r: '8203b63d3c853e8d77227fb377bcf7b7b772e97892a80f36ab775d509d7a5feb0542a7f0812998da8f1dd3ca3cf023db',
            s: 'ddd0760448d42d8a43af45af836fce4de8be06b485e9b61b827c2f13173923e06a739f040649a667bf3b828246baa5a5',
          },
        },
      ],
    }),

    verify: action({
      title: 'ECDSA Verify',
      summary: 'Check an ECDSA signature, strictly, and learn why it does not hold.',
      fields: {
        message,
        publicKey: publicKeyField(keyForms),
        signature: field.area('Signature', { placeholder: 'Hexadecimal or Base64; for JWS Base64url' }),
        curve,
        hash,
        signature_format: signatureFormat,
      },
      async run({ message, publicKey, signature, curve, hash, signature_format }) {
        const { key, note } = await ecPublicKey(publicKey, { curve })
        const bytes = await explained('signature', 'Signature', () => signatureBytes(signature, signature_format))
        const outcome = await judged(key, { message, hash, format: signature_format, bytes })
        return {
          ...outcome,
          curve: key.curve,
          hash,
          signature_format,
          public_key: toHex(key.point),
          message_bytes: message.length,
          ...(note && { note }),
        }
      },
      show: result => [
        verdictBanner(result),
        panel.facts([
          ['Curve and hash function', `${result.curve} with ${result.hash}`],
          ...(result.r ? [['r', mono(result.r)] as const] : []),
          ...(result.s ? [['s', mono(result.s)] as const] : []),
          ['Public key', mono(result.public_key)],
        ]),
        ...notes(result),
      ],
      terminal({ message, hash, signature, signature_format }, { valid, curve, public_key }) {
        if (signature_format !== 'DER' || !valid) return undefined
        const spki = writeSpki({ type: 'EC', curve, point: fromHex(public_key) })
        const command = verifyCommand({ message, hash, spki, signature: signatureBytes(signature, 'DER') })
        return { command, prints: 'Verified OK' }
      },
      cost: () => ({ milliseconds: 20, megabytes: 16 }),
      examples: [
        {
          from: 'RFC 6979 §A.2.5',
          title: 'P-256 with SHA-256, message "sample"',
          input: {
            message: 'sample',
            publicKey: samplePublicKey,
            signature: `3046022100${sampleR}022100${sampleS}`,
          },
          result: { valid: true, r: sampleR, s: sampleS, curve: 'P-256' },
        },
        {
          from: 'RFC 6979 §A.2.5',
          title: 'The same signature for another message',
          input: {
            message: 'simple',
            publicKey: samplePublicKey,
            signature: `${sampleR}${sampleS}`,
            signature_format: 'P1363',
          },
          result: { valid: false },
        },
      ],
    }),

    keygen: action({
      label: 'Generate keys',
      title: 'ECDSA Key Generator',
      summary: 'A new key pair on one of seven curves, in PEM, JWK and hexadecimal.',
      fields: { curve: field.choice('Curve', curves) },
      async run({ curve }, { random }) {
        const [{ generateEcKey }, { writePkcs8 }, jwk, { fingerprints, hasJwkForm }] = await Promise.all([
          import('@assay/lib/key/ec'),
          import('@assay/lib/key/pkcs8'),
          import('@assay/lib/key/jwk'),
          import('@assay/lib/key/fingerprint'),
        ])
        const key = await generateEcKey(curve, random)
        const { publicKey } = key
        return {
          privateKey: toPem('PRIVATE KEY', writePkcs8(key)),
          publicKey: toPem('PUBLIC KEY', writeSpki(publicKey)),
          curve,
          private_hex: toHex(key.d),
          public_hex: toHex(publicKey.point),
          ...(hasJwkForm(publicKey) && {
            private_jwk: jwk.writePrivateJwk(key),
            public_jwk: jwk.writePublicJwk(publicKey),
          }),
          fingerprints: await fingerprints(publicKey),
        }
      },
      show: ({ privateKey, publicKey, curve, private_hex, public_hex, private_jwk, fingerprints }) => [
        panel.banner('good', `Key pair on ${curve}`),
        ...keyPanels('Private key', privateKey, 'private.pem'),
        ...keyPanels('Public key', publicKey, 'public.pem'),
        ...(private_jwk
          ? [panel.code(JSON.stringify(private_jwk, null, 2), { title: 'Private key as JWK', language: 'json' })]
          : []),
        panel.facts([
          ['Private key in hexadecimal', mono(private_hex)],
          ['Public key in hexadecimal', mono(public_hex)],
          ['SHA-256 of the public key', mono(fingerprints.spki_sha256)],
          ...(fingerprints.ssh_sha256 ? [['SSH', mono(fingerprints.ssh_sha256)] as const] : []),
        ]),
      ],
      terminal: ({ curve }) => ({
        command: sh`openssl genpkey -algorithm EC -pkeyopt ${`ec_paramgen_curve:${opensslCurve(curve)}`} -out private.pem`,
      }),
      cost: () => ({ milliseconds: 20, megabytes: 16 }),
      examples: [
        {
          from: 'FIPS 186-5 §A.2.2',
          title: 'A key on P-256',
          input: { curve: 'P-256' },
          result: { curve: 'P-256' },
        },
        {
          from: 'SEC 2 §2.4.1',
          title: 'A key on the curve of Bitcoin',
          input: { curve: 'secp256k1' },
          result: { curve: 'secp256k1' },
        },
      ],
    }),
  },
})

interface Question {
  message: Bytes
  hash: Hash
  format: EcdsaFormat
  bytes: Bytes
}
interface Outcome {
  valid: boolean
  reason?: string
  r?: string
  s?: string
  low_s?: boolean
}

/** A signature that cannot be read is one that does not hold: the answer, not a fault of the question. */
async function judged(key: SigningKey, { message, hash, format, bytes }: Question): Promise<Outcome> {
  const { orderOf, readEcdsaSignature, verifyEcdsa } = await import('@assay/lib/sign/ecdsa')
  try {
    const pair = await readEcdsaSignature(bytes, format, key.curve)
    const valid = await verifyEcdsa(key, hash, message, pair)
    const width = key.point.length - 1
    return {
      valid,
      ...(!valid && { reason: 'It was made for another message, with another key, or with another hash function.' }),
      r: pair.r.toString(16).padStart(width, '0'),
      s: pair.s.toString(16).padStart(width, '0'),
      low_s: pair.s <= (await orderOf(key.curve)) / 2n,
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return {
      valid: false,
      reason: `It is not a signature in ${format === 'DER' ? 'strict DER' : format}: ${error.message}.${otherFormat(key, format, bytes)}`,
    }
  }
}

/** What to choose where the bytes look like the other format. */
function otherFormat({ point }: SigningKey, format: EcdsaFormat, bytes: Bytes): string {
  const fixed = point.length - 1
  if (format === 'DER') return bytes.length === fixed ? ` In P1363 it has ${fixed} bytes as here, so choose that.` : ''
  const isSequence = bytes[0] === 0x30 && bytes.length !== fixed
  return isSequence ? ' It begins as one in DER does, so choose that.' : ''
}

function notes({ note, curve, low_s }: { note?: string; curve: SigningCurve; low_s?: boolean }): Panel[] {
  return [
    ...(note ? [panel.note('info', note)] : []),
    ...(curve === 'secp256k1' && low_s === false
      ? [
          panel.note(
            'info',
            'Its s is in the upper half. Bitcoin and Ethereum take only the other form of the same signature.',
          ),
        ]
      : []),
  ]
}

const opensslCurve = (curve: SigningCurve) =>
  curve.startsWith('P-') ? curve.replace('P-256', 'prime256v1').replace(/P-(\d+)/, 'secp$1r1') : curve
