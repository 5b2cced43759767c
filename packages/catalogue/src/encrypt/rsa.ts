import { action, asFieldProblem, field, mono, type Panel, Problem, panel, printf, sh, tool } from '@assay/kit'
import { type Bytes, concat, type OutputFormat, outputFormats, toHex, writeBytes } from '@assay/lib/bytes'
import { textFormats, writeText } from '@assay/lib/codec/text-format'
import type { RsaPrivateKey, RsaPublicKey } from '@assay/lib/key/key'
import { PassphraseError } from '@assay/lib/key/passphrase'
import { privateKeyFields, publicKeyField } from '../key-fields.ts'
import {
  labelledCiphertext,
  oaepCiphertext,
  oaepPrivateKey,
  oaepPublicKey,
  pkcs1Ciphertext,
  pkcs1PrivateKey,
} from './rsa-examples.ts'

const algorithms = ['RSA-OAEP', 'RSAES-PKCS1-v1_5', 'raw'] as const
const hashes = ['SHA-1', 'SHA-224', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA-512/224', 'SHA-512/256'] as const
const SAME = 'Same'
/** Under this many bits NIST SP 800-57 part 1, table 2, gives a key less than 112 bits of strength. */
const STRONG_BITS = 2048

/** Characters of a private key of 2048 bits in PEM; the work grows with the cube of the size. */
const PEM_2048 = 1700
/** PBKDF2 with as many iterations as current programs write. */
const UNLOCK_MS = 300

const oaepOnly = { dependsOn: { field: 'algorithm', values: ['RSA-OAEP'] } }
const settings = {
  algorithm: field.choice('Padding', algorithms, {
    help: 'OAEP unless the other side asks for something else. Raw is the bare arithmetic, for study.',
  }),
  hash: field.choice('Hash function', hashes, { default: 'SHA-256', ...oaepOnly }),
  mgf_hash: field.choice('Hash function of the mask', [SAME, ...hashes], {
    help: 'Java uses SHA-1 here unless told otherwise, whatever the hash function is.',
    ...oaepOnly,
  }),
  label: field.bytes('Label', { line: true, optional: true, help: 'Almost always empty.', ...oaepOnly }),
}

interface Settings {
  algorithm: (typeof algorithms)[number]
  hash: (typeof hashes)[number]
  mgf_hash: (typeof hashes)[number] | typeof SAME
  label: Bytes | undefined
}

const keyForms = 'PEM, JWK, an OpenSSH key, or DER in Base64 or hexadecimal.'

/** RSA encryption. RFC 8017. */
export const rsa = tool({
  id: 'rsa',
  path: 'rsa',
  title: 'RSA Encrypt / Decrypt',
  category: 'encryption-and-decryption',
  summary: 'Encrypt a short text for the holder of an RSA key, and decrypt it with the private key.',
  keywords: ['oaep', 'pkcs1', 'rsaes', 'public key encryption', 'asymmetric', 'pem', 'openssl pkeyutl', 'textbook rsa'],
  specs: ['RFC 8017'],
  runs: 'anywhere',
  actions: {
    encrypt: action({
      title: 'RSA Encrypt',
      swap: { to: 'decrypt', from: 'ciphertext', into: 'input_text' },
      fields: {
        input_text: field.bytes('Text', { placeholder: 'A short text, such as a key for AES' }),
        publicKey: publicKeyField(keyForms),
        ...settings,
        output_format: field.choice('Output format', outputFormats),
      },
      async run({ input_text, publicKey, output_format, ...choices }, { random }) {
        const { readPublicKey } = await import('@assay/lib/key/read')
        const { key, form, note } = await explained('publicKey', 'Public key', readPublicKey(publicKey))
        if (key.type !== 'RSA') throw notRsa('publicKey', key.type)
        const cipher = await cipherOf(choices)
        const ciphertext = await explained('input_text', 'Text', cipher.encrypt(key, input_text, random))
        return {
          ciphertext: writeBytes(ciphertext, output_format),
          output_format,
          ...described(choices),
          key_bits: ciphertextBits(key),
          key_form: form,
          input_bytes: input_text.length,
          max_bytes: await cipher.capacity(key),
          ...(note && { note }),
        }
      },
      show: result => [
        panel.facts([
          ['Ciphertext', mono(result.ciphertext)],
          ['Padding', paddingWords(result)],
          ['Key', `RSA, ${result.key_bits} bits (${result.key_form})`],
          ['Input', `${result.input_bytes} of at most ${result.max_bytes} bytes`],
        ]),
        ...notes(result),
      ],
      terminal({ input_text, output_format, ...choices }, { key_bits }) {
        const writer = writers[output_format]
        if (!writer) return undefined
        // OpenSSL takes a bare number only in as many bytes as the modulus has.
        const missing = choices.algorithm === 'raw' ? Math.ceil(key_bits / 8) - input_text.length : 0
        const text = concat(new Uint8Array(Math.max(missing, 0)), input_text)
        const options = opensslOptions(choices)
        return { command: `${printf(text)} | openssl pkeyutl -encrypt -pubin -inkey public.pem ${options} | ${writer}` }
      },
      cost: () => ({ milliseconds: 10, megabytes: 16 }),
      examples: [
        {
          from: 'Wycheproof rsa_oaep_2048_sha256_mgf1sha256_test.json',
          title: 'OAEP with SHA-256; every run gives another ciphertext',
          input: { input_text: '123400', publicKey: oaepPublicKey },
          result: { key_bits: 2048, max_bytes: 190, algorithm: 'RSA-OAEP' },
        },
        {
          from: 'RFC 8017 §7.2.1',
          title: 'PKCS #1 v1.5: eleven bytes less than the modulus fit',
          input: { input_text: 'Message', publicKey: oaepPublicKey, algorithm: 'RSAES-PKCS1-v1_5' },
          result: { key_bits: 2048, max_bytes: 245 },
        },
      ],
    }),

    decrypt: action({
      title: 'RSA Decrypt',
      swap: { to: 'encrypt', from: 'plaintext', into: 'input_text' },
      fields: {
        input_text: field.bytes('Ciphertext', { format: 'Hex', placeholder: 'As many bytes as the modulus has' }),
        ...privateKeyFields(keyForms),
        ...settings,
        output_format: field.choice('Output format', textFormats, {
          help: 'Automatic is text when the bytes are valid UTF-8, else hexadecimal.',
        }),
      },
      async run({ input_text, privateKey, passphrase, output_format, ...choices }) {
        const { readPrivateKey } = await import('@assay/lib/key/read')
        const { key, form } = await explained('privateKey', 'Private key', readPrivateKey(privateKey, { passphrase }))
        if (key.type !== 'RSA') throw notRsa('privateKey', key.type)
        const cipher = await cipherOf(choices)
        const plaintext = await explained('input_text', 'Ciphertext', cipher.decrypt(key, input_text))
        const { text, format } = await explained(
          'output_format',
          'Output format',
          Promise.resolve().then(() => writeText(plaintext, output_format)),
        )
        return {
          plaintext: text,
          output_format: format,
          output_bytes: plaintext.length,
          ...described(choices),
          key_bits: ciphertextBits(key.publicKey),
          key_form: form,
        }
      },
      show: result => [
        panel.code(result.plaintext, { title: 'Plaintext' }),
        panel.facts([
          ['Output', `${result.output_bytes} bytes, written as ${result.output_format}`],
          ['Padding', paddingWords(result)],
          ['Key', `RSA, ${result.key_bits} bits (${result.key_form})`],
        ]),
        ...notes(result),
      ],
      // The private key stays in its file: a command is kept in the history of the shell.
      terminal: ({ input_text, ...choices }) => ({
        command: `${printf(input_text)} | openssl pkeyutl -decrypt -inkey private.pem ${opensslOptions(choices)}`,
      }),
      cost: ({ privateKey, passphrase }) => ({
        milliseconds: 20 + 20 * (privateKey.length / PEM_2048) ** 3 + (passphrase ? UNLOCK_MS : 0),
        megabytes: 32,
      }),
      examples: [
        {
          from: 'Wycheproof rsa_oaep_2048_sha256_mgf1sha256_test.json, tcId 4',
          title: 'OAEP with SHA-256',
          input: { input_text: oaepCiphertext, privateKey: oaepPrivateKey },
          result: { plaintext: '123400', key_bits: 2048 },
        },
        {
          from: 'Wycheproof rsa_oaep_2048_sha256_mgf1sha256_test.json, tcId 8',
          title: 'OAEP with a label',
          input: {
            input_text: labelledCiphertext,
            privateKey: oaepPrivateKey,
            label: '0000000000000000',
            label_format: 'Hex',
          },
          result: { plaintext: '123400' },
        },
        {
          from: 'Wycheproof rsa_pkcs1_2048_test.json, tcId 5',
          title: 'PKCS #1 v1.5',
          input: { input_text: pkcs1Ciphertext, privateKey: pkcs1PrivateKey, algorithm: 'RSAES-PKCS1-v1_5' },
          result: { plaintext: 'Message' },
        },
      ],
    }),
  },
})

interface Cipher {
  encrypt(key: RsaPublicKey, text: Bytes, random: (length: number) => Bytes): Promise<Bytes>
  decrypt(key: RsaPrivateKey, text: Bytes): Promise<Bytes>
  /** The most bytes a text can have. */
  capacity(key: RsaPublicKey): Promise<number>
}

async function cipherOf({ algorithm, hash, mgf_hash, label }: Settings): Promise<Cipher> {
  const rsa = await import('@assay/lib/key/rsa-encryption')
  if (algorithm === 'RSAES-PKCS1-v1_5') {
    return {
      encrypt: async (key, text, random) => rsa.encryptPkcs1(key, text, random),
      decrypt: async (key, text) => rsa.decryptPkcs1(key, text),
      capacity: async key => rsa.pkcs1Capacity(key),
    }
  }
  if (algorithm === 'raw') {
    return {
      encrypt: async (key, text) => rsa.encryptRaw(key, text),
      decrypt: async (key, text) => withoutLeadingZeros(rsa.decryptRaw(key, text)),
      capacity: async key => Math.ceil(ciphertextBits(key) / 8) - 1,
    }
  }
  const options = { hash, mgfHash: mgf_hash === SAME ? hash : mgf_hash, label: label ?? new Uint8Array() }
  return {
    encrypt: (key, text, random) => rsa.encryptOaep(key, text, options, random),
    decrypt: (key, text) => rsa.decryptOaep(key, text, options),
    capacity: key => rsa.oaepCapacity(key, hash),
  }
}

/** A number has no leading zeros, so a text that began with zero bytes comes back without them. */
const withoutLeadingZeros = (bytes: Bytes): Bytes => bytes.slice(bytes.findIndex(octet => octet !== 0) >>> 0)

const ciphertextBits = ({ n }: RsaPublicKey): number => n.toString(2).length

const described = ({ algorithm, hash, mgf_hash, label }: Settings) =>
  algorithm === 'RSA-OAEP'
    ? {
        algorithm,
        hash,
        mgf_hash: mgf_hash === SAME ? hash : mgf_hash,
        ...(label?.length && { label_bytes: label.length }),
      }
    : { algorithm }

type Described = ReturnType<typeof described> & { key_bits: number; note?: string }

function paddingWords(result: Described): string {
  if (!('hash' in result)) return result.algorithm === 'raw' ? 'None' : result.algorithm
  const mask = result.mgf_hash === result.hash ? '' : `, mask with ${result.mgf_hash}`
  return `RSA-OAEP with ${result.hash}${mask}${result.label_bytes ? ', labelled' : ''}`
}

function notes({ algorithm, key_bits, note }: Described): Panel[] {
  const all: Panel[] = []
  if (note) all.push(panel.note('info', note))
  if (algorithm === 'raw') {
    all.push(
      panel.note(
        'bad',
        'Without padding equal texts give equal ciphertexts, and short ones are found by taking roots. Use OAEP.',
      ),
    )
  }
  if (algorithm === 'RSAES-PKCS1-v1_5') {
    all.push(
      panel.note(
        'warn',
        'A server that tells whether this padding was right can be made to decrypt. Use OAEP where both sides can.',
      ),
    )
  }
  if (key_bits < STRONG_BITS) {
    all.push(panel.note('warn', `A key of ${key_bits} bits is too short to keep a secret. Use 2048 bits or more.`))
  }
  return all
}

/** What the library refuses, under the name of the field that answers for it. */
async function explained<T>(name: string, label: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof PassphraseError) throw asFieldProblem('passphrase', 'Passphrase', error)
    if (error instanceof Error && error.name === 'DecryptionError') throw notDecrypted(error)
    throw asFieldProblem(name, label, error)
  }
}

const notDecrypted = (cause: Error) =>
  new Problem('invalid-input', 'The ciphertext does not decrypt with this key and these settings.', {
    field: 'input_text',
    detail:
      'Check that the private key belongs to the public key it was encrypted with, that padding, hash functions and label are those of the encryption, and that the ciphertext is whole.',
    cause,
  })

const notRsa = (name: string, type: string) =>
  new Problem('invalid-input', `This is a key of the kind ${type}, and RSA encryption takes an RSA key.`, {
    field: name,
  })

const writers: Partial<Record<OutputFormat, string>> = { Hex: 'xxd -p', Base64: 'base64 -w0' }
const md = (hash: string) => hash.replace('-', '').replace('/', '-').toLowerCase()

function opensslOptions({ algorithm, hash, mgf_hash, label }: Settings): string {
  if (algorithm === 'RSAES-PKCS1-v1_5') return '-pkeyopt rsa_padding_mode:pkcs1'
  if (algorithm === 'raw') return '-pkeyopt rsa_padding_mode:none'
  return [
    'rsa_padding_mode:oaep',
    `rsa_oaep_md:${md(hash)}`,
    `rsa_mgf1_md:${md(mgf_hash === SAME ? hash : mgf_hash)}`,
    ...(label?.length ? [`rsa_oaep_label:${toHex(label)}`] : []),
  ]
    .map(option => sh`-pkeyopt ${option}`)
    .join(' ')
}
