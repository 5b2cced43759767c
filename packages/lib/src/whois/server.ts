/**
 * How the WHOIS servers differ: which to begin with, how to put the question, and in which character set they answer.
 * RFC 3912 §4 names the fault: the protocol cannot say. The rows are what the registries document of their servers.
 */

/** IANA's own server, which knows the server of every top-level domain and of every address block. */
export const IANA_WHOIS = 'whois.iana.org'

/** A word before or after the name, where the plain name gives less, or English is to be had. */
const questions: Readonly<Record<string, (name: string) => string>> = {
  // "=" for the name and nothing that begins with it.
  'whois.verisign-grs.com': name => `domain ${name}`,
  'whois.denic.de': name => `-T dn ${name}`,
  'whois.jprs.jp': name => `${name}/e`,
  'whois.dk-hostmaster.dk': name => `--show-handles ${name}`,
  'whois.punktum.dk': name => `--show-handles ${name}`,
}

/** The same for addresses and AS numbers. */
const numberQuestions: Readonly<Record<string, (number: string) => string>> = {
  'whois.arin.net': number => (/^AS\d+$/.test(number) ? `a ${number.slice(2)}` : `n + ${number}`),
  'whois.ripe.net': number => `-B ${number}`,
}

export function questionFor(server: string, name: string, kind: 'domain' | 'number' = 'domain'): string {
  return (kind === 'domain' ? questions : numberQuestions)[server]?.(name) ?? name
}

/** Servers that do not answer in UTF-8, by the labels of the WHATWG Encoding Standard. */
const charsets: Readonly<Record<string, string>> = {
  'whois.registro.br': 'iso-8859-1',
  'whois.nic.br': 'iso-8859-1',
  'whois.nic.hu': 'iso-8859-1',
  'whois.domain.kg': 'windows-1251',
  'whois.cctld.kg': 'windows-1251',
  'whois.jprs.jp': 'iso-2022-jp',
  'whois.nic.ad.jp': 'iso-2022-jp',
  'whois.krnic.net': 'euc-kr',
  'whois.isoc.org.il': 'iso-8859-8',
  'whois.nic.cl': 'iso-8859-1',
  'whois.dns.pt': 'iso-8859-1',
  'whois.ripe.net': 'iso-8859-1',
  'whois.lacnic.net': 'iso-8859-1',
}

export interface DecodedText {
  text: string
  charset: string
}

/**
 * The bytes as text: UTF-8 where they are UTF-8, or else in the character set of the server, or else as Latin-1, which
 * reads anything. Decoded whole, so no character is ever cut between two pieces.
 */
export function decodeAnswer(server: string, bytes: Uint8Array): DecodedText {
  const own = charsets[server]
  // This one is pure ASCII with escapes, so it would pass for UTF-8.
  if (own === 'iso-2022-jp') return { text: new TextDecoder(own).decode(bytes), charset: own }
  try {
    // A cut answer may end in the middle of a character; up to three bytes of it are no fault.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(wholeCharacters(bytes)), charset: 'utf-8' }
  } catch {
    const charset = own ?? 'iso-8859-1'
    return { text: new TextDecoder(charset).decode(bytes), charset }
  }
}

function wholeCharacters(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return back < length ? bytes.subarray(0, bytes.length - back) : bytes
    }
  }
  return bytes
}

/** What would move the cursor, change the direction of reading or hide itself is written out instead. */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(
      /[[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029\ufeff]--[\n\t]]/gv,
      c => `\\u{${c.codePointAt(0)?.toString(16)}}`,
    )
}
