import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serialize } from 'node:v8'
import { actions } from '@assay/catalogue/catalogue'
import { type Outcome, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { answerOf } from '../answer.ts'
import { defaultLimits } from '../limits.ts'
import { createVault } from './vault.ts'

const MAX = defaultLimits.sharedResultBytes
const vault = createVault('secret', 'question', MAX)
const through = async (value: unknown) => vault.open((await vault.seal(value)) ?? Buffer.of())

for (const { tool, action } of actions.filter(({ tool }) => tool.runs === 'server')) {
  for (const { from, input, recording } of action.examples) {
    test(`${tool.id}: ${from} comes out as it went in, and looks the same`, async () => {
      const outcome = await performed(action, input, replay(recording))
      const shared = (await through(outcome)) as Outcome
      assert.deepEqual(shared, outcome)
      assert.deepEqual(answerOf(action, shared, true), answerOf(action, outcome, true))
      const sealed = await vault.seal(outcome)
      assert.ok(sealed && sealed.length < MAX / 20, `${sealed?.length} bytes`)
    })
  }
}

test('whatever a result can hold comes out as it went in', async () => {
  for (const value of [
    undefined,
    null,
    -0,
    Number.NaN,
    2n ** 200n,
    '\ud800 lone, \0 and \u{1f426}',
    new Date(0),
    new Uint8Array(1_000).fill(7),
    new Map([['a', new Set([1n])]]),
    { a: undefined, b: [undefined, 1] },
    JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}'),
  ]) {
    assert.deepEqual(await through({ value }), { value })
  }
})

test('a value above the limit is not sealed, one of exactly so much is', async () => {
  const bytes = (length: number) => new Uint8Array(length)
  const overhead = serialize(bytes(MAX - 1_000)).length - (MAX - 1_000)
  assert.ok(await vault.seal(bytes(MAX - overhead)))
  assert.equal(await vault.seal(bytes(MAX - overhead + 1)), undefined)
})

test('what was changed, cut, or sealed by others is not opened', async () => {
  const sealed = (await vault.seal({ a: 1 })) ?? Buffer.of()
  for (const [secret, question] of [
    ['other', 'question'],
    ['secret', 'other'],
  ] as const) {
    assert.equal(await createVault(secret, question, MAX).open(sealed), undefined)
  }
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed)
    changed[i] = (changed[i] ?? 0) ^ 1
    assert.equal(await vault.open(changed), undefined)
    assert.equal(await vault.open(sealed.subarray(0, i)), undefined)
  }
  assert.deepEqual(await vault.open(sealed), { a: 1 })
  assert.notDeepEqual(await vault.seal({ a: 1 }), sealed)
})
