import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed, type Tool } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { atbash } from './atbash.ts'
import { caesarCipher } from './caesar-cipher.ts'
import { rot13 } from './rot13.ts'

async function run({ actions }: Tool, input: Record<string, unknown>, name = '') {
  const action = actions.find(action => action.name === name) ?? assert.fail()
  const outcome = await performed(action, input, replay())
  const result = outcome.result as { output: string }
  return { ...result, panels: action.show?.(result, outcome.input) ?? [] }
}

test('[CTL-047] rot13: the variants by their names alone', async () => {
  const text = 'Hello 2026 ~é'
  for (const [variant, output] of [
    ['ROT13', 'Uryyb 2026 ~é'],
    ['ROT5', 'Hello 7571 ~é'],
    ['ROT18', 'Uryyb 7571 ~é'],
    ['ROT47', 'w6==@ a_ae Oé'],
  ]) {
    assert.equal((await run(rot13, { text, variant })).output, output)
    assert.equal((await run(rot13, { text: output, variant })).output, text)
  }
})

test('CyberChef Rotate.mjs: another amount turns by that many places', async () => {
  const text = 'The Quick Brown Fox Jumped Over The Lazy Dog.'
  assert.equal((await run(rot13, { text, amount: 26 })).output, text)
  assert.equal((await run(rot13, { text, amount: 0 })).output, text)
  assert.equal((await run(rot13, { text, variant: 'ROT47', amount: 94 })).output, text)
  assert.equal(
    (await run(rot13, { text, variant: 'ROT47', amount: 47 })).output,
    (await run(rot13, { text, variant: 'ROT47' })).output,
  )
  assert.equal((await run(rot13, { text: '0123456789', variant: 'ROT5', amount: '-13' })).output, '7890123456')
})

test('[CTL-048] [OPEN-051] atbash and rot13 give what the page of Caesar gives by their names', async () => {
  const text = 'Veni, vidi, vici: old slow slim horn ÄÖ 42'
  for (const [tool, cipher_type] of [
    [atbash, 'atbash'],
    [rot13, 'rot13'],
  ] as const) {
    assert.equal((await run(tool, { text })).output, (await run(caesarCipher, { text, cipher_type }, 'encrypt')).output)
  }
})

test('atbash in Hebrew, with final forms and without', async () => {
  assert.equal((await run(atbash, { text: 'בבל', alphabet: 'Hebrew' })).output, 'ששך')
  assert.equal((await run(atbash, { text: 'בבל', alphabet: 'Hebrew', final_letters: 'never' })).output, 'ששכ')
  assert.equal((await run(atbash, { text: 'abc', alphabet: 'Hebrew' })).output, 'abc')
})

test('an output too long to draw is there all the same', async () => {
  const { output, panels } = await run(rot13, { text: 'a'.repeat(300_000) })
  assert.equal(output, 'n'.repeat(300_000))
  assert.equal(panels[0]?.kind, 'note')
})

test('what is no variant, alphabet or number of places is refused at its field', async () => {
  for (const [tool, input, field] of [
    [rot13, { variant: 'ROT14' }, 'variant'],
    [rot13, { amount: 100_001 }, 'amount'],
    [rot13, { amount: '1.5' }, 'amount'],
    [rot13, { text: '\ud800' }, 'text'],
    [atbash, { alphabet: 'Greek' }, 'alphabet'],
    [atbash, { text: 'a'.repeat(2_000_001) }, 'text'],
    [atbash, { alphabet: 'Hebrew', final_letters: 'sometimes' }, 'final_letters'],
  ] as const) {
    await assert.rejects(run(tool, { text: 'a', ...input }), { name: 'Problem', field })
  }
})
