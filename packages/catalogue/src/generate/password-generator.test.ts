import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { SIMILAR } from '@assay/lib/generate/password'
import { passwordGenerator } from './password-generator.ts'

const [action] = passwordGenerator.actions
async function run(input: Record<string, unknown>) {
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as { passwords: string[]; length: number; entropy_bits: number }
  return { ...result, panels: action.show?.(result, outcome.input) ?? [] }
}

test('[CTL-075] the form is right and no two runs give the same', async () => {
  const [first, second] = [await run({}), await run({})]
  for (const { passwords } of [first, second]) {
    assert.equal(passwords.length, 5)
    for (const password of passwords) {
      assert.match(password, /^(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])(?=.*[!-/:-@[-`{-~])[!-~]{20}$/)
    }
  }
  assert.equal(new Set([...first.passwords, ...second.passwords]).size, 10)
})

test('each kind of character can be left out', async () => {
  for (const [name, pattern] of [
    ['uppercase', /[A-Z]/],
    ['lowercase', /[a-z]/],
    ['digits', /[0-9]/],
    ['symbols', /[!-/:-@[-`{-~]/],
  ] as const) {
    const { passwords } = await run({ [name]: 'no', count: 50 })
    assert.ok(
      passwords.every(password => !pattern.test(password)),
      name,
    )
  }
})

test('similar characters are left out of classes and patterns', async () => {
  for (const input of [{}, { pattern: '?a?a?a?a?a?a?a?a' }]) {
    const { passwords } = await run({ ...input, count: 200, exclude_similar: 'yes' })
    assert.ok([...SIMILAR].every(character => !passwords.join('').includes(character)))
  }
})

test('a pattern is followed and what it costs is counted', async () => {
  const { passwords, entropy_bits, length } = await run({ pattern: 'Wifi-?d?d?d?d', length: 99, count: 3 })
  assert.ok(passwords.every(password => /^Wifi-\d{4}$/.test(password)))
  assert.deepEqual([entropy_bits, length], [13.3, 9])
})

test('the longest passwords have a finite entropy and a time to guess', async () => {
  const { entropy_bits, panels } = await run({ length: 256, count: 500 })
  assert.equal(entropy_bits, 1678)
  assert.match(JSON.stringify(panels), /10\^48\d years/)
})

test('the time to guess reads as people say it', async () => {
  const said = async (length: number) =>
    JSON.stringify((await run({ length, uppercase: 'no', digits: 'no', symbols: 'no' })).panels)
  // 26^8 / 2 / 10^12 is a tenth of a second, 26^10 / 2 / 10^12 is 70.6 s, 26^12 / 2 / 10^12 is 13.3 hours.
  assert.match(await said(8), /less than a second/)
  assert.match(await said(10), /1 minute"/)
  assert.match(await said(12), /13 hours/)
  assert.match(await said(14), /1 year"/)
})

test('refusals name the field and say what to do', async () => {
  const none = { uppercase: 'no', lowercase: 'no', digits: 'no', symbols: 'no' }
  for (const [input, field, message] of [
    [none, 'lowercase', 'Choose at least one kind of character, or give a pattern.'],
    [{ length: 3 }, 'length', 'Length: expected at least 4, one for every kind of character, got 3.'],
    [{ length: 257 }, 'length', /^Length: expected a whole number from 1 to 256/],
    [{ count: 0 }, 'count', /^How many: expected a whole number from 1 to 500/],
    [{ pattern: '?q' }, 'pattern', /^Pattern: character 1 is a question mark without/],
    [{ pattern: 'fixed' }, 'pattern', /there is nothing to choose/],
  ] as const) {
    await assert.rejects(run(input), { name: 'Problem', code: 'invalid-input', field, message })
  }
})
