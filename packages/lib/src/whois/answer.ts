/**
 * What a WHOIS server said (RFC 3912): the fields in it, and what kind of answer it is. There is no format; these are the
 * three in use: "Key: value", "[Key] value", and a key alone on its line with the values indented below it.
 */

export interface Entry {
  /** In lower case, words with single spaces between. */
  key: string
  value: string
  /** The heading above it, or the first key of its block; in lower case. */
  section: string
  /** Blocks are divided by empty lines. */
  block: number
}

/** Lines that are read; the longest records have some hundred. */
const MAX_LINES = 5_000
/** Characters of a line that are read: what is longer is no field, and patterns must not be tried at its every place. */
const MAX_LINE_LENGTH = 500
const MAX_KEY_LENGTH = 60

const PAIR = /^(?:\.{0,3}\s*)?([^:\s[][^:]{0,59}?)(?:\s*\.{2,})?\s*:(?!\/\/)\s*(.*)$/u
const DOTTED = /^(\p{L}[\p{L} -]{1,40}?)\s*\.{3,}:?\s*(.*)$/u
const BRACKETS = /^(?:[a-z]\. )?\[([^\]]{1,60})\]\s*(.*)$/u
/** Some registries put two asterisks before their headings. */
const COMMENT = /^\s*(?:[%#;]|\*(?!\* \p{L}[^.]{0,40}:)|>>>|--|\/\/)/u
/** A colon between an address or a host name and more is none that ends a key. */
const NO_KEY = /[\d.][^:]*:\S/

interface Reader {
  entries: Entry[]
  block: number
  section: string
  /** The key above, whose values stand on lines of their own. */
  heading?: { key: string; indent: number } | undefined
  last?: { entry: Entry; indent: number } | undefined
}

/** The fields in the order of the text. Comments and prose are left out. */
export function entriesIn(text: string): Entry[] {
  const reader: Reader = { entries: [], block: 0, section: '' }
  const lines = text
    .split('\n', MAX_LINES)
    .map(line => line.slice(0, MAX_LINE_LENGTH).replaceAll('\t', '        ').trimEnd())
  for (const [index, line] of lines.entries()) {
    if (!line) {
      reader.block++
      reader.section = ''
      reader.heading = undefined
    } else if (!COMMENT.test(line)) {
      const [key, value] = readPair(line.trim()) ?? []
      if (key === undefined) readLoose(reader, line, lines[index + 1] ?? '')
      else if (value) readField(reader, key, value.trim(), indentOf(line))
      else openHeading(reader, key, indentOf(line))
    }
  }
  return reader.entries
}

function openHeading(reader: Reader, key: string, indent: number): void {
  reader.heading = { key, indent }
  reader.section = key
  reader.last = undefined
}

function readField(reader: Reader, key: string, value: string, indent: number): void {
  const inside = reader.heading !== undefined && indent > reader.heading.indent
  if (!inside) {
    if (!reader.heading) reader.section ||= key
    reader.heading = undefined
  }
  const section = inside && reader.heading ? reader.heading.key : reader.section
  const entry = { key, value, section, block: reader.block }
  reader.last = { entry, indent }
  reader.entries.push(entry)
}

/** A line without a key: a heading without its colon, the rest of a value, a value below its heading, or prose. */
function readLoose(reader: Reader, line: string, next: string): void {
  const { heading, last, block } = reader
  const indent = indentOf(line)
  const value = line.trim()
  if (indent === 0 && indentOf(next) > 0 && line.length <= MAX_KEY_LENGTH) {
    openHeading(reader, cleanKey(line) ?? '', indent)
  } else if (last?.entry.block === block && indent > last.indent + 1) {
    reader.entries.push({ ...last.entry, value })
  } else if (heading && (indent > heading.indent || !/\s{2,}|[.!?]$/.test(line))) {
    reader.entries.push({ key: heading.key, value, section: heading.key, block })
  }
}

const indentOf = (line: string) => line.length - line.trimStart().length

function readPair(line: string): [key: string, value: string] | undefined {
  if (NO_KEY.test(line) && !BRACKETS.test(line) && !/^[^\d.:]*:/.test(line)) return undefined
  const [, name, value = ''] = DOTTED.exec(line) ?? BRACKETS.exec(line) ?? PAIR.exec(line) ?? []
  const key = name === undefined ? undefined : cleanKey(name)
  return key === undefined ? undefined : [key, value]
}

function cleanKey(name: string): string | undefined {
  const key = name
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .replace(/^[.*\s]+|[.\s]+$/g, '')
  // Sentences with a colon in them are no keys.
  return key && key.length <= MAX_KEY_LENGTH && key.split(' ').length <= 6 ? key : undefined
}

export type Verdict = 'found' | 'not-found' | 'limited' | 'reserved' | 'unclear'

const LIMITED: readonly RegExp[] = [
  /\b(?:quota|limits?|rate|quer(?:y|ies)|requests|connections?|lookups)\b[^.]{0,60}\b(?:exceeded|reached)\b/i,
  /\bexcessive quer(?:y|ies|ying)\b/i,
  /\bexceed(?:ed|s|ing)\b[^.]{0,60}\b(?:quota|limit|rate|quer(?:y|ies)|requests|number)\b/i,
  /\btoo many (?:requests|queries|connections|lookups|whois)\b/i,
  /\b(?:try|retry) again (?:later|in \d|after)\b/i,
  /\b(?:access|connection) (?:denied|refused|blocked)\b/i,
  /\b(?:ip|address|you)\b[^.]{0,30}\b(?:blacklisted|has been blocked|is blocked|temporarily blocked)\b/i,
  /^\s*(?:error|%+ error)?:?\s*ratelimit/i,
]

const RESERVED: readonly RegExp[] = [
  /\b(?:domain|name)\b[^.]{0,40}\b(?:is|has been|was)\b[^.]{0,20}\b(?:reserved|blocked|restricted|prohibited)\b/i,
  /^\s*(?:domain )?status\s*:\s*(?:reserved|blocked|prohibited|restricted|not allowed|forbidden|unavailable)\b/i,
  /\b(?:cannot|can not|may not) be registered\b/i,
  /\bnot available for (?:registration|general)\b/i,
  /\breserved (?:by|domain|name)\b/i,
]

const NOT_FOUND: readonly RegExp[] = [
  /\bno match(?:ing)?\b/i,
  /\bnot found\b/i,
  /\bnot registered\b/i,
  /\bno (?:entries|entry|data|object|objects|information|records?|such domain|domain|whois)\b[^.]{0,30}(?:found|match|available|registered|exist|known)?/i,
  /\b(?:nothing|none) found\b/i,
  /\bdoes not exist\b/i,
  /\bdoesn't exist\b/i,
  /\bnot exist(?:ing)?\b/i,
  /\bis (?:free|available)(?: for registration| for purchase)?\b/i,
  /^\s*(?:domain )?status\s*:\s*(?:free|available|not registered|no object|not found)\b/i,
  /^\s*available\s*$/i,
  /\bunassigned\b/i,
]

/** Sentences of the terms of use, in which the words of any verdict may stand. */
const TERMS =
  /\b(?:you agree|terms|reserves? the right|lawful|permitted|prior written|purposes?|by submitting|compilation|copyright|warrant|advertising|notice)\b/i

/**
 * Which kind of answer it is when it held no registration. A limit is judged first: "limit exceeded" never means that a
 * name is free.
 */
export function verdictOf(text: string, name: string): Exclude<Verdict, 'found'> {
  const lines = text
    .split('\n', MAX_LINES)
    .map(line => line.slice(0, MAX_LINE_LENGTH))
    .filter(line => line.trim() && !TERMS.test(line))
  const says = (patterns: readonly RegExp[]) => lines.some(line => patterns.some(pattern => pattern.test(line)))
  const own = lines.filter(line => line.toLowerCase().includes(name.toLowerCase()))
  const notFoundByName = own.some(line => NOT_FOUND.some(pattern => pattern.test(line)))
  if (notFoundByName && !own.some(line => RESERVED.some(pattern => pattern.test(line)))) return 'not-found'
  if (says(LIMITED)) return 'limited'
  if (says(RESERVED)) return 'reserved'
  return says(NOT_FOUND) ? 'not-found' : 'unclear'
}

/** Keys under which a server names the one that knows more. */
const REFERRALS = [
  'whois server',
  'registrar whois server',
  'registrar whois',
  'refer',
  'whois',
  'referralserver',
  'resource link',
  'registry whois server',
]

/**
 * The server that this one refers to: "whois.example.net", "whois://whois.example.net", "rwhois://…" is not one. Only a
 * host name or an address comes out; whether it may be asked is for the door to say.
 */
export function referralIn(entries: readonly Entry[]): string | undefined {
  for (const key of REFERRALS) {
    for (const { value } of entries.filter(entry => entry.key === key)) {
      const [, host] = /^(?:whois:\/\/)?([a-z\d][a-z\d.-]{1,252}[a-z\d]|[\da-f:]{3,45})(?::43)?\/?$/i.exec(value) ?? []
      if (host?.match(/[.:]/)) return host.toLowerCase()
    }
  }
  return undefined
}
