import { explain, field, mono, type Panel, Problem, panel, tool } from '@assay/kit'
import { type Bytes, equalBytes, fromHex, readBytes, toHex } from '@assay/lib/bytes'
import {
  inclusionProof,
  leafHash,
  MERKLE_HASH_BYTES,
  type MerkleHash,
  type MerkleRules,
  merkleHashes,
  merkleLevels,
  merkleModes,
  rootOfProof,
} from '@assay/lib/hash/merkle'

const MAX_LEAVES = 10_000
/** Trees up to this size are shown and given in full. */
const MAX_SHOWN_LEAVES = 64
const lineFormats = ['UTF-8', 'Hex', 'Base64', 'Hash'] as const

/** Merkle trees with their proofs. RFC 9162, RFC 6962, Bitcoin. */
export const merkleTree = tool({
  id: 'merkle-tree',
  path: 'merkle-tree',
  title: 'Merkle Tree Builder and Proof Verifier',
  category: 'hash-generators-and-checksum',
  summary: 'Build the Merkle tree over a list of leaves with the proof of any one, or check a proof against a root.',
  keywords: ['merkle root', 'inclusion proof', 'audit path', 'certificate transparency', 'bitcoin block', 'hash tree'],
  specs: ['RFC 6962', 'RFC 9162', 'Bitcoin'],
  runs: 'anywhere',
  fields: {
    operation: field.choice('What to do', ['build', 'verify']),
    input_text: field.area('Leaves', {
      placeholder: 'One leaf in each line',
      help: 'In Bitcoin mode transaction identifiers, as explorers show them.',
      dependsOn: { field: 'operation', values: ['build'] },
    }),
    leaf: field.text('Leaf', {
      help: 'In Bitcoin mode a transaction identifier.',
      dependsOn: { field: 'operation', values: ['verify'] },
    }),
    mode: field.choice('Convention', merkleModes, { default: 'RFC6962' }),
    algorithm: field.choice('Hash function', Object.keys(merkleHashes) as MerkleHash[], {
      default: 'SHA-256',
      dependsOn: { field: 'mode', values: ['plain', 'RFC6962'] },
    }),
    input_format: field.choice('Leaves are', lineFormats, {
      help: 'Hash: what stands at the bottom of the tree already, in hexadecimal.',
      dependsOn: { field: 'mode', values: ['plain', 'RFC6962'] },
    }),
    leaf_index: field.number('Leaf number', { min: 0, max: MAX_LEAVES - 1, default: 0, help: 'Counted from 0.' }),
    tree_size: field.number('Leaves in the tree', {
      min: 1,
      max: MAX_LEAVES,
      default: 1,
      dependsOn: { field: 'operation', values: ['verify'] },
    }),
    proof: field.area('Proof', {
      optional: true,
      help: 'The hashes from below, one in each line.',
      dependsOn: { field: 'operation', values: ['verify'] },
    }),
    root: field.text('Root', { dependsOn: { field: 'operation', values: ['verify'] } }),
  },

  run(input): MerkleResult {
    const { operation, mode, leaf_index } = input
    const rules: MerkleRules = { mode, hash: mode === 'Bitcoin' ? 'double-SHA-256' : input.algorithm }
    const format = mode === 'Bitcoin' ? 'Hash' : input.input_format
    const read = (text: string) => {
      const line = text.trim()
      if (format === 'Hash') return readHash(rules, line)
      return leafHash(rules, readBytes(format === 'UTF-8' ? text : line, format))
    }
    if (operation === 'verify') {
      const leaf = explain('leaf', 'Leaf', () => read(input.leaf))
      const root = explain('root', 'Root', () => readHash(rules, input.root.trim()))
      const steps = explain('proof', 'Proof', () =>
        (input.proof ?? '').split('\n').flatMap(line => (line.trim() ? [readHash(rules, line.trim())] : [])),
      )
      const found = rootOfProof(rules, leaf, leaf_index, input.tree_size, steps)
      return {
        operation,
        mode,
        algorithm: rules.hash,
        leaf_index,
        leaves: input.tree_size,
        leaf_hash: writeHash(rules, leaf),
        root: writeHash(rules, root),
        valid: found !== undefined && equalBytes(found, root),
        ...(found && { computed_root: writeHash(rules, found) }),
      }
    }
    const leaves = readLeaves(input.input_text, read)
    const levels = merkleLevels(rules, leaves)
    const proof = explain('leaf_index', 'Leaf number', () => inclusionProof(rules, levels, leaf_index))
    const [root] = levels.at(-1) ?? []
    const leaf = leaves[leaf_index]
    return {
      operation,
      mode,
      algorithm: rules.hash,
      leaf_index,
      leaves: leaves.length,
      leaf_hash: leaf ? writeHash(rules, leaf) : '',
      root: root ? writeHash(rules, root) : '',
      proof: proof.map(({ side, hash }) => ({ side, hash: writeHash(rules, hash) })),
      depth: levels.length - 1,
      ...(leaves.length <= MAX_SHOWN_LEAVES && {
        levels: levels.map(level => level.map(hash => writeHash(rules, hash))),
      }),
    }
  },

  show(result): Panel[] {
    const { leaves, leaf_index, leaf_hash, mode, algorithm, root, proof, levels, valid, computed_root, depth } = result
    const rules = `${mode}, ${algorithm}`
    if (valid !== undefined) {
      return [
        panel.banner(
          valid ? 'good' : 'bad',
          valid ? 'The leaf is in the tree' : 'The proof does not lead to the root',
          {
            ...(!valid && !computed_root && { detail: 'It has the wrong number of hashes for a leaf at this place.' }),
          },
        ),
        panel.facts([
          ['Leaf', `number ${leaf_index} of ${leaves}`],
          ['Hash of the leaf', mono(leaf_hash)],
          ['Root', mono(root)],
          ...(computed_root ? [['Root by the proof', mono(computed_root)] as const] : []),
          ['Convention', rules],
        ]),
      ]
    }
    return [
      panel.facts([
        ['Root', mono(root)],
        ['Leaves', String(leaves)],
        ['Levels above them', String(depth ?? 0)],
        ['Convention', rules],
        [`Hash of leaf ${leaf_index}`, mono(leaf_hash)],
      ]),
      panel.table(
        ['Sibling', 'Hash'],
        (proof ?? []).map(({ side, hash }) => [side, mono(hash)]),
        { title: `Proof of leaf ${leaf_index}`, empty: 'None is needed: the leaf is the root.' },
      ),
      ...(levels ?? [])
        .map((level, height) =>
          panel.list(
            level.map(hash => ({ text: mono(hash) })),
            { title: height === 0 ? 'Leaves' : `Level ${height}`, scroll: true },
          ),
        )
        .reverse(),
    ]
  },

  examples: [
    {
      from: 'certificate-transparency reference tree',
      input: {
        input_text: '\n00\n10\n2021\n3031\n40414243\n5051525354555657\n606162636465666768696a6b6c6d6e6f',
        input_format: 'Hex',
        leaf_index: 5,
      },
      result: {
        root: '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
        proof: [
          { side: 'left', hash: 'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b' },
          { side: 'right', hash: 'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0' },
          { side: 'left', hash: 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7' },
        ],
      },
    },
    {
      from: 'Bitcoin block 170',
      title: 'The first payment in Bitcoin',
      input: {
        input_text:
          'b1fea52486ce0c62bb442b530a3f0132b826c74e473d1f2c220bfa78111c5082\nf4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
        mode: 'Bitcoin',
      },
      result: { root: '7dac2c5666815c17a3b36427de37bb9d2e2c5ccec3f8633eb91a4205cb4c10ff' },
    },
    {
      from: 'certificate-transparency reference tree',
      title: 'Check a proof',
      input: {
        operation: 'verify',
        leaf: '40414243',
        input_format: 'Hex',
        leaf_index: 5,
        tree_size: 8,
        proof:
          'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b\nca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0\nd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
        root: '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
      },
      result: { valid: true },
    },
  ],
})

interface MerkleResult {
  operation: 'build' | 'verify'
  mode: MerkleRules['mode']
  algorithm: MerkleHash
  leaf_index: number
  leaves: number
  leaf_hash: string
  root: string
  proof?: { side: 'left' | 'right'; hash: string }[]
  depth?: number
  levels?: string[][]
  valid?: boolean
  computed_root?: string
}

/** One leaf in each line; the line break at the end of a text begins no other. */
function readLeaves(text: string, read: (line: string) => Bytes): Bytes[] {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const refuse = (message: string) => new Problem('invalid-input', message, { field: 'input_text' })
  if (text === '') throw refuse('Leaves: please enter at least one leaf.')
  if (lines.length > MAX_LEAVES) throw refuse(`Leaves: expected at most ${MAX_LEAVES} lines, got ${lines.length}.`)
  return lines.map((line, index) => explain('input_text', `Leaves, line ${index + 1}`, () => read(line)))
}

/** Bitcoin shows its hashes backwards. */
function readHash({ mode }: MerkleRules, text: string): Bytes {
  const hash = fromHex(text)
  if (hash.length !== MERKLE_HASH_BYTES) {
    throw new RangeError(`expected a hash of ${MERKLE_HASH_BYTES} bytes in hexadecimal, got ${hash.length}`)
  }
  return mode === 'Bitcoin' ? hash.reverse() : hash
}
const writeHash = ({ mode }: MerkleRules, hash: Bytes) => toHex(mode === 'Bitcoin' ? hash.slice().reverse() : hash)
