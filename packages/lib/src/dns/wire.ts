/**
 * Reading and writing DNS messages byte by byte (RFC 1035 §4.1). The reader owns its offset and never looks past its
 * end. It follows compression pointers only backwards, so that a loop cannot be expressed, remembers the names it has
 * read, so that chains of pointers are walked once, and has so much work for a message and no more.
 */
import type { Bytes } from '../bytes.ts'
import { labelText, MAX_NAME_BYTES, parentName, ROOT, writeName } from './name.ts'

/** What a message holds is not what its format allows. The offset counts from the start of the message. */
export class WireError extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(`${message} at byte ${offset}`)
    this.name = 'WireError'
    this.offset = offset
  }
}

/** A name, or the tail of one, that was read before and that pointers may refer to. */
interface Suffix {
  text: string
  wireLength: number
}

const POINTER = 0xc0
/** A pointer has 14 bits (RFC 1035 §4.1.4), so only names that begin before this offset can be referred to. */
const POINTER_RANGE = 0x4000

/**
 * The work that one message may cause beyond its number of records, in units of some 40 nanoseconds: names spelt,
 * names expanded, list items. A zone transfer of 64 KiB takes less than half of it.
 */
const WORK_PER_MESSAGE = 100_000

/** What the readers of one message share: the names seen so far and the work left. */
class Shared {
  readonly suffixes = new Map<number, Suffix>()
  work = WORK_PER_MESSAGE
}

/** Put together one by one, the characters of a text are kept as so many objects of 32 bytes each. */
const CHARACTERS_AT_ONCE = 4_096
const ROOT_SUFFIX: Suffix = { text: ROOT, wireLength: 1 }

export class Reader {
  offset: number
  readonly end: number
  readonly #bytes: Uint8Array
  readonly #shared: Shared
  readonly #pointers: boolean
  /** Whether a compression pointer was followed, so that the bytes passed over are not the uncompressed form. */
  compressed = false

  private constructor(bytes: Uint8Array, offset: number, end: number, shared: Shared, pointers: boolean) {
    this.#bytes = bytes
    this.offset = offset
    this.end = end
    this.#shared = shared
    this.#pointers = pointers
  }

  /** A reader of a whole message, in which names may be compressed. */
  static message(bytes: Uint8Array): Reader {
    return new Reader(plain(bytes), 0, bytes.length, new Shared(), true)
  }

  /** A reader of bytes that stand alone, such as rdata, in which a pointer would point nowhere. */
  static bytes(bytes: Uint8Array): Reader {
    return new Reader(plain(bytes), 0, bytes.length, new Shared(), false)
  }

  get remaining(): number {
    return this.end - this.offset
  }

  fail(message: string, offset = this.offset): never {
    throw new WireError(message, offset)
  }

  #take(length: number): number {
    const start = this.offset
    if (length > this.end - start) this.fail(`${length} bytes expected, ${this.end - start} left`)
    this.offset = start + length
    return start
  }

  #byte(offset: number): number {
    return this.#bytes[offset] ?? this.fail('byte past the end', offset)
  }

  u8(): number {
    return this.#byte(this.#take(1))
  }

  u16(): number {
    const start = this.#take(2)
    return (this.#byte(start) << 8) | this.#byte(start + 1)
  }

  u32(): number {
    const start = this.#take(4)
    const high = (this.#byte(start) << 8) | this.#byte(start + 1)
    return high * 0x10000 + ((this.#byte(start + 2) << 8) | this.#byte(start + 3))
  }

  /** A copy of the next bytes, so that nothing kept holds on to the whole message. */
  bytes(length: number): Bytes {
    const start = this.#take(length)
    return this.#bytes.slice(start, start + length)
  }

  rest(): Bytes {
    return this.bytes(this.remaining)
  }

  /** A reader of the next bytes alone; this one goes on behind them. */
  slice(length: number): Reader {
    const start = this.#take(length)
    return new Reader(this.#bytes, start, start + length, this.#shared, this.#pointers)
  }

  /** The next bytes as a string with one character per byte. */
  latin1(length: number): string {
    const start = this.#take(length)
    let text = ''
    for (let at = start; at < start + length; at += CHARACTERS_AT_ONCE) {
      const part = this.#bytes.subarray(at, Math.min(at + CHARACTERS_AT_ONCE, start + length))
      text += Reflect.apply(String.fromCharCode, null, part)
    }
    return text
  }

  /** Pays for work that is out of proportion to the bytes read. */
  spend(work: number): void {
    this.#shared.work -= work
    if (this.#shared.work < 0) this.fail('the message asks for more work than it deserves')
  }

  /** Fails unless everything was read. */
  finish(): void {
    if (this.remaining > 0) this.fail(`${this.remaining} bytes left over`)
  }

  /** A domain name in presentation form. Types that came after RFC 3597 do not allow pointers (its §4). */
  name(pointers: 'pointers' | 'no pointers' = 'pointers'): string {
    if (this.remaining > 0 && this.#byte(this.offset) === 0) {
      this.offset++
      return ROOT
    }
    const allowed = this.#pointers && pointers === 'pointers'
    // Where labels and pointers stand, in order, and the text of the labels; a pointer has none.
    const offsets: number[] = []
    const labels: string[] = []
    const suffix = this.#walk(allowed, offsets, labels)
    return this.#join(offsets, labels, suffix)
  }

  /** Collects labels up to the root or to a tail that is known already, which it returns. */
  #walk(pointersAllowed: boolean, offsets: number[], labels: string[]): Suffix {
    const bytes = this.#bytes
    let segment = this.offset
    let limit = this.end
    let position = segment
    let jumped = false
    while (position < limit) {
      const length = this.#byte(position)
      if (length === 0) {
        if (!jumped) this.offset = position + 1
        return ROOT_SUFFIX
      }
      if (length < 64) {
        const end = position + 1 + length
        if (end > limit) this.fail('the label runs past its end', position)
        this.spend(1 + (length >> 3))
        offsets.push(position)
        labels.push(labelText(bytes, position + 1, end))
        position = end
      } else {
        if (length < POINTER) this.fail(`the label type 0x${length.toString(16)} is not in use`, position)
        if (!pointersAllowed) this.fail('compression is not allowed here', position)
        if (position + 1 >= limit) this.fail('the compression pointer is cut in half', position)
        const target = ((length & 0x3f) << 8) | this.#byte(position + 1)
        if (target >= segment) this.fail(`the compression pointer to ${target} does not lead backwards`, position)
        this.spend(1)
        if (!jumped) this.offset = position + 2
        jumped = true
        this.compressed = true
        offsets.push(position)
        labels.push('')
        const known = this.#shared.suffixes.get(target)
        if (known) return known
        // What is pointed to lies wholly before the segment that points to it.
        limit = segment
        segment = target
        position = target
      }
    }
    this.fail('the name runs past its end', position)
  }

  /** Puts a name together from its end, remembering every tail of it that a pointer could refer to. */
  #join(offsets: readonly number[], labels: readonly string[], tail: Suffix): string {
    let { text, wireLength } = tail
    for (let i = labels.length - 1; i >= 0; i--) {
      const offset = offsets[i] ?? 0
      const label = labels[i] ?? ''
      if (label !== '') {
        text = text === ROOT ? `${label}.` : `${label}.${text}`
        wireLength += 1 + this.#byte(offset)
        if (wireLength > MAX_NAME_BYTES) this.fail('the name is over 255 bytes', offset)
      }
      if (this.#pointers && offset < POINTER_RANGE) this.#shared.suffixes.set(offset, { text, wireLength })
    }
    return text
  }
}

/** The same bytes without what a subclass makes of `slice`: that of Node's Buffer does not copy. */
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export class Writer {
  #bytes = new Uint8Array(512)
  #length = 0
  readonly #names: Map<string, number> | undefined

  private constructor(names: Map<string, number> | undefined) {
    this.#names = names
  }

  /** A writer of a message, which compresses names where their type allows. */
  static message(): Writer {
    return new Writer(new Map())
  }

  /** A writer of bytes that stand alone, where nothing is compressed. */
  static bytes(): Writer {
    return new Writer(undefined)
  }

  get length(): number {
    return this.#length
  }

  #grow(length: number): number {
    const start = this.#length
    const needed = start + length
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length))
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#length = needed
    return start
  }

  u8(value: number): void {
    const start = this.#grow(1)
    this.#bytes[start] = whole(value, 0xff)
  }

  u16(value: number): void {
    const start = this.#grow(2)
    this.#bytes[start] = whole(value, 0xffff) >> 8
    this.#bytes[start + 1] = value & 0xff
  }

  u32(value: number): void {
    whole(value, 0xffffffff)
    this.u16(Math.floor(value / 0x10000))
    this.u16(value % 0x10000)
  }

  bytes(value: Uint8Array): void {
    const start = this.#grow(value.length)
    this.#bytes.set(value, start)
  }

  /** A name; `compress` where RFC 3597 §4 allows, and then only to a tail spelt in the same case. */
  name(name: string, compression: 'compress' | 'whole' = 'whole'): void {
    const start = this.#grow(MAX_NAME_BYTES)
    const length = writeName(name, this.#bytes, start)
    this.#length = start + length
    const names = this.#names
    if (!names || compression === 'whole') return
    let position = start
    for (let tail = name; tail !== ROOT; tail = parentName(tail)) {
      const known = names.get(tail)
      if (known !== undefined) {
        this.#length = position
        this.u16((POINTER << 8) | known)
        return
      }
      if (position < POINTER_RANGE) names.set(tail, position)
      position += 1 + (this.#bytes[position] ?? 0)
    }
  }

  /** Writes what `write` writes, with its length in 16 bits before it. */
  counted(write: () => void): void {
    const start = this.#grow(2)
    write()
    const length = whole(this.#length - start - 2, 0xffff)
    this.#bytes[start] = length >> 8
    this.#bytes[start + 1] = length & 0xff
  }

  /** What was written; the writer is empty afterwards and can be used again. */
  finish(): Bytes {
    const bytes = this.#bytes.slice(0, this.#length)
    this.#length = 0
    this.#names?.clear()
    return bytes
  }
}

function whole(value: number, max: number): number {
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new RangeError(`${value} is not a whole number from 0 to ${max}`)
  }
  return value
}
