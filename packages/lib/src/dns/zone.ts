/** A reader of zone files (RFC 1035 §5, RFC 2308 §4) for tests and examples: $ORIGIN and $TTL, but no $INCLUDE. */
import { classCode, className, typeCode, typeName } from './codes.ts'
import { type ResourceRecord, recordFromText } from './message.ts'
import { parseName } from './name.ts'
import { type Line, parseSeconds, splitLines, type Token, Tokens } from './tokens.ts'

/** The TTL of a record when neither it, nor one before it, nor $TTL gives one. */
export const DEFAULT_TTL_SECONDS = 3600

interface State {
  origin: string
  owner: string | undefined
  /** From $TTL, or else from the record before (RFC 1035 §5.1). */
  ttl: number | undefined
  ttlIsDefault: boolean
}

/** Reads a zone file. RangeError with the number of the line for the first thing that is wrong. */
export function parseZone(text: string, origin = '.'): ResourceRecord[] {
  const state: State = { origin: parseName(origin), owner: undefined, ttl: undefined, ttlIsDefault: false }
  const records: ResourceRecord[] = []
  for (const line of splitLines(text)) {
    try {
      const record = readLine(line, state)
      if (record) records.push(record)
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause
      throw new RangeError(`line ${line.number}: ${cause.message}`, { cause })
    }
  }
  return records
}

function readLine(line: Line, state: State): ResourceRecord | undefined {
  const [first] = line.tokens
  if (!line.indented && first && !first.quoted && first.text.startsWith('$')) {
    readDirective(first.text.toUpperCase(), new Tokens(line.tokens.slice(1), state.origin), state)
    return undefined
  }
  const tokens = line.indented ? line.tokens : line.tokens.slice(1)
  if (!line.indented && first) state.owner = parseName(first.text, state.origin)
  if (state.owner === undefined) throw new RangeError('the first record has no owner')
  const { ttl, recordClass, type, data } = readHead(tokens)
  if (ttl !== undefined && !state.ttlIsDefault) state.ttl = ttl
  const owner = { name: state.owner, ttl: ttl ?? state.ttl ?? DEFAULT_TTL_SECONDS, class: recordClass }
  return recordFromText(type, owner, new Tokens(data, state.origin))
}

function readDirective(directive: string, tokens: Tokens, state: State): void {
  if (directive === '$ORIGIN') state.origin = tokens.name('an origin')
  else if (directive === '$TTL') {
    state.ttl = parseSeconds(tokens.word('a TTL'))
    state.ttlIsDefault = true
  } else throw new RangeError(`${directive} is not supported`)
}

/** TTL and class stand before the type in either order, and both may be missing. */
function readHead(tokens: readonly Token[]): { ttl?: number; recordClass: string; type: string; data: Token[] } {
  let ttl: number | undefined
  let recordClass: string | undefined
  for (const [index, { text }] of tokens.entries()) {
    if (ttl === undefined && /^\d/.test(text)) ttl = parseSeconds(text)
    else if (recordClass === undefined && /^(IN|CH|HS|CLASS\d+)$/i.test(text)) recordClass = className(classCode(text))
    else {
      const head = { recordClass: recordClass ?? 'IN', type: typeName(typeCode(text)), data: tokens.slice(index + 1) }
      return ttl === undefined ? head : { ...head, ttl }
    }
  }
  throw new RangeError('the record has no type')
}
