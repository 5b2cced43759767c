/** The characters of a positional code as the values of their digits, read in one pass. */
export interface Digits {
  /** As the alphabet is called in refusals: "Base58". */
  name: string
  /** The digits from 0 on, all of them ASCII. */
  letters: string
  /** Refuse white space, which is passed over otherwise. */
  strict: boolean
}

export function readDigits(text: string, { name, letters, strict }: Digits): Uint8Array {
  const values = new Int16Array(128).fill(-1)
  for (let value = 0; value < letters.length; value++) values[letters.charCodeAt(value)] = value
  const digits = new Uint8Array(text.length)
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const digit = code < 128 ? (values[code] ?? -1) : -1
    if (digit >= 0) digits[length++] = digit
    else if (!isSpace(code)) throw new RangeError(`character ${i + 1} is not in this ${name} alphabet`)
    else if (strict) throw new RangeError(`character ${i + 1} is white space, which strict reading refuses`)
  }
  return digits.subarray(0, length)
}

/** The character, counted from 1, at which a digit stands in a text with white space. */
export function characterOf(text: string, digit: number): number {
  for (let i = 0, seen = 0; i < text.length; i++) if (!isSpace(text.charCodeAt(i)) && seen++ === digit) return i + 1
  return text.length + 1
}

export const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

/** The text of digits. */
export function writeDigits(digits: Uint8Array, letters: string): string {
  const codes = Uint8Array.from(letters, letter => letter.charCodeAt(0))
  return new TextDecoder().decode(digits.map(digit => codes[digit] ?? 0))
}

/**
 * Several texts can stand for the same bytes. A strict reader takes only the one that the encoder writes; a lenient
 * one says that this was another.
 */
export function checkWritten(digits: Uint8Array, written: Uint8Array, strict: boolean): string[] {
  const differs = digits.findIndex((digit, i) => digit !== written[i])
  if (differs < 0 && digits.length === written.length) return []
  if (!strict) return ['The encoder would write these bytes otherwise.']
  const at = differs < 0 ? digits.length : differs
  throw new RangeError(`character ${at + 1} is not what the encoder would write there`)
}
