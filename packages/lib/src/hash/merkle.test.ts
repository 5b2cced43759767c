import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { type Bytes, fromHex, toHex } from '../bytes.ts'
import { inclusionProof, leafHash, type MerkleRules, merkleLevels, rootOfProof } from './merkle.ts'

const ct: MerkleRules = { mode: 'RFC6962', hash: 'SHA-256' }
const bitcoin: MerkleRules = { mode: 'Bitcoin', hash: 'double-SHA-256' }
const root = (rules: MerkleRules, leaves: readonly Bytes[]) =>
  toHex(merkleLevels(rules, leaves).at(-1)?.[0] ?? fromHex(''))
const reversed = (hex: string) => fromHex(hex).reverse()

const CT_LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
const CT_ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]
const ctLeaves = CT_LEAVES.map(leaf => leafHash(ct, fromHex(leaf)))
for (const [index, expected] of CT_ROOTS.entries()) {
  test(`certificate-transparency reference tree: the root of ${index + 1} leaves`, () =>
    assert.equal(root(ct, ctLeaves.slice(0, index + 1)), expected))
}

for (const [index, expected] of [
  [
    0,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    5,
    [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
] as const) {
  test(`certificate-transparency reference tree: the proof of leaf ${index} of eight`, () => {
    const proof = inclusionProof(ct, merkleLevels(ct, ctLeaves), index)
    assert.deepEqual(
      proof.map(({ hash }) => toHex(hash)),
      expected,
    )
  })
}

for (const [block, transactions, expected] of [
  [
    170,
    [
      'b1fea52486ce0c62bb442b530a3f0132b826c74e473d1f2c220bfa78111c5082',
      'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
    ],
    '7dac2c5666815c17a3b36427de37bb9d2e2c5ccec3f8633eb91a4205cb4c10ff',
  ],
  [
    100_000,
    [
      '8c14f0db3df150123e6f3dbbf30f8b955a8249b62ac1d1ff16284aefa3d06d87',
      'fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4',
      '6359f0868171b1d194cbee1af2f16ea598ae8fad666d9b012c8ed2b79a236ec4',
      'e9a66845e05d5abc0ad04ec80f774a7e585c6e8db975962d069a522137b80c1d',
    ],
    'f3e94742aca4b5ef85488dc37c06c3282295ffec960994b2c0d5ac2a25a95766',
  ],
] as const) {
  test(`Bitcoin block ${block}: the root of its transactions`, () =>
    assert.equal(toHex(fromHex(root(bitcoin, transactions.map(reversed))).reverse()), expected))
}

test('Bitcoin block 0: the root of one transaction is that transaction', () => {
  const only = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b'
  assert.equal(root(bitcoin, [fromHex(only)]), only)
})

/** The definitions as they stand in RFC 9162 §2.1.1, recursive from the top, and Bitcoin's from Python's hashlib. */
const ORACLE = `
import sys, json, hashlib
h = {'SHA-256': lambda m: hashlib.sha256(m).digest(), 'SHA3-256': lambda m: hashlib.sha3_256(m).digest(),
     'double-SHA-256': lambda m: hashlib.sha256(hashlib.sha256(m).digest()).digest()}
def top(d, H, leaf, node):
    if len(d) == 1: return H(leaf + d[0])
    k = 1
    while k * 2 < len(d): k *= 2
    return H(node + top(d[:k], H, leaf, node) + top(d[k:], H, leaf, node))
def bitcoin(d, H):
    while len(d) > 1:
        if len(d) % 2: d = d + [d[-1]]
        d = [H(d[i] + d[i+1]) for i in range(0, len(d), 2)]
    return d[0]
for mode, name, leaves in json.load(sys.stdin):
    d = [bytes.fromhex(x) for x in leaves]; H = h[name]
    r = bitcoin([H(x) for x in d], H) if mode == 'Bitcoin' else top(d, H, b'\\0', b'\\1') if mode == 'RFC6962' else top(d, H, b'', b'')
    print(r.hex())
`

test('the roots of 270 random trees of 1 to 40 leaves equal the definitions in Python', () => {
  const cases = Array.from({ length: 270 }, (_, i) => ({
    mode: (['plain', 'RFC6962', 'Bitcoin'] as const)[i % 3] ?? 'plain',
    hash: (['SHA-256', 'SHA3-256', 'double-SHA-256'] as const)[randomInt(3)] ?? 'SHA-256',
    leaves: Array.from({ length: 1 + (i % 40) }, () => Uint8Array.from(randomBytes(randomInt(40)))),
  }))
  const input = JSON.stringify(cases.map(({ mode, hash, leaves }) => [mode, hash, leaves.map(toHex)]))
  const printed = execFileSync('python3', ['-c', ORACLE], { input, encoding: 'utf8' })
  assert.deepEqual(
    cases.map(({ leaves, ...rules }) =>
      root(
        rules,
        leaves.map(leaf => leafHash(rules, leaf)),
      ),
    ),
    printed.trim().split('\n'),
  )
})

for (const mode of ['plain', 'RFC6962', 'Bitcoin'] as const) {
  test(`${mode}: every proof in trees of 1 to 20 leaves leads to the root, and none that was altered`, () => {
    const rules: MerkleRules = { mode, hash: 'SHA-256' }
    for (let size = 1; size <= 20; size++) {
      const leaves = Array.from({ length: size }, () => Uint8Array.from(randomBytes(32)))
      const levels = merkleLevels(rules, leaves)
      const expected = toHex(levels.at(-1)?.[0] ?? fromHex(''))
      for (const [index, leaf] of leaves.entries()) {
        const proof = inclusionProof(rules, levels, index).map(({ hash }) => hash)
        const leadsTo = (given: readonly Bytes[], at = index, of = size, from = leaf) => {
          const found = rootOfProof(rules, from, at, of, given)
          return found !== undefined && toHex(found) === expected
        }
        assert.ok(leadsTo(proof))
        assert.ok(!leadsTo([...proof, leaf]))
        if (proof.length > 0) assert.ok(!leadsTo(proof.slice(1)))
        assert.ok(!leadsTo(proof, size))
        if (size > 1) assert.ok(!leadsTo(proof, (index + 1) % size))
        assert.ok(
          !leadsTo(
            proof,
            index,
            size,
            Uint8Array.from(leaf, byte => byte ^ 1),
          ),
        )
        for (const step of proof.keys()) {
          assert.ok(!leadsTo(proof.map((hash, i) => (i === step ? Uint8Array.from(hash, byte => byte ^ 128) : hash))))
        }
      }
    }
  })
}

test('no leaves, and an index beyond them, are refused', () => {
  assert.throws(() => merkleLevels(ct, []), /at least one leaf/)
  const levels = merkleLevels(ct, ctLeaves)
  for (const index of [-1, 8, 1.5, Number.NaN]) assert.throws(() => inclusionProof(ct, levels, index), /from 0 to 7/)
})
