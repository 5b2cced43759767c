import { type Bytes, fromHex, fromUtf8, toHex, toUtf8 } from '../bytes.ts'
import type { AbiType, Parameter } from './abi-type.ts'
import { checkAddress, checksumAddress, readAddress } from './address.ts'
import type { Literal } from './literal.ts'

/**
 * Values of the types of the ABI: read from what people type, checked against their type, and written again. Whole
 * numbers are bigints of any size; addresses, functions, bytes and the UTF-8 of strings are bytes.
 */

export type AbiValue = bigint | boolean | Bytes | readonly AbiValue[]

/** As JSON writes them: numbers in decimal as strings, bytes in hexadecimal after 0x, tuples with names as objects. */
export type PlainValue = string | boolean | PlainValue[] | { [name: string]: PlainValue }

/** A whole number in decimal, also with an exponent as Solidity has it, or in hexadecimal after 0x. */
function readInteger(literal: Literal): bigint {
  const [, sign, decimal, exponent = '0', hexadecimal] =
    /^(-?)(?:(\d{1,100})(?:e\+?(\d{1,2}))?|(0x[0-9a-f]{1,64}))$/i.exec(textOf(literal).trim()) ?? []
  if (decimal === undefined && hexadecimal === undefined) {
    throw new RangeError('expected a whole number in decimal, or in hexadecimal after 0x')
  }
  const size = hexadecimal === undefined ? BigInt(decimal ?? 0) * 10n ** BigInt(exponent) : BigInt(hexadecimal)
  return sign ? -size : size
}

const textOf = (literal: Literal): string => (literal.kind === 'text' || literal.kind === 'word' ? literal.text : '')

function readUint(literal: Literal, bits: number): bigint {
  const number = readInteger(literal)
  if (number < 0n || number >> BigInt(bits) !== 0n) throw new RangeError(`expected a number from 0 to 2^${bits} - 1`)
  return number
}

function readInt(literal: Literal, bits: number): bigint {
  const number = readInteger(literal)
  if (BigInt.asIntN(bits, number) !== number) {
    throw new RangeError(`expected a number from -2^${bits - 1} to 2^${bits - 1} - 1`)
  }
  return number
}

function readBool(literal: Literal): boolean {
  const text = textOf(literal)
  if (text !== 'true' && text !== 'false') throw new RangeError('expected true or false')
  return text === 'true'
}

function readChecked(literal: Literal): Bytes {
  const text = textOf(literal).trim()
  const address = readAddress(text)
  if (checkAddress(text).verdict === 'wrong') {
    throw new RangeError('the checksum in the letters of the address is wrong; small letters alone carry none')
  }
  return address
}

/** Hexadecimal after 0x, and any other text as its UTF-8. */
function readBinary(literal: Literal): Bytes {
  if (literal.kind !== 'text' && literal.kind !== 'word') throw new RangeError('expected bytes in hexadecimal after 0x')
  if (/^0x/i.test(literal.text)) return fromHex(literal.text.slice(2))
  if (literal.kind === 'word') throw new RangeError('expected bytes in hexadecimal after 0x, or a text in quotes')
  return fromUtf8(literal.text)
}

function readFixedBytes(literal: Literal, length: number): Bytes {
  const bytes = readBinary(literal)
  const isText = literal.kind === 'text' && !/^0x/i.test(literal.text)
  if (isText ? bytes.length > length : bytes.length !== length) {
    throw new RangeError(`expected ${isText ? 'at most ' : ''}${length} bytes, got ${bytes.length}`)
  }
  const padded = new Uint8Array(length)
  padded.set(bytes)
  return padded
}

function readText(literal: Literal): Bytes {
  if (literal.kind !== 'text') throw new RangeError('expected a text in quotes')
  return fromUtf8(literal.text)
}

/** The value of a type behind what was typed. RangeError that says where in the value, and what was expected. */
export function readValue(type: AbiType, literal: Literal, place: string): AbiValue {
  switch (type.kind) {
    case 'array': {
      const items = itemsOf(literal, place)
      if (type.length !== undefined && items.length !== type.length) {
        throw new RangeError(`${place}: expected ${type.length} elements, got ${items.length}`)
      }
      return items.map((item, i) => readValue(type.element, item, `${place}[${i}]`))
    }
    case 'tuple':
      return readTuple(type.components, literal, place)
    default:
      return at(place, () => readElementary(type, literal))
  }
}

function readElementary(type: Exclude<AbiType, { kind: 'array' | 'tuple' }>, literal: Literal): AbiValue {
  switch (type.kind) {
    case 'uint':
      return readUint(literal, type.bits)
    case 'int':
      return readInt(literal, type.bits)
    case 'bool':
      return readBool(literal)
    case 'address':
      return readChecked(literal)
    case 'function':
      return readFixedBytes(literal, 24)
    case 'word':
      return readFixedBytes(literal, type.bytes)
    case 'bytes':
      return readBinary(literal)
    case 'string':
      return readText(literal)
    case 'fixed':
      throw new RangeError('fixed point types are declared by the specification but no compiler encodes them yet')
  }
}

/** The values of parameters, in their order or by their names. */
export function readTuple(parameters: readonly Parameter[], literal: Literal, place = ''): AbiValue[] {
  const items = literal.kind === 'record' ? itemsByName(parameters, literal.entries, place) : itemsOf(literal, place)
  if (items.length !== parameters.length) {
    const hint = place === '' && parameters.length === 1 ? '; a single array is written [[1, 2]]' : ''
    throw new RangeError(
      `${prefix(place)}expected ${parameters.length} value${parameters.length === 1 ? '' : 's'}, got ${items.length}${hint}`,
    )
  }
  return parameters.flatMap(({ type, name }, i) => {
    const item = items[i]
    return item === undefined ? [] : [readValue(type, item, placeOf(place, name, i))]
  })
}

function itemsOf(literal: Literal, place: string): readonly Literal[] {
  if (literal.kind !== 'list') throw new RangeError(`${prefix(place)}expected a list in brackets`)
  return literal.items
}

function itemsByName(
  parameters: readonly Parameter[],
  entries: ReadonlyMap<string, Literal>,
  place: string,
): readonly Literal[] {
  const items = parameters.flatMap(({ name }) => (name === undefined ? [] : (entries.get(name) ?? [])))
  if (items.length !== parameters.length || entries.size !== items.length) {
    throw new RangeError(`${prefix(place)}expected a value for each of the names of the type, and no others`)
  }
  return items
}

/** How a value is called in messages and tables: by its name, or else by its number counted from 1. */
export const placeOf = (parent: string, name: string | undefined, index: number): string =>
  parent === '' ? (name ?? `value ${index + 1}`) : `${parent}.${name ?? index + 1}`

const prefix = (place: string) => (place === '' ? '' : `${place}: `)

function at<T>(place: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof RangeError) throw new RangeError(`${place}: ${cause.message}`, { cause })
    throw cause
  }
}

const hex = (bytes: Uint8Array) => `0x${toHex(bytes)}`

/** A value for people and for JSON. A string that is no UTF-8 is written in hexadecimal. */
export function plainValue(type: AbiType, value: AbiValue): PlainValue {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'boolean') return value
  if (value instanceof Uint8Array) {
    if (type.kind === 'address') return checksumAddress(value)
    return type.kind === 'string' && isUtf8(value) ? toUtf8(value) : hex(value)
  }
  const items: readonly AbiValue[] = value
  if (type.kind === 'array') return items.map(item => plainValue(type.element, item))
  return type.kind === 'tuple' ? plainTuple(type.components, items) : []
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    toUtf8(bytes)
    return true
  } catch {
    return false
  }
}

/** An object where every component has a name of its own, else a list. */
function plainTuple(components: readonly Parameter[], values: readonly AbiValue[]): PlainValue {
  const plain = components.flatMap(({ type }, i) => {
    const value = values[i]
    return value === undefined ? [] : [plainValue(type, value)]
  })
  const names = components.flatMap(({ name }) => name ?? [])
  const isNamed = names.length > 0 && new Set(names).size === components.length
  return isNamed ? Object.fromEntries(names.map((name, i) => [name, plain[i] ?? ''])) : plain
}
