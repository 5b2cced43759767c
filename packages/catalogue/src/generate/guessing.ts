import { panel, type Tone } from '@assay/kit'

/** Guesses a second against an unsalted fast hash, about what a rack of graphics cards does. */
const GUESSES_PER_SECOND = 1e12

/** Entropy rounded to tenths of a bit, as it is told. */
export const roundBits = (bits: number): number => Math.round(bits * 10) / 10

/** What the entropy of a secret means: how long it takes to guess one whose hash was stolen. */
export const guessingPanels = (bits: number, secret: string) => [
  panel.tiles(
    { label: 'Entropy', value: { text: `${bits} bits`, tone: toneOf(bits) }, detail: `of each ${secret}` },
    { label: 'Guessing', value: guessingTime(bits), detail: 'on average, at a million million guesses a second' },
  ),
  ...(bits < 50 ? [panel.note('warn', `A stolen hash of such a ${secret} is guessed quickly. Make it longer.`)] : []),
]

const toneOf = (bits: number): Tone => (bits < 50 ? 'bad' : bits < 70 ? 'warn' : 'good')

const units = [
  ['year', 365.25 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** The time in which half of all passwords are tried: "less than a second", "3 hours", "10^14 years". */
function guessingTime(bits: number): string {
  // As a logarithm, because two to the power of a long password is beyond any number.
  const seconds = (bits - 1) * Math.log10(2) - Math.log10(GUESSES_PER_SECOND)
  const [unit, length] = units.find(([, length]) => seconds >= Math.log10(length)) ?? []
  if (!unit || !length) return 'less than a second'
  const power = seconds - Math.log10(length)
  if (power >= 6) return `10^${Math.floor(power)} ${unit}s`
  const whole = Math.floor(10 ** power)
  return whole === 1 ? `1 ${unit}` : `${whole.toLocaleString('en')} ${unit}s`
}
