import {
  action,
  asFieldProblem,
  type CategorySlug,
  type Example,
  explain,
  type Fields,
  type FileInput,
  field,
  type InputOf,
  MAX_UPLOAD_BYTES,
  type Panel,
  Problem,
  panel,
  readWhole,
  type Terminal,
  tool,
} from '@assay/kit'
import { type ByteFormat, type Bytes, fromUtf8, readBytes, toBase64, toLatin1 } from '@assay/lib/bytes'
import { sniffMediaType } from '@assay/lib/codec/media-type'
import { type TextFormat, textFormats, writeText } from '@assay/lib/codec/text-format'

interface Way<F extends Fields> {
  /** The options of this direction, beside the text. */
  fields: F
  examples: readonly Example[]
}

interface Codec<E extends Fields, D extends Fields> {
  id: string
  /** "Base64": the name of the code, for labels. */
  name: string
  title: string
  summary: string
  keywords: readonly string[]
  specs: readonly string[]
  /** A file may stand in for the text. */
  file?: boolean
  /** What the palette should offer to decode. */
  takes?: readonly string[]
  encode: Way<E> & {
    write(bytes: Bytes, options: InputOf<E>): string
    terminal?(bytes: Bytes, options: InputOf<E>): string | undefined
  }
  decode: Way<D> & {
    read(text: string, options: InputOf<D>): { bytes: Bytes; remarks?: readonly string[] }
    terminal?(text: string, options: InputOf<D>): string | undefined
  }
}

const category: CategorySlug = 'encoding-and-decoding'
/** A page draws longer texts slowly, so they are offered as a file. */
const SHOWN_CHARACTERS = 200_000

interface EncodeInput {
  input_text: Bytes
  file?: FileInput | undefined
}
interface DecodeInput {
  input_text: string
  file?: FileInput | undefined
  output_format: TextFormat
}

const fileField = { file: field.file('File', { optional: true, help: 'In place of the text.' }) }

/** A tool that writes bytes as text and reads them back. */
export function codec<const E extends Fields, const D extends Fields>(definition: Codec<E, D>) {
  const { name, file, takes, encode, decode, ...head } = definition
  return tool({
    ...head,
    path: head.id,
    category,
    runs: 'anywhere',
    actions: {
      encode: action({
        title: `${name} Encode`,
        swap: { to: 'decode', from: 'encoded', into: 'input_text' },
        fields: {
          input_text: field.bytes('Text', { placeholder: 'Text to encode' }),
          ...(file && fileField),
          ...encode.fields,
        },
        async run(raw) {
          const input = raw as EncodeInput & InputOf<E>
          const bytes = await bytesOf(input.input_text, input.file)
          const encoded = encode.write(bytes, input)
          return { encoded, input_bytes: bytes.length, output_characters: encoded.length }
        },
        show: ({ encoded, input_bytes, output_characters }) => [
          ...textPanels(encoded, name, `${head.id}.txt`),
          panel.facts([
            ['Input', `${input_bytes} bytes`],
            ['Output', `${output_characters} characters`],
          ]),
        ],
        terminal(raw, { encoded }): Terminal | undefined {
          const input = raw as EncodeInput & InputOf<E>
          const command = input.file ? undefined : encode.terminal?.(input.input_text, input)
          return command ? { command, prints: encoded } : undefined
        },
        cost: raw => costOf(raw as EncodeInput),
        examples: encode.examples,
      }),
      decode: action({
        title: `${name} Decode`,
        swap: { to: 'encode', from: 'decoded', into: 'input_text' },
        fields: {
          input_text: field.area(`${name} text`, { ...(takes && { takes }), placeholder: 'Text to decode' }),
          ...(file && fileField),
          ...decode.fields,
          output_format: field.choice('Output format', textFormats, {
            help: 'Automatic is text when the bytes are valid UTF-8, else hexadecimal.',
          }),
        },
        async run(raw) {
          const input = raw as DecodeInput & InputOf<D>
          const text = await textOf(input.input_text, input.file)
          const label = input.file ? 'File' : `${name} text`
          const { bytes, remarks = [] } = explain(input.file ? 'file' : 'input_text', label, () =>
            decode.read(text, input),
          )
          const { text: decoded, format } = explain('output_format', 'Output format', () =>
            writeText(bytes, input.output_format),
          )
          const media = sniffMediaType(bytes)
          return {
            decoded,
            output_format: format,
            output_bytes: bytes.length,
            ...(media && { media_type: media.type }),
            remarks: [...remarks],
          }
        },
        show: result => decodedPanels(result),
        terminal(raw, { decoded, output_format }): Terminal | undefined {
          const input = raw as DecodeInput & InputOf<D>
          const command = input.file ? undefined : decode.terminal?.(input.input_text, input)
          if (!command) return undefined
          if (output_format === 'UTF-8') return { command, prints: decoded }
          return output_format === 'Hex' ? { command: `${command} | xxd -p`, prints: decoded } : undefined
        },
        cost: raw => costOf(raw as DecodeInput),
        examples: decode.examples,
      }),
    },
  })
}

async function bytesOf(text: Bytes, file: FileInput | undefined): Promise<Bytes> {
  return file ? fileInstead(text, file) : text
}

const textOf = async (text: string, file: FileInput | undefined): Promise<string> =>
  file ? toLatin1(await fileInstead(text, file)) : text

/** The bytes of a file that stands in for a text. */
async function fileInstead(text: { length: number }, file: FileInput): Promise<Bytes> {
  if (text.length) throw new Problem('invalid-input', 'Give a text or a file, not both.', { field: 'file' })
  // The result of a codec is one text, so the file has to fit into memory several times over.
  return readWhole(file).catch(error => Promise.reject(asFieldProblem('file', 'File', error)))
}

/** At most 40 ns and twelve bytes for every byte in, measured on files of 25 MiB. */
function costOf({ input_text, file }: { input_text: { length: number }; file?: FileInput | undefined }) {
  const bytes = file ? (file.size ?? MAX_UPLOAD_BYTES) : input_text.length
  return { milliseconds: 5 + bytes / 25_000, megabytes: 5 + (bytes * 12) / 2 ** 20 }
}

function textPanels(text: string, title: string, name: string): Panel[] {
  if (text.length <= SHOWN_CHARACTERS) return [panel.code(text, { title })]
  return [
    panel.file({ name, mediaType: 'text/plain', base64: toBase64(fromUtf8(text)) }),
    panel.code(text.slice(0, 2000), { title: 'The first 2,000 characters' }),
  ]
}

interface DecodedResult {
  decoded: string
  output_format: ByteFormat
  output_bytes: number
  media_type?: string
  remarks: string[]
}

/** The decoded text; what is no text can be saved as a file, and looked at when it is an image. */
function decodedPanels({ decoded, output_format, output_bytes, media_type, remarks }: DecodedResult): Panel[] {
  const bytes = readBytes(decoded, output_format)
  const media = sniffMediaType(bytes)
  const base64 = () => toBase64(bytes)
  return [
    ...remarks.map(remark => panel.note('warn', remark)),
    ...(media?.type.startsWith('image/')
      ? [
          panel.image({
            source: `data:${media.type};base64,${base64()}`,
            alt: 'The decoded image',
            name: `decoded.${media.extension}`,
          }),
        ]
      : []),
    ...textPanels(decoded, 'Decoded', 'decoded.txt'),
    panel.facts([
      ['Output', `${output_bytes} bytes, written as ${output_format}`],
      ...(media_type ? [['Looks like', media_type] as const] : []),
    ]),
    ...(output_format === 'UTF-8' || !output_bytes
      ? []
      : [
          panel.file({
            name: `decoded.${media?.extension ?? 'bin'}`,
            mediaType: media?.type ?? 'application/octet-stream',
            base64: base64(),
          }),
        ]),
  ]
}
