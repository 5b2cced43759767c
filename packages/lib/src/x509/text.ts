import { type Element, tagName, tags } from '../asn1/element.ts'
import { toHex, toLatin1, toUtf8 } from '../bytes.ts'

/** The character strings of X.680 §41 as text. */
export interface DecodedText {
  text: string
  /** What the characters should not be: the type says less than the bytes hold. */
  fault?: string
}

/** X.680 §41.4 */
const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]*$/
const ASCII = /^[\0-\x7f]*$/

/** The text of a string type; undefined for any other type. */
export function textOf(element: Element): DecodedText | undefined {
  if (element.tagClass !== 'universal' || element.constructed) return undefined
  return decode(element.tag, element.content)
}

function decode(tag: number, content: Uint8Array): DecodedText | undefined {
  switch (tag) {
    case tags.utf8String:
      return utf8(content)
    case tags.printableString:
      return checked(toLatin1(content), PRINTABLE, tag)
    case tags.numericString:
      return checked(toLatin1(content), /^[0-9 ]*$/, tag)
    case tags.ia5String:
      return checked(toLatin1(content), ASCII, tag)
    case tags.visibleString:
      return checked(toLatin1(content), /^[ -~]*$/, tag)
    // T.61 is hardly ever meant: what is written under its name is Latin-1.
    case tags.teletexString:
    case tags.generalString:
    case tags.graphicString:
      return { text: toLatin1(content) }
    case tags.bmpString:
      return wide(content, 2)
    case tags.universalString:
      return wide(content, 4)
    default:
      return undefined
  }
}

function utf8(content: Uint8Array): DecodedText {
  try {
    return { text: toUtf8(content) }
  } catch {
    return { text: toLatin1(content), fault: 'the text is not valid UTF-8, so it is shown as Latin-1' }
  }
}

const checked = (text: string, pattern: RegExp, tag: number): DecodedText =>
  pattern.test(text)
    ? { text }
    : { text, fault: `the text has characters that a ${tagName({ tagClass: 'universal', tag })} does not allow` }

function wide(content: Uint8Array, size: 2 | 4): DecodedText {
  if (content.length % size) return { text: toHex(content), fault: 'the text ends in the middle of a character' }
  const view = new DataView(content.buffer, content.byteOffset, content.length)
  let text = ''
  for (let at = 0; at < content.length; at += size) {
    const code = size === 2 ? view.getUint16(at) : view.getUint32(at)
    if (code > 0x10ffff) return { text: toHex(content), fault: 'the text has a character beyond Unicode' }
    text += size === 2 ? String.fromCharCode(code) : String.fromCodePoint(code)
  }
  return text.isWellFormed() ? { text } : { text: text.toWellFormed(), fault: 'the text has half of a surrogate pair' }
}

/** What a screen or a terminal would act on or hide: controls, bidirectional marks, invisible characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufff9-\ufffb]/gu

/** A text in which everything can be seen: controls and marks as \u{…}. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, character => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
