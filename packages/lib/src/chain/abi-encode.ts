import { type Bytes, concat } from '../bytes.ts'
import type { AbiType, Parameter } from './abi-type.ts'
import { type AbiValue, placeOf } from './abi-value.ts'

/** Encoding by the Contract ABI Specification of Solidity, §"Formal Specification of the Encoding". */

export const WORD_BYTES = 32

/** Whole words of an encoding, and what they are. */
export interface Part {
  /** Such as "to", "ids: length" or "ids[0]: offset". */
  meaning: string
  bytes: Bytes
}

/** §"Formal Specification of the Encoding": the types whose encoding has a place of its own after the heads. */
export function isDynamic(type: AbiType): boolean {
  switch (type.kind) {
    case 'bytes':
    case 'string':
      return true
    case 'array':
      return type.length === undefined || isDynamic(type.element)
    case 'tuple':
      return type.components.some(component => isDynamic(component.type))
    default:
      return false
  }
}

/** The bytes of a head: an offset for a dynamic type, else the whole encoding. */
export const headBytes = (type: AbiType): number => (isDynamic(type) ? WORD_BYTES : staticBytes(type))

function staticBytes(type: AbiType): number {
  switch (type.kind) {
    case 'array':
      return (type.length ?? 0) * staticBytes(type.element)
    case 'tuple':
      return type.components.reduce((sum, component) => sum + staticBytes(component.type), 0)
    default:
      return WORD_BYTES
  }
}

/** A number as a word, in two's complement. */
export function numberWord(number: bigint): Bytes {
  const word = new Uint8Array(WORD_BYTES)
  let rest = BigInt.asUintN(256, number)
  for (let i = WORD_BYTES - 1; rest > 0n; i--) {
    word[i] = Number(rest & 255n)
    rest >>= 8n
  }
  return word
}

/** Bytes with zeros after them up to whole words. */
function padRight(bytes: Uint8Array): Bytes {
  const padded = new Uint8Array(Math.ceil(bytes.length / WORD_BYTES) * WORD_BYTES)
  padded.set(bytes)
  return padded
}

const padLeft = (bytes: Uint8Array): Bytes => concat(new Uint8Array(WORD_BYTES - bytes.length), bytes)

/** The encoding of values one after the other, as the arguments of a call and the values it returns. */
export const encodeParameters = (parameters: readonly Parameter[], values: readonly AbiValue[]): Part[] =>
  encodeSequence(
    parameters.map(({ type, name }, i) => ({ type, place: placeOf('', name, i) })),
    values,
  )

interface Placed {
  type: AbiType
  place: string
}

function encodeSequence(items: readonly Placed[], values: readonly AbiValue[]): Part[] {
  const heads: Part[] = []
  const tails: Part[] = []
  let offset = items.reduce((sum, { type }) => sum + headBytes(type), 0)
  for (const [i, { type, place }] of items.entries()) {
    const parts = encodeValue(type, values[i] ?? [], place)
    if (!isDynamic(type)) {
      for (const part of parts) heads.push(part)
      continue
    }
    heads.push({ meaning: `${place}: offset`, bytes: numberWord(BigInt(offset)) })
    for (const part of parts) {
      tails.push(part)
      offset += part.bytes.length
    }
  }
  return heads.concat(tails)
}

function encodeValue(type: AbiType, value: AbiValue, place: string): Part[] {
  if (typeof value === 'bigint') return [{ meaning: place, bytes: numberWord(value) }]
  if (typeof value === 'boolean') return [{ meaning: place, bytes: numberWord(value ? 1n : 0n) }]
  if (value instanceof Uint8Array) return encodeBytes(type, value, place)
  const items: readonly AbiValue[] = value
  if (type.kind === 'tuple') {
    return encodeSequence(
      type.components.map((component, i) => ({ type: component.type, place: placeOf(place, component.name, i) })),
      items,
    )
  }
  if (type.kind !== 'array') return []
  const { element, length } = type
  const elements = encodeSequence(
    items.map((_, i) => ({ type: element, place: `${place}[${i}]` })),
    items,
  )
  if (length !== undefined) return elements
  return [{ meaning: `${place}: length`, bytes: numberWord(BigInt(items.length)) }, ...elements]
}

function encodeBytes(type: AbiType, bytes: Bytes, place: string): Part[] {
  if (type.kind === 'address') return [{ meaning: place, bytes: padLeft(bytes) }]
  if (type.kind !== 'bytes' && type.kind !== 'string') return [{ meaning: place, bytes: padRight(bytes) }]
  return [
    { meaning: `${place}: length`, bytes: numberWord(BigInt(bytes.length)) },
    ...(bytes.length > 0 ? [{ meaning: place, bytes: padRight(bytes) }] : []),
  ]
}

/** The bytes of an encoding. */
export function joined(parts: readonly Part[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { bytes }) => sum + bytes.length, 0))
  let offset = 0
  for (const { bytes } of parts) {
    whole.set(bytes, offset)
    offset += bytes.length
  }
  return whole
}
