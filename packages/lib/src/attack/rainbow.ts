import { equalBytes, fromUtf8, toUtf8 } from '../bytes.ts'
import { type RunningHash, runningHash } from '../hash/stream.ts'
import { inSlices } from './slices.ts'

/**
 * Rainbow tables: P. Oechslin, "Making a faster cryptanalytic time-memory trade-off", CRYPTO 2003. A chain goes from
 * a password to its hash, from the hash by a reduction to another password, and so on; only its two ends are kept.
 * Every column has a reduction of its own, so that two chains which meet merge only when they meet in the same column.
 */

export const rainbowHashes = { MD5: 'MD5', SHA1: 'SHA-1', SHA256: 'SHA-256' } as const
export type RainbowHash = keyof typeof rainbowHashes
export const rainbowHashBytes: Record<RainbowHash, number> = { MD5: 16, SHA1: 20, SHA256: 32 }

/** Passwords in a fixed order: the shorter first, those of one length like numbers with the characters as digits. */
export interface PasswordSpace {
  size: number
  /** Writes a password as UTF-8 and gives its length in bytes. */
  write(index: number, into: Uint8Array): number
  text(index: number): string
}

export interface SpaceParameters {
  charset: string
  minLength: number
  maxLength: number
}

/** Up to here an index fits in 32 bits and a bit for each password in 16 MiB. */
export const MAX_SPACE = 2 ** 27

/** RangeError for characters that occur twice, or for more passwords than a table here can mean anything for. */
export function passwordSpace({ charset, minLength, maxLength }: SpaceParameters): PasswordSpace {
  const characters = [...charset]
  if (characters.length < 2) throw new RangeError('expected at least two characters')
  const twice = characters.find((character, index) => characters.indexOf(character) !== index)
  if (twice !== undefined) throw new RangeError('expected each character once')
  if (minLength > maxLength) throw new RangeError('expected a least length that is not above the greatest')
  const bytes = characters.map(fromUtf8)
  const base = characters.length
  const counts = Array.from({ length: maxLength - minLength + 1 }, (_, i) => base ** (minLength + i))
  const size = counts.reduce((sum, count) => sum + count, 0)
  if (size > MAX_SPACE) {
    throw new RangeError(
      `expected at most ${MAX_SPACE} passwords, and ${base} characters in these lengths make ${size}`,
    )
  }
  const digits = new Uint32Array(maxLength)
  const write = (index: number, into: Uint8Array): number => {
    let rest = index
    let length = minLength
    for (const count of counts) {
      if (rest < count) break
      rest -= count
      length++
    }
    for (let place = length - 1; place >= 0; place--) {
      digits[place] = rest % base
      rest = Math.floor(rest / base)
    }
    let end = 0
    for (let place = 0; place < length; place++) {
      for (const byte of bytes[digits[place] ?? 0] ?? []) into[end++] = byte
    }
    return end
  }
  const buffer = new Uint8Array(4 * maxLength)
  return { size, write, text: index => toUtf8(buffer.subarray(0, write(index, buffer))) }
}

/** The number that the reduction starts from: the first six bytes of the hash, which a double holds exactly. */
const headOf = (hash: Uint8Array) =>
  ((hash[0] ?? 0) * 2 ** 16 + (hash[1] ?? 0) * 2 ** 8 + (hash[2] ?? 0)) * 2 ** 24 +
  ((hash[3] ?? 0) * 2 ** 16 + (hash[4] ?? 0) * 2 ** 8 + (hash[5] ?? 0))

/** The reduction of a column: the head of the hash and the column, modulo the number of passwords. */
export const reduce = (hash: Uint8Array, column: number, size: number): number => (headOf(hash) + column) % size

/** One step of a chain. */
export interface Link {
  column: number
  password: string
  hash: Uint8Array
}

export interface RainbowTable {
  space: PasswordSpace
  chainLength: number
  /** Indexes of the first and the last password of each chain. */
  starts: Uint32Array
  ends: Uint32Array
  /** Chains in the order of their ends. */
  order: Uint32Array
  /** Passwords that occur in some chain before its end: those that a look-up finds. */
  covered: number
  /** The hash of the password with this index. */
  hashOf(index: number): Uint8Array
}

export interface TableParameters extends SpaceParameters {
  hash: RainbowHash
  chainLength: number
  chainCount: number
}

/**
 * Computes a table whose chains start evenly spread over the passwords. Yields the share that is done. The passwords
 * covered are counted one by one, not estimated.
 */
export async function* generateTable(
  { hash, chainLength, chainCount, ...parameters }: TableParameters,
  now: () => number,
): AsyncGenerator<number, RainbowTable, void> {
  const space = passwordSpace(parameters)
  const hashOf = hasherOver(space, await runningHash(rainbowHashes[hash]), parameters.maxLength)
  const count = Math.min(chainCount, space.size)
  const starts = Uint32Array.from({ length: count }, (_, chain) => Math.floor((chain * space.size) / count))
  const ends = new Uint32Array(count)
  const seen = new Uint8Array(Math.ceil(space.size / 8))
  let covered = 0
  let chain = 0
  const step = (): boolean => {
    let index = starts[chain] ?? 0
    for (let column = 0; column < chainLength; column++) {
      const [cell, bit] = [index >> 3, 1 << (index & 7)]
      const before = seen[cell] ?? 0
      if (!(before & bit)) {
        seen[cell] = before | bit
        covered++
      }
      index = reduce(hashOf(index), column, space.size)
    }
    ends[chain++] = index
    return chain < count
  }
  for await (const _ of inSlices(step, now)) yield chain / count
  const order = Uint32Array.from(ends.keys()).sort((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0))
  return { space, chainLength, starts, ends, order, covered, hashOf }
}

function hasherOver(space: PasswordSpace, running: RunningHash, maxLength: number): (index: number) => Uint8Array {
  const buffer = new Uint8Array(4 * maxLength)
  return index =>
    running
      .init()
      .update(buffer.subarray(0, space.write(index, buffer)))
      .digest('binary')
}

export interface LookUp {
  /** The password and where it was: the chain by its place in the table, and the column. */
  found?: { password: string; chain: number; column: number }
  /** Columns tried, from the last to the first. */
  columns: number
  /** Ends that were in the table although their chain does not hold the hash: two chains had merged. */
  falseAlarms: number
  /** Hashes computed. */
  computed: number
}

/** Looks a hash up in a table; yields the share of the columns that was tried. */
export async function* lookUp(
  table: RainbowTable,
  wanted: Uint8Array,
  now: () => number,
): AsyncGenerator<number, LookUp, void> {
  const { chainLength } = table
  const state: LookUp = { columns: 0, falseAlarms: 0, computed: 0 }
  const step = (): boolean => {
    tryColumn(table, wanted, chainLength - 1 - state.columns++, state)
    return !state.found && state.columns < chainLength
  }
  for await (const _ of inSlices(step, now)) yield state.columns / chainLength
  return state
}

/** Supposes that the hash stands in a column, follows the chain to its end and looks for that end. */
function tryColumn(
  { space, chainLength, starts, ends, order, hashOf }: RainbowTable,
  wanted: Uint8Array,
  column: number,
  state: LookUp,
) {
  let index = reduce(wanted, column, space.size)
  for (let next = column + 1; next < chainLength; next++) index = reduce(hashOf(index), next, space.size)
  state.computed += chainLength - 1 - column
  for (let place = firstWithEnd(ends, order, index); ends[order[place] ?? -1] === index; place++) {
    const chain = order[place] ?? 0
    let candidate = starts[chain] ?? 0
    for (let next = 0; next < column; next++) candidate = reduce(hashOf(candidate), next, space.size)
    state.computed += column + 1
    if (equalBytes(hashOf(candidate), wanted)) {
      state.found = { password: space.text(candidate), chain, column }
      return
    }
    state.falseAlarms++
  }
}

/** The place in `order` of the first chain that ends there or later. */
function firstWithEnd(ends: Uint32Array, order: Uint32Array, end: number): number {
  let [low, high] = [0, order.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[order[middle] ?? 0] ?? 0) < end) low = middle + 1
    else high = middle
  }
  return low
}

/** The links of a chain from one column on. */
export function linksOf({ space, starts, hashOf }: RainbowTable, chain: number, from: number, to: number): Link[] {
  const links: Link[] = []
  let index = starts[chain] ?? 0
  for (let column = 0; column < to; column++) {
    const hash = hashOf(index)
    if (column >= from) links.push({ column, password: space.text(index), hash })
    index = reduce(hash, column, space.size)
  }
  return links
}

/**
 * The share of passwords that so many chains are expected to cover. Oechslin 2003, §3: of m distinct points in a
 * column, N(1 − e^(−m/N)) are left in the next.
 */
export function expectedCoverage(size: number, chainCount: number, chainLength: number): number {
  let distinct = chainCount
  let missed = 1
  for (let column = 0; column < chainLength; column++) {
    missed *= Math.max(0, 1 - distinct / size)
    distinct = size * -Math.expm1(-distinct / size)
  }
  return 1 - missed
}
