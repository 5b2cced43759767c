import { ascii85 } from './ascii85.ts'
import { base32 } from './base32.ts'
import { base58 } from './base58.ts'
import { base64 } from './base64.ts'
import { base91 } from './base91.ts'
import { hex } from './hex.ts'
import { homoglyph } from './homoglyph.ts'
import { htmlEntities } from './html-entities.ts'
import { morse } from './morse.ts'
import { numeralConverter } from './numeral-converter.ts'
import { punycode } from './punycode.ts'
import { quotedPrintable } from './quoted-printable.ts'
import { unicode } from './unicode.ts'
import { url } from './url.ts'
import { uuencode, xxencode } from './uuencode.ts'
import { z85 } from './z85.ts'
import { zeroWidth } from './zero-width.ts'

/** The encoding tools in page order. */
export const encode = [
  base64,
  base32,
  base58,
  ascii85,
  z85,
  base91,
  hex,
  url,
  htmlEntities,
  quotedPrintable,
  punycode,
  unicode,
  uuencode,
  xxencode,
  zeroWidth,
  homoglyph,
  numeralConverter,
  morse,
]
