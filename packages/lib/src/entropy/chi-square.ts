/** The distribution of chi-squared, by the incomplete gamma function. NIST Digital Library of Mathematical Functions. */

const PRECISION = 1e-15
const MAX_TERMS = 10_000

/** How often chance alone exceeds this value with so many degrees of freedom: Q(k/2, x/2), DLMF §8.2.4. */
export function chiSquareProbability(value: number, degrees: number): number {
  const [a, x] = [degrees / 2, value / 2]
  if (x <= 0) return 1
  return x < a + 1 ? 1 - lowerSeries(a, x) : upperFraction(a, x)
}

/** P(a, x) by its power series, DLMF §8.7.1. */
function lowerSeries(a: number, x: number): number {
  let term = 1 / a
  let sum = term
  for (let n = 1; n < MAX_TERMS && Math.abs(term) > Math.abs(sum) * PRECISION; n++) {
    term *= x / (a + n)
    sum += term
  }
  return sum * scale(a, x)
}

/** Q(a, x) by its continued fraction, DLMF §8.9.2, evaluated forwards by Lentz's method, §3.10(iii). */
function upperFraction(a: number, x: number): number {
  const tiny = Number.MIN_VALUE / Number.EPSILON
  let b = x + 1 - a
  let c = 1 / tiny
  let d = 1 / b
  let fraction = d
  for (let n = 1; n < MAX_TERMS; n++) {
    const factor = -n * (n - a)
    b += 2
    d = 1 / (factor * d + b || tiny)
    c = b + factor / c || tiny
    fraction *= d * c
    if (Math.abs(d * c - 1) < PRECISION) break
  }
  return fraction * scale(a, x)
}

/** x^a e^-x / Γ(a) */
const scale = (a: number, x: number) => Math.exp(a * Math.log(x) - x - logGamma(a))

/** ln Γ(a) by Stirling's series, DLMF §5.11.1, after the recurrence of §5.5.1 has made the argument large. */
function logGamma(a: number): number {
  let [z, shift] = [a, 0]
  for (; z < 15; z++) shift += Math.log(z)
  const series = 1 / (12 * z) - 1 / (360 * z ** 3) + 1 / (1260 * z ** 5) - 1 / (1680 * z ** 7)
  return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + series - shift
}
