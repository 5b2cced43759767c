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
  title,
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
  /** Where it takes longer than the 40 ns a byte that most codes stay below. */
  milliseconds?(bytes: number): number
  encode: Way<E> & {
    write(bytes: Bytes, options: InputOf<E>): string
    terminal?(bytes: Bytes, options: InputOf<E>): string | undefined
  }
  decode: Way<D> & {
    read(text: string, options: InputOf<D>): Read
    /** What the output format Automatic means where it is not text or hexadecimal. */
    automatic?(options: InputOf<D>): TextFormat
    terminal?(text: string, options: InputOf<D>): string | undefined
  }
}

interface Read {
  bytes: Bytes
  remarks?: readonly string[]
  /** What the text says beside the bytes, such as the name of a file. */
  details?: Readonly<Record<string, string>>
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
  const { name, file, takes, milliseconds, encode, decode, ...head } = definition
  const cost = (raw: unknown) => costOf(raw as EncodeInput | DecodeInput, milliseconds)
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
          const encoded = blame(input, 'Text', () => encode.write(bytes, input))
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
        cost,
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
          const read = blame(input, `${name} text`, () => decode.read(text, input))
          const { bytes, remarks = [], details } = read
          const wanted = input.output_format === 'Automatic' ? decode.automatic?.(input) : undefined
          const { text: decoded, format } = explain('output_format', 'Output format', () =>
            writeText(bytes, wanted ?? input.output_format),
          )
          const media = sniffMediaType(bytes)
          return {
            decoded,
            output_format: format,
            output_bytes: bytes.length,
            ...(media && { media_type: media.type }),
            ...(details && { details: { ...details } }),
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
        cost,
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

/** What is wrong with the bytes is a problem of the field they came from. */
const blame = <T>({ file }: { file?: FileInput | undefined }, label: string, work: () => T): T =>
  file ? explain('file', 'File', work) : explain('input_text', label, work)

/** At most 40 ns and twelve bytes for every byte in, measured on files of 25 MiB. */
function costOf(
  { input_text, file }: { input_text: { length: number }; file?: FileInput | undefined },
  milliseconds = (bytes: number) => bytes / 25_000,
) {
  const bytes = file ? (file.size ?? MAX_UPLOAD_BYTES) : input_text.length
  return { milliseconds: 5 + milliseconds(bytes), megabytes: 5 + (bytes * 12) / 2 ** 20 }
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
  details?: Record<string, string>
  remarks: string[]
}

/** The decoded text; what is no text can be saved as a file, and looked at when it is an image. */
function decodedPanels({
  decoded,
  output_format,
  output_bytes,
  media_type,
  details = {},
  remarks,
}: DecodedResult): Panel[] {
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
      ...Object.entries(details).map(([name, value]) => [title(name), value] as const),
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
