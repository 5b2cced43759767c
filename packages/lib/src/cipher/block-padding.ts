import { type Bytes, concat } from '../bytes.ts'

/** Ways to fill the last block of a block cipher, and to take the filling off again. */
export const paddings = ['PKCS7', 'X923', 'ISO10126', 'ISO7816-4', 'Zero', 'None'] as const
export type Padding = (typeof paddings)[number]

/** Fills up to whole blocks. All but Zero and None add a whole block to a text that already has whole blocks. */
export function pad(name: Padding, text: Uint8Array, blockSize: number, random: (length: number) => Uint8Array): Bytes {
  const missing = blockSize - (text.length % blockSize)
  switch (name) {
    // RFC 5652 §6.3: every byte says how many there are.
    case 'PKCS7':
      return concat(text, new Uint8Array(missing).fill(missing))
    // ANSI X9.23: zeros, and the last byte says how many bytes there are.
    case 'X923':
      return concat(text, new Uint8Array(missing - 1), Uint8Array.of(missing))
    // ISO 10126-2: random bytes, and the last byte says how many there are.
    case 'ISO10126':
      return concat(text, random(missing - 1), Uint8Array.of(missing))
    // ISO/IEC 7816-4: a single one bit, then zeros.
    case 'ISO7816-4':
      return concat(text, Uint8Array.of(0x80), new Uint8Array(missing - 1))
    case 'Zero':
      return concat(text, new Uint8Array(missing % blockSize))
    case 'None':
      if (missing === blockSize) return concat(text)
      throw new RangeError(`expected whole blocks of ${blockSize} bytes, got ${text.length} bytes`)
  }
}

/** Takes the padding off; RangeError when the text does not end in such a padding. */
export function unpad(name: Padding, text: Bytes, blockSize: number): Bytes {
  return text.slice(0, text.length - paddingLength(name, text, blockSize))
}

function paddingLength(name: Padding, text: Uint8Array, blockSize: number): number {
  const last = text[text.length - 1] ?? 0
  const counted = last > 0 && last <= blockSize && last <= text.length
  switch (name) {
    case 'PKCS7':
      if (counted && text.subarray(-last).every(byte => byte === last)) return last
      break
    case 'X923':
      if (counted && text.subarray(-last, -1).every(byte => byte === 0)) return last
      break
    case 'ISO10126':
      if (counted) return last
      break
    case 'ISO7816-4': {
      const mark = text.findLastIndex(byte => byte !== 0)
      if (mark >= 0 && text[mark] === 0x80 && text.length - mark <= blockSize) return text.length - mark
      break
    }
    case 'Zero': {
      // No more zeros than the padding can have added; zeros of the text itself cannot be told from it.
      const end = text.findLastIndex(byte => byte !== 0) + 1
      return Math.min(text.length - end, blockSize - 1)
    }
    case 'None':
      return 0
  }
  throw new RangeError(`the decrypted text does not end in ${name} padding`)
}
