/** Punycode (RFC 3492 §5, §6.3) for one label that is normalized already, where 200 KB of mapping tables are not wanted. */

const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const INITIAL_BIAS = 72
const INITIAL_N = 128

/** §6.1 */
function adapt(delta: number, points: number, first: boolean): number {
  let rest = first ? Math.floor(delta / DAMP) : delta >> 1
  rest += Math.floor(rest / points)
  let k = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}

const digit = (value: number): string => String.fromCharCode(value < 26 ? 97 + value : 22 + value)

/** The Punycode of a text, without the prefix xn--. */
export function encodePunycode(text: string): string {
  const points = Array.from(text, character => character.codePointAt(0) ?? 0)
  const basic = points.filter(point => point < INITIAL_N)
  let output = String.fromCharCode(...basic)
  if (basic.length > 0) output += '-'
  let delta = 0
  let bias = INITIAL_BIAS
  let handled = basic.length
  for (let n = INITIAL_N; handled < points.length; n++) {
    const next = points.reduce((least, point) => (point >= n && point < least ? point : least), 0x110000)
    delta += (next - n) * (handled + 1)
    n = next
    for (const point of points) {
      if (point < n) delta++
      if (point !== n) continue
      output += variableLength(delta, bias)
      bias = adapt(delta, handled + 1, handled === basic.length)
      delta = 0
      handled++
    }
    delta++
  }
  return output
}

function variableLength(delta: number, bias: number): string {
  let output = ''
  let rest = delta
  for (let k = BASE; ; k += BASE) {
    const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias))
    if (rest < threshold) return output + digit(rest)
    output += digit(threshold + ((rest - threshold) % (BASE - threshold)))
    rest = Math.floor((rest - threshold) / (BASE - threshold))
  }
}
