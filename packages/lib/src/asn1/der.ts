import type { Bytes } from '../bytes.ts'
import { DerError, type Element, type Rules, tagName, tags } from './element.ts'
import { type BitString, bitStringOf, booleanOf, integerOf, oidOf } from './value.ts'

/**
 * The Distinguished Encoding Rules of ASN.1. ITU-T X.690. The reader takes DER and nothing else: every value has one
 * encoding, and what deviates is refused with its offset. BER (indefinite and padded lengths) is read only on demand.
 */

/** Elements inside elements; deeper is refused, so that no input can exhaust the stack. */
export const MAX_DEPTH = 64
/** Bytes of one input. */
export const MAX_BYTES = 32 * 1_048_576

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
