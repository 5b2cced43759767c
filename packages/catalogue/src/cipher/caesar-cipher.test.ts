import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { caesarCipher } from './caesar-cipher.ts'

interface Result {
  output: string
  likeliest_shift?: number
  shifts?: { shift: number; beginning: string }[]
}
async function run(name: 'encrypt' | 'decrypt', input: Record<string, unknown>) {
  const action = caesarCipher.actions.find(action => action.name === name) ?? assert.fail()
  const outcome = await performed(action, input, replay())
  return { ...(outcome.result as Result), panels: action.show?.(outcome.result, outcome.input) ?? [] }
}

test('[CTL-049] Suetonius, Divus Iulius 56: there and back with a shift of three', async () => {
  assert.equal((await run('encrypt', { text: 'Veni, vidi, vici' })).output, 'Yhql, ylgl, ylfl')
  assert.equal((await run('decrypt', { text: 'Yhql, ylgl, ylfl' })).output, 'Veni, vidi, vici')
})

test('[CTL-129] cipher_type is caesar, atbash or rot13, and all three run', async () => {
  for (const { fields } of caesarCipher.actions) {
    assert.deepEqual(fields.cipher_type?.options, ['caesar', 'atbash', 'rot13'])
    assert.equal(fields.cipher_type?.default, 'caesar')
  }
  for (const [cipher_type, output] of [
    ['caesar', 'Khoor'],
    ['atbash', 'Svool'],
    ['rot13', 'Uryyb'],
  ]) {
    assert.equal((await run('encrypt', { text: 'Hello', cipher_type })).output, output)
    assert.equal((await run('decrypt', { text: output, cipher_type })).output, 'Hello')
  }
  await assert.rejects(run('encrypt', { cipher_type: 'rot47' }), { name: 'Problem', field: 'cipher_type' })
})

test('decrypting marks the likeliest of all shifts, and cuts no character in two', async () => {
  const text = 'Lw lv d wuxwk xqlyhuvdoob dfnqrzohgjhg, wkdw d vlqjoh pdq pxvw eh lq zdqw ri d zl'
  const { likeliest_shift, shifts, panels } = await run('decrypt', { text: `${text.slice(0, 79)}😀` })
  assert.equal(likeliest_shift, 3)
  assert.equal(shifts?.length, 26)
  assert.ok(shifts?.every(({ beginning }) => beginning.isWellFormed() && beginning.length <= 80))
  const table = panels.find(panel => panel.kind === 'table')
  assert.deepEqual(table?.rows.map(([cell]) => (typeof cell === 'object' ? cell.text : undefined)).filter(Boolean), [
    '3 likeliest',
  ])
})

test('a text without letters has no likeliest shift', async () => {
  const { likeliest_shift, output } = await run('decrypt', { text: '42!' })
  assert.equal(likeliest_shift, undefined)
  assert.equal(output, '42!')
})

test('shifts beyond the bounds are refused', async () => {
  await assert.rejects(run('encrypt', { text: 'a', shift: 1001 }), {
    name: 'Problem',
    field: 'shift',
    message: 'Shift: expected a whole number from -1000 to 1000.',
  })
})
