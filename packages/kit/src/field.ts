import { type ByteFormat, type Bytes, byteFormats } from '@assay/lib/bytes'

/**
 * Fields as data. A field says what one input of a tool is; the form, the reader, the JSON Schema, the command-line
 * option and the MCP parameter all come from it. `Field<T>` also carries, for the compiler only, the type that `run`
 * receives.
 */
export interface FieldData {
  /** The widget, one of the seven types of the form. */
  type: 'text' | 'textarea' | 'number' | 'email' | 'password' | 'file' | 'select'
  /** What the reader makes of it. */
  kind: 'text' | 'bytes' | 'number' | 'flag' | 'choice' | 'file' | 'domain' | 'ip' | 'host' | 'holding' | 'url'
  label: string
  help?: string
  placeholder?: string
  optional?: boolean
  /** Never in a URL, a history, a log or storage. */
  secret?: boolean
  default?: string | number
  /** The field is shown, sent and read only while the other field has one of these values. */
  dependsOn?: { field: string; values: readonly string[] }
  options?: readonly string[]
  /** Bytes: the format the text is in unless its format field says otherwise, and the formats on offer. */
  format?: ByteFormat
  formats?: readonly ByteFormat[]
  /** Bytes and text: a button that fills the field with this many fresh random bytes. */
  generate?: number
  min?: number
  max?: number
  step?: number
  unit?: string
  /** Text: the most characters, where it is not what the door allows; file: the most bytes on the server. */
  maxLength?: number
  /** Text: one line instead of a text area. */
  line?: boolean
  /** Web address: one typed without a scheme stays without, for a tool that tries both. */
  schemeOptional?: boolean
  /** What pasted values fit here, for the palette; names of kit/detect.ts. */
  takes?: readonly string[]
  /** File: the `accept` attribute. */
  accept?: string
}

declare const typed: unique symbol
export interface Field<T> extends FieldData {
  readonly [typed]?: T
}
export type Fields = Record<string, FieldData>

/** What `run` receives for a set of fields. */
export type InputOf<F> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never }

/** A file on its way in: read once, as a stream, never whole unless the tool asks. */
export interface FileInput {
  name: string
  /** In bytes; undefined while unknown. */
  size?: number
  /** The pieces in order. Each is good until the next is asked for; whoever keeps one copies it. */
  stream(): AsyncIterable<Uint8Array>
}

/** Characters of a text field that has no bound of its own: what a page can still hold. */
export const MAX_TEXT_LENGTH = 67_108_864
/** The same on the server. */
export const MAX_SERVER_TEXT_LENGTH = 1_048_576
/** Bytes of an uploaded file on the server. In the browser a file has no bound. */
export const MAX_UPLOAD_BYTES = 25 * 1_048_576

type Shared = Pick<FieldData, 'help' | 'placeholder' | 'dependsOn' | 'takes'>
type Optional<O, T> = O extends { optional: true } ? T | undefined : T

export interface TextOptions extends Shared {
  optional?: boolean
  secret?: boolean
  default?: string
  maxLength?: number
  schemeOptional?: boolean
}
export interface BytesOptions extends Shared {
  optional?: boolean
  secret?: boolean
  default?: string
  format?: ByteFormat
  formats?: readonly ByteFormat[]
  line?: boolean
  generate?: number
}

const make = <T>(data: FieldData): Field<T> => data

const text =
  (type: 'text' | 'textarea' | 'email' | 'password') =>
  <O extends TextOptions>(label: string, options?: O): Field<Optional<O, string>> =>
    make({ type, kind: 'text', label, ...options })

const named =
  (kind: 'domain' | 'ip' | 'host' | 'holding' | 'url', placeholder: string, maxLength: number) =>
  <O extends TextOptions>(label: string, options?: O): Field<Optional<O, string>> =>
    make({ type: 'text', kind, label, placeholder, maxLength, takes: takesOf[kind], ...options })

const takesOf = {
  domain: ['domain'],
  ip: ['ip'],
  host: ['domain', 'ip'],
  holding: ['domain', 'ip'],
  url: ['url', 'domain'],
}

export const field = {
  /** One line of text, taken as it is typed. */
  text: text('text'),
  /** Several lines of text, taken as they are typed. */
  area: text('textarea'),
  email: text('email'),

  /** A secret text with a hidden widget. */
  password: <O extends TextOptions>(label: string, options?: O): Field<Optional<O, string>> =>
    make({ type: 'password', kind: 'text', label, secret: true, ...options }),

  /**
   * Bytes typed as text. Beside the field `x` the API takes `x_format` (`input_format` beside `input_text`): UTF-8,
   * Hex, Base64 or Latin-1.
   */
  bytes: <O extends BytesOptions>(label: string, options?: O): Field<Optional<O, Bytes>> =>
    make({
      type: options?.line ? 'text' : 'textarea',
      kind: 'bytes',
      label,
      format: 'UTF-8',
      formats: byteFormats,
      ...options,
    }),

  choice: <const V extends string>(
    label: string,
    options: readonly V[],
    more?: Shared & { default?: NoInfer<V> },
  ): Field<V> => make({ type: 'select', kind: 'choice', label, options, default: options[0] ?? '', ...more }),

  /** yes or no. */
  flag: (label: string, { default: value = false, ...more }: Shared & { default?: boolean } = {}): Field<boolean> =>
    make({ type: 'select', kind: 'flag', label, options: ['yes', 'no'], default: value ? 'yes' : 'no', ...more }),

  /** A whole number, or with `step` a fraction, between declared bounds. */
  number: (
    label: string,
    options: Shared & { min: number; max: number; default: number; step?: number; unit?: string },
  ): Field<number> => make({ type: 'number', kind: 'number', label, ...options }),

  file: <O extends Shared & { optional?: boolean; accept?: string }>(
    label: string,
    options?: O,
  ): Field<Optional<O, FileInput>> =>
    make({ type: 'file', kind: 'file', label, maxLength: MAX_UPLOAD_BYTES, ...options }),

  /** A domain name; `run` gets its A-label form in lower case without a final dot. */
  domain: named('domain', 'example.com', 1000),
  /** An IPv4 or IPv6 address; `run` gets it in canonical form. */
  ip: named('ip', '8.8.8.8', 100),
  /** A domain name or an address. */
  host: named('host', 'example.com or 8.8.8.8', 1000),
  /** What registries keep records of: a domain name, an address, or an AS number such as AS64496. */
  holding: named('holding', 'example.com or 8.8.8.8', 1000),
  /** An http or https address; the scheme may be missing. */
  url: named('url', 'https://example.com', 2048),
}

/** The name of the field that holds the format of a byte field: input_text → input_format, key → key_format. */
export const formatFieldOf = (name: string): string => `${name.replace(/_text$/, '')}_format`
