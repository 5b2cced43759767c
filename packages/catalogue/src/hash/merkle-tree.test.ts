import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { merkleTree } from './merkle-tree.ts'

async function run(raw: Record<string, unknown>) {
  const [action] = merkleTree.actions
  assert.ok(action)
  return (await performed(action, raw, replay())).result as Record<string, unknown>
}

test('every proof that is built verifies, with each convention and function, and fails for another leaf', async () => {
  const leaves = ['alpha', 'beta', 'gamma', 'delta', 'epsilon']
  for (const mode of ['plain', 'RFC6962']) {
    for (const algorithm of ['SHA-256', 'double-SHA-256', 'Keccak-256', 'SHA3-256']) {
      for (const [leaf_index, leaf] of leaves.entries()) {
        const built = await run({ input_text: leaves.join('\n'), mode, algorithm, leaf_index })
        const proof = (built.proof as { hash: string }[]).map(({ hash }) => hash).join('\n')
        const given = { operation: 'verify', mode, algorithm, leaf_index, tree_size: 5, proof, root: built.root }
        assert.equal((await run({ ...given, leaf })).valid, true)
        assert.equal((await run({ ...given, leaf: 'zeta' })).valid, false)
      }
    }
  }
})

test('Bitcoin takes and gives hashes as explorers show them', async () => {
  const input_text = [
    '8c14f0db3df150123e6f3dbbf30f8b955a8249b62ac1d1ff16284aefa3d06d87',
    'fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4',
    '6359f0868171b1d194cbee1af2f16ea598ae8fad666d9b012c8ed2b79a236ec4',
    'e9a66845e05d5abc0ad04ec80f774a7e585c6e8db975962d069a522137b80c1d',
  ].join('\n')
  const { root } = await run({ input_text, mode: 'Bitcoin', leaf_index: 2 })
  assert.equal(root, 'f3e94742aca4b5ef85488dc37c06c3282295ffec960994b2c0d5ac2a25a95766')
})

test('wrong input is refused at its field', async () => {
  const root = '00'.repeat(32)
  for (const [raw, field, message] of [
    [{}, 'input_text', /at least one/],
    [{ input_text: 'a\nb', leaf_index: 2 }, 'leaf_index', /from 0 to 1/],
    [{ input_text: 'a\nb', mode: 'Bitcoin' }, 'input_text', /line 1/],
    [{ input_text: '00\nzz', input_format: 'Hex' }, 'input_text', /line 2/],
    [{ input_text: '00', input_format: 'Hash' }, 'input_text', /32 bytes/],
    [{ input_text: 'a\n'.repeat(10_001) }, 'input_text', /10000/],
    [{ input_text: 'a', leaf_index: 10_000 }, 'leaf_index', /9999/],
    [{ operation: 'verify', leaf: 'a', root: '00' }, 'root', /32 bytes/],
    [{ operation: 'verify', leaf: 'a', root, proof: 'x' }, 'proof', /Proof/],
    [{ operation: 'verify', leaf: 'a', root, tree_size: 0 }, 'tree_size', /from 1/],
  ] as const) {
    await assert.rejects(run(raw), { name: 'Problem', field, message }, JSON.stringify(raw).slice(0, 80))
  }
})
