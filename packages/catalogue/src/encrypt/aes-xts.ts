import { action, explain, field, mono, panel, tool } from '@assay/kit'
import { type Bytes, outputFormats, toHex, writeBytes } from '@assay/lib/bytes'
import {
  checkXtsKey,
  checkXtsText,
  decryptXts,
  encryptXts,
  readTweak,
  type TweakFormat,
  tweakFormats,
} from '@assay/lib/cipher/xts'
import { textFormats, writeText } from '@assay/lib/codec/text-format'

const fields = {
  key: field.bytes('Key', {
    secret: true,
    line: true,
    format: 'Hex',
    generate: 64,
    placeholder: '32 or 64 bytes',
    help: 'Two different AES keys in one: 32 bytes for AES-128, 64 for AES-256; 48 for AES-192 where a program has it.',
  }),
  tweak: field.text('Tweak', {
    placeholder: 'Sector number, or 16 bytes in hexadecimal',
    maxLength: 100,
    help: 'The number of the sector, or its 16 bytes in hexadecimal; fewer bytes are filled up with zeros behind them.',
  }),
  tweak_format: field.choice('Tweak format', tweakFormats, {
    help: 'Automatic takes digits for a number unless there are 32 of them.',
  }),
}

interface Settings {
  key: Bytes
  tweak: string
  tweak_format: TweakFormat
}

/** Reads the settings, each under the name of its field. */
function jobOf({ key, tweak, tweak_format }: Settings) {
  explain('key', 'Key', () => checkXtsKey(key))
  return { key, tweak: explain('tweak', 'Tweak', () => readTweak(tweak, tweak_format)) }
}

const nameOf = (keyBits: number) => `AES-${keyBits / 2}-XTS`
const warning = panel.note(
  'warn',
  'XTS does not tell when the ciphertext was changed, and is for sectors of a disk. For messages use AES-GCM.',
)

/** Measured: 330 ns a block; six copies of the text. */
const cost = ({ input_text }: { input_text: Bytes }) => ({
  milliseconds: 5 + input_text.length / 20_000,
  megabytes: 2 + (input_text.length * 6) / 2 ** 20,
})

/** The mode of AES for storage. IEEE 1619, NIST SP 800-38E. */
export const aesXts = tool({
  id: 'aes-xts',
  path: 'aes-xts',
  title: 'AES-XTS Encrypt / Decrypt',
  category: 'encryption-and-decryption',
  summary: 'Encrypt and decrypt a sector of a disk with AES in XTS mode, by its number or its tweak.',
  keywords: ['xts', 'ieee 1619', 'p1619', 'disk encryption', 'sector', 'tweak', 'luks', 'bitlocker', 'veracrypt'],
  specs: ['IEEE 1619', 'NIST SP 800-38E', 'FIPS 197'],
  runs: 'anywhere',
  actions: {
    encrypt: action({
      title: 'AES-XTS Encrypt',
      swap: { to: 'decrypt', from: 'ciphertext', into: 'input_text' },
      fields: {
        input_text: field.bytes('Text', { placeholder: 'At least 16 bytes to encrypt' }),
        ...fields,
        output_format: field.choice('Output format', outputFormats),
      },
      run({ input_text, output_format, ...settings }) {
        const job = jobOf(settings)
        explain('input_text', 'Text', () => checkXtsText(input_text))
        const ciphertext = encryptXts(job, input_text)
        return {
          ciphertext: writeBytes(ciphertext, output_format),
          tweak: toHex(job.tweak),
          output_format,
          key_bits: job.key.length * 8,
          input_bytes: input_text.length,
        }
      },
      show: ({ ciphertext, tweak, key_bits, input_bytes }) => [
        panel.facts([
          ['Ciphertext', mono(ciphertext)],
          ['Tweak', mono(tweak)],
          ['Cipher', nameOf(key_bits)],
          ['Input', `${input_bytes} bytes`],
          [
            'Ciphertext stealing',
            input_bytes % 16 ? `Yes: the last block has ${input_bytes % 16} of 16 bytes` : 'No: whole blocks',
          ],
        ]),
        warning,
      ],
      cost,
      examples: [
        {
          from: 'IEEE 1619-2007 Annex B, vector 2',
          title: 'Two blocks of a sector',
          input: {
            input_text: '44'.repeat(32),
            input_format: 'Hex',
            key: '11'.repeat(16) + '22'.repeat(16),
            tweak: '219902325555',
          },
          result: {
            ciphertext: 'c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0',
            tweak: '33333333330000000000000000000000',
          },
        },
        {
          from: 'IEEE 1619-2007 Annex B, vector 15',
          title: 'Seventeen bytes, with ciphertext stealing',
          input: {
            input_text: '000102030405060708090a0b0c0d0e0f10',
            input_format: 'Hex',
            key: 'fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0',
            tweak: '9a785634120000000000000000000000',
          },
          result: { ciphertext: '6c1625db4671522d3d7599601de7ca09ed' },
        },
        {
          from: 'Wycheproof, aes_xts_test.json, tcId 1',
          title: 'A tweak of eight bytes',
          input: {
            input_text: '7252a0545fcaa07fc468c636203de219',
            input_format: 'Hex',
            key: '6e9841dd6f35b53c48084f9558deabdebe8a712fd6343046a0f92bfdcfe16e07',
            tweak: '6e08e4314925b6cf',
          },
          result: { ciphertext: 'd107e084fbaed19c5be05ac4f48b7732', key_bits: 256 },
        },
      ],
    }),

    decrypt: action({
      title: 'AES-XTS Decrypt',
      swap: { to: 'encrypt', from: 'plaintext', into: 'input_text' },
      fields: {
        input_text: field.bytes('Ciphertext', { format: 'Hex', placeholder: 'Ciphertext of at least 16 bytes' }),
        ...fields,
        output_format: field.choice('Output format', textFormats, {
          help: 'Automatic is text when the bytes are valid UTF-8, else hexadecimal.',
        }),
      },
      run({ input_text, output_format, ...settings }) {
        const job = jobOf(settings)
        explain('input_text', 'Ciphertext', () => checkXtsText(input_text))
        const plaintext = decryptXts(job, input_text)
        const { text, format } = explain('output_format', 'Output format', () => writeText(plaintext, output_format))
        return {
          plaintext: text,
          output_format: format,
          output_bytes: plaintext.length,
          tweak: toHex(job.tweak),
          key_bits: job.key.length * 8,
        }
      },
      show: ({ plaintext, output_format, output_bytes, tweak, key_bits }) => [
        panel.code(plaintext, { title: 'Plaintext' }),
        panel.facts([
          ['Output', `${output_bytes} bytes, written as ${output_format}`],
          ['Tweak', mono(tweak)],
          ['Cipher', nameOf(key_bits)],
        ]),
        warning,
      ],
      cost,
      examples: [
        {
          from: 'IEEE 1619-2007 Annex B, vector 2',
          title: 'Two blocks of a sector',
          input: {
            input_text: 'c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0',
            key: '11'.repeat(16) + '22'.repeat(16),
            tweak: '219902325555',
            output_format: 'Hex',
          },
          result: { plaintext: '44'.repeat(32) },
        },
      ],
    }),
  },
})
