import { type Alphabet, type Decoded, type DecodeRules, decodeGrouped, encodeGrouped } from './grouped.ts'

/**
 * Base64 in its alphabets: RFC 4648 §4 and §5, MIME (RFC 2045 §6.8), IMAP mailbox names (RFC 3501 §5.1.3) and any
 * alphabet of one's own.
 */
export const base64Alphabets = ['standard', 'URL-safe', 'MIME (76 cols)', 'IMAP', 'custom'] as const
export type Base64Name = (typeof base64Alphabets)[number]

const COMMON = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** Quotes, and blanks of web pages and word processors: what stands around a text that was copied. */
const AROUND = '"\'`\u00a0\u200b\ufeff'
/** RFC 2045 §6.8: encoded lines are no longer than 76 characters, ended by CRLF. */
const MIME_LINE = 76

const alphabets: Record<Exclude<Base64Name, 'custom'>, Alphabet> = {
  standard: { bits: 6, digits: `${COMMON}+/`, pad: '=', aliases: { '-': '+', _: '/' }, skips: AROUND },
  'URL-safe': { bits: 6, digits: `${COMMON}-_`, pad: '=', aliases: { '+': '-', '/': '_' }, skips: AROUND },
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
  if (!rules.strict && (name === 'standard' || name === 'URL-safe')) {
    const { bare, remarks } = unwrapped(text)
    const { bytes, remarks: more } = decodeGrouped(alphabet, bare, rules)
    return { bytes, remarks: [...remarks, ...more] }
  }
  if (name !== 'MIME (76 cols)') return decodeGrouped(alphabet, text, rules)
  return decodeGrouped(alphabet, rules.strict ? joinMimeLines(text) : text, { ...rules, padding: true })
}

/** What Base64 comes in. The letters of a PEM line or of a data address would be read as digits. */
const wrappings: readonly { of: RegExp; inside(found: string): string; remark: string }[] = [
  // RFC 2397 §3.
  { of: /^\s*data:[^,]*;base64,/i, inside: () => '', remark: 'The head of the data address was passed over.' },
  // RFC 7468 §3.
  {
    of: /-----(?:BEGIN|END) [ -~]{0,80}?-----/g,
    inside: () => '',
    remark: 'The lines BEGIN and END were passed over.',
  },
  // RFC 3986 §2.1: the three digits and signs that an address cannot hold as they are.
  { of: /%(?:2B|2F|3D)/gi, inside: decodeURIComponent, remark: 'Percent-encoded characters were read.' },
  // RFC 8259 §7.
  { of: /\\[nr/]/g, inside: found => found.replace(/\\[nr]?/, ''), remark: 'Escapes of a string were read.' },
]

/** The text without its wrapping. Blanks keep the length, so that places in refusals stay right. */
function unwrapped(text: string): { bare: string; remarks: string[] } {
  const remarks: string[] = []
  let bare = text
  for (const { of, inside, remark } of wrappings) {
    const before = bare
    bare = bare.replace(of, found => inside(found).padStart(found.length))
    if (bare !== before) remarks.push(remark)
  }
  return { bare, remarks }
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
