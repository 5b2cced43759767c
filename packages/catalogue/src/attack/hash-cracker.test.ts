import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { perform, performed, type Update } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { hashCracker } from './hash-cracker.ts'

const [action] = hashCracker.actions
assert.ok(action)

type Result = {
  results: { hash: string; hash_type: string; password: string | null; how?: string }[]
  found: number
  tried: number
  exhausted: boolean
}
const run = async (raw: Record<string, unknown>) => (await performed(action, raw, replay())).result as Result
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

test('[CTL-005] [CTL-113] common passwords with variations are found, a random one is not', async () => {
  const words = ['123456', 'Password1', 'Summer2024!', 'dr@g0n', 'Liverpool99', 'qwertyuiop123']
  const { results, exhausted } = await run({
    hash_value: [...words, 'vT9#xQ2m'].map(md5).join('\n'),
    hash_type: 'MD5',
  })
  assert.deepEqual(
    results.map(({ password }) => password),
    [...words, null],
  )
  assert.equal(exhausted, true)
})

test('without variations only the words themselves are tried', async () => {
  const input = {
    hash_value: `${md5('open')}\n${md5('open1')}`,
    hash_type: 'MD5',
    mode: 'wordlist',
    dictionary: 'open',
  }
  assert.equal((await run({ ...input, rules: 'none' })).found, 1)
  assert.equal((await run(input)).found, 2)
})

test('[OPEN-099] spaces in a list are part of the word', async () => {
  const input = { hash_type: 'MD5', mode: 'wordlist', rules: 'none', dictionary: ' open \r\nsesame\r\n' }
  assert.equal((await run({ ...input, hash_value: md5(' open ') })).found, 1)
  assert.equal((await run({ ...input, hash_value: md5('open') })).found, 0)
  assert.equal((await run({ ...input, hash_value: md5('sesame') })).found, 1)
})

test('finds are shown as they come, with the rate', async () => {
  const updates: Update<Result>[] = []
  const times = (function* () {
    for (let time = 0; ; time++) yield time
  })()
  const context = { ...replay(), now: () => new Date(times.next().value) }
  const running = perform(
    action,
    { hash_value: `${md5('aaaa')}\n${md5('zzzz')}`, hash_type: 'MD5', mode: 'mask' },
    context,
  )
  for await (const update of running) updates.push(update as Update<Result>)
  const partials = updates.flatMap(({ partial }) => partial ?? [])
  assert.equal(partials[0]?.found, 1)
  assert.ok(partials[0].tried < 26 ** 4)
  assert.match(String(updates.at(-1)?.label), /^[\d,]+ tried, [\d,]+ a second$/)
})

test('[OPEN-077] what is over a limit, or is no hash or mask, is refused at its field', async () => {
  const good = { hash_value: md5('x'), mode: 'mask', mask: '?l' }
  for (const [bad, field] of [
    [{ hash_value: '' }, 'hash_value'],
    [{ hash_value: 'not a hash' }, 'hash_value'],
    [{ hash_value: '0'.repeat(33) }, 'hash_value'],
    [{ hash_type: 'SHA1' }, 'hash_value'],
    [{ hash_type: 'SHA-1' }, 'hash_type'],
    [{ mask: '' }, 'mask'],
    [{ mask: '?q' }, 'mask'],
    [{ mode: 'wordlist', mask: undefined }, 'dictionary'],
    [{ mode: 'wordlist', mask: undefined, dictionary: 'a\n'.repeat(100_001) }, 'dictionary'],
    [{ mode: 'wordlist', mask: undefined, dictionary: 'x'.repeat(129) }, 'dictionary'],
    [{ mode: 'wordlist', mask: undefined, dictionary: '\ud800' }, 'dictionary'],
    [{ max_trials: 0 }, 'max_trials'],
    [{ max_trials: 1_000_000_001 }, 'max_trials'],
    [{ max_trials: '1e9' }, 'max_trials'],
  ] as const) {
    await assert.rejects(run({ ...good, ...bad }), { name: 'Problem', field }, JSON.stringify(bad).slice(0, 80))
  }
})

test('cost follows what will be tried', () => {
  const { cost } = action
  assert.ok(cost !== 'light')
  const base = {
    hash_value: md5('x'),
    hash_type: 'MD5',
    dictionary: '',
    mask: '?l?l',
    rules: 'simple',
    max_trials: 2_000_000,
  }
  const of = (more: object) => cost({ ...base, mode: 'mask', ...more }).milliseconds
  assert.ok(of({}) < 30)
  assert.ok(of({ mask: '?a?a?a?a?a?a' }) > 5000)
  assert.ok(of({ mask: '?a?a?a?a?a?a', max_trials: 100 }) < of({}), 'the limit bounds it')
  assert.ok(of({ hash_type: 'auto' }) > of({}), 'two kinds cost twice')
  assert.ok(of({ max_trials: 1_000_000_000, mask: '?a?a?a?a?a?a' }) > 1_000_000)
})
