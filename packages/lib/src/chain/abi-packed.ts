import { type Bytes, concat } from '../bytes.ts'
import { numberOf } from './abi-decode.ts'
import { numberWord, type Part, WORD_BYTES } from './abi-encode.ts'
import type { AbiType, Parameter } from './abi-type.ts'
import { type AbiValue, placeOf } from './abi-value.ts'

/** Solidity's `abi.encodePacked`: Contract ABI Specification, §"Non-standard Packed Mode". */

type Elementary = Exclude<AbiType, { kind: 'array' | 'tuple' }>

/** What the mode has: elementary types, and arrays of those with a fixed size. RangeError for others. */
function packable(type: AbiType, place: string): { element: Elementary; array?: { length?: number } } {
  const { element, ...array } = type.kind === 'array' ? type : { element: type }
  if (element.kind === 'tuple') throw new RangeError(`${place}: packed mode has no tuples`)
  if (element.kind === 'array') throw new RangeError(`${place}: packed mode has no arrays of arrays`)
  if (type.kind !== 'array') return { element }
  if (element.kind === 'bytes' || element.kind === 'string') {
    throw new RangeError(`${place}: packed mode has no arrays of bytes or of strings`)
  }
  return { element, array }
}

/** The bytes of an element that is no array; undefined where they depend on the value. */
function packedBytes(type: Elementary): number | undefined {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return type.bits / 8
    case 'bool':
      return 1
    case 'address':
      return 20
    case 'function':
      return 24
    case 'word':
      return type.bytes
    default:
      return undefined
  }
}

const placesOf = (parameters: readonly Parameter[]) =>
  parameters.map(({ type, name }, i) => ({ type, place: placeOf('', name, i) }))

/** Values one after the other with nothing between them. */
export const encodePacked = (parameters: readonly Parameter[], values: readonly AbiValue[]): Part[] =>
  placesOf(parameters).flatMap(({ type, place }, i) => {
    const { element, array } = packable(type, place)
    const value = values[i] ?? []
    if (!array || !Array.isArray(value)) return [{ meaning: place, bytes: pack(element, value) }]
    const items: readonly AbiValue[] = value
    return items.map((item, at) => ({ meaning: `${place}[${at}]`, bytes: padded(element, item) }))
  })

function pack(type: Elementary, value: AbiValue): Bytes {
  if (value instanceof Uint8Array) return value
  const number = typeof value === 'bigint' ? value : value ? 1n : 0n
  return numberWord(number).slice(WORD_BYTES - (packedBytes(type) ?? 0))
}

/** Elements of arrays take a whole word: bytes1 to bytes32 and functions to its left, numbers to its right. */
function padded(type: Elementary, value: AbiValue): Bytes {
  if (!(value instanceof Uint8Array)) return numberWord(typeof value === 'bigint' ? value : value ? 1n : 0n)
  const zeros = new Uint8Array(WORD_BYTES - value.length)
  return type.kind === 'address' ? concat(zeros, value) : concat(value, zeros)
}

/**
 * The values in packed data, which is possible while at most one of them has a length of its own: it gets what the
 * others leave.
 */
export function decodePacked(parameters: readonly Parameter[], data: Bytes): AbiValue[] {
  const shapes = placesOf(parameters).map(({ type, place }) => ({ ...packable(type, place), place }))
  const sizes = shapes.map(({ element, array }) => {
    if (!array) return packedBytes(element)
    return array.length === undefined ? undefined : array.length * WORD_BYTES
  })
  const open = sizes.filter(size => size === undefined).length
  if (open > 1) {
    throw new RangeError('packed data with more than one string, bytes or open array can be read in several ways')
  }
  const fixed = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
  const rest = data.length - fixed
  if (rest < 0 || (open === 0 && rest > 0)) {
    throw new RangeError(`expected ${open > 0 ? 'at least ' : ''}${fixed} bytes of packed data, got ${data.length}`)
  }
  let offset = 0
  return shapes.map(({ element, array, place }, i) => {
    const bytes = data.slice(offset, offset + (sizes[i] ?? rest))
    offset += bytes.length
    if (!array) return unpack(element, bytes, place)
    if (bytes.length % WORD_BYTES !== 0) throw new RangeError(`${place}: expected whole words of ${WORD_BYTES} bytes`)
    return Array.from({ length: bytes.length / WORD_BYTES }, (_, at) =>
      unpackPadded(element, bytes.slice(at * WORD_BYTES, (at + 1) * WORD_BYTES), `${place}[${at}]`),
    )
  })
}

function unpack(type: Elementary, bytes: Bytes, place: string): AbiValue {
  switch (type.kind) {
    case 'uint':
      return numberOf(bytes)
    case 'int':
      return BigInt.asIntN(type.bits, numberOf(bytes))
    case 'bool':
      if (numberOf(bytes) > 1n) throw new RangeError(`${place}: expected a byte of 0 or 1`)
      return numberOf(bytes) === 1n
    case 'fixed':
      throw new RangeError(
        `${place}: fixed point types are declared by the specification but no compiler encodes them yet`,
      )
    default:
      return bytes
  }
}

function unpackPadded(type: Elementary, word: Bytes, place: string): AbiValue {
  const size = packedBytes(type) ?? WORD_BYTES
  const toLeft = type.kind === 'word' || type.kind === 'function'
  const value = unpack(type, toLeft ? word.slice(0, size) : word.slice(WORD_BYTES - size), place)
  if (padded(type, value).some((byte, i) => byte !== word[i])) throw new RangeError(`${place}: its padding is wrong`)
  return value
}
