/** Punycode (RFC 3492 §5, §6) for one label that is normalized already, where 200 KB of mapping tables are not wanted. */

const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const INITIAL_BIAS = 72
const INITIAL_N = 128
const DELIMITER = '-'
const LAST_CODE_POINT = 0x10ffff

/** Both ways take time that grows with the square of the length; no label has more than 59 characters. */
export const MAX_PUNYCODE_CHARACTERS = 2000

/** §6.1 */
function adapt(delta: number, points: number, first: boolean): number {
  let rest = first ? Math.floor(delta / DAMP) : delta >> 1
  rest += Math.floor(rest / points)
  let k = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}

const digit = (value: number): string => String.fromCharCode(value < 26 ? 97 + value : 22 + value)

function checkLength(text: string): void {
  if (text.length > MAX_PUNYCODE_CHARACTERS) {
    throw new RangeError(`expected at most ${MAX_PUNYCODE_CHARACTERS} characters in a label, got ${text.length}`)
  }
}

/** §6.3: the Punycode of a text, without the prefix xn--. */
export function encodePunycode(text: string): string {
  checkLength(text)
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

/** §6.2: the text of a Punycode, without the prefix xn--; digits in either case. A refusal says at which character. */
export function decodePunycode(code: string): string {
  checkLength(code)
  const foreign = code.search(/[^\0-\x7f]/)
  if (foreign >= 0) throw new RangeError(`character ${foreign + 1} is not ASCII, and Punycode is`)
  const end = Math.max(0, code.lastIndexOf(DELIMITER))
  const points = Array.from(code.slice(0, end), character => character.charCodeAt(0))
  let [n, i, bias] = [INITIAL_N, 0, INITIAL_BIAS]
  for (let at = end && end + 1; at < code.length; ) {
    const start = i
    for (let k = BASE, weight = 1; ; k += BASE) {
      if (at >= code.length) throw new RangeError('the last number is cut off')
      const value = digitAt(code, at++)
      i += value * weight
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias))
      if (value < threshold) break
      weight *= BASE - threshold
      if (i > Number.MAX_SAFE_INTEGER / BASE) throw tooLarge(at)
    }
    const length = points.length + 1
    bias = adapt(i - start, length, start === 0)
    n += Math.floor(i / length)
    i %= length
    if (n > LAST_CODE_POINT) throw tooLarge(at)
    if (n >= 0xd800 && n <= 0xdfff)
      throw new RangeError(`the number that ends at character ${at} is half of a surrogate pair`)
    points.splice(i++, 0, n)
  }
  return points.map(point => String.fromCodePoint(point)).join('')
}

const tooLarge = (at: number) => new RangeError(`the number that ends at character ${at} goes beyond Unicode`)

/** §5: letters of either case are 0 to 25, and the digits 26 to 35. */
function digitAt(code: string, at: number): number {
  const value = code.charCodeAt(at)
  if (value >= 48 && value <= 57) return value - 22
  const letter = value | 32
  if (letter >= 97 && letter <= 122) return letter - 97
  throw new RangeError(`character ${at + 1} is neither a letter nor a digit`)
}
