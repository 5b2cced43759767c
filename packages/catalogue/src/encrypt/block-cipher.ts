import { action, type Example, explain, field, mono, panel, tool } from '@assay/kit'
import { type Bytes, outputFormats, readBytes, toHex, writeBytes } from '@assay/lib/bytes'
import type { BlockCipher } from '@assay/lib/cipher/block-cipher'
import {
  type BlockJob,
  type BlockMode,
  checkBlockIv,
  decryptBlocks,
  encryptBlocks,
  isPadded,
  ivBytesOf,
} from '@assay/lib/cipher/block-mode'
import { type Padding, paddings } from '@assay/lib/cipher/block-padding'
import { textFormats, writeText } from '@assay/lib/codec/text-format'
import { pipeline } from './command.ts'
import { textProblem } from './text-problem.ts'

/** A block cipher of 64 bits that has been superseded: what sets it apart from the others. */
interface Row {
  id: string
  /** "DES": the name in the results and titles. */
  name: string
  title: string
  summary: string
  keywords: readonly string[]
  specs: readonly string[]
  caution: string
  key: { help: string; placeholder: string; generate: number }
  modes: readonly BlockMode[]
  /** The code of the cipher, loaded with the first run. */
  load(): Promise<LoadedCipher>
  /** OpenSSL's name without the mode, for the keys that it takes. */
  openssl(key: Bytes): string | undefined
  /** Measured, and halved. */
  bytesPerMillisecond: number
  encrypt: readonly Example[]
  decrypt: readonly Example[]
}

interface LoadedCipher {
  /** RangeError for a key of the wrong length. */
  setUp(key: Bytes): BlockCipher
  /** What can be told about the key, and what speaks against it. */
  judge(key: Bytes): { properties: Record<string, string>; warnings: string[] }
}

const BLOCK_BYTES = 8

interface Settings {
  key: Bytes
  mode: BlockMode
  iv: Bytes | undefined
  padding: Padding
}

/** A tool for one of the block ciphers that were in use before AES. NIST SP 800-38A over 64 bits. */
export function blockCipher(row: Row) {
  const { name } = row
  const ivField = {
    line: true,
    optional: true,
    format: 'Hex',
    dependsOn: { field: 'mode', values: row.modes.filter(mode => mode !== 'ECB') },
  } as const
  const before = {
    key: field.bytes('Key', { secret: true, line: true, format: 'Hex', ...row.key }),
    mode: field.choice('Mode', row.modes, { help: 'CBC and ECB take whole blocks of 8 bytes; the others any length.' }),
  }
  const padding = field.choice('Padding', paddings, {
    dependsOn: { field: 'mode', values: row.modes.filter(isPadded) },
  })
  const cost = ({ input_text }: { input_text: Bytes }) => ({
    milliseconds: 10 + input_text.length / row.bytesPerMillisecond,
    megabytes: 2 + (input_text.length * 4) / 2 ** 20,
  })
  return tool({
    id: row.id,
    path: row.id,
    title: row.title,
    category: 'encryption-and-decryption',
    summary: row.summary,
    keywords: row.keywords,
    specs: [...row.specs, 'NIST SP 800-38A'],
    runs: 'anywhere',
    caution: row.caution,
    actions: {
      encrypt: action({
        title: `${name} Encrypt`,
        swap: { to: 'decrypt', from: 'ciphertext', into: 'input_text' },
        fields: {
          input_text: field.bytes('Text', { placeholder: 'Text to encrypt' }),
          ...before,
          iv: field.bytes('IV', { ...ivField, placeholder: '8 bytes', help: 'Leave it empty for a fresh one.' }),
          padding,
          output_format: field.choice('Output format', outputFormats),
        },
        async run({ input_text, output_format, ...settings }, { random }) {
          const { job, ...about } = await read(row, { ...settings, iv: settings.iv ?? freshIv(settings.mode, random) })
          const ciphertext = crypt('Text', () => encryptBlocks(job, input_text, random))
          const write = (bytes: Bytes) => writeBytes(bytes, output_format)
          return {
            ciphertext: write(ciphertext),
            ...(job.iv.length && { iv: write(job.iv) }),
            output_format,
            ...about,
            input_bytes: input_text.length,
          }
        },
        show: ({ ciphertext, iv, cipher, key_bits, key_properties, key_warnings, mode, input_bytes }) => [
          panel.facts([
            ['Ciphertext', mono(ciphertext)],
            ...(iv ? [['IV', mono(iv)] as const] : []),
            ['Cipher', cipher],
            ['Key', `${key_bits} bits`],
            ...Object.entries(key_properties),
            ['Input', `${input_bytes} bytes`],
          ]),
          ...notes(name, mode, key_warnings),
        ],
        terminal({ input_text, key, mode, padding, output_format }, { ciphertext, iv }) {
          // Base64 is read in both its alphabets.
          const ivBytes = iv === undefined ? undefined : readBytes(iv, output_format === 'Hex' ? 'Hex' : 'Base64')
          const program = opensslOf(row, { key, mode, padding, iv: ivBytes }, 'encrypt')
          return pipeline(input_text, program, output_format, ciphertext)
        },
        cost,
        examples: row.encrypt,
      }),

      decrypt: action({
        title: `${name} Decrypt`,
        swap: { to: 'encrypt', from: 'plaintext', into: 'input_text' },
        fields: {
          input_text: field.bytes('Ciphertext', { format: 'Hex', placeholder: 'Ciphertext' }),
          ...before,
          iv: field.bytes('IV', { ...ivField, placeholder: '8 bytes' }),
          padding,
          output_format: field.choice('Output format', textFormats, {
            help: 'Automatic is text when the bytes are valid UTF-8, else hexadecimal.',
          }),
        },
        async run({ input_text, output_format, ...settings }) {
          const { job, ...about } = await read(row, settings)
          const plaintext = crypt('Ciphertext', () => decryptBlocks(job, input_text))
          const { text, format } = explain('output_format', 'Output format', () => writeText(plaintext, output_format))
          return { plaintext: text, output_format: format, output_bytes: plaintext.length, ...about }
        },
        show: ({ plaintext, output_format, output_bytes, cipher, key_bits, key_properties, key_warnings, mode }) => [
          panel.code(plaintext, { title: 'Plaintext' }),
          panel.facts([
            ['Output', `${output_bytes} bytes, written as ${output_format}`],
            ['Cipher', cipher],
            ['Key', `${key_bits} bits`],
            ...Object.entries(key_properties),
          ]),
          ...notes(name, mode, key_warnings),
        ],
        terminal: ({ input_text, ...settings }, { plaintext, output_format }) =>
          pipeline(input_text, opensslOf(row, settings, 'decrypt'), output_format, plaintext),
        cost,
        examples: row.decrypt,
      }),
    },
  })
}

const freshIv = (mode: BlockMode, random: (length: number) => Bytes): Bytes => random(ivBytesOf(mode, BLOCK_BYTES))

/** Reads the settings, each under the name of its field. */
async function read(row: Row, { key, mode, iv, padding }: Settings) {
  const { setUp, judge } = await row.load()
  const cipher = explain('key', 'Key', () => setUp(key))
  const job: BlockJob = { cipher, mode, iv: iv ?? new Uint8Array(), padding }
  explain('iv', 'IV', () => checkBlockIv(job))
  const { properties, warnings } = judge(key)
  return {
    job,
    cipher: `${row.name}-${mode}`,
    mode,
    key_bits: key.length * 8,
    key_properties: properties,
    key_warnings: warnings,
  }
}

function crypt(label: string, work: () => Bytes): Bytes {
  try {
    return work()
  } catch (error) {
    throw textProblem('input_text', label, error)
  }
}

function notes(name: string, mode: BlockMode, warnings: readonly string[]) {
  return [
    ...warnings.map(text => panel.note('bad', text)),
    mode === 'ECB'
      ? panel.note('bad', `ECB encrypts equal blocks alike, so patterns of the text show through.`)
      : panel.note('warn', `${name} in ${mode} does not tell when the ciphertext was changed. AES-GCM does.`),
  ]
}

/** openssl enc pads by PKCS #7 or not at all, and has no counter mode of these ciphers. */
function opensslOf(row: Row, { key, mode, iv, padding }: Settings, way: 'encrypt' | 'decrypt'): string | undefined {
  const cipher = row.openssl(key)
  if (!cipher || mode === 'CTR' || (mode !== 'ECB' && !iv)) return undefined
  if (isPadded(mode) && padding !== 'PKCS7' && padding !== 'None') return undefined
  const options = [
    '-provider legacy -provider default',
    ...(way === 'decrypt' ? ['-d'] : []),
    `-${cipher}-${mode.toLowerCase()}`,
    `-K ${toHex(key)}`,
    ...(iv ? [`-iv ${toHex(iv)}`] : []),
    ...(isPadded(mode) && padding === 'None' ? ['-nopad'] : []),
  ]
  return `openssl enc ${options.join(' ')}`
}
