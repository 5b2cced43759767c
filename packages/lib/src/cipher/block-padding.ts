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

/** Bytes at the end of a text that are no padding of a name, counted from 1 at the start of the text. */
export interface PaddingFault {
  positions: number[]
  /** What should stand there. */
  expected: string
}

/** How many bytes at the end of a text are padding, or which bytes say that it has none. */
export function readPadding(
  name: Padding,
  text: Uint8Array,
  blockSize: number,
): { length: number } | { fault: PaddingFault } {
  switch (name) {
    case 'PKCS7':
      return readCounted(text, blockSize, count => count)
    case 'X923':
      return readCounted(text, blockSize, () => 0)
    case 'ISO10126':
      return readCounted(text, blockSize)
    case 'ISO7816-4': {
      const mark = text.findLastIndex(byte => byte !== 0)
      const first = Math.max(0, text.length - blockSize)
      if (mark >= first && text[mark] === 0x80) return { length: text.length - mark }
      return { fault: { positions: [Math.max(mark, first) + 1], expected: '80' } }
    }
    case 'Zero': {
      // No more zeros than the padding can have added; zeros of the text itself cannot be told from it.
      const end = text.findLastIndex(byte => byte !== 0) + 1
      return { length: Math.min(text.length - end, blockSize - 1) }
    }
    case 'None':
      return { length: 0 }
  }
}

/** Paddings whose last byte is their length; `filling` gives the bytes before it, where they are fixed. */
function readCounted(text: Uint8Array, blockSize: number, filling?: (count: number) => number) {
  const count = text[text.length - 1] ?? 0
  const most = Math.min(blockSize, text.length)
  if (count < 1 || count > most) {
    return { fault: { positions: [text.length], expected: `01 to ${hexByte(most)}` } }
  }
  const positions: number[] = []
  if (filling) {
    const wanted = filling(count)
    for (let i = text.length - count; i < text.length - 1; i++) if (text[i] !== wanted) positions.push(i + 1)
    if (positions.length) return { fault: { positions, expected: hexByte(wanted) } }
  }
  return { length: count }
}

const hexByte = (byte: number): string => byte.toString(16).padStart(2, '0')

/** Takes the padding off; RangeError when the text does not end in such a padding. */
export function unpad(name: Padding, text: Bytes, blockSize: number): Bytes {
  const read = readPadding(name, text, blockSize)
  if ('fault' in read) throw new RangeError(`the decrypted text does not end in ${name} padding`)
  return text.slice(0, text.length - read.length)
}
