import { type ByteStatistics, expectedEntropy } from './statistics.ts'

/** What bytes may be, by their statistics alone. A guess is worded as one. */
export interface Guess {
  kind: 'empty' | 'short' | 'uniform' | 'digits' | 'text' | 'random' | 'compressed' | 'patterned' | 'structured'
  because: string
}

/** Fewer bytes say nothing about where they come from. */
const SHORT_BYTES = 64
/** Five expected for each of 256 values, the usual least for a test by chi-squared. */
export const TESTABLE_BYTES = 5 * 256
/** How far below random bytes an entropy may lie and still be called random. */
const TOLERANCE = 0.05
/** Of random bytes one in ten thousand lies beyond these at either end. */
const [RARE, FREQUENT] = [0.0001, 0.9999]

const isPrintable = (byte: number) => (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13
const isCodeDigit = (byte: number) => /[A-Za-z0-9+/=_\r\n-]/.test(String.fromCharCode(byte))
const isUtf8Part = (byte: number) => byte >= 0x80 && byte < 0xf5

/** The judgement; `deflated` is what DEFLATE leaves of the beginning, 1 for all of it. */
export function guessKind(statistics: ByteStatistics, deflated: number): Guess {
  const { bytes, entropy, distinct, counts, chance } = statistics
  const share = (is: (byte: number) => boolean) =>
    counts.reduce((sum, count, byte) => (is(byte) ? sum + count : sum), 0) / (bytes || 1)
  if (bytes === 0) return { kind: 'empty', because: 'There are no bytes.' }
  if (distinct === 1) return { kind: 'uniform', because: 'One byte again and again.' }
  if (bytes < SHORT_BYTES) return { kind: 'short', because: `Fewer than ${SHORT_BYTES} bytes are too few to tell.` }
  if (share(isCodeDigit) === 1 && entropy > 3.5 && entropy <= 6.05 && deflated > 0.5) {
    return {
      kind: 'digits',
      because: 'Letters and digits only, evenly spread: such are Base64, Base32 and hexadecimal.',
    }
  }
  const printable = share(isPrintable)
  if (
    printable > 0.95 ||
    (printable > 0.05 && share(byte => isPrintable(byte) || isUtf8Part(byte)) === 1 && entropy < 6.5)
  ) {
    return { kind: 'text', because: 'Almost all bytes are characters; text in a natural language has 4 to 5 bits.' }
  }
  if (entropy < expectedEntropy(bytes) - TOLERANCE) {
    return entropy > 7.2
      ? { kind: 'compressed', because: 'Nearly as even as random bytes: such are compressed files and many programs.' }
      : { kind: 'structured', because: 'Some bytes are much more frequent than others, as in programs and tables.' }
  }
  if (deflated < 0.95) {
    return { kind: 'patterned', because: 'All bytes are as frequent, but they repeat: not random.' }
  }
  if (bytes >= TESTABLE_BYTES && chance !== null && (chance < RARE || chance > FREQUENT)) {
    return { kind: 'compressed', because: 'As dense as random bytes but not as even: such are well compressed files.' }
  }
  return {
    kind: 'random',
    because: 'Not to be told from random bytes: such are encrypted, some compressed and random data.',
  }
}
