/** The fields that most record types are made of. */
import { base32hexnopad } from '@scure/base'
import { type Bytes, fromBase64, fromHex, fromLatin1, toBase64, toHex } from '../bytes.ts'
import { parseIpv4, parseIpv6, printIpv4, printIpv6 } from './address.ts'
import { algorithmCode, algorithmName, certificateTypeCode, certificateTypeName, typeCode, typeName } from './codes.ts'
import type { Part } from './record.ts'
import { escapeText, parseSeconds, type Tokens, unescapeText } from './tokens.ts'
import type { Reader, Writer } from './wire.ts'

/** A number of 8, 16 or 32 bits, written in decimal. */
export const u8: Part<number> = {
  read: reader => reader.u8(),
  write: (writer, value) => writer.u8(value),
  print: String,
  parse: tokens => tokens.number('a number', 0xff),
}
export const u16: Part<number> = {
  read: reader => reader.u16(),
  write: (writer, value) => writer.u16(value),
  print: String,
  parse: tokens => tokens.number('a number', 0xffff),
}
export const u32: Part<number> = {
  read: reader => reader.u32(),
  write: (writer, value) => writer.u32(value),
  print: String,
  parse: tokens => tokens.number('a number', 0xffffffff),
}

/** A span of time, such as SOA's. */
export const seconds: Part<number> = { ...u32, parse: tokens => parseSeconds(tokens.word('a span of time')) }

/** A moment in seconds since 1970, written YYYYMMDDHHmmSS or as such a number (RFC 4034 §3.2). */
export const moment: Part<number> = {
  ...u32,
  print: value => new Date(value * 1000).toISOString().slice(0, 19).replace(/\D/g, ''),
  parse(tokens) {
    const word = tokens.word('a moment')
    const digits = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(word)
    const iso = digits ? `${digits[1]}-${digits[2]}-${digits[3]}T${digits[4]}:${digits[5]}:${digits[6]}Z` : ''
    const value = digits ? Date.parse(iso) / 1000 : /^\d{1,10}$/.test(word) ? Number(word) : Number.NaN
    if (!(value >= 0 && value <= 0xffffffff)) throw new RangeError(`a moment like 20261231235959, not "${word}"`)
    return value
  },
}

interface NameTraits {
  /** Written compressed: the types of RFC 1035 and no others (RFC 3597 §4). */
  compress?: true
  /** Read when compressed: those, and the ones that RFC 3597 §4 lists for old senders. */
  decompress?: true
  /** Signed in lower case: the types of RFC 4034 §6.2 as corrected by RFC 6840 §5.1. */
  lower?: true
}

function namePart({ compress, decompress, lower }: NameTraits): Part<string> {
  return {
    read: reader => reader.name(decompress ? 'pointers' : 'no pointers'),
    write: (writer, value) => writer.name(value, compress ? 'compress' : 'whole'),
    print: value => value,
    parse: tokens => tokens.name('a name'),
    ...(compress && { compressible: true }),
    ...(lower && { lower: (value: string) => value.toLowerCase() }),
  }
}

/** A name in one of the types of RFC 1035, which everybody may compress. */
export const name = namePart({ compress: true, decompress: true, lower: true })
/** A name in RP, AFSDB, RT, SIG, PX, NAPTR and SRV: written whole, but read when an old sender compressed it. */
export const wholeName = namePart({ decompress: true, lower: true })
/** A name that is never compressed, but that DNSSEC signs in lower case: KX, DNAME, RRSIG. */
export const foldedName = namePart({ lower: true })
/** A name that is never compressed and that DNSSEC signs as it is: NSEC (RFC 6840 §5.1) and all newer types. */
export const exactName = namePart({})

export const ipv4: Part<string> = {
  read: reader => printIpv4(reader.bytes(4)),
  write: (writer, value) => writer.bytes(parseIpv4(value)),
  print: value => value,
  parse: tokens => printIpv4(parseIpv4(tokens.word('an IPv4 address'))),
}
export const ipv6: Part<string> = {
  read: reader => printIpv6(reader.bytes(16)),
  write: (writer, value) => writer.bytes(parseIpv6(value)),
  print: value => value,
  parse: tokens => printIpv6(parseIpv6(tokens.word('an IPv6 address'))),
}

/** A length byte and that many bytes (RFC 1035 §3.3), as a string with one character per byte. */
export const characterString: Part<string> = {
  read: reader => reader.latin1(reader.u8()),
  write(writer, value) {
    if (value.length > 255) throw new RangeError(`a character-string holds 255 bytes, not ${value.length}`)
    writer.u8(value.length)
    writer.bytes(fromLatin1(value))
  },
  print: value => `"${escapeText(value)}"`,
  parse(tokens) {
    const value = unescapeText(tokens.word('a text'))
    if (value.length > 255) throw new RangeError(`a character-string holds 255 bytes, not ${value.length}`)
    return value
  },
}

/** A character-string that is a word and written without quotation marks, such as CAA's tag (RFC 8659 §4.1). */
export const tag: Part<string> = { ...characterString, print: escapeText }

/** One or more character-strings to the end of the data (RFC 1035 §3.3.14). */
export const characterStrings: Part<string[]> = {
  read(reader) {
    const strings = [characterString.read(reader)]
    while (reader.remaining > 0) strings.push(characterString.read(reader))
    return strings
  },
  write(writer, value) {
    if (value.length === 0) throw new RangeError('at least one character-string is needed')
    for (const string of value) characterString.write(writer, string)
  },
  print: value => value.map(characterString.print).join(' '),
  parse(tokens) {
    const strings = [characterString.parse(tokens)]
    while (!tokens.done) strings.push(characterString.parse(tokens))
    return strings
  },
}

/** The rest of the data as one text without a length byte: URI (RFC 7553 §4.4), the value of CAA. */
export const longText: Part<string> = {
  read: reader => reader.latin1(reader.remaining),
  write: (writer, value) => writer.bytes(fromLatin1(value)),
  print: value => `"${escapeText(value)}"`,
  parse: tokens => unescapeText(tokens.word('a text')),
}

const joinRest = (tokens: Tokens): string =>
  tokens
    .rest()
    .map(token => token.text)
    .join('')

/** The rest of the data, written in hexadecimal. */
export const hex: Part<Bytes> = {
  read: reader => reader.rest(),
  write: (writer, value) => writer.bytes(value),
  print: value => toHex(value).toUpperCase(),
  parse: tokens => fromHex(joinRest(tokens)),
}
/** The rest of the data, written in Base64. */
export const base64: Part<Bytes> = {
  ...hex,
  print: toBase64,
  parse: tokens => fromBase64(joinRest(tokens)),
}

/** So many bytes with something between their digits: EUI-48 and EUI-64 (RFC 7043 §3.2, §4.2). */
export const eui = (length: number): Part<Bytes> => ({
  read: reader => reader.bytes(length),
  write: (writer, value) => writer.bytes(exactly(value, length)),
  print: value => toHex(value).replace(/..(?=.)/g, '$&-'),
  parse: tokens => exactly(fromHex(tokens.word('an EUI').replaceAll('-', ':')), length),
})

function exactly(value: Bytes, length: number): Bytes {
  if (value.length !== length) throw new RangeError(`${length} bytes expected, not ${value.length}`)
  return value
}

/** 64 bits as four groups of hexadecimal digits: NID and L64 (RFC 6742 §2.1, §2.3). */
export const locator64: Part<string> = {
  read: reader => Array.from({ length: 4 }, () => reader.u16().toString(16)).join(':'),
  write(writer, value) {
    for (const group of locatorGroups(value)) writer.u16(group)
  },
  print: value => value,
  parse: tokens =>
    locatorGroups(tokens.word('a locator'))
      .map(group => group.toString(16))
      .join(':'),
}

function locatorGroups(text: string): number[] {
  if (!/^[0-9a-f]{1,4}(:[0-9a-f]{1,4}){3}$/i.test(text)) throw new RangeError(`"${text}" is not four groups of digits`)
  return text.split(':').map(group => Number.parseInt(group, 16))
}

/** NSAP's address: hexadecimal after 0x, with dots wherever the writer likes (RFC 1706 §7). */
export const nsapAddress: Part<Bytes> = {
  ...hex,
  print: value => `0x${toHex(value)}`,
  parse(tokens) {
    const digits = /^0x([0-9a-f.]+)$/i.exec(tokens.word('an NSAP address'))?.[1]
    if (digits === undefined) throw new RangeError('an NSAP address begins with 0x')
    return fromHex(digits.replaceAll('.', ''))
  },
}

function countedRead(reader: Reader): Bytes {
  return reader.bytes(reader.u8())
}

function countedWrite(writer: Writer, value: Bytes): void {
  writer.u8(value.length)
  writer.bytes(value)
}

/** NSEC3's salt: hexadecimal, or a dash for none (RFC 5155 §3.3). */
export const salt: Part<Bytes> = {
  read: countedRead,
  write: countedWrite,
  print: value => (value.length === 0 ? '-' : toHex(value).toUpperCase()),
  parse(tokens) {
    const word = tokens.word('a salt')
    return word === '-' ? new Uint8Array() : fromHex(word)
  },
}

/** NSEC3's next hashed owner: Base32 with the extended hex alphabet, without padding (RFC 5155 §3.3). */
export const hashedOwner: Part<Bytes> = {
  read: countedRead,
  write: countedWrite,
  print: value => base32hexnopad.encode(value),
  parse: tokens => new Uint8Array(base32hexnopad.decode(tokens.word('a hash').toUpperCase())),
}

/** A number written by its mnemonic. */
function mnemonic(
  number: Part<number>,
  printed: (code: number) => string,
  parsed: (name: string) => number,
): Part<number> {
  return { ...number, print: printed, parse: tokens => parsed(tokens.word('a mnemonic')) }
}

export const certificateType = mnemonic(u16, certificateTypeName, certificateTypeCode)
export const algorithm = mnemonic(u8, algorithmName, algorithmCode)
/** DNSSEC records write the number (RFC 4034 §2.2, §5.3), but may be read with the mnemonic. */
export const algorithmNumber = mnemonic(u8, String, algorithmCode)

/** The type that a signature covers. */
export const coveredType: Part<string> = {
  read: reader => typeName(reader.u16()),
  write: (writer, value) => writer.u16(typeCode(value)),
  print: value => value,
  parse: tokens => typeName(typeCode(tokens.word('a type'))),
}

/** A field that may be missing at the end of the data. */
export const optional = <T>(part: Part<T>): Part<T | undefined> => ({
  read: reader => (reader.remaining > 0 ? part.read(reader) : undefined),
  write(writer, value) {
    if (value !== undefined) part.write(writer, value)
  },
  print: value => (value === undefined ? '' : part.print(value)),
  parse: tokens => (tokens.done ? undefined : part.parse(tokens)),
})
