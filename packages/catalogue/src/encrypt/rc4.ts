import { action, explain, field, mono, panel, type Terminal, tool } from '@assay/kit'
import { type Bytes, type OutputFormat, outputFormats, toHex, writeBytes } from '@assay/lib/bytes'
import { rc4 as cipher, MAX_RC4_DROP_BYTES, MAX_RC4_KEY_BYTES } from '@assay/lib/cipher/rc4'
import { textFormats, writeText } from '@assay/lib/codec/text-format'
import { pipeline } from './command.ts'

const fields = {
  key: field.bytes('Key', {
    secret: true,
    line: true,
    format: 'Hex',
    generate: 16,
    placeholder: `1 to ${MAX_RC4_KEY_BYTES} bytes`,
  }),
  drop: field.number('Drop', {
    min: 0,
    max: MAX_RC4_DROP_BYTES,
    default: 0,
    unit: 'bytes',
    help: 'Bytes at the beginning of the key stream to leave out: RFC 4345 drops 1536, CyberChef 768.',
  }),
}

const cost = ({ input_text, drop }: { input_text: Bytes; drop: number }) => ({
  milliseconds: 5 + (input_text.length + drop) / 100_000,
  megabytes: 2 + (input_text.length * 4) / 2 ** 20,
})

const warning = panel.note(
  'warn',
  'RC4 does not tell when the ciphertext was changed, and two texts under one key give away their sum.',
)
const nameOf = (drop: number) => (drop ? `RC4, without the first ${drop} bytes of its key stream` : 'RC4')

/** RC4, as the vectors of RFC 6229 have it. */
export const rc4 = tool({
  id: 'rc4',
  path: 'rc4',
  title: 'RC4 Encrypt / Decrypt',
  category: 'encryption-and-decryption',
  summary:
    'Encrypt and decrypt with the stream cipher RC4, and drop the beginning of its key stream where that is asked.',
  keywords: ['arcfour', 'arc4', 'ron rivest', 'rc4-drop', 'rc4-40', 'stream cipher', 'wep', 'symmetric', 'legacy'],
  specs: ['RFC 6229', 'RFC 7465', 'RFC 4345'],
  runs: 'anywhere',
  caution: 'Its key stream is biased and has been broken in practice; use ChaCha20-Poly1305.',
  actions: {
    encrypt: action({
      title: 'RC4 Encrypt',
      swap: { to: 'decrypt', from: 'ciphertext', into: 'input_text' },
      fields: {
        input_text: field.bytes('Text', { placeholder: 'Text to encrypt' }),
        ...fields,
        output_format: field.choice('Output format', outputFormats),
      },
      run({ input_text, key, drop, output_format }) {
        const ciphertext = explain('key', 'Key', () => cipher(key, input_text, drop))
        return {
          ciphertext: writeBytes(ciphertext, output_format),
          output_format,
          key_bits: key.length * 8,
          dropped_bytes: drop,
          input_bytes: input_text.length,
        }
      },
      show: ({ ciphertext, key_bits, dropped_bytes, input_bytes }) => [
        panel.facts([
          ['Ciphertext', mono(ciphertext)],
          ['Cipher', nameOf(dropped_bytes)],
          ['Key', `${key_bits} bits`],
          ['Input', `${input_bytes} bytes`],
        ]),
        warning,
      ],
      terminal: ({ input_text, key, drop, output_format }, { ciphertext }) =>
        commandOf(key, drop, input_text, output_format, ciphertext),
      cost,
      examples: [
        {
          from: 'RFC 6229 §2, key of 40 bits',
          title: 'The beginning of a key stream',
          input: { input_text: '0'.repeat(32), input_format: 'Hex', key: '0102030405' },
          result: { ciphertext: 'b2396305f03dc027ccc3524a0a1118a8' },
        },
        {
          from: 'RFC 6229 §2, key of 80 bits, from byte 1536 on',
          title: 'With the drop of RFC 4345',
          input: { input_text: '0'.repeat(32), input_format: 'Hex', key: '0102030405060708090a', drop: 1536 },
          result: { ciphertext: '8a0feddbac865a09bcd127fb562ed60a' },
        },
        {
          from: 'CyberChef, tests/node/tests/operations.mjs',
          title: 'A text as the key',
          input: { input_text: 'Go Out On a Limb', key: 'Under Your Nose', key_format: 'UTF-8' },
          result: { ciphertext: '7d17e60d9bc94b7f4095851c729e69a2' },
        },
      ],
    }),

    decrypt: action({
      title: 'RC4 Decrypt',
      swap: { to: 'encrypt', from: 'plaintext', into: 'input_text' },
      fields: {
        input_text: field.bytes('Ciphertext', { format: 'Hex', placeholder: 'Ciphertext' }),
        ...fields,
        output_format: field.choice('Output format', textFormats, {
          help: 'Automatic is text when the bytes are valid UTF-8, else hexadecimal.',
        }),
      },
      run({ input_text, key, drop, output_format }) {
        const plaintext = explain('key', 'Key', () => cipher(key, input_text, drop))
        const { text, format } = explain('output_format', 'Output format', () => writeText(plaintext, output_format))
        return {
          plaintext: text,
          output_format: format,
          output_bytes: plaintext.length,
          key_bits: key.length * 8,
          dropped_bytes: drop,
        }
      },
      show: ({ plaintext, output_format, output_bytes, key_bits, dropped_bytes }) => [
        panel.code(plaintext, { title: 'Plaintext' }),
        panel.facts([
          ['Output', `${output_bytes} bytes, written as ${output_format}`],
          ['Cipher', nameOf(dropped_bytes)],
          ['Key', `${key_bits} bits`],
        ]),
        warning,
      ],
      terminal: ({ input_text, key, drop }, { plaintext, output_format }) =>
        commandOf(key, drop, input_text, output_format, plaintext),
      cost,
      examples: [
        {
          from: 'CyberChef, tests/node/tests/operations.mjs',
          title: 'Without the first 768 bytes',
          input: {
            input_text: 'b85cb1c4ed6bed8f260ab92829bba942',
            key: 'Under Your Nose',
            key_format: 'UTF-8',
            drop: 768,
          },
          result: { plaintext: 'Go Out On a Limb', output_format: 'UTF-8' },
        },
        {
          from: 'OpenSSL, evpciph_rc4.txt',
          title: 'A key of 128 bits',
          input: {
            input_text: '75b7878099e0c596',
            key: '0123456789abcdef0123456789abcdef',
            output_format: 'Hex',
          },
          result: { plaintext: '0123456789abcdef' },
        },
      ],
    }),
  },
})

/** openssl enc has keys of 128 and of 40 bits; what is dropped is sent through first and cut off again. */
function commandOf(
  key: Bytes,
  drop: number,
  text: Bytes,
  format: OutputFormat | Parameters<typeof pipeline>[2],
  prints: string,
): Terminal | undefined {
  const name = { 16: 'rc4', 5: 'rc4-40' }[key.length]
  const program = `openssl enc -provider legacy -provider default -${name} -K ${toHex(key)}`
  const skipping = `(head -c ${drop} /dev/zero; cat) | ${program} | tail -c +${drop + 1}`
  return name ? pipeline(text, drop ? skipping : program, format, prints) : undefined
}
