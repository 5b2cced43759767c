import { type Bytes, concat, fromLatin1, fromUtf8, toLatin1 } from '../bytes.ts'
import { fromSignedOctets, toSignedOctets } from './integer.ts'
import { fromOidContent, toOidContent } from './oid.ts'

/**
 * The Distinguished Encoding Rules of ASN.1. ITU-T X.690. The reader takes DER and nothing else: every value has one
 * encoding, and what deviates is refused with its offset. BER (indefinite and padded lengths) is read only on demand.
 */

/** Elements inside elements; deeper is refused, so that no input can exhaust the stack. */
export const MAX_DEPTH = 64
/** Bytes of one input. */
export const MAX_BYTES = 32 * 1_048_576

export type Rules = 'DER' | 'BER'
export type TagClass = 'universal' | 'application' | 'context' | 'private'

/** X.680 §8.4, table 1 */
export const tags = {
  boolean: 1,
  integer: 2,
  bitString: 3,
  octetString: 4,
  null: 5,
  objectIdentifier: 6,
  objectDescriptor: 7,
  external: 8,
  real: 9,
  enumerated: 10,
  embeddedPdv: 11,
  utf8String: 12,
  relativeOid: 13,
  time: 14,
  sequence: 16,
  set: 17,
  numericString: 18,
  printableString: 19,
  teletexString: 20,
  videotexString: 21,
  ia5String: 22,
  utcTime: 23,
  generalizedTime: 24,
  graphicString: 25,
  visibleString: 26,
  generalString: 27,
  universalString: 28,
  characterString: 29,
  bmpString: 30,
} as const

const tagNames = new Map<number, string>([
  [0, 'end-of-contents'],
  [1, 'BOOLEAN'],
  [2, 'INTEGER'],
  [3, 'BIT STRING'],
  [4, 'OCTET STRING'],
  [5, 'NULL'],
  [6, 'OBJECT IDENTIFIER'],
  [7, 'ObjectDescriptor'],
  [8, 'EXTERNAL'],
  [9, 'REAL'],
  [10, 'ENUMERATED'],
  [11, 'EMBEDDED PDV'],
  [12, 'UTF8String'],
  [13, 'RELATIVE-OID'],
  [14, 'TIME'],
  [16, 'SEQUENCE'],
  [17, 'SET'],
  [18, 'NumericString'],
  [19, 'PrintableString'],
  [20, 'TeletexString'],
  [21, 'VideotexString'],
  [22, 'IA5String'],
  [23, 'UTCTime'],
  [24, 'GeneralizedTime'],
  [25, 'GraphicString'],
  [26, 'VisibleString'],
  [27, 'GeneralString'],
  [28, 'UniversalString'],
  [29, 'CHARACTER STRING'],
  [30, 'BMPString'],
])

/** The name of a tag as ASN.1 writes it: INTEGER, [0], [APPLICATION 3]. */
export function tagName({ tagClass, tag }: Pick<Element, 'tagClass' | 'tag'>): string {
  if (tagClass === 'universal') return tagNames.get(tag) ?? `[UNIVERSAL ${tag}]`
  return tagClass === 'context' ? `[${tag}]` : `[${tagClass.toUpperCase()} ${tag}]`
}

/** Bytes that do not follow the rules, with where. */
export class DerError extends RangeError {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(`${message} (at byte ${offset})`)
    this.name = 'DerError'
    this.offset = offset
  }
}

/** One tag, length and value. */
export interface Element {
  tagClass: TagClass
  constructed: boolean
  tag: number
  /** Where its first octet stands in the whole input. */
  offset: number
  /** Where its content stands in the whole input. */
  contentOffset: number
  content: Bytes
  /** Tag, length and content as they stand in the input. */
  whole: Bytes
  depth: number
  rules: Rules
}

/** The one element that fills the input. */
export function parseDer(input: Bytes, { rules = 'DER' }: { rules?: Rules } = {}): Element {
  if (input.length === 0) throw new DerError('there are no bytes', 0)
  const reader = new Reader(input, { rules })
  const element = reader.next('the value')
  reader.end('the value')
  return element
}

/** The inside of the one SEQUENCE that fills the input. */
export function parseSequence(input: Bytes, what: string): Reader {
  return new Reader(parseDer(input).whole).sequence(what)
}

const classes = ['universal', 'application', 'context', 'private'] as const

interface ReaderOptions {
  rules?: Rules
  /** Where the bytes stand in the whole input, for messages. */
  offset?: number
  depth?: number
}

/** Reads elements one after the other. `what` names the part in messages. */
export class Reader {
  readonly #bytes: Bytes
  readonly #base: number
  readonly #depth: number
  readonly #rules: Rules
  #at = 0

  constructor(bytes: Bytes, { rules = 'DER', offset = 0, depth = 0 }: ReaderOptions = {}) {
    if (bytes.length > MAX_BYTES) throw new RangeError(`expected at most ${MAX_BYTES} bytes, got ${bytes.length}`)
    if (depth > MAX_DEPTH) throw new DerError(`elements are nested more than ${MAX_DEPTH} deep`, offset)
    this.#bytes = bytes
    this.#base = offset
    this.#depth = depth
    this.#rules = rules
  }

  /** The elements inside a constructed one, or inside the octets of a primitive one. */
  static inside({ content, contentOffset, depth, rules }: Element): Reader {
    return new Reader(content, { rules, offset: contentOffset, depth: depth + 1 })
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** Where the next element stands in the whole input. */
  get offset(): number {
    return this.#base + this.#at
  }

  fail(message: string): never {
    throw new DerError(message, this.offset)
  }

  /** Refuses anything left. */
  end(what: string): void {
    if (!this.done) this.fail(`${this.#bytes.length - this.#at} bytes follow the end of ${what}`)
  }

  /** The next element, whatever it is. */
  next(what: string): Element {
    if (this.done) this.fail(`${what} is missing`)
    const element = this.#read(this.#at)
    this.#at = element.offset + element.whole.length - this.#base
    return element
  }

  /** The next element without taking it; undefined at the end. */
  peek(): Element | undefined {
    return this.done ? undefined : this.#read(this.#at)
  }

  /** Everything left, in order. */
  rest(what: string): Element[] {
    const elements: Element[] = []
    while (!this.done) elements.push(this.next(what))
    return elements
  }

  /** The next element when it has this universal tag; refused otherwise. */
  take(tag: number, what: string): Element {
    const at = this.offset
    const element = this.next(what)
    const constructed = tag === tags.sequence || tag === tags.set
    if (element.tagClass !== 'universal' || element.tag !== tag) {
      const expected = tagName({ tagClass: 'universal', tag })
      throw new DerError(`expected ${article(expected)} for ${what}, got ${article(tagName(element))}`, at)
    }
    if (element.constructed !== constructed) {
      throw new DerError(`${what} is ${constructed ? 'not ' : ''}constructed`, at)
    }
    return element
  }

  /** The next element when it has this context tag; undefined, and nothing taken, otherwise. */
  context(tag: number): Element | undefined {
    const element = this.peek()
    if (element?.tagClass !== 'context' || element.tag !== tag) return undefined
    return this.next(`[${tag}]`)
  }

  /** Whether the next element has this universal tag. */
  has(tag: number): boolean {
    const element = this.peek()
    return element?.tagClass === 'universal' && element.tag === tag
  }

  /** The inside of an explicitly tagged element (X.690 §8.14), when it is there. */
  explicit(tag: number, what: string): Reader | undefined {
    const element = this.context(tag)
    if (!element) return undefined
    if (!element.constructed) throw new DerError(`the tag [${tag}] around ${what} is not constructed`, element.offset)
    return Reader.inside(element)
  }

  sequence(what: string): Reader {
    return Reader.inside(this.take(tags.sequence, what))
  }

  set(what: string): Reader {
    return Reader.inside(this.take(tags.set, what))
  }

  integer(what: string): bigint {
    return integerOf(this.take(tags.integer, what), what)
  }

  /** A small number such as a version or a count. */
  smallInteger(what: string): number {
    const at = this.offset
    const number = this.integer(what)
    if (number < 0n || number > 0x7fffffffn) throw new DerError(`${what} is out of range`, at)
    return Number(number)
  }

  boolean(what: string): boolean {
    return booleanOf(this.take(tags.boolean, what), what)
  }

  oid(what: string): string {
    return oidOf(this.take(tags.objectIdentifier, what))
  }

  octetString(what: string): Bytes {
    return this.take(tags.octetString, what).content
  }

  bitString(what: string): BitString {
    return bitStringOf(this.take(tags.bitString, what), what)
  }

  null(what: string): void {
    const element = this.take(tags.null, what)
    if (element.content.length) throw new DerError(`${what} is a NULL with content`, element.offset)
  }

  #read(at: number): Element {
    const { tagClass, constructed, tag, next } = this.#identifier(at)
    const { length, start } = this.#length(next, constructed)
    const size = length ?? this.#indefinite(start)
    const after = start + size + (length === undefined ? 2 : 0)
    return {
      tagClass,
      constructed,
      tag,
      offset: this.#base + at,
      contentOffset: this.#base + start,
      content: this.#bytes.subarray(start, start + size),
      whole: this.#bytes.subarray(at, after),
      depth: this.#depth,
      rules: this.#rules,
    }
  }

  #octet(at: number, what: string): number {
    const octet = this.#bytes[at]
    if (octet === undefined) throw new DerError(`the bytes end in the middle of ${what}`, this.#base + at)
    return octet
  }

  /** X.690 §8.1.2 */
  #identifier(at: number) {
    const first = this.#octet(at, 'a tag')
    const tagClass = classes[(first >> 6) & 3] ?? 'universal'
    const constructed = (first & 0x20) !== 0
    if ((first & 31) !== 31) {
      if (first === 0 && this.#rules === 'DER') {
        throw new DerError('the tag 0 marks an end of contents, which DER does not have', this.#base + at)
      }
      return { tagClass, constructed, tag: first & 31, next: at + 1 }
    }
    let tag = 0
    for (let next = at + 1; ; next++) {
      const octet = this.#octet(next, 'a tag')
      if (next === at + 1 && octet === 0x80) throw new DerError('the tag number has a leading zero', this.#base + at)
      tag = tag * 128 + (octet & 127)
      if (tag > 0x7fffffff) throw new DerError('the tag number is over 2147483647', this.#base + at)
      if (octet & 128) continue
      if (tag < 31) throw new DerError('the tag number has the long form without need', this.#base + at)
      return { tagClass, constructed, tag, next: next + 1 }
    }
  }

  /** X.690 §8.1.3 and §10.1; undefined for the indefinite form. */
  #length(at: number, constructed: boolean): { length: number | undefined; start: number } {
    const first = this.#octet(at, 'a length')
    const fault = (message: string) => new DerError(message, this.#base + at)
    if (first === 0x80) {
      if (this.#rules === 'DER') throw fault('the length is indefinite, which DER does not allow')
      if (!constructed) throw fault('the length of a primitive element is indefinite')
      return { length: undefined, start: at + 1 }
    }
    const count = first & 0x80 ? first & 0x7f : 0
    if (count === 0x7f) throw fault('the length begins with the reserved octet ff')
    let length = count ? 0 : first
    for (let i = 1; i <= count; i++) {
      length = length * 256 + this.#octet(at + i, 'a length')
      if (length > MAX_BYTES) throw fault(`the length is over ${MAX_BYTES} bytes`)
    }
    const minimal = count === 0 || (length >= 128 && this.#octet(at + 1, 'a length') !== 0)
    if (!minimal && this.#rules === 'DER') throw fault('the length is not in its shortest form')
    const start = at + 1 + count
    const left = this.#bytes.length - start
    if (length > left) throw fault(`the length says ${length} bytes, but only ${left} are left`)
    return { length, start }
  }

  /** The size of contents that end with two zero octets (X.690 §8.1.5). */
  #indefinite(start: number): number {
    const inner = new Reader(this.#bytes.subarray(start), {
      rules: 'BER',
      offset: this.#base + start,
      depth: this.#depth + 1,
    })
    for (;;) {
      const at = inner.offset
      const element = inner.next('the end of the contents')
      if (element.tagClass !== 'universal' || element.tag !== 0) continue
      if (element.whole.length !== 2 || element.constructed) throw new DerError('the end of contents is not 00 00', at)
      return at - this.#base - start
    }
  }
}

const article = (name: string) => (/^[AEIOU]/.test(name) ? `an ${name}` : name.startsWith('[') ? name : `a ${name}`)

/** X.690 §8.3: the fewest octets. */
export function integerOf({ content, offset }: Element, what: string): bigint {
  const [first, second] = content
  if (first === undefined) throw new DerError(`${what} is an INTEGER without content`, offset)
  const padded = second !== undefined && ((first === 0 && second < 128) || (first === 255 && second > 127))
  if (padded) throw new DerError(`${what} is an INTEGER with a leading octet it does not need`, offset)
  return fromSignedOctets(content)
}

/** X.690 §11.1: true is ff and nothing else. */
export function booleanOf({ content, offset, rules }: Element, what: string): boolean {
  const [value] = content
  const right = content.length === 1 && (value === 0 || value === 255 || rules === 'BER')
  if (!right) throw new DerError(`${what} is a BOOLEAN other than 00 or ff`, offset)
  return value !== 0
}

export function oidOf({ content, offset }: Element): string {
  try {
    return fromOidContent(content)
  } catch (cause) {
    if (cause instanceof RangeError) throw new DerError(cause.message, offset)
    throw cause
  }
}

export interface BitString {
  bytes: Bytes
  /** Bits of the last octet that do not count. */
  unused: number
}

/** X.690 §8.6 and §11.2: unused bits are zero. */
export function bitStringOf({ content, offset }: Element, what: string): BitString {
  const [unused] = content
  const last = content[content.length - 1] ?? 0
  if (unused === undefined) throw new DerError(`${what} is a BIT STRING without content`, offset)
  if (unused > 7 || (content.length === 1 && unused > 0)) {
    throw new DerError(`${what} is a BIT STRING with ${unused} unused bits`, offset)
  }
  if (unused && last & ((1 << unused) - 1)) throw new DerError(`${what} has unused bits that are not zero`, offset)
  return { bytes: content.subarray(1), unused }
}

/** The bits of a named bit list that are set, by number from the left (X.680 §22). */
export function setBits({ bytes, unused }: BitString): number[] {
  const count = bytes.length * 8 - unused
  return Array.from({ length: count }, (_, bit) => bit).filter(bit => ((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1)
}

export interface Time {
  date: Date
  /** As written. */
  text: string
  /** What RFC 5280 §4.1.2.5 does not allow in it. */
  fault?: string
}

/**
 * UTCTime and GeneralizedTime (X.680 §46, §47). Forms that certificates must not use are read all the same, with the
 * fault named, because their meaning is plain.
 */
export function timeOf(element: Element, what: string): Time {
  const text = toLatin1(element.content)
  const utc = element.tag === tags.utcTime
  const isTime = element.tagClass === 'universal' && (utc || element.tag === tags.generalizedTime)
  const match = isTime && (utc ? UTC_TIME : GENERALIZED_TIME).exec(text)
  if (!match) throw new DerError(`${what} is not a time`, element.offset)
  const [, years = '', ...rest] = match
  const [month, day, hour, minute, second = 0] = rest.slice(0, 5).map(part => Number(part ?? 0))
  const zone = rest[6] ?? ''
  const year = utc ? Number(years) + (Number(years) < 50 ? 2000 : 1900) : Number(years)
  const date = new Date(0)
  date.setUTCFullYear(year, (month ?? 0) - 1, day)
  date.setUTCHours(hour ?? 0, minute ?? 0, second, Math.floor(Number(`0${rest[5] ?? ''}`) * 1000))
  const right = date.getUTCMonth() === (month ?? 0) - 1 && date.getUTCDate() === day
  if (!right || (hour ?? 0) > 23 || (minute ?? 0) > 59 || second > 59) {
    throw new DerError(`${what} is not a time that exists`, element.offset)
  }
  if (/^[+-]/.test(zone)) {
    const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))
    date.setTime(date.getTime() - (zone.startsWith('-') ? -minutes : minutes) * 60_000)
  }
  const fault = timeFault(rest[4], rest[5], zone)
  return { date, text, ...(fault && { fault }) }
}

const UTC_TIME = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?()(Z|[+-]\d{4})$/
const GENERALIZED_TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(\.\d+)?(Z|[+-]\d{4}|)$/

function timeFault(second: string | undefined, fraction: string | undefined, zone: string): string | undefined {
  if (second === undefined) return 'the seconds are left out'
  if (fraction) return 'it has fractions of a second'
  if (zone === 'Z') return undefined
  return zone ? 'it is in a time zone other than Z' : 'it names no time zone'
}

function element(identifier: number, ...parts: readonly Uint8Array[]): Bytes {
  const content = concat(...parts)
  return concat(Uint8Array.of(identifier), lengthOctets(content.length), content)
}

/** X.690 §10.1: definite, in the fewest octets. */
function lengthOctets(length: number): Bytes {
  if (length < 128) return Uint8Array.of(length)
  const octets: number[] = []
  for (let rest = length; rest; rest = Math.floor(rest / 256)) octets.unshift(rest & 255)
  return Uint8Array.of(0x80 | octets.length, ...octets)
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference) return difference
  }
  return a.length - b.length
}

const pad = (number: number, digits = 2) => String(number).padStart(digits, '0')
const clock = (date: Date) =>
  [date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
    .map(part => pad(part))
    .join('')

/** Writes DER: each function gives a whole element. */
export const der = {
  sequence: (...parts: readonly Uint8Array[]): Bytes => element(0x30, ...parts),
  /** SET OF, in the order of the encodings (X.690 §11.6). */
  setOf: (...parts: readonly Uint8Array[]): Bytes => element(0x31, ...parts.toSorted(compareBytes)),
  integer: (number: bigint | number): Bytes => element(tags.integer, toSignedOctets(BigInt(number))),
  enumerated: (number: bigint | number): Bytes => element(tags.enumerated, toSignedOctets(BigInt(number))),
  boolean: (value: boolean): Bytes => element(tags.boolean, Uint8Array.of(value ? 255 : 0)),
  null: (): Bytes => element(tags.null),
  oid: (dotted: string): Bytes => element(tags.objectIdentifier, toOidContent(dotted)),
  octetString: (bytes: Uint8Array): Bytes => element(tags.octetString, bytes),
  bitString: (bytes: Uint8Array, unused = 0): Bytes => element(tags.bitString, Uint8Array.of(unused), bytes),
  /** A named bit list, without the zeros at its end (X.690 §11.2.2). */
  namedBits(bits: readonly number[]): Bytes {
    if (!bits.length) return der.bitString(new Uint8Array())
    const last = Math.max(...bits)
    const bytes = new Uint8Array((last >> 3) + 1)
    for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (128 >> (bit & 7))
    return der.bitString(bytes, 7 - (last & 7))
  },
  utf8String: (text: string): Bytes => element(tags.utf8String, fromUtf8(text)),
  printableString: (text: string): Bytes => element(tags.printableString, fromLatin1(text)),
  ia5String: (text: string): Bytes => element(tags.ia5String, fromLatin1(text)),
  /** The form RFC 5280 §4.1.2.5 asks for: UTCTime through 2049, GeneralizedTime from 2050 on and before 1950. */
  time(date: Date): Bytes {
    const year = date.getUTCFullYear()
    const generalized = year < 1950 || year > 2049
    const text = `${generalized ? pad(year, 4) : pad(year % 100)}${clock(date)}Z`
    return element(generalized ? tags.generalizedTime : tags.utcTime, fromLatin1(text))
  },
  generalizedTime: (date: Date): Bytes =>
    element(tags.generalizedTime, fromLatin1(`${pad(date.getUTCFullYear(), 4)}${clock(date)}Z`)),
  /** [n] around whole elements. */
  explicit: (tag: number, ...parts: readonly Uint8Array[]): Bytes => element(0xa0 | tag, ...parts),
  /** [n] in place of a primitive's own tag: the content alone. */
  implicit: (tag: number, content: Uint8Array): Bytes => element(0x80 | tag, content),
  /** [n] in place of a constructed type's own tag. */
  implicitConstructed: (tag: number, ...parts: readonly Uint8Array[]): Bytes => element(0xa0 | tag, ...parts),
}
