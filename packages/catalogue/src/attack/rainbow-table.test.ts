import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { perform, performed, type Update } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { rainbowTable } from './rainbow-table.ts'

const [action] = rainbowTable.actions
assert.ok(action)

type Result = {
  passwords: number
  chains: number
  coverage: number
  covered: number
  hashes_computed: number
  table: { start: string; end: string }[]
  lookup?: { found: boolean; password?: string; links: { password: string; hash: string }[]; column?: number }
}
const run = async (raw: Record<string, unknown>) => (await performed(action, raw, replay())).result as Result
const SMALL = { charset: 'abcdef', max_length: 3, chain_length: 10 }
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

test('[CTL-124] [CTL-125] [CTL-126] [CTL-127] the fields and fixed choices are those asked for', () => {
  const { hash_algorithm, charset, min_length, max_length } = action.fields
  assert.deepEqual(hash_algorithm?.options, ['MD5', 'SHA1', 'SHA256'])
  assert.equal(charset?.default, 'abcdefghijklmnopqrstuvwxyz')
  assert.deepEqual([min_length?.default, max_length?.default, max_length?.max], [1, 4, 5])
})

test('a table of small words covers nine in ten, and what it says it found is right', async () => {
  const { passwords, coverage, covered, chains, hashes_computed, table } = await run(SMALL)
  assert.equal(passwords, 6 + 36 + 216)
  assert.ok(coverage > 0.85 && coverage === covered / passwords, String(coverage))
  assert.equal(hashes_computed, chains * 10)
  assert.equal(table.length, Math.min(100, chains))
  let found = 0
  for (const first of 'abcdef') {
    for (const second of 'abcdef') {
      const { lookup } = await run({ ...SMALL, hash_value: md5(first + second) })
      if (!lookup?.found) continue
      found++
      assert.equal(lookup.password, first + second)
      assert.deepEqual(lookup.links.at(-1), {
        column: lookup.column,
        password: first + second,
        hash: md5(first + second),
      })
    }
  }
  assert.ok(found >= 26, `${found} of 36`)
})

test('what is not in the table is a finding', async () => {
  const { lookup } = await run({ ...SMALL, hash_value: md5('xyz') })
  assert.equal(lookup?.found, false)
  const panels = action.show?.(await run({ ...SMALL, hash_value: md5('xyz') }), {}) ?? []
  assert.partialDeepStrictEqual(panels[0], { kind: 'banner', title: 'The hash is not in this table' })
})

test('the table is shown before the look-up, with progress rising', async () => {
  const updates: Update<Result>[] = []
  for await (const update of perform(action, { ...SMALL, hash_value: md5('abc') }, replay())) {
    updates.push(update as Update<Result>)
  }
  assert.equal(updates.filter(({ partial }) => partial).length, 1)
  const progress = updates.map(update => update.progress ?? 0)
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  )
})

test('[OPEN-077] what is over a limit or makes no sense is refused at its field', async () => {
  for (const [bad, field] of [
    [{ max_length: 6 }, 'max_length'],
    [{ min_length: 0 }, 'min_length'],
    [{ min_length: 4 }, 'min_length'],
    [{ charset: '' }, 'charset'],
    [{ charset: 'aab' }, 'charset'],
    [{ charset: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', max_length: 5 }, 'charset'],
    [{ charset: 'x'.repeat(201) }, 'charset'],
    [{ chain_length: 1 }, 'chain_length'],
    [{ chain_length: 1001 }, 'chain_length'],
    [{ chain_length: 1000, chain_count: 1_000_000 }, 'chain_count'],
    [{ chain_count: -1 }, 'chain_count'],
    [{ hash_algorithm: 'NTLM' }, 'hash_algorithm'],
    [{ hash_value: 'xyz' }, 'hash_value'],
    [{ hash_value: 'abcd' }, 'hash_value'],
    [{ hash_value: md5('a'), hash_algorithm: 'SHA1' }, 'hash_value'],
  ] as const) {
    await assert.rejects(run({ ...SMALL, ...bad }), { name: 'Problem', field }, JSON.stringify(bad))
  }
})

test('cost follows the links to be computed, and the preset stays within two million', async () => {
  const { cost, fields } = action
  assert.ok(cost !== 'light')
  const preset = Object.fromEntries(Object.entries(fields).map(([name, data]) => [name, data.default]))
  assert.ok(cost(preset).milliseconds <= 20 + 2_000_000 * 0.004)
  assert.ok(cost({ ...preset, chain_count: 1_000_000 }).milliseconds > 100_000)
  assert.ok(cost({ ...preset, max_length: 5 }).megabytes > 64)
})
