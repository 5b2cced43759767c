import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256, sha3_256 } from '@noble/hashes/sha3.js'
import { type Bytes, concat, equalBytes } from '../bytes.ts'

/**
 * Merkle trees by three conventions. RFC 9162 §2.1 (as RFC 6962 §2.1): leaves and nodes are hashed with different
 * first bytes, and a node without a sibling moves up as it is. Bitcoin: leaves are transaction hashes, and a node
 * without a sibling is paired with itself. Plain: as RFC 9162 without the first bytes.
 */

export const merkleHashes = {
  'SHA-256': sha256,
  'double-SHA-256': (message: Uint8Array) => sha256(sha256(message)),
  'Keccak-256': keccak_256,
  'SHA3-256': sha3_256,
} as const satisfies Record<string, (message: Uint8Array) => Uint8Array>
export type MerkleHash = keyof typeof merkleHashes
export const MERKLE_HASH_BYTES = 32

export const merkleModes = ['plain', 'RFC6962', 'Bitcoin'] as const
export type MerkleMode = (typeof merkleModes)[number]

export interface MerkleRules {
  mode: MerkleMode
  hash: MerkleHash
}

/** One step from a leaf to the root: the sibling, and on which side of the path it stands. */
export interface MerkleStep {
  side: 'left' | 'right'
  hash: Bytes
}

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

/** What stands at the bottom for a piece of data. Bitcoin has no rule for it: its leaves are hashes already. */
export function leafHash({ mode, hash }: MerkleRules, data: Uint8Array): Bytes {
  return merkleHashes[hash](mode === 'RFC6962' ? concat(LEAF, data) : data) as Bytes
}

const nodeHash = ({ mode, hash }: MerkleRules, left: Uint8Array, right: Uint8Array) =>
  merkleHashes[hash](mode === 'RFC6962' ? concat(NODE, left, right) : concat(left, right)) as Bytes

/** The levels of a tree, from the leaf hashes to the root; RangeError without leaves. */
export function merkleLevels(rules: MerkleRules, leaves: readonly Bytes[]): Bytes[][] {
  if (leaves.length === 0) throw new RangeError('expected at least one leaf')
  const levels = [[...leaves]]
  for (let level = levels[0] ?? []; level.length > 1; levels.push(level)) {
    level = pairs(level).map(([left, right]) => {
      if (right) return nodeHash(rules, left, right)
      return rules.mode === 'Bitcoin' ? nodeHash(rules, left, left) : left
    })
  }
  return levels
}

function pairs(level: readonly Bytes[]): (readonly [Bytes, Bytes | undefined])[] {
  return level.flatMap((left, index) => (index % 2 === 0 ? [[left, level[index + 1]] as const] : []))
}

/** The siblings on the way from a leaf to the root, from below. RFC 9162 §2.1.3.1. */
export function inclusionProof(
  { mode }: MerkleRules,
  levels: readonly (readonly Bytes[])[],
  index: number,
): MerkleStep[] {
  const leaves = levels[0]?.length ?? 0
  if (!Number.isInteger(index) || index < 0 || index >= leaves) {
    throw new RangeError(`expected the index of a leaf, from 0 to ${leaves - 1}`)
  }
  return levels.slice(0, -1).flatMap((level, height): MerkleStep[] => {
    const position = Math.floor(index / 2 ** height)
    const sibling = level[position ^ 1] ?? (mode === 'Bitcoin' ? level[position] : undefined)
    return sibling ? [{ side: position % 2 === 1 ? 'left' : 'right', hash: sibling }] : []
  })
}

/**
 * The root that a proof leads to, or undefined when it has a wrong number of steps for a leaf at this place.
 * RFC 9162 §2.1.3.2.
 */
export function rootOfProof(
  rules: MerkleRules,
  leaf: Bytes,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
): Bytes | undefined {
  if (!Number.isInteger(index) || index < 0 || index >= size) return undefined
  let [position, last, hash] = [index, size - 1, leaf]
  const rest = [...proof]
  for (; last > 0; position = Math.floor(position / 2), last = Math.floor(last / 2)) {
    const alone = position === last && position % 2 === 0
    if (alone && rules.mode !== 'Bitcoin') continue
    const sibling = rest.shift()
    if (!sibling) return undefined
    // Bitcoin pairs a node without a sibling with itself and with nothing else.
    if (alone && !equalBytes(sibling, hash)) return undefined
    hash = position % 2 === 1 ? nodeHash(rules, sibling, hash) : nodeHash(rules, hash, sibling)
  }
  return rest.length === 0 ? hash : undefined
}
