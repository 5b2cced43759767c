import { type Bytes, equalBytes } from '../bytes.ts'
import { encodeParameters, headBytes, isDynamic, joined, WORD_BYTES } from './abi-encode.ts'
import type { AbiType, Parameter } from './abi-type.ts'
import { type AbiValue, isUtf8, placeOf } from './abi-value.ts'
import { ADDRESS_BYTES } from './address.ts'

/**
 * Decoding by the Contract ABI Specification of Solidity. Offsets and lengths are judged before anything is made of
 * them. What a lenient decoder would let pass is decoded too, and told: bytes that should be zero, values too large
 * for their type, places that two values share, places of none.
 */

/** Something that a contract's decoder refuses or that no encoder writes. */
export interface Remark {
  place: string
  /** In the data, where it stands. */
  offset: number
  text: string
}

export interface Decoded {
  values: AbiValue[]
  remarks: Remark[]
  /** §"Strict Encoding Mode": the data is byte for byte what the specification makes of the values. */
  strict: boolean
}

/** Elements of all arrays and tuples together: offsets can point many times to the same place. */
export const MAX_DECODED_VALUES = 100_000
/** Bytes of all strings together, for the same reason. */
export const MAX_DECODED_BYTES = 16 * 1_048_576
const MAX_REMARKS = 100

/** The values in data that holds nothing else. RangeError where an offset or a length leads out of the data. */
export function decodeParameters(parameters: readonly Parameter[], data: Bytes): Decoded {
  const decoder = new Decoder(data)
  const values = decoder.tuple(parameters, '', 0)
  const remarks = decoder.finish()
  return { values, remarks, strict: remarks.length === 0 && decoder.hasOrderOf(parameters, values) }
}

class Decoder {
  private readonly data: Bytes
  private readonly remarks: Remark[] = []
  /** For each byte whether a value has it. */
  private readonly taken: Uint8Array
  private valueCount = 0
  private byteCount = 0
  private isShared = false

  constructor(data: Bytes) {
    this.data = data
    this.taken = new Uint8Array(data.length)
  }

  tuple(parameters: readonly Parameter[], place: string, start: number): AbiValue[] {
    let head = start
    return parameters.map(({ type, name }, i) => {
      const value = this.placed(type, placeOf(place, name, i), head, start)
      head += headBytes(type)
      return value
    })
  }

  /** What belongs to no value, and values that share their bytes. */
  finish(): Remark[] {
    const unused = this.taken.indexOf(0)
    if (this.isShared) this.remark('data', 0, 'values share some of their bytes')
    if (unused >= 0) {
      const count = this.taken.reduce((sum, taken) => sum + (taken ? 0 : 1), 0)
      this.remark('data', unused, `${count} byte${count === 1 ? ' belongs' : 's belong'} to no value, the first here`)
    }
    return this.remarks
  }

  /** Whether the encoding of the values is the data; if not, their places are in another order. */
  hasOrderOf(parameters: readonly Parameter[], values: readonly AbiValue[]): boolean {
    if (equalBytes(joined(encodeParameters(parameters, values)), this.data)) return true
    this.remark('data', 0, 'the values stand in another order than the specification gives them')
    return false
  }

  /** A value whose head is at one offset, with offsets counted from another. */
  private placed(type: AbiType, place: string, head: number, base: number): AbiValue {
    if (++this.valueCount > MAX_DECODED_VALUES) {
      throw new RangeError(`${place}: expected at most ${MAX_DECODED_VALUES} values in all`)
    }
    if (!isDynamic(type)) return this.value(type, place, head)
    const offset = this.number(head, `${place}: the offset`)
    if (offset > BigInt(this.data.length - base)) {
      throw new RangeError(
        `${place}: the offset at byte ${head} leads beyond the ${this.data.length} bytes of the data`,
      )
    }
    return this.value(type, place, base + Number(offset))
  }

  private value(type: AbiType, place: string, at: number): AbiValue {
    switch (type.kind) {
      case 'array':
        return this.array(type, place, at)
      case 'tuple':
        return this.tuple(type.components, place, at)
      case 'bytes':
      case 'string':
        return this.binary(type, place, at)
      default:
        return this.elementary(type, place, at)
    }
  }

  private array({ element, length }: AbiType & { kind: 'array' }, place: string, at: number): AbiValue[] {
    const start = length === undefined ? at + WORD_BYTES : at
    const count = length === undefined ? this.number(at, `${place}: the length`) : BigInt(length)
    const elementBytes = headBytes(element)
    if (count * BigInt(elementBytes) > BigInt(Math.max(0, this.data.length - start))) {
      throw new RangeError(`${place}: the array at byte ${at} has more elements than the rest of the data can hold`)
    }
    if (count > MAX_DECODED_VALUES - this.valueCount) {
      throw new RangeError(`${place}: expected at most ${MAX_DECODED_VALUES} values in all`)
    }
    return Array.from({ length: Number(count) }, (_, i) =>
      this.placed(element, `${place}[${i}]`, start + i * elementBytes, start),
    )
  }

  private binary({ kind }: AbiType, place: string, at: number): Bytes {
    const length = this.number(at, `${place}: the length`)
    const start = at + WORD_BYTES
    if (length > BigInt(this.data.length - start)) {
      throw new RangeError(`${place}: the length at byte ${at} is more than the rest of the data holds`)
    }
    this.byteCount += Number(length)
    if (this.byteCount > MAX_DECODED_BYTES) {
      throw new RangeError(`${place}: expected at most ${MAX_DECODED_BYTES / 2 ** 20} MiB in all strings together`)
    }
    const end = start + Number(length)
    const padded = start + Math.ceil(Number(length) / WORD_BYTES) * WORD_BYTES
    const bytes = this.data.slice(start, end)
    this.take(start, Math.min(padded, this.data.length))
    if (padded > this.data.length) this.remark(place, end, 'the data ends before the zeros that should follow')
    if (this.data.subarray(end, padded).some(byte => byte !== 0)) {
      this.remark(place, end, 'the padding after it is not zero')
    }
    if (kind === 'string' && !isUtf8(bytes)) this.remark(place, start, 'it is not UTF-8')
    return bytes
  }

  private elementary(type: AbiType, place: string, at: number): AbiValue {
    const word = this.word(at, place)
    const refuse = (text: string) => this.remark(place, at, text)
    const isZero = (bytes: Uint8Array) => bytes.every(byte => byte === 0)
    switch (type.kind) {
      case 'uint': {
        const number = numberOf(word)
        if (number >> BigInt(type.bits) !== 0n) refuse(`it is larger than a uint${type.bits} can be`)
        return number
      }
      case 'int': {
        const number = BigInt.asIntN(256, numberOf(word))
        if (BigInt.asIntN(type.bits, number) !== number) refuse(`it is beyond what an int${type.bits} can be`)
        return number
      }
      case 'bool': {
        const number = numberOf(word)
        if (number > 1n) refuse('it is neither 0 nor 1, and counts as true')
        return number !== 0n
      }
      case 'address':
        if (!isZero(word.subarray(0, WORD_BYTES - ADDRESS_BYTES))) refuse('the twelve bytes before it are not zero')
        return word.slice(WORD_BYTES - ADDRESS_BYTES)
      case 'word':
      case 'function': {
        const length = type.kind === 'word' ? type.bytes : 24
        if (!isZero(word.subarray(length))) refuse('the padding after it is not zero')
        return word.slice(0, length)
      }
      default:
        throw new RangeError(
          `${place}: fixed point types are declared by the specification but no compiler encodes them yet`,
        )
    }
  }

  private number(at: number, what: string): bigint {
    return numberOf(this.word(at, what))
  }

  private word(at: number, what: string): Bytes {
    if (at + WORD_BYTES > this.data.length) {
      throw new RangeError(`${what} should stand at byte ${at}, and the data has ${this.data.length} bytes`)
    }
    this.take(at, at + WORD_BYTES)
    return this.data.slice(at, at + WORD_BYTES)
  }

  private take(start: number, end: number): void {
    this.isShared ||= this.taken.subarray(start, end).includes(1)
    this.taken.fill(1, start, end)
  }

  private remark(place: string, offset: number, text: string): void {
    if (this.remarks.length < MAX_REMARKS) this.remarks.push({ place, offset, text })
  }
}

export function numberOf(bytes: Uint8Array): bigint {
  let number = 0n
  for (const byte of bytes) number = (number << 8n) | BigInt(byte)
  return number
}
