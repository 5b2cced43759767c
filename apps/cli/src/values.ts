import { basename } from 'node:path'
import { type Action, type FileInput, formatFieldOf, isShown, type Raw } from '@assay/kit'
import {
  firstField,
  type Option,
  optionName,
  optionsOf,
  outputOption,
  sameName,
  switches,
  UsageError,
} from './words.ts'

/** A command line after the name of the tool. */
export interface Line {
  values: ReadonlyMap<string, Value>
  json: boolean
  /** Whether a failed check shows in the exit status. */
  exitCode: boolean
  help: boolean
  output?: string
}

/** A value as it was given: taken literally, or as the content of a file or of standard input. */
export type Value = { literal: string } | { file: string } | { stdin: true }

/** Where values come from. */
export interface Sources {
  stdin(): AsyncIterable<Uint8Array>
  file(path: string): AsyncIterable<Uint8Array>
  /** Asks on the terminal without showing what is typed; undefined where there is no terminal. */
  secret?: ((label: string) => Promise<string>) | undefined
}

const STDIN = '-'

/** Reads options and the value; everything after "--" is taken as it stands. */
export function parseLine(action: Action, words: readonly string[]): Line {
  const options = optionsOf(action)
  const values = new Map<string, Value>()
  const line: { -readonly [K in keyof Line]: Line[K] } = { values, json: false, exitCode: false, help: false }
  const rest = [...words]
  let literal = false

  const positional = (value: Value) => {
    const name = firstField(action)
    if (!name) throw new UsageError('This tool takes no value.')
    if (values.has(name)) throw new UsageError('There is more than one value; put quotes around a value with spaces.')
    values.set(name, value)
  }
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (literal) positional({ literal: word })
    else if (word === '--') literal = true
    else if (word === '-h') line.help = true
    else if (word.startsWith('--')) readOption(word, rest, options, line, values)
    else if (word.length > 1 && word.startsWith('-')) {
      throw new UsageError(`Options have long names. To give a value that begins with a dash, put -- before it.`)
    } else positional(readWord(word))
  }
  return line
}

function readOption(
  word: string,
  rest: string[],
  options: readonly Option[],
  line: { -readonly [K in keyof Line]: Line[K] },
  values: Map<string, Value>,
): void {
  const [, name = '', , given] = /^--([^=]*)(=(.*))?$/s.exec(word) ?? []
  if (name === 'json' || name === 'help') {
    line[name] = true
    return
  }
  if (name === 'exit-code') {
    line.exitCode = true
    return
  }
  const next = () => {
    const value = given ?? rest.shift()
    if (value === undefined) throw new UsageError(`--${name} needs a value.`)
    return value
  }
  if (name === outputOption) {
    line.output = next()
    return
  }
  const option = options.find(option => sameName(option.name, name))
  if (option) {
    if (values.has(option.name)) throw new UsageError(`${optionName(option.name)} is there twice.`)
    const bare = option.data.kind === 'flag' && given === undefined && !/^(?:yes|no|true|false)$/i.test(rest[0] ?? '')
    values.set(option.name, bare ? { literal: 'yes' } : readWord(next()))
    return
  }
  const negated = options.find(({ name: field, data }) => data.kind === 'flag' && sameName(`no${field}`, name))
  if (!negated) throw new UsageError(unknownOption(options))
  values.set(negated.name, { literal: 'no' })
}

function unknownOption(options: readonly Option[]): string {
  const known = [...options.map(({ name }) => optionName(name)), ...Object.keys(switches).map(name => `--${name}`)]
  return `There is no such option. This tool takes ${known.join(', ')}.`
}

/** `-` is standard input, `@name` a file, `@@name` the text "@name". */
function readWord(word: string): Value {
  if (word === STDIN || word === `@${STDIN}`) return { stdin: true }
  if (word.startsWith('@@')) return { literal: word.slice(1) }
  if (word.startsWith('@') && word.length > 1) return { file: word.slice(1) }
  return { literal: word }
}

/** The fields as every door hands them over: files opened, secrets asked for. */
export async function readValues(action: Action, { values }: Line, sources: Sources): Promise<Raw> {
  if ([...values.values()].filter(value => 'stdin' in value).length > 1) {
    throw new UsageError('Standard input can be read once only.')
  }
  const raw: Record<string, unknown> = {}
  for (const [name, value] of values) {
    const data = action.fields[name]
    if (data?.kind === 'file') raw[name] = fileOf(value, sources)
    else if ('literal' in value) raw[name] = value.literal
    else {
      const bytes = await whole('file' in value ? sources.file(value.file) : sources.stdin())
      const format = data?.kind === 'bytes' ? formatFieldOf(name) : undefined
      if (format && !values.has(format)) {
        raw[name] = bytes.toString('base64')
        raw[format] = 'Base64'
      } else raw[name] = text(bytes)
    }
  }
  await askSecrets(action, raw, sources)
  return raw
}

/** The bytes of a file field; a bare word is the name of a file. */
function fileOf(value: Value, { file, stdin }: Sources): FileInput {
  if ('stdin' in value) return { name: 'stdin', stream: stdin }
  const path = 'file' in value ? value.file : value.literal
  return { name: basename(path), stream: () => file(path) }
}

async function askSecrets({ fields }: Action, raw: Record<string, unknown>, { secret }: Sources): Promise<void> {
  if (!secret) return
  for (const [name, data] of Object.entries(fields)) {
    const wanted = data.secret && !data.optional && !data.default && data.kind !== 'file'
    if (!wanted || name in raw || !isShown(fields, raw, data)) continue
    raw[name] = await secret(data.label)
  }
}

async function whole(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}

function text(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new UsageError('This field takes text, and the file is not UTF-8.')
  }
}
