import { action, explain, field, mono, panel, printf, type Terminal, tool } from '@assay/kit'
import { type Bytes, concat, fromHex, outputFormats, toHex, writeBytes } from '@assay/lib/bytes'
import {
  authenticatedChachas,
  type ChachaJob,
  type ChachaName,
  chachaNames,
  checkChachaKey,
  checkChachaNonce,
  decryptChacha,
  encryptChacha,
  freshNonceBytes,
  isAuthenticatedChacha,
  MAX_COUNTER,
  POLY1305_TAG_BYTES,
} from '@assay/lib/cipher/chacha'
import { textFormats, writeText } from '@assay/lib/codec/text-format'
import { splitTag, wrongTag } from './tag.ts'

const algorithm = field.choice('Algorithm', chachaNames, {
  help: 'With Poly1305 a changed text is refused. The X ciphers have nonces long enough to be chosen at random.',
})
const key = field.bytes('Key', {
  secret: true,
  line: true,
  format: 'Hex',
  generate: 32,
  placeholder: '32 bytes',
})
const nonce = { line: true, optional: true, format: 'Hex' } as const
const moreFields = {
  aad: field.bytes('Associated data', {
    line: true,
    optional: true,
    dependsOn: { field: 'algorithm', values: authenticatedChachas },
    help: 'Not encrypted, but protected against change.',
  }),
  counter: field.number('Counter', {
    min: 0,
    max: MAX_COUNTER,
    default: 0,
    help: 'The number of the first block; protocols that take a Poly1305 key from block 0 begin with 1.',
    dependsOn: { field: 'algorithm', values: chachaNames.filter(name => !isAuthenticatedChacha(name)) },
  }),
}

/** The plaintext of both documents. */
const SUNSCREEN =
  "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."

interface Settings {
  algorithm: ChachaName
  key: Bytes
  aad: Bytes | undefined
  counter: number
}

/** Reads the settings, each under the name of its field. */
function jobOf({ algorithm: name, key, aad, counter }: Settings, nonce: Bytes): ChachaJob {
  explain('key', 'Key', () => checkChachaKey(key))
  explain('nonce', 'Nonce', () => checkChachaNonce(name, nonce))
  return { name, key, nonce, aad: aad ?? new Uint8Array(), counter }
}

/** The ChaCha stream ciphers. RFC 8439 and draft-irtf-cfrg-xchacha. */
export const chacha20 = tool({
  id: 'chacha20',
  path: 'chacha20',
  title: 'ChaCha20 and ChaCha20-Poly1305 Encrypt / Decrypt',
  category: 'encryption-and-decryption',
  summary: 'Encrypt and decrypt with ChaCha20, with the Poly1305 tag or without, and with short or long nonces.',
  keywords: ['xchacha20', 'poly1305', 'aead', 'stream cipher', 'chacha8', 'chacha12', 'libsodium', 'symmetric'],
  specs: ['RFC 8439', 'draft-irtf-cfrg-xchacha'],
  runs: 'anywhere',
  actions: {
    encrypt: action({
      title: 'ChaCha20 Encrypt',
      swap: { to: 'decrypt', from: 'combined', into: 'input_text' },
      fields: {
        input_text: field.bytes('Text', { placeholder: 'Text to encrypt' }),
        algorithm,
        key,
        nonce: field.bytes('Nonce', { ...nonce, help: 'Leave it empty for a fresh one of the right length.' }),
        ...moreFields,
        output_format: field.choice('Output format', outputFormats),
      },
      run({ input_text, output_format, nonce, ...settings }, { random }) {
        const job = jobOf(settings, nonce ?? random(freshNonceBytes(settings.algorithm)))
        const { ciphertext, tag } = explain('counter', 'Counter', () => encryptChacha(job, input_text))
        const write = (bytes: Bytes) => writeBytes(bytes, output_format)
        return {
          ciphertext: write(ciphertext),
          ...(tag.length && { tag: write(tag) }),
          combined: write(concat(ciphertext, tag)),
          nonce: write(job.nonce),
          output_format,
          algorithm: job.name,
          input_bytes: input_text.length,
        }
      },
      show: ({ ciphertext, tag, combined, nonce, algorithm, input_bytes }) => [
        panel.facts([
          ['Ciphertext', mono(ciphertext)],
          ...(tag ? [['Tag', mono(tag)] as const, ['Ciphertext and tag', mono(combined)] as const] : []),
          ['Nonce', mono(nonce)],
          ['Cipher', algorithm],
          ['Input', `${input_bytes} bytes`],
        ]),
        ...(tag
          ? []
          : [panel.note('warn', `${algorithm} does not tell when the ciphertext was changed. Use it with Poly1305.`)]),
      ],
      terminal({ input_text, output_format, ...settings }, { combined, nonce }): Terminal | undefined {
        const command = output_format === 'Hex' ? opensslOf({ ...settings, nonce: fromHex(nonce) }) : undefined
        return command ? { command: `${printf(input_text)} | ${command} | xxd -p`, prints: combined } : undefined
      },
      examples: [
        {
          from: 'RFC 8439 §2.8.2',
          title: 'ChaCha20-Poly1305',
          input: {
            input_text: SUNSCREEN,
            algorithm: 'ChaCha20-Poly1305',
            key: '808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f',
            nonce: '070000004041424344454647',
            aad: '50515253c0c1c2c3c4c5c6c7',
            aad_format: 'Hex',
          },
          result: {
            ciphertext:
              'd31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b6116',
            tag: '1ae10b594f09e26a7e902ecbd0600691',
          },
        },
        {
          from: 'RFC 8439 §2.4.2',
          title: 'ChaCha20 alone, from block 1 on',
          input: {
            input_text: SUNSCREEN,
            algorithm: 'ChaCha20',
            key: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
            nonce: '000000000000004a00000000',
            counter: 1,
          },
          result: {
            ciphertext:
              '6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab77937365af90bbf74a35be6b40b8eedf2785e42874d',
          },
        },
        {
          from: 'draft-irtf-cfrg-xchacha-03 §A.3.1',
          title: 'XChaCha20-Poly1305',
          input: {
            input_text: SUNSCREEN,
            algorithm: 'XChaCha20-Poly1305',
            key: '808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f',
            nonce: '404142434445464748494a4b4c4d4e4f5051525354555657',
            aad: '50515253c0c1c2c3c4c5c6c7',
            aad_format: 'Hex',
          },
          result: { tag: 'c0875924c1c7987947deafd8780acf49' },
        },
      ],
    }),

    decrypt: action({
      title: 'ChaCha20 Decrypt',
      swap: { to: 'encrypt', from: 'plaintext', into: 'input_text' },
      fields: {
        input_text: field.bytes('Ciphertext', { format: 'Hex', placeholder: 'Ciphertext, with the tag or without' }),
        algorithm,
        key,
        nonce: field.bytes('Nonce', nonce),
        tag: field.bytes('Tag', {
          line: true,
          optional: true,
          format: 'Hex',
          dependsOn: { field: 'algorithm', values: authenticatedChachas },
          help: 'Empty when it is at the end of the ciphertext.',
        }),
        ...moreFields,
        output_format: field.choice('Output format', textFormats, {
          help: 'Automatic is text when the bytes are valid UTF-8, else hexadecimal.',
        }),
      },
      run({ input_text, output_format, nonce, tag, ...settings }) {
        const job = jobOf(settings, nonce ?? new Uint8Array())
        const parts = isAuthenticatedChacha(job.name)
          ? explain('input_text', 'Ciphertext', () => splitTag(input_text, tag, POLY1305_TAG_BYTES))
          : { ciphertext: input_text, tag: new Uint8Array() }
        const plaintext = explain('counter', 'Counter', () => decryptChacha(job, parts.ciphertext, parts.tag))
        if (!plaintext) throw wrongTag()
        const { text, format } = explain('output_format', 'Output format', () => writeText(plaintext, output_format))
        return { plaintext: text, output_format: format, output_bytes: plaintext.length, algorithm: job.name }
      },
      show: ({ plaintext, output_format, output_bytes, algorithm }) => [
        panel.code(plaintext, { title: 'Plaintext' }),
        panel.facts([
          ['Output', `${output_bytes} bytes, written as ${output_format}`],
          [
            'Genuine',
            isAuthenticatedChacha(algorithm) ? 'Yes: the tag belongs to this text.' : `${algorithm} cannot tell.`,
          ],
        ]),
      ],
      terminal({ input_text, nonce, ...settings }, { plaintext, output_format }): Terminal | undefined {
        const command = opensslOf({ ...settings, nonce })
        if (!command || (output_format !== 'UTF-8' && output_format !== 'Hex')) return undefined
        const writer = output_format === 'Hex' ? ' | xxd -p' : ''
        return { command: `${printf(input_text)} | ${command}${writer}`, prints: plaintext }
      },
      examples: [
        {
          from: 'RFC 8439 §2.8.2',
          title: 'ChaCha20-Poly1305, the tag by itself',
          input: {
            input_text:
              'd31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b6116',
            algorithm: 'ChaCha20-Poly1305',
            key: '808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f',
            nonce: '070000004041424344454647',
            tag: '1ae10b594f09e26a7e902ecbd0600691',
            aad: '50515253c0c1c2c3c4c5c6c7',
            aad_format: 'Hex',
          },
          result: { plaintext: SUNSCREEN, output_format: 'UTF-8' },
        },
        {
          from: 'RFC 8439 §2.4.2',
          title: 'ChaCha20 alone',
          input: {
            input_text:
              '6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab77937365af90bbf74a35be6b40b8eedf2785e42874d',
            algorithm: 'ChaCha20',
            key: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
            nonce: '000000000000004a00000000',
            counter: 1,
          },
          result: { plaintext: SUNSCREEN },
        },
      ],
    }),
  },
})

/** openssl enc has the bare cipher: its 16-byte IV is the counter, lowest byte first, and the nonce. */
function opensslOf({ algorithm, key, nonce, counter }: Settings & { nonce?: Bytes | undefined }): string | undefined {
  if (algorithm !== 'ChaCha20' || nonce?.length !== 12) return undefined
  const first = new Uint8Array(4)
  new DataView(first.buffer).setUint32(0, counter, true)
  return `openssl enc -chacha20 -K ${toHex(key)} -iv ${toHex(concat(first, nonce))}`
}
