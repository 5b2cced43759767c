import { action, explain, field, mono, panel, printf, tool } from '@assay/kit'
import { type Bytes, concat, type OutputFormat, outputFormats, readBytes, toHex, writeBytes } from '@assay/lib/bytes'
import {
  type AesJob,
  type AesMode,
  aesModes,
  authenticatedModes,
  checkAesIv,
  checkAesKey,
  checkAesTagLength,
  decryptAes,
  encryptAes,
  freshIvBytes,
  isAuthenticated,
} from '@assay/lib/cipher/aes'
import { type Padding, paddings } from '@assay/lib/cipher/block-padding'
import { textFormats, writeText } from '@assay/lib/codec/text-format'
import { ivPlaces, splitIv } from './iv-place.ts'
import { splitTag, wrongTag } from './tag.ts'
import { textProblem } from './text-problem.ts'

const tagLengths = ['128', '120', '112', '104', '96'] as const
/** Modes whose tag can be cut. */
const cuttable = ['GCM', 'CCM', 'OCB', 'EAX']

const keyFields = {
  mode: field.choice('Mode', aesModes, {
    help: 'GCM unless something else is asked for: it also tells whether the text was changed.',
  }),
  key: field.bytes('Key', {
    secret: true,
    line: true,
    format: 'Hex',
    generate: 32,
    placeholder: '16, 24 or 32 bytes',
    help: 'SIV takes two keys in one: 32, 48 or 64 bytes.',
  }),
}
const iv = {
  line: true,
  optional: true,
  format: 'Hex',
  dependsOn: { field: 'mode', values: aesModes.filter(mode => mode !== 'ECB') },
} as const
const moreFields = {
  aad: field.bytes('Associated data', {
    line: true,
    optional: true,
    dependsOn: { field: 'mode', values: authenticatedModes },
    help: 'Not encrypted, but protected against change.',
  }),
  tag_length: field.choice('Tag length', tagLengths, {
    help: 'In bits; CCM has 128, 112 and 96.',
    dependsOn: { field: 'mode', values: cuttable },
  }),
  padding: field.choice('Padding', paddings, { dependsOn: { field: 'mode', values: ['CBC', 'ECB'] } }),
}

interface Settings {
  mode: AesMode
  key: Bytes
  iv: Bytes | undefined
  aad: Bytes | undefined
  tag_length: (typeof tagLengths)[number]
  padding: Padding
}

/** The Advanced Encryption Standard. FIPS 197; modes of NIST SP 800-38A, C and D, RFC 5297, RFC 7253 and RFC 8452. */
export const aes = tool({
  id: 'aes',
  path: 'aes',
  title: 'AES Encrypt / Decrypt',
  category: 'encryption-and-decryption',
  summary: 'Encrypt and decrypt with AES in any of its twelve common modes.',
  keywords: ['rijndael', 'gcm', 'cbc', 'ctr', 'ecb', 'aes-256', 'aes-128', 'symmetric', 'aead', 'block cipher'],
  specs: ['FIPS 197', 'NIST SP 800-38A', 'NIST SP 800-38C', 'NIST SP 800-38D', 'RFC 5297', 'RFC 7253', 'RFC 8452'],
  runs: 'anywhere',
  actions: {
    encrypt: action({
      title: 'AES Encrypt',
      swap: { to: 'decrypt', from: 'combined', into: 'input_text' },
      fields: {
        input_text: field.bytes('Text', { placeholder: 'Text to encrypt' }),
        ...keyFields,
        iv: field.bytes('IV or nonce', {
          ...iv,
          help: 'Leave it empty for a fresh one of the right length; SIV then goes without.',
        }),
        ...moreFields,
        output_format: field.choice('Output format', outputFormats),
      },
      async run({ input_text, output_format, ...settings }, { random }) {
        const job = jobOf(settings, settings.iv ?? freshIv(settings.mode, random))
        const { ciphertext, tag } = await explainLength('input_text', 'Text', encryptAes(job, input_text, random))
        const write = (bytes: Bytes) => writeBytes(bytes, output_format)
        return {
          ciphertext: write(ciphertext),
          ...(tag.length && { tag: write(tag) }),
          combined: write(join(job.mode, ciphertext, tag)),
          ...(job.iv.length && { iv: write(job.iv) }),
          output_format,
          mode: job.mode,
          key_bits: job.key.length * 8,
          input_bytes: input_text.length,
        }
      },
      show: ({ ciphertext, tag, combined, iv, mode, key_bits, input_bytes }) => [
        panel.facts([
          ['Ciphertext', mono(ciphertext)],
          ...(tag ? [['Tag', mono(tag)] as const] : []),
          ...(tag ? [[mode === 'SIV' ? 'Tag and ciphertext' : 'Ciphertext and tag', mono(combined)] as const] : []),
          ...(iv ? [['IV', mono(iv)] as const] : []),
          ['Cipher', `AES-${mode === 'SIV' ? key_bits / 2 : key_bits}-${mode}`],
          ['Input', `${input_bytes} bytes`],
        ]),
        ...warnings(mode),
      ],
      terminal: ({ input_text, key, padding, output_format, mode }, { combined, iv }) => {
        const writer = writers[output_format]
        // Base64 is read in both its alphabets.
        const ivBytes = iv ? readBytes(iv, output_format === 'Hex' ? 'Hex' : 'Base64') : undefined
        const command = opensslOf(mode, key, ivBytes, padding, 'encrypt')
        return command && writer
          ? { command: `${printf(input_text)} | ${command} | ${writer}`, prints: combined }
          : undefined
      },
      cost: ({ mode, input_text }) => costOf(mode, input_text.length),
      examples: [
        {
          from: 'The Galois/Counter Mode of Operation, Appendix B, test case 4',
          title: 'GCM with associated data',
          input: {
            input_text:
              'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
            input_format: 'Hex',
            mode: 'GCM',
            key: 'feffe9928665731c6d6a8f9467308308',
            iv: 'cafebabefacedbaddecaf888',
            aad: 'feedfacedeadbeeffeedfacedeadbeefabaddad2',
            aad_format: 'Hex',
          },
          result: {
            ciphertext:
              '42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091',
            tag: '5bc94fbc3221a5db94fae95ae7121a47',
          },
        },
        {
          from: 'NIST SP 800-38A F.2.5',
          title: 'CBC with a key of 256 bits',
          input: {
            input_text: '6bc1bee22e409f96e93d7e117393172a',
            input_format: 'Hex',
            mode: 'CBC',
            key: '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4',
            iv: '000102030405060708090a0b0c0d0e0f',
            padding: 'None',
          },
          result: { ciphertext: 'f58c4c04d6e5f1ba779eabfb5f7bfbd6', key_bits: 256 },
        },
        {
          from: 'NIST SP 800-38A F.5.1',
          title: 'CTR with a key of 128 bits',
          input: {
            input_text: '6bc1bee22e409f96e93d7e117393172a',
            input_format: 'Hex',
            mode: 'CTR',
            key: '2b7e151628aed2a6abf7158809cf4f3c',
            iv: 'f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff',
          },
          result: { ciphertext: '874d6191b620e3261bef6864990db6ce' },
        },
      ],
    }),

    decrypt: action({
      title: 'AES Decrypt',
      swap: { to: 'encrypt', from: 'plaintext', into: 'input_text' },
      fields: {
        input_text: field.bytes('Ciphertext', { format: 'Hex', placeholder: 'Ciphertext, with the tag or without' }),
        ...keyFields,
        iv: field.bytes('IV or nonce', iv),
        iv_place: field.choice('Place of the IV', ivPlaces, {
          dependsOn: iv.dependsOn,
          help: 'Given in its field, or part of the ciphertext: many programs write it first.',
        }),
        tag: field.bytes('Tag', {
          line: true,
          optional: true,
          format: 'Hex',
          dependsOn: { field: 'mode', values: authenticatedModes },
          help: 'Empty when it is part of the ciphertext: at its end, or in SIV at its start.',
        }),
        ...moreFields,
        output_format: field.choice('Output format', textFormats, {
          help: 'Automatic is text when the bytes are valid UTF-8, else hexadecimal.',
        }),
      },
      async run({ input_text, iv_place, tag, output_format, ...settings }) {
        const { text: whole, iv } = explain('input_text', 'Ciphertext', () =>
          splitIv(input_text, settings.iv, iv_place),
        )
        const job = jobOf(settings, iv ?? new Uint8Array())
        const parts = explain('input_text', 'Ciphertext', () => split(job, whole, tag))
        const plaintext = await explainLength('input_text', 'Ciphertext', decryptAes(job, parts.ciphertext, parts.tag))
        if (!plaintext) throw wrongTag()
        const { text, format } = explain('output_format', 'Output format', () => writeText(plaintext, output_format))
        return {
          plaintext: text,
          output_format: format,
          output_bytes: plaintext.length,
          mode: job.mode,
          ...(iv && !settings.iv && { iv: toHex(iv) }),
        }
      },
      show: ({ plaintext, output_format, output_bytes, mode, iv }) => [
        panel.code(plaintext, { title: 'Plaintext' }),
        panel.facts([
          ...(iv ? [['IV', mono(iv)] as const] : []),
          ['Output', `${output_bytes} bytes, written as ${output_format}`],
          ['Genuine', isAuthenticated(mode) ? 'Yes: the tag belongs to this text.' : `${mode} cannot tell.`],
        ]),
      ],
      terminal: ({ input_text, key, iv: given, iv_place, padding, mode }, { plaintext, output_format }) => {
        const { text, iv } = splitIv(input_text, given, iv_place)
        const command = opensslOf(mode, key, iv, padding, 'decrypt')
        const writer = { 'UTF-8': '', Hex: ' | xxd -p', Base64: ' | base64 -w0', 'Latin-1': undefined }[output_format]
        if (!command || writer === undefined) return undefined
        return { command: `${printf(text)} | ${command}${writer}`, prints: plaintext }
      },
      cost: ({ mode, input_text }) => costOf(mode, input_text.length),
      examples: [
        {
          from: 'The Galois/Counter Mode of Operation, Appendix B, test case 2',
          title: 'GCM, the tag at the end of the ciphertext',
          input: {
            input_text: '0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf',
            mode: 'GCM',
            key: '00000000000000000000000000000000',
            iv: '000000000000000000000000',
            output_format: 'Hex',
          },
          result: { plaintext: '00000000000000000000000000000000' },
        },
        {
          from: 'NIST SP 800-38A F.2.2',
          title: 'CBC',
          input: {
            input_text: '7649abac8119b246cee98e9b12e9197d',
            mode: 'CBC',
            key: '2b7e151628aed2a6abf7158809cf4f3c',
            iv: '000102030405060708090a0b0c0d0e0f',
            padding: 'None',
          },
          result: { plaintext: '6bc1bee22e409f96e93d7e117393172a' },
        },
      ],
    }),
  },
})

const freshIv = (mode: AesMode, random: (length: number) => Bytes): Bytes => random(freshIvBytes(mode))

/** Reads the settings, each under the name of its field. */
function jobOf({ mode, key, aad, tag_length, padding }: Settings, iv: Bytes): AesJob {
  const tagBytes = cuttable.includes(mode) ? Number(tag_length) / 8 : 16
  explain('key', 'Key', () => checkAesKey(mode, key))
  explain('iv', 'IV', () => checkAesIv(mode, iv))
  explain('tag_length', 'Tag length', () => checkAesTagLength(mode, tagBytes))
  return { mode, key, iv, aad: aad ?? new Uint8Array(), tagBytes, padding }
}

/** RFC 5297 §2.6 puts the tag first, all others put it last. */
const join = (mode: AesMode, ciphertext: Bytes, tag: Bytes): Bytes =>
  mode === 'SIV' ? concat(tag, ciphertext) : concat(ciphertext, tag)

function split({ mode, tagBytes }: AesJob, text: Bytes, tag: Bytes | undefined): { ciphertext: Bytes; tag: Bytes } {
  if (!isAuthenticated(mode)) return { ciphertext: text, tag: new Uint8Array() }
  return splitTag(text, tag, tagBytes, mode === 'SIV' ? 'first' : 'last')
}

async function explainLength<T>(name: string, label: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw textProblem(name, label, error)
  }
}

function warnings(mode: AesMode) {
  if (mode === 'ECB') {
    return [panel.note('bad', 'ECB encrypts equal blocks alike, so patterns of the text show through. Use GCM.')]
  }
  if (isAuthenticated(mode)) return []
  return [panel.note('warn', `${mode} does not tell when the ciphertext was changed. Use GCM unless you must not.`)]
}

/** Measured: CFB8 runs the cipher for every byte, at 260 ns; the others stay below 90 ns. Four copies of the text. */
const costOf = (mode: AesMode, bytes: number) => ({
  milliseconds: 5 + bytes / (mode === 'CFB8' ? 2000 : 6000),
  megabytes: 2 + (bytes * 4) / 2 ** 20,
})

const writers: Partial<Record<OutputFormat, string>> = { Hex: 'xxd -p', Base64: 'base64 -w0' }

/** openssl enc has the modes without a tag. */
function opensslOf(mode: AesMode, key: Bytes, iv: Bytes | undefined, padding: Padding, way: 'encrypt' | 'decrypt') {
  const padded = mode === 'CBC' || mode === 'ECB'
  if (isAuthenticated(mode) || (padded && padding !== 'PKCS7' && padding !== 'None')) return undefined
  if (mode !== 'ECB' && iv === undefined) return undefined
  const options = [
    ...(way === 'decrypt' ? ['-d'] : []),
    `-aes-${key.length * 8}-${mode.toLowerCase()}`,
    `-K ${toHex(key)}`,
    ...(iv ? [`-iv ${toHex(iv)}`] : []),
    ...(padded && padding === 'None' ? ['-nopad'] : []),
  ]
  return `openssl enc ${options.join(' ')}`
}
