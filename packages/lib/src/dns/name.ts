/**
 * Domain names (RFC 1035 §3.1, §5.1) as presentation strings: absolute, with the final dot, with the escapes `\.` and
 * `\DDD` that dig writes, and with their case kept. Such a string is pure ASCII, so it can be lower-cased, compared and
 * used as a key like any other; bytes that are not printable ASCII stand as `\DDD`.
 */

export const MAX_LABEL_BYTES = 63
export const MAX_NAME_BYTES = 255

export const ROOT = '.'

const BACKSLASH = 92
const DOT = 46
const ZERO = 48

/** How each byte of a label is written: the characters that mean something in a zone file get a backslash. */
const ESCAPED: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  if (byte <= 32 || byte >= 127) return `\\${String(byte).padStart(3, '0')}`
  return '".()@$;\\'.includes(character) ? `\\${character}` : character
})

/** The presentation form of one label, given its bytes. */
export function labelText(bytes: ArrayLike<number>, start: number, end: number): string {
  let text = ''
  for (let i = start; i < end; i++) text += ESCAPED[bytes[i] ?? 0]
  return text
}

/**
 * Reads a name as people write it, and gives its one presentation form. A name without a final dot is completed by the
 * origin; `@` is the origin itself. RangeError when a label is empty or over 63 bytes, or the whole over 255.
 */
export function parseName(text: string, origin = ROOT): string {
  if (text === ROOT) return ROOT
  if (text === '@') return origin
  const labels = labelsOf(text)
  const absolute = labels.at(-1)?.length === 0
  if (absolute && labels.length > 1) labels.pop()
  let name = ''
  for (const label of labels) {
    if (label.length === 0) throw new RangeError(`the name "${text}" has an empty label`)
    if (label.length > MAX_LABEL_BYTES) throw new RangeError(`the name "${text}" has a label over 63 bytes`)
    name += `${labelText(label, 0, label.length)}.`
  }
  const whole = absolute || origin === ROOT ? name : name + origin
  if (nameLength(whole) > MAX_NAME_BYTES) throw new RangeError(`the name "${text}" is over 255 bytes`)
  return whole
}

/** The wire form of an absolute presentation name, uncompressed. RangeError when it is not absolute or too long. */
export function encodeName(name: string): Uint8Array<ArrayBuffer> {
  const wire = new Uint8Array(MAX_NAME_BYTES)
  return wire.slice(0, writeName(name, wire, 0))
}

/** Writes the wire form where 255 bytes are free, and returns its length. */
export function writeName(name: string, target: Uint8Array, start: number): number {
  if (name === ROOT) {
    target[start] = 0
    return 1
  }
  let length = 1
  let labelStart = 0
  for (let i = 0; i < name.length; i++) {
    let byte = name.charCodeAt(i)
    if (byte === DOT) {
      const labelLength = length - labelStart - 1
      if (labelLength < 1 || labelLength > MAX_LABEL_BYTES) {
        throw new RangeError(`the name "${name}" has a label of ${labelLength} bytes, and 1 to 63 are allowed`)
      }
      target[start + labelStart] = labelLength
      labelStart = length++
    } else {
      if (byte === BACKSLASH) {
        byte = readEscape(name, i)
        i += escapeLength(name, i) - 1
      } else if (byte > 127) throw new RangeError(`the name "${name}" has characters outside ASCII`)
      target[start + length++] = byte
    }
    if (length > MAX_NAME_BYTES) throw new RangeError(`the name "${name}" is over 255 bytes`)
  }
  if (labelStart !== length - 1 || length === 1) throw new RangeError(`the name "${name}" is not absolute`)
  target[start + labelStart] = 0
  return length
}

/** The bytes of each label; a name that ends in a dot has an empty one at the end. */
function labelsOf(text: string): number[][] {
  const labels: number[][] = []
  let label: number[] = []
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === DOT) {
      labels.push(label)
      label = []
    } else if (code === BACKSLASH) {
      label.push(readEscape(text, i))
      i += escapeLength(text, i) - 1
    } else if (code > 127) {
      throw new RangeError(`the name "${text}" has characters outside ASCII; write it in its xn-- form`)
    } else label.push(code)
  }
  labels.push(label)
  return labels
}

/** The byte that the escape `\.` or `\DDD` (RFC 1035 §5.1) at this place stands for. */
export function readEscape(text: string, start: number): number {
  const code = text.charCodeAt(start + 1)
  const hundreds = code - ZERO
  if (hundreds >= 0 && hundreds <= 9) {
    const tens = text.charCodeAt(start + 2) - ZERO
    const ones = text.charCodeAt(start + 3) - ZERO
    const byte = 100 * hundreds + 10 * tens + ones
    if (tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 && byte <= 255) return byte
    throw new RangeError(`the escape ${text.slice(start, start + 4)} in "${text}" is not three digits up to 255`)
  }
  // NaN, at the end of the text, fails this comparison too.
  if (!(code < 128)) throw new RangeError(`the backslash in "${text}" is followed by nothing it could escape`)
  return code
}

/** How many characters the escape at this place takes. */
export function escapeLength(text: string, start: number): number {
  const code = text.charCodeAt(start + 1)
  return code >= ZERO && code <= ZERO + 9 ? 4 : 2
}

/** Where the labels of a presentation name begin. */
function labelStarts(name: string): number[] {
  const starts: number[] = []
  for (let start = 0; start < name.length && name !== ROOT; start = nextLabel(name, start)) starts.push(start)
  return starts
}

/** Where the label behind this one begins: the length of the name when there is none. */
function nextLabel(name: string, start: number): number {
  let i = start
  while (i < name.length && name.charCodeAt(i) !== DOT) i += name.charCodeAt(i) === BACKSLASH ? 2 : 1
  return Math.min(i + 1, name.length)
}

/** The labels of an absolute name, each in presentation form; none for the root. */
export function splitName(name: string): string[] {
  return labelStarts(name).map(start => name.slice(start, nextLabel(name, start) - 1))
}

export const countLabels = (name: string): number => labelStarts(name).length

/** The name without its first label; the root is its own parent. */
export function parentName(name: string): string {
  return name.slice(nextLabel(name, 0)) || ROOT
}

/** The name and all its ancestors, ending with the root. */
export function ancestorsOf(name: string): string[] {
  return [...labelStarts(name).map(start => name.slice(start)), ROOT]
}

/** Names are equal whatever the case of their ASCII letters (RFC 4343 §3). */
export const equalNames = (a: string, b: string): boolean => a === b || a.toLowerCase() === b.toLowerCase()

/** Whether a name is the ancestor itself or lies below it. */
export function isWithin(name: string, ancestor: string): boolean {
  if (ancestor === ROOT) return true
  if (name.length < ancestor.length) return false
  const cut = name.length - ancestor.length
  if (!equalNames(name.slice(cut), ancestor)) return false
  let start = 0
  while (start < cut) start = nextLabel(name, start)
  return start === cut
}

/** Bytes on the wire, with the final zero. */
export function nameLength(name: string): number {
  if (name === ROOT) return 1
  let length = 1
  for (let i = 0; i < name.length; i += name.charCodeAt(i) === BACKSLASH ? escapeLength(name, i) : 1) length++
  return length
}

/** Canonical order (RFC 4034 §6.1): label by label from the right, as bytes, in lower case. */
export function compareNames(a: string, b: string): number {
  const [left, right] = [reversedLabels(a), reversedLabels(b)]
  for (let i = 0; i < left.length && i < right.length; i++) {
    const order = compareLabels(left[i] ?? [], right[i] ?? [])
    if (order !== 0) return order
  }
  return left.length - right.length
}

function reversedLabels(name: string): number[][] {
  return name === ROOT ? [] : labelsOf(name.toLowerCase()).slice(0, -1).reverse()
}

function compareLabels(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = (a[i] ?? 0) - (b[i] ?? 0)
    if (order !== 0) return order
  }
  return a.length - b.length
}
