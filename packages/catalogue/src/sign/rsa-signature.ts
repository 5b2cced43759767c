import { action, explain, field, mono, type Panel, Problem, panel, tool } from '@assay/kit'
import { bitLength } from '@assay/lib/asn1/integer'
import { type Bytes, fromHex, outputFormats, readBytes, toHex, writeBytes } from '@assay/lib/bytes'
import type { RsaPrivateKey, RsaPublicKey } from '@assay/lib/key/key'
import { writeSpki } from '@assay/lib/key/spki'
import type { SignatureHash } from '@assay/lib/sign/hash-oid'
import type { PssHash } from '@assay/lib/sign/rsa-signature'
import { privateKeyFields, publicKeyField } from '../key-fields.ts'
import { explained } from './explained.ts'
import { digestName, signCommand, verifyCommand } from './openssl.ts'
import { pkcs1Signature, pssSignature, rsaPrivateKey, rsaPublicKey, wrongHashSignature } from './rsa-examples.ts'
import { signatureBytes } from './signature-text.ts'
import { sentence, verdictBanner } from './verdict.ts'

const PSS = 'RSASSA-PSS'
const algorithms = ['RSASSA-PKCS1-v1_5', PSS] as const
const hashes = [
  'SHA-1',
  'SHA-256',
  'SHA-384',
  'SHA-512',
  'SHA3-256',
  'SHA-224',
  'SHA-512/224',
  'SHA-512/256',
  'SHA3-224',
  'SHA3-384',
  'SHA3-512',
] as const satisfies readonly SignatureHash[]
/** RFC 8702 has them in PSS only. */
const shakes = ['SHAKE128', 'SHAKE256'] as const
const pssHashes = [...hashes, ...shakes] as const satisfies readonly PssHash[]
const SAME = 'Same'
/** What takes a salt of any length; the opposite of a length. */
const ANY_SALT = -1
/** The salt that fits a modulus of 16384 bits. */
const MAX_SALT_BYTES = 2048
/** Under this many bits NIST SP 800-57 part 1, table 2, gives a key less than 112 bits of strength. */
const STRONG_BITS = 2048
/** Characters of a private key of 2048 bits in PEM; the work grows with the cube of the size. */
const PEM_2048 = 1700
/** PBKDF2 with as many iterations as current programs write. */
const UNLOCK_MS = 300

const pssOnly = { dependsOn: { field: 'algorithm', values: [PSS] } }
const shared = {
  algorithm: field.choice('Padding', algorithms, {
    default: PSS,
    help: 'PSS unless the other side asks for PKCS #1 v1.5, as most certificates and RS256 tokens do.',
  }),
  hash: field.choice('Hash function', pssHashes, {
    default: 'SHA-256',
    help: 'SHAKE128 and SHAKE256 go with PSS only.',
  }),
  mgf_hash: field.choice('Hash function of the mask', [SAME, ...pssHashes], pssOnly),
}
const saltOptions = { ...pssOnly, max: MAX_SALT_BYTES, default: 32, unit: 'bytes' }
const message = field.area('Message', { placeholder: 'What is signed' })
const inputFormat = field.choice('Input format', ['UTF-8', 'Hex', 'Base64'])
const keyForms = 'PEM, JWK, an OpenSSH key, or DER in Base64 or hexadecimal.'

interface Terms {
  algorithm: (typeof algorithms)[number]
  hash: (typeof pssHashes)[number]
  mgf_hash: (typeof pssHashes)[number] | typeof SAME
  salt_length: number
}

/** RSA signatures with appendix. RFC 8017 §8. */
export const rsaSignature = tool({
  id: 'rsa-signature',
  path: 'rsa-signature',
  title: 'RSA Sign / Verify (PKCS#1 v1.5, PSS)',
  category: 'digital-signatures-and-key-management',
  summary: 'Sign a message with an RSA key, or check a signature and learn what is wrong with it.',
  keywords: ['rsassa', 'pss', 'pkcs1', 'rs256', 'ps256', 'sha256withrsa', 'openssl dgst', 'digital signature'],
  specs: ['RFC 8017', 'FIPS 186-5', 'RFC 8702'],
  runs: 'anywhere',
  actions: {
    sign: action({
      title: 'RSA Sign',
      summary: 'Sign a message with an RSA private key, with PSS or PKCS #1 v1.5.',
      swap: { to: 'verify', from: 'signature', into: 'signature' },
      fields: {
        message,
        ...privateKeyFields(keyForms),
        ...shared,
        salt_length: field.number('Salt length', { ...saltOptions, min: 0, help: 'As long as the hash value: usual.' }),
        input_format: inputFormat,
        output_format: field.choice('Output format', outputFormats),
      },
      async run({ message, privateKey, passphrase, input_format, output_format, ...terms }, { random }) {
        const text = explain('message', 'Message', () => readBytes(message, input_format))
        const { key, form } = await rsaPrivate(privateKey, passphrase)
        const signature = await made(key, text, terms, random)
        return {
          signature: writeBytes(signature, output_format),
          output_format,
          ...described(terms),
          key_bits: bits(key.publicKey),
          key_form: form,
          message_bytes: text.length,
        }
      },
      show: result => [
        panel.facts([
          ['Signature', mono(result.signature)],
          ['Padding', words(result)],
          ['Key', `RSA, ${result.key_bits} bits (${result.key_form})`],
          ['Message', `${result.message_bytes} bytes`],
        ]),
        ...notes(result),
      ],
      terminal: ({ message, input_format, ...terms }) =>
        withoutShake(terms)
          ? {
              command: signCommand({
                message: readBytes(message, input_format),
                hash: terms.hash,
                options: sigopts(terms, terms.salt_length),
              }),
            }
          : undefined,
      cost: ({ privateKey, passphrase }) => ({
        milliseconds: 20 + 20 * (privateKey.length / PEM_2048) ** 3 + (passphrase ? UNLOCK_MS : 0),
        megabytes: 32,
      }),
      examples: [
        {
          from: 'Wycheproof rsa_pkcs1_2048_sig_gen_test.json, tcId 84',
          title: 'PKCS #1 v1.5 with SHA-256',
          input: { message: '123400', privateKey: rsaPrivateKey, algorithm: 'RSASSA-PKCS1-v1_5' },
          result: { signature: pkcs1Signature, key_bits: 2048 },
        },
        {
          from: 'RFC 8017 §9.1.1',
          title: 'PSS with SHA-256; every run gives another signature',
          input: { message: 'Message', privateKey: rsaPrivateKey },
          result: { algorithm: PSS, hash: 'SHA-256', salt_length: 32, message_bytes: 7 },
        },
      ],
    }),

    verify: action({
      title: 'RSA Verify',
      summary: 'Check an RSA signature strictly, and learn which hash function or salt it really has.',
      fields: {
        message,
        publicKey: publicKeyField(keyForms),
        signature: field.area('Signature', { placeholder: 'Hexadecimal or Base64' }),
        ...shared,
        salt_length: field.number('Salt length', {
          ...saltOptions,
          min: ANY_SALT,
          help: `${ANY_SALT} takes a salt of any length.`,
        }),
        input_format: inputFormat,
      },
      async run({ message, publicKey, signature, input_format, ...terms }) {
        const text = explain('message', 'Message', () => readBytes(message, input_format))
        const bytes = explain('signature', 'Signature', () => signatureBytes(signature, 'any'))
        const { key, form, note } = await rsaPublic(publicKey)
        return {
          ...(await judged(key, text, bytes, terms)),
          key_bits: bits(key),
          key_form: form,
          message_bytes: text.length,
          public_key: toHex(writeSpki(key)),
          ...(note && { note }),
        }
      },
      show: result => [
        verdictBanner(result),
        panel.facts([
          ['Padding', words(result)],
          ['Key', `RSA, ${result.key_bits} bits (${result.key_form})`],
          ['Message', `${result.message_bytes} bytes`],
        ]),
        ...notes(result),
      ],
      terminal({ message, input_format, signature, ...terms }, { valid, public_key, salt_length }) {
        if (!valid || !withoutShake(terms)) return undefined
        const command = verifyCommand({
          message: readBytes(message, input_format),
          hash: terms.hash,
          options: sigopts(terms, salt_length ?? 0),
          spki: fromHex(public_key),
          signature: signatureBytes(signature, 'any'),
        })
        return { command, prints: 'Verified OK' }
      },
      cost: () => ({ milliseconds: 20, megabytes: 16 }),
      examples: [
        {
          from: 'Wycheproof rsa_pss_2048_sha256_mgf1_32_test.json, tcId 5',
          title: 'PSS with SHA-256 and a salt of 32 bytes',
          input: { message: 'Message', publicKey: rsaPublicKey, signature: pssSignature },
          result: { valid: true, salt_length: 32, key_bits: 2048 },
        },
        {
          from: 'Wycheproof rsa_signature_2048_sha256_test.json, tcId 217',
          title: 'A signature that says SHA-1 where SHA-256 is asked for',
          input: {
            message: '123400',
            publicKey: rsaPublicKey,
            signature: wrongHashSignature,
            algorithm: 'RSASSA-PKCS1-v1_5',
          },
          result: { valid: false, reason: 'It was made with SHA-1, not with SHA-256, and holds with that.' },
        },
      ],
    }),
  },
})

const lib = () => import('@assay/lib/sign/rsa-signature')
const maskOf = ({ hash, mgf_hash }: Terms) => (mgf_hash === SAME ? hash : mgf_hash)

async function made(
  key: RsaPrivateKey,
  text: Bytes,
  terms: Terms,
  random: (length: number) => Bytes,
): Promise<Uint8Array> {
  const { signPkcs1, signPss } = await lib()
  const { hash, salt_length: saltBytes } = terms
  const pkcs1 = pkcs1Hash(key.publicKey, terms)
  if (pkcs1) return explained('privateKey', 'Private key', () => signPkcs1(key, pkcs1, text))
  return explained('salt_length', 'Salt length', () =>
    signPss(key, text, { hash, mgfHash: maskOf(terms), saltBytes }, random),
  )
}

/** The hash function of PKCS #1 v1.5 where that is asked for; refused for what can only be PSS. */
function pkcs1Hash({ restricted }: RsaPublicKey, { algorithm, hash }: Terms): SignatureHash | undefined {
  if (algorithm === PSS) return undefined
  if (restricted) {
    throw new Problem('invalid-input', 'Padding: this key is restricted to another padding than PKCS #1 v1.5.', {
      field: 'algorithm',
    })
  }
  const found = hashes.find(name => name === hash)
  if (found) return found
  throw new Problem('invalid-input', `Hash function: ${hash} goes with ${PSS} only.`, { field: 'hash' })
}

/** A signature that does not hold is the answer, not a fault of the question. */
async function judged(key: RsaPublicKey, text: Bytes, signature: Bytes, terms: Terms) {
  const { explainRsa, verifyPkcs1, verifyPss, verifyPssAnySalt } = await lib()
  const { algorithm, hash, salt_length: wanted } = terms
  const mgfHash = maskOf(terms)
  const pkcs1 = pkcs1Hash(key, terms)
  return explained('publicKey', 'Public key', async () => {
    let valid: boolean
    let salt: number | undefined
    if (pkcs1) valid = await verifyPkcs1(key, pkcs1, text, signature)
    else if (wanted === ANY_SALT) {
      salt = await verifyPssAnySalt(key, text, signature, { hash, mgfHash })
      valid = salt !== undefined
    } else {
      valid = await verifyPss(key, text, signature, { hash, mgfHash, saltBytes: wanted })
      salt = wanted
    }
    const scheme = algorithm === PSS ? 'PSS' : 'PKCS #1 v1.5'
    const asked = { hash, mgfHash, scheme, saltBytes: wanted === ANY_SALT ? undefined : wanted } as const
    const { salt_length: _, ...rest } = described(terms)
    return {
      valid,
      ...(!valid && { reason: sentence(await explainRsa(key, asked, text, signature)) }),
      ...rest,
      ...(salt !== undefined && { salt_length: salt }),
    }
  })
}

async function rsaPublic(text: string) {
  const { readPublicKey } = await import('@assay/lib/key/read')
  const { key, ...more } = await explained('publicKey', 'Public key', () => readPublicKey(text))
  if (key.type !== 'RSA') throw notRsa('publicKey', key.type)
  return { key, ...more }
}

async function rsaPrivate(text: string, passphrase: string | undefined) {
  const { readPrivateKey } = await import('@assay/lib/key/read')
  const { key, form } = await explained('privateKey', 'Private key', () => readPrivateKey(text, { passphrase }))
  if (key.type !== 'RSA') throw notRsa('privateKey', key.type)
  return { key, form }
}

const notRsa = (name: string, type: string) =>
  new Problem('invalid-input', `This is a key of the kind ${type}, and RSA signatures take an RSA key.`, {
    field: name,
  })

const bits = ({ n }: RsaPublicKey): number => bitLength(n)

function described(terms: Terms): {
  algorithm: Terms['algorithm']
  hash: Terms['hash']
  mgf_hash?: Terms['hash']
  salt_length?: number
} {
  const { algorithm, hash, salt_length } = terms
  return algorithm === PSS ? { algorithm, hash, mgf_hash: maskOf(terms), salt_length } : { algorithm, hash }
}

type Described = ReturnType<typeof described> & { key_bits: number; note?: string }

function words({ algorithm, hash, mgf_hash, salt_length }: Described): string {
  if (!mgf_hash) return `${algorithm} with ${hash}`
  const mask = mgf_hash === hash ? '' : `, mask with ${mgf_hash}`
  return `${algorithm} with ${hash}${mask}${salt_length === undefined ? '' : `, salt of ${salt_length} bytes`}`
}

function notes({ hash, key_bits, note }: Described): Panel[] {
  return [
    ...(note ? [panel.note('info', note)] : []),
    ...(hash === 'SHA-1'
      ? [panel.note('warn', 'Two texts with the same SHA-1 have been made since 2017, so sign nothing new with it.')]
      : []),
    ...(key_bits < STRONG_BITS
      ? [panel.note('warn', `A key of ${key_bits} bits is too short to be trusted. Use 2048 bits or more.`)]
      : []),
  ]
}

/** OpenSSL takes no SHAKE here. */
const withoutShake = ({ hash, mgf_hash }: Terms): boolean => ![hash, mgf_hash].some(name => name.startsWith('SHAKE'))

function sigopts(terms: Terms, saltBytes: number): string[] {
  if (terms.algorithm !== PSS) return []
  const mask = terms.mgf_hash === SAME ? [] : [`rsa_mgf1_md:${digestName(terms.mgf_hash)}`]
  return ['rsa_padding_mode:pss', `rsa_pss_saltlen:${saltBytes}`, ...mask]
}
