import { type ByteFormat, type Bytes, byteFormats, concat, readBytes } from '@assay/lib/bytes'
import {
  type FieldData,
  type Fields,
  type FileInput,
  formatFieldOf,
  MAX_TEXT_LENGTH,
  MAX_UPLOAD_BYTES,
} from './field.ts'
import { explain, Problem } from './problem.ts'
import type { Input } from './tool.ts'

/** What a door hands over: JSON values, strings of a form, or files. */
export type Raw = Readonly<Record<string, unknown>>

/** What a door allows where a field has no bound of its own. */
export interface ReadLimits {
  /** Characters of a text. */
  textLength: number
}
const anyPage: ReadLimits = { textLength: MAX_TEXT_LENGTH }

/**
 * Reads the fields of an action: defaults filled in, bytes decoded, numbers within bounds, names checked. The first
 * thing wrong is thrown as a problem that names the field and says what was expected. Unknown names are refused, so
 * that a misspelt option is never silently ignored.
 */
export async function readInput(fields: Fields, raw: Raw, { textLength }: ReadLimits = anyPage): Promise<Input> {
  refuseUnknown(fields, raw)
  const input: Input = {}
  for (const [name, data] of Object.entries(fields)) {
    const shown = isShown(fields, raw, data)
    input[name] = await readField(
      name,
      { ...data, maxLength: data.maxLength ?? textLength },
      shown ? raw[name] : undefined,
      shown ? raw[formatFieldOf(name)] : undefined,
    )
  }
  return input
}

function refuseUnknown(fields: Fields, raw: Raw): void {
  if (Object.keys(raw).every(name => Object.hasOwn(fields, name) || isFormatOf(fields, name))) return
  const known = Object.entries(fields).flatMap(([name, { kind }]) =>
    kind === 'bytes' ? [name, formatFieldOf(name)] : [name],
  )
  throw new Problem(
    'invalid-input',
    known.length ? `Unknown field: this tool takes ${known.join(', ')}.` : 'Unknown field: this tool takes none.',
  )
}

const isFormatOf = (fields: Fields, name: string) =>
  name.endsWith('_format') &&
  Object.keys(fields).some(field => fields[field]?.kind === 'bytes' && formatFieldOf(field) === name)

/** Whether a field counts, given what the others hold. */
export function isShown(fields: Fields, raw: Raw, { dependsOn }: FieldData): boolean {
  if (!dependsOn) return true
  const other = fields[dependsOn.field]
  if (other && !isShown(fields, raw, other)) return false
  return dependsOn.values.includes(String(raw[dependsOn.field] ?? other?.default ?? ''))
}

type Bounded = FieldData & { maxLength: number }

async function readField(name: string, data: Bounded, value: unknown, format: unknown): Promise<unknown> {
  const fail = (expected: string): never => {
    throw new Problem('invalid-input', `${data.label}: ${expected}.`, { field: name })
  }
  const absent = value === undefined || value === null
  if (data.kind === 'file') return readFile(data, absent || value === '' ? undefined : value, fail)
  if (!absent && typeof value === 'object') return fail('expected one value, not a list or an object')
  const text = absent ? undefined : typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
  if (text && text.length > data.maxLength) {
    return fail(`expected at most ${data.maxLength} characters, got ${text.length}`)
  }
  if (text && !text.isWellFormed()) return fail('expected text without half of a surrogate pair')
  switch (data.kind) {
    case 'text':
      return (text === undefined || text === '') && data.optional ? undefined : (text ?? String(data.default ?? ''))
    case 'bytes':
      if (!text && data.optional) return undefined
      return explain(name, data.label, () =>
        readBytes(text ?? String(data.default ?? ''), readFormat(data, format, name)),
      )
    case 'choice':
    case 'flag':
      return readChoice(data, text, fail)
    case 'number':
      return readNumber(data, text, fail)
    default:
      if (!text?.trim())
        return data.optional ? undefined : (data.default ?? fail(`please enter a value such as ${data.placeholder}`))
      return withoutAssumedScheme(data, text, await readName(data.kind, name, text))
  }
}

function readFormat(
  { label, formats = byteFormats, format: fallback = 'UTF-8' }: FieldData,
  format: unknown,
  name: string,
): ByteFormat {
  if (format === undefined || format === '') return fallback
  const found = formats.find(candidate => candidate.toLowerCase() === String(format).toLowerCase())
  if (found) return found
  throw new Problem('invalid-input', `${label}: the format must be one of ${formats.join(', ')}.`, {
    field: formatFieldOf(name),
  })
}

function readChoice(
  { kind, options = [], default: fallback }: FieldData,
  text: string | undefined,
  fail: (expected: string) => never,
) {
  const wanted = (text ?? String(fallback)).toLowerCase()
  const found = options.find(option => option === text) ?? options.find(option => option.toLowerCase() === wanted)
  if (kind === 'flag' && (wanted === 'true' || wanted === 'false')) return wanted === 'true'
  if (found === undefined) return fail(`expected one of ${options.join(', ')}`)
  return kind === 'flag' ? found === 'yes' : found
}

function readNumber(data: FieldData, text: string | undefined, fail: (expected: string) => never) {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER, unit, step } = data
  const words = `expected a ${step && step < 1 ? '' : 'whole '}number from ${min} to ${max}${unit ? ` ${unit}` : ''}`
  if (text === undefined) return data.default
  const pattern = step && step < 1 ? /^\s*[+-]?\d+(?:\.\d+)?\s*$/ : /^\s*[+-]?\d+\s*$/
  if (!pattern.test(text)) return fail(words)
  const number = Number(text)
  return number >= min && number <= max ? number : fail(words)
}

function readFile(data: FieldData, value: unknown, fail: (expected: string) => never): FileInput | undefined {
  if (value === undefined) return data.optional ? undefined : fail('choose a file')
  if (typeof value === 'object' && value !== null && 'stream' in value && 'name' in value) return value as FileInput
  if (typeof value === 'string') return fileOf(value)
  return fail('expected a file, sent as multipart form data')
}

/** A text as a file, for examples and for doors that carry no files. */
export function fileOf(text: string, name = 'text.txt'): FileInput {
  const bytes = new TextEncoder().encode(text)
  return {
    name,
    size: bytes.length,
    stream: async function* () {
      yield bytes
    },
  }
}

/** A web address that was typed without a scheme is read as https. */
const withoutAssumedScheme = ({ schemeOptional }: FieldData, typed: string, url: string) =>
  schemeOptional && !typed.includes('://') ? url.replace('https://', '') : url

/** All bytes of a file, for tools that need it whole; RangeError when it has more than it may. */
export async function readWhole({ stream }: FileInput, maxBytes = MAX_UPLOAD_BYTES): Promise<Bytes> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of stream()) {
    length += piece.length
    if (length > maxBytes) throw new RangeError(`expected at most ${maxBytes / 2 ** 20} MiB`)
    pieces.push(piece.slice())
  }
  return concat(...pieces)
}

/** Names and addresses are read by the library's own rules, loaded only where a tool has such a field. */
async function readName(
  kind: 'domain' | 'ip' | 'host' | 'holding' | 'url',
  field: string,
  text: string,
): Promise<string> {
  const { canonicalName } = await import('./name.ts')
  return canonicalName(kind, field, text)
}
