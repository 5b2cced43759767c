import { type Alphabet, type Decoded, type DecodeRules, decodeGrouped, encodeGrouped } from './grouped.ts'

/** Base32 in its alphabets: RFC 4648 §6 and §7, Crockford's, z-base-32 and the digits of Geohash. */
export const base32Alphabets = ['RFC4648', 'hex', 'Crockford', 'z-base-32', 'Geohash'] as const
export type Base32Name = (typeof base32Alphabets)[number]

const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const EXTENDED_HEX = '0123456789ABCDEFGHIJKLMNOPQRSTUV'
/** https://www.crockford.com/base32.html */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** https://philzimmermann.com/docs/human-oriented-base-32-encoding.txt */
const Z_BASE_32 = 'ybndrfg8ejkmcpqxot1uwisza345h769'
/** http://geohash.org, as described at https://en.wikipedia.org/wiki/Geohash */
const GEOHASH = '0123456789bcdefghjkmnpqrstuvwxyz'

/** The other case of every letter, for a reader that takes both. */
const otherCase = (digits: string) =>
  Object.fromEntries(
    [...digits].map(digit => [digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase(), digit]),
  )

const alphabets: Record<Base32Name, Alphabet> = {
  // Secrets for one-time passwords are often shown in groups with hyphens.
  RFC4648: { bits: 5, digits: STANDARD, pad: '=', aliases: otherCase(STANDARD), skips: '-' },
  hex: { bits: 5, digits: EXTENDED_HEX, pad: '=', aliases: otherCase(EXTENDED_HEX), skips: '-' },
  // Letters that look like digits are read as those digits, and hyphens may stand anywhere.
  Crockford: {
    bits: 5,
    digits: CROCKFORD,
    pad: '',
    aliases: { ...otherCase(CROCKFORD), I: '1', i: '1', L: '1', l: '1', O: '0', o: '0' },
    skips: '-',
  },
  'z-base-32': { bits: 5, digits: Z_BASE_32, pad: '', aliases: otherCase(Z_BASE_32) },
  Geohash: { bits: 5, digits: GEOHASH, pad: '', aliases: otherCase(GEOHASH) },
}

export const encodeBase32 = (bytes: Uint8Array, name: Base32Name, padding: boolean): string =>
  encodeGrouped(alphabets[name], bytes, padding)

export const decodeBase32 = (text: string, name: Base32Name, rules: DecodeRules): Decoded =>
  decodeGrouped(alphabets[name], text, rules)
