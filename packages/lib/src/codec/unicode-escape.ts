/** Characters written by their code points, as programming languages, standards and old scripts do. */
export const escapeStyles = ['\\uXXXX', 'U+XXXX', '&#x;', '%u'] as const
export type EscapeStyle = (typeof escapeStyles)[number]

interface Style {
  /** `longer` where a hexadecimal digit follows that must not be read as part of it. */
  write(point: number, longer: boolean): string
  /** Units of UTF-16 are written one by one. */
  units: boolean
  /** Where a text itself reads like an escape, its first character is written as one. */
  start: RegExp
  /** One escape; what it captures is the number in hexadecimal. */
  read: RegExp
}

const hex = (point: number, digits: number) => point.toString(16).toUpperCase().padStart(digits, '0')

const styles: Record<EscapeStyle, Style> = {
  // ECMA-262 §12.9.4, RFC 8259 §7; the forms in braces and with a capital U are read too.
  '\\uXXXX': {
    write: point => `\\u${hex(point, 4)}`,
    units: true,
    start: /\\(?=[uU])/,
    read: /\\u([0-9A-Fa-f]{4})|\\u\{([0-9A-Fa-f]{1,8})\}|\\U([0-9A-Fa-f]{8})/,
  },
  // Unicode Standard, appendix A.
  'U+XXXX': {
    // Up to six digits are read, so that six cannot take another.
    write: (point, longer) => `U+${hex(point, longer ? 6 : 4)}`,
    units: false,
    start: /[Uu](?=\+)/,
    read: /[Uu]\+([0-9A-Fa-f]{4,6})/,
  },
  '&#x;': {
    write: point => `&#x${hex(point, 1)};`,
    units: false,
    start: /&(?=#)/,
    read: /&#[xX]([0-9A-Fa-f]{1,8});/,
  },
  // ECMA-262 §B.2.1.1, escape and unescape.
  '%u': {
    write: point => `%u${hex(point, 4)}`,
    units: true,
    start: /%(?=[uU])/,
    read: /%[uU]([0-9A-Fa-f]{4})/,
  },
}

/** Escapes all that is not printable ASCII, or everything. What comes out reads back as the same text. */
export function escapeUnicode(text: string, style: EscapeStyle, all: boolean): string {
  const { write, units, start } = styles[style]
  const written = (piece: string, index: number) => {
    const longer = !all && /[0-9a-f]/i.test(text.charAt(index + piece.length))
    const points = units
      ? Array.from({ length: piece.length }, (_, i) => piece.charCodeAt(i))
      : [piece.codePointAt(0) ?? 0]
    return points.map(point => write(point, longer)).join('')
  }
  return text.replace(all ? /[\s\S]/gu : new RegExp(`[^\\t\\n\\r -~]|${start.source}`, 'gu'), written)
}

export interface Unescaped {
  text: string
  remarks: string[]
}

/** Reads escapes of one style; everything else stays. Lenient: what is no escape is left, and told. Strict: refused. */
export function unescapeUnicode(text: string, style: EscapeStyle, strict: boolean): Unescaped {
  const { read, start } = styles[style]
  const odd = new Map<string, { count: number; first: number }>()
  const complain = (index: number, what: string) => {
    if (strict) throw new RangeError(`the escape at character ${index + 1} ${what}`)
    const seen = odd.get(what)
    odd.set(what, { count: (seen?.count ?? 0) + 1, first: seen?.first ?? index + 1 })
  }
  let lone = false
  const pattern = new RegExp(`${read.source}|${start.source}`, 'g')
  const joined = text.replace(pattern, (...found: (string | number | undefined)[]) => {
    const whole = String(found[0])
    const index = Number(found.at(-2))
    const digits = found.slice(1, -2).find(group => group !== undefined)
    if (digits === undefined) {
      complain(index, 'is not complete and was left as it is')
      return whole
    }
    const point = Number.parseInt(String(digits), 16)
    if (point > 0x10ffff) {
      complain(index, 'goes beyond U+10FFFF and was left as it is')
      return whole
    }
    if (point >= 0xd800 && point <= 0xdfff) lone = true
    return String.fromCodePoint(point)
  })
  if (!lone || joined.isWellFormed()) return { text: joined, remarks: remarksOf(odd) }
  const count = joined.match(/\p{Cs}/gu)?.length ?? 0
  if (strict) throw new RangeError(`${count === 1 ? 'an escape is' : `${count} escapes are`} half of a surrogate pair`)
  return {
    text: joined.toWellFormed(),
    remarks: [
      ...remarksOf(odd),
      `${count === 1 ? 'One escape is' : `${count} escapes are`} half of a surrogate pair; U+FFFD stands in the place.`,
    ],
  }
}

const remarksOf = (odd: ReadonlyMap<string, { count: number; first: number }>) =>
  [...odd].map(
    ([what, { count, first }]) =>
      `The escape at character ${first}${count > 1 ? `, and ${count - 1} more,` : ''} ${what}.`,
  )
