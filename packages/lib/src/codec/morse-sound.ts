import type { Bytes } from '../bytes.ts'

/** How Morse code sounds: Recommendation ITU-R M.1677-1 §2, as lengths of time and as a WAV file. */

/** At one word a minute a dot lasts 1.2 seconds: the word PARIS with its gap is fifty dots long. */
const DOT_MS_AT_ONE_WPM = 1200

/**
 * Milliseconds of tone and of silence in turn, beginning and ending with tone. §2: a dash is three dots long, the
 * gaps one dot within a letter, three between letters and seven between words.
 */
export function morseTimings(code: string, wordsPerMinute: number): number[] {
  const dotMs = DOT_MS_AT_ONE_WPM / wordsPerMinute
  const timings: number[] = []
  for (const word of code.split(/ \/ |\n/).filter(Boolean)) {
    for (const [letter, signal] of word.split(' ').entries()) {
      for (const [element, sign] of [...signal].entries()) {
        if (timings.length) timings.push(dotMs * (element ? 1 : letter ? 3 : 7))
        timings.push(dotMs * (sign === '.' ? 1 : 3))
      }
    }
  }
  return timings
}

const SAMPLES_PER_SECOND = 8000
const TONE_HZ = 600
/** A tone that begins at once clicks. */
const RAMP_SECONDS = 0.005
const WAV_HEADER_BYTES = 44

/** The timings as a sound: WAV, one channel of eight bits. */
export function morseWav(timings: readonly number[]): Bytes {
  const samples = timings.map(ms => Math.round((ms / 1000) * SAMPLES_PER_SECOND))
  const length = samples.reduce((sum, count) => sum + count, 0)
  const wav = new Uint8Array(WAV_HEADER_BYTES + length + (length % 2)).fill(128)
  writeHeader(new DataView(wav.buffer), length)
  let at = WAV_HEADER_BYTES
  for (const [turn, count] of samples.entries()) {
    if (turn % 2 === 0) {
      const ramp = Math.min(RAMP_SECONDS * SAMPLES_PER_SECOND, count / 2)
      for (let i = 0; i < count; i++) {
        const loudness = Math.min(1, (i + 1) / ramp, (count - i) / ramp)
        wav[at + i] = 128 + Math.round(100 * loudness * Math.sin((2 * Math.PI * TONE_HZ * i) / SAMPLES_PER_SECOND))
      }
    }
    at += count
  }
  return wav
}

/** RIFF/WAVE, Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0: PCM. */
function writeHeader(view: DataView, length: number): void {
  const ascii = (at: number, text: string) =>
    [...text].forEach((sign, i) => void view.setUint8(at + i, sign.charCodeAt(0)))
  ascii(0, 'RIFF')
  view.setUint32(4, view.byteLength - 8, true)
  ascii(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, SAMPLES_PER_SECOND, true)
  view.setUint32(28, SAMPLES_PER_SECOND, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, 8, true)
  ascii(36, 'data')
  view.setUint32(40, length, true)
}
