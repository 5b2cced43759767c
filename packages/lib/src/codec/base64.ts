import { type Alphabet, type Decoded, type DecodeRules, decodeGrouped, encodeGrouped } from './grouped.ts'

/**
 * Base64 in its alphabets: RFC 4648 §4 and §5, MIME (RFC 2045 §6.8), IMAP mailbox names (RFC 3501 §5.1.3) and any
 * alphabet of one's own.
 */
export const base64Alphabets = ['standard', 'URL-safe', 'MIME (76 cols)', 'IMAP', 'custom'] as const
export type Base64Name = (typeof base64Alphabets)[number]

const COMMON = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** RFC 2045 §6.8: encoded lines are no longer than 76 characters, ended by CRLF. */
const MIME_LINE = 76

const alphabets: Record<Exclude<Base64Name, 'custom'>, Alphabet> = {
  standard: { bits: 6, digits: `${COMMON}+/`, pad: '=', aliases: { '-': '+', _: '/' } },
  'URL-safe': { bits: 6, digits: `${COMMON}-_`, pad: '=', aliases: { '+': '-', '/': '_' } },
  // RFC 2045 §6.8 has decoders ignore every character outside the alphabet.
  'MIME (76 cols)': { bits: 6, digits: `${COMMON}+/`, pad: '=', skips: 'all' },
  IMAP: { bits: 6, digits: `${COMMON}+,`, pad: '' },
}

/** The alphabet behind a name; `custom` is 64 characters and perhaps a padding character, ranges such as A-Z allowed. */
export const base64Alphabet = (name: Base64Name, custom = ''): Alphabet =>
  name === 'custom' ? parseAlphabet(custom) : alphabets[name]

export function encodeBase64(bytes: Uint8Array, name: Base64Name, padding: boolean, custom?: string): string {
  const text = encodeGrouped(base64Alphabet(name, custom), bytes, padding || name === 'MIME (76 cols)')
  return name === 'MIME (76 cols)' ? text.replace(new RegExp(`.{${MIME_LINE}}(?=.)`, 'g'), '$&\r\n') : text
}

export function decodeBase64(text: string, name: Base64Name, rules: DecodeRules, custom?: string): Decoded {
  const alphabet = base64Alphabet(name, custom)
  if (name !== 'MIME (76 cols)') return decodeGrouped(alphabet, text, rules)
  return decodeGrouped(alphabet, rules.strict ? joinMimeLines(text) : text, { ...rules, padding: true })
}

/** Takes the line ends out of strict MIME; positions in later refusals count the text without them. */
function joinMimeLines(text: string): string {
  const lines = text.replace(/\r\n$/, '').split('\r\n')
  const long = lines.findIndex(line => line.length > MIME_LINE)
  if (long >= 0) throw new RangeError(`line ${long + 1} is longer than ${MIME_LINE} characters`)
  return lines.join('')
}

function parseAlphabet(text: string): Alphabet {
  const characters = text.length === 64 || text.length === 65 ? text : expandRanges(text)
  if (characters.length !== 64 && characters.length !== 65) {
    throw new RangeError(`expected 64 characters, or 65 with the padding, got ${characters.length}`)
  }
  if (!/^[!-~]+$/.test(characters)) throw new RangeError('expected visible ASCII characters only')
  if (new Set(characters).size !== characters.length) throw new RangeError('expected every character only once')
  return { bits: 6, digits: characters.slice(0, 64), pad: characters.slice(64) }
}

/** A-Za-z0-9 written out. A hyphen that stands between no two characters in order is itself. */
const expandRanges = (text: string) =>
  text.replace(/([!-~])-([!-~])/g, (range: string, first: string, last: string) => {
    const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)]
    if (from >= to) return range
    return Array.from({ length: to - from + 1 }, (_, i) => String.fromCharCode(from + i)).join('')
  })
