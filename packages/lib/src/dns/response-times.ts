/** What a few response times amount to, and the four words for it. */

export type Grade = 'Excellent' | 'Good' | 'Average' | 'Poor'

/** Up to this many milliseconds each. */
const GRADES: readonly (readonly [limitMs: number, grade: Grade])[] = [
  [50, 'Excellent'],
  [100, 'Good'],
  [300, 'Average'],
]

/** The word for a response time: up to 50, 100 and 300 ms, and above. */
export const gradeOf = (milliseconds: number): Grade =>
  GRADES.find(([limitMs]) => milliseconds <= limitMs)?.[1] ?? 'Poor'

/** From here on a bar has no length. */
const BAR_END_MS = 2_000

/** The length of the bar of a response time, from 1 for none at all to 0: the longer the better. */
export const barOf = (milliseconds: number): number =>
  Math.max(0, Math.min(1, (BAR_END_MS - milliseconds) / BAR_END_MS))

export const meanOf = (values: readonly number[]): number | undefined =>
  values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : undefined

/** The value in the middle, or between the two in the middle. */
export function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low, high] = [sorted[middle - 1], sorted[middle]]
  return sorted.length % 2 || low === undefined || high === undefined ? high : (low + high) / 2
}

/** Rounded half up to so many decimals. */
export function rounded(value: number, decimals: number): number {
  const factor = 10 ** decimals
  return Math.round(value * factor) / factor
}

/** A whole number of percent, rounded half up; nothing of nothing is none. */
export const percentOf = (part: number, whole: number): number => (whole ? Math.round((100 * part) / whole) : 0)

/** Four samples at most, as they are shown: average and median to two decimals. */
export interface Times {
  avg: number | null
  min: number | null
  max: number | null
  med: number | null
}

export function timesOf(samples: readonly number[]): Times {
  const two = (value: number | undefined) => (value === undefined ? null : rounded(value, 2))
  const sorted = samples.toSorted((a, b) => a - b)
  return { avg: two(meanOf(samples)), min: two(sorted[0]), max: two(sorted.at(-1)), med: two(medianOf(samples)) }
}
