import { action, asFieldProblem, field, mono, Problem, panel, tool } from '@assay/kit'
import { outputFormats, toHex, writeBytes } from '@assay/lib/bytes'
import { textFormats, writeText } from '@assay/lib/codec/text-format'
import type { EciesCurve, EciesLayout, EciesTerms } from '@assay/lib/key/ecies'
import { PassphraseError } from '@assay/lib/key/passphrase'
import { privateKeyFields } from '../key-fields.ts'

const curves = ['secp256k1', 'P-256', 'P-384', 'X25519'] as const satisfies readonly EciesCurve[]
const kdfs = ['HKDF-SHA256', 'X9.63-SHA256'] as const satisfies readonly EciesTerms['kdf'][]
const layouts = ['Assay', 'eciesjs'] as const satisfies readonly EciesLayout[]
/** AES-GCM in JavaScript. */
const BYTES_PER_MS = 30_000

const settings = {
  curve: field.choice('Curve', curves, {
    default: 'P-256',
    help: 'Counts for bare keys in hexadecimal; any other key says itself on which curve it is.',
  }),
  kdf: field.choice('Key derivation', kdfs),
  layout: field.choice('Layout', layouts, {
    help: 'How the parts are joined; eciesjs is that of the packages eciesjs and ecies, on secp256k1 and X25519.',
  }),
}
const forms = 'PEM, JWK, DER in Base64 or hexadecimal, or the bare key in hexadecimal.'

/** RFC 7748 §6.1: the key pair of Alice. */
const alice = '77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a'
const alicePublic = '8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a'

/** Encryption for the holder of a key on an elliptic curve. SEC 1 §5.1. */
export const ecc = tool({
  id: 'ecc',
  path: 'ecc',
  title: 'ECC Encrypt / Decrypt (ECIES)',
  category: 'encryption-and-decryption',
  summary: 'Encrypt a text of any length for the holder of an elliptic curve key, and decrypt it with the private key.',
  keywords: [
    'ecies',
    'eciesjs',
    'elliptic curve',
    'secp256k1',
    'x25519',
    'public key encryption',
    'hybrid',
    'aes-256-gcm',
  ],
  specs: ['RFC 5869', 'RFC 7748', 'NIST SP 800-38D'],
  runs: 'anywhere',
  actions: {
    encrypt: action({
      title: 'ECC Encrypt (ECIES)',
      summary: 'Encrypt a text for the holder of a key on secp256k1, P-256, P-384 or X25519.',
      swap: { to: 'decrypt', from: 'ciphertext', into: 'input_text' },
      fields: {
        input_text: field.bytes('Text', { placeholder: 'Any text' }),
        publicKey: field.area('Public key', {
          placeholder: '-----BEGIN PUBLIC KEY-----',
          takes: ['public-key', 'certificate'],
          help: `${forms} A certificate will do as well.`,
        }),
        ...settings,
        output_format: field.choice('Output format', outputFormats),
      },
      async run({ input_text, publicKey, curve, kdf, layout, output_format }, { random }) {
        const [{ readAgreementPublicKey, publicOctets }, ecies] = await Promise.all([
          import('@assay/lib/key/agreement'),
          import('@assay/lib/key/ecies'),
        ])
        const { key, note } = await explained('publicKey', 'Public key', () => readAgreementPublicKey(publicKey, curve))
        const used = await explained('publicKey', 'Public key', async () => ecies.eciesCurveOf(key))
        await explained('layout', 'Layout', async () => ecies.checkEcies(used, { kdf, layout }))
        const ciphertext = await explained('publicKey', 'Public key', () =>
          ecies.encryptEcies(key, input_text, { kdf, layout }, random),
        )
        return {
          ciphertext: writeBytes(ciphertext, output_format),
          output_format,
          ...described(used, curve, { kdf, layout }, note),
          receiver: toHex(publicOctets(key)),
          input_bytes: input_text.length,
          output_bytes: ciphertext.length,
        }
      },
      show: result => [
        panel.facts([
          ['Ciphertext', mono(result.ciphertext)],
          ['Method', method(result)],
          ['Parts in order', parts(result.layout)],
          ['Length', `${result.input_bytes} bytes became ${result.output_bytes}`],
          ['Receiver', mono(result.receiver)],
        ]),
        ...(result.note ? [panel.note('info', result.note)] : []),
      ],
      cost: ({ input_text }) => ({ milliseconds: 30 + input_text.length / BYTES_PER_MS, megabytes: 64 }),
      examples: [
        {
          from: 'SEC 1 §5.1.3',
          title: 'For the key of Alice in RFC 7748; every run gives another ciphertext',
          input: { input_text: 'a text', publicKey: alicePublic, curve: 'X25519' },
          result: { curve: 'X25519', kdf: 'HKDF-SHA256', layout: 'Assay', input_bytes: 6, output_bytes: 66 },
        },
      ],
    }),

    decrypt: action({
      title: 'ECC Decrypt (ECIES)',
      summary: 'Decrypt what was encrypted for your key on secp256k1, P-256, P-384 or X25519.',
      swap: { to: 'encrypt', from: 'plaintext', into: 'input_text' },
      fields: {
        input_text: field.bytes('Ciphertext', { format: 'Hex', placeholder: 'Ciphertext' }),
        ...privateKeyFields(forms),
        ...settings,
        output_format: field.choice('Output format', textFormats, {
          help: 'Automatic is text when the bytes are valid UTF-8, else hexadecimal.',
        }),
      },
      async run({ input_text, privateKey, passphrase, curve, kdf, layout, output_format }) {
        const [{ readAgreementPrivateKey }, ecies] = await Promise.all([
          import('@assay/lib/key/agreement'),
          import('@assay/lib/key/ecies'),
        ])
        const key = await explained('privateKey', 'Private key', () =>
          readAgreementPrivateKey(privateKey, curve, passphrase),
        )
        const used = await explained('privateKey', 'Private key', async () => ecies.eciesCurveOf(key))
        await explained('layout', 'Layout', async () => ecies.checkEcies(used, { kdf, layout }))
        const plaintext = await explained('input_text', 'Ciphertext', () =>
          ecies.decryptEcies(key, input_text, { kdf, layout }),
        )
        const { text, format } = await explained('output_format', 'Output format', async () =>
          writeText(plaintext, output_format),
        )
        return {
          plaintext: text,
          output_format: format,
          output_bytes: plaintext.length,
          ...described(used, curve, { kdf, layout }, undefined),
        }
      },
      show: result => [
        panel.code(result.plaintext, { title: 'Plaintext' }),
        panel.facts([
          ['Output', `${result.output_bytes} bytes, written as ${result.output_format}`],
          ['Method', method(result)],
        ]),
        ...(result.note ? [panel.note('info', result.note)] : []),
      ],
      cost: ({ input_text, passphrase }) => ({
        milliseconds: 30 + input_text.length / BYTES_PER_MS + (passphrase ? 400 : 0),
        megabytes: 64,
      }),
      examples: [
        {
          from: 'ecies/rs src/elliptic/secp256k1.rs, test_known_encrypted',
          title: 'A ciphertext of the package ecies on secp256k1',
          input: {
            input_text:
              '047be1885aeb48d4d4db0c992996725d3264784fef88c5b60782f8d0f940c213227fc3f904f846d5ec3d0fba6653754501e8ebadc421aa3892a20fef33cff0206047058a4cfb4efbeae96b2d019b4ab2edce33328748a0d008a69c8f5816b72d45bd9b5a41bb6ea0127ab23057ec6fcd',
            privateKey: 'e520872701d9ec44dbac2eab85512ad14ad0c42e01de56d7b528abd8524fcb47',
            curve: 'secp256k1',
            layout: 'eciesjs',
          },
          result: { plaintext: 'hello world🌍', curve: 'secp256k1' },
        },
        {
          from: 'ecies/rs src/elliptic/x25519.rs, test_known_encrypted',
          title: 'The same on X25519',
          input: {
            input_text:
              '02c351532928d20b9be0c354e029fd387e032d5318d71ca0ea361b8c62bae86794f6208f17b01affe66ab9edc728a25fac317b41dee123c3aee8684e9c771cfbc2c94c0fe0945ea7cad55b3eb11712',
            privateKey: '9434b8fc5036bf967b8483a1bf7378f094d90e01393e4e880db0080022ce6330',
            curve: 'X25519',
            layout: 'eciesjs',
          },
          result: { plaintext: 'hello world🌍' },
        },
        {
          from: 'python cryptography 48.0.0: X25519, HKDF-SHA256 and AES-256-GCM, with the keys of RFC 7748 §6.1',
          title: 'The layout of this page',
          input: {
            input_text:
              'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f000102030405060708090a0b99e51f16692150ff420a1a1c61ea53dc19e51f65c40d',
            privateKey: alice,
            curve: 'X25519',
          },
          result: { plaintext: 'a text' },
        },
      ],
    }),
  },
})

function described(used: EciesCurve, chosen: EciesCurve, terms: EciesTerms, note: string | undefined) {
  const words = [note, used === chosen ? undefined : `The key is on ${used}, so that curve was used.`]
    .filter(Boolean)
    .join(' ')
  return { curve: used, ...terms, ...(words && { note: words }) }
}

const method = ({ curve, kdf }: { curve: EciesCurve; kdf: string }): string => `ECIES on ${curve}, ${kdf}, AES-256-GCM`

const parts = (layout: EciesLayout): string =>
  layout === 'Assay'
    ? 'ephemeral public key, nonce (12 bytes), ciphertext, tag (16 bytes)'
    : 'ephemeral public key, nonce (16 bytes), tag (16 bytes), ciphertext'

/** What the library refuses, under the name of the field that answers for it. */
async function explained<T>(name: string, label: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PassphraseError) throw asFieldProblem('passphrase', 'Passphrase', error)
    if (error instanceof Error && error.name === 'EciesError') throw notOpened(error)
    throw asFieldProblem(name, label, error)
  }
}

const notOpened = (cause: Error) =>
  new Problem('invalid-input', 'The ciphertext does not open with this key and these settings.', {
    field: 'input_text',
    detail:
      'Check that curve, key derivation and layout are those of the encryption, and that the ciphertext is whole.',
    cause,
  })
