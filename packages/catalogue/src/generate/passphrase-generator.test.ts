import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { loadWordlist, wordlistNames } from '@assay/lib/generate/wordlist'
import { passphraseGenerator } from './passphrase-generator.ts'

const [action] = passphraseGenerator.actions
interface Result {
  passphrases: string[]
  words: number
  entropy_bits: number
  dice?: { rolls: string; word: string }[]
}
async function run(input: Record<string, unknown>) {
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Result
  return { ...result, panels: JSON.stringify(action.show?.(result, outcome.input)) }
}

test('[CTL-076] the form is right and no two runs give the same', async () => {
  const list = new Set((await loadWordlist('EFF long')).words)
  const [first, second] = [await run({ separator: ' ' }), await run({ separator: ' ' })]
  for (const { passphrases } of [first, second]) {
    assert.equal(passphrases.length, 1)
    const words = passphrases.join().split(' ')
    assert.equal(words.length, 6)
    assert.ok(words.every(word => list.has(word)))
  }
  assert.notDeepEqual(first.passphrases, second.passphrases)
})

test('as many words as asked for, all of them of the list', async () => {
  for (const wordlist of wordlistNames) {
    const list = new Set((await loadWordlist(wordlist)).words)
    for (const words of [1, 7, 64]) {
      const { passphrases } = await run({ wordlist, words, separator: '/', count: 100 })
      assert.equal(passphrases.length, 100)
      for (const drawn of passphrases.map(text => text.split('/'))) {
        assert.equal(drawn.length, words)
        assert.ok(drawn.every(word => list.has(word)))
      }
    }
  }
})

test('capitals, a digit, and no separator', async () => {
  const { passphrases, entropy_bits } = await run({
    ...{ separator: '', capitalize: 'yes', number: 'yes', words: 4, wordlist: 'EFF short 1', count: 50 },
  })
  for (const text of passphrases) assert.match(text, /^(?:[A-Z][a-z-]{2,4}\d?){4}$/)
  assert.ok(passphrases.every(text => text.replace(/\D/g, '').length === 1))
  // 4 log₂ 1296 + log₂ 40
  assert.equal(entropy_bits, 46.7)
})

test('dice choose the words and their number', async () => {
  const { passphrases, words, dice, panels } = await run({ dice_rolls: '6666 1111', wordlist: 'EFF short 2', count: 5 })
  assert.deepEqual(passphrases, ['zucchini-aardvark'])
  assert.equal(words, 2)
  assert.deepEqual(dice, [
    { rolls: '6666', word: 'zucchini' },
    { rolls: '1111', word: 'aardvark' },
  ])
  assert.match(panels, /is guessed quickly/)
})

test('the licence is told, and a list whose words run together is warned of', async () => {
  assert.match((await run({})).panels, /Electronic Frontier Foundation, CC BY 3\.0 US/)
  assert.match((await run({ wordlist: 'BIP39 English', separator: '' })).panels, /art work and artwork/)
  assert.doesNotMatch((await run({ separator: '' })).panels, /artwork/)
})

test('refusals name the field and say what was expected', async () => {
  for (const [input, field, message] of [
    [{ words: 0 }, 'words', 'Words: expected a whole number from 1 to 64.'],
    [{ words: 65 }, 'words', 'Words: expected a whole number from 1 to 64.'],
    [{ count: 101 }, 'count', 'How many: expected a whole number from 1 to 100.'],
    [{ separator: '-'.repeat(17) }, 'separator', 'Between the words: expected at most 16 characters, got 17.'],
    [{ dice_rolls: '12347' }, 'dice_rolls', 'Rolls: roll 5 is not a number from 1 to 6.'],
    [{ dice_rolls: '1 2 3' }, 'dice_rolls', 'Rolls: expected 5 rolls for each word, got 3: 2 more are needed.'],
    [{ dice_rolls: '11111', wordlist: 'BIP39 English' }, 'dice_rolls', /^Rolls: this list has no dice numbers/],
    [{ dice_rolls: '1'.repeat(1001) }, 'dice_rolls', /expected at most 1000 characters/],
    [{ wordlist: 'Beale' }, 'wordlist', /^List of words: expected one of EFF long, /],
  ] as const) {
    await assert.rejects(run(input), { name: 'Problem', code: 'invalid-input', field, message })
  }
})
