import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { bitwise } from './bitwise.ts'

const [action] = bitwise.actions
assert.ok(action)

interface Result {
  output: string
  output_format: string
  width: number
  words: number
  hex: string
  decimal?: string
  signed?: string
  table: unknown[]
}
const run = async (raw: Record<string, unknown>) => (await performed(action, raw, replay())).result as Result
const output = async (raw: Record<string, unknown>) => (await run(raw)).output

const EIGHT = '01010101 10101010 11111111 00000000 11110000 00001111 00110011 11001100'

test('[CTL-083] CyberChef BitwiseOp.mjs: shifts and XOR of eight bytes, each by itself', async () => {
  const bytes = { input_text: EIGHT, input_format: 'Binary', width: '8' }
  assert.equal(
    await output({ ...bytes, operation: 'SHL', amount: 1 }),
    '10101010 01010100 11111110 00000000 11100000 00011110 01100110 10011000',
  )
  assert.equal(
    await output({ ...bytes, operation: 'SHR', amount: 1 }),
    '00101010 01010101 01111111 00000000 01111000 00000111 00011001 01100110',
  )
  assert.equal(
    await output({ ...bytes, operation: 'XOR', key: '11111111' }),
    '10101010 01010101 00000000 11111111 00001111 11110000 11001100 00110011',
  )
  assert.equal(await output({ ...bytes, input_text: '', operation: 'XOR', key: '11111111' }), '')
})

test('CyberChef Rotate.mjs: rotations of six bytes, each by itself and carried through', async () => {
  const input_text = '61 62 63 31 32 33'
  for (const [operation, amount, width, expected] of [
    ['ROL', 1, '8', 'c2 c4 c6 62 64 66'],
    ['ROL', 2, 'any', '85898cc4c8cd'],
    ['ROR', 1, '8', 'b0 31 b1 98 19 99'],
    ['ROR', 2, 'any', 'd85898cc4c8c'],
  ] as const) {
    assert.equal(await output({ input_text, operation, amount, width }), expected)
  }
  assert.equal(await output({ input_text: '', operation: 'ROL' }), '')
})

test('truth tables of two bits', async () => {
  for (const [operation, expected] of [
    ['AND', '0001'],
    ['OR', '0111'],
    ['XOR', '0110'],
    ['NAND', '1110'],
    ['NOR', '1000'],
    ['NOT', '1100'],
  ] as const) {
    assert.equal(await output({ input_text: '0011', key: '0101', input_format: 'Binary', operation }), expected)
  }
})

test('decimal numbers: negative ones in two complements, and rows of them', async () => {
  const decimal = (raw: Record<string, unknown>) => run({ input_format: 'Decimal', ...raw })
  assert.equal((await decimal({ input_text: '-42', key: '255', operation: 'AND', width: '8' })).output, '214')
  assert.equal((await decimal({ input_text: '5', operation: 'NOT' })).output, '250')
  assert.equal((await decimal({ input_text: '5', operation: 'NOT' })).signed, '-6')
  assert.equal((await decimal({ input_text: '5', operation: 'NOT', width: '64' })).output, '18446744073709551610')
  assert.equal((await decimal({ input_text: '1, 2, 3', key: '255', width: '8' })).output, '254 253 252')
  assert.equal((await decimal({ input_text: '-1', key: '256', operation: 'AND' })).output, '256')
})

test('any width: numbers are aligned to the right, texts repeat their key, a shift to the left makes room', async () => {
  assert.equal(await output({ input_text: 'f0f0', key: 'ff', operation: 'AND' }), '00f0')
  assert.equal(await output({ input_text: 'ff', key: 'f0f0', operation: 'AND' }), '00f0')
  assert.equal(await output({ input_text: '80', operation: 'SHL' }), '100')
  assert.equal(await output({ input_text: '80', operation: 'SHL', width: '8' }), '00')
  assert.equal(await output({ input_text: '1', operation: 'SHL', amount: 10, input_format: 'Decimal' }), '1024')
  assert.equal(await output({ input_text: '101', operation: 'NOT', input_format: 'Binary' }), '010')
  const text = await run({ input_text: 'Hello', key: '  ', input_format: 'UTF-8' })
  assert.deepEqual([text.output, text.output_format, text.width], ['hELLO', 'UTF-8', 40])
  const bytes = await run({ input_text: 'Hello', key: 'é', input_format: 'UTF-8', operation: 'OR' })
  assert.equal(bytes.output_format, 'Hex', 'what is no UTF-8 is not replaced')
})

test('amounts of the width and beyond: rotations go round, shifts leave nothing', async () => {
  const byte = { input_text: '81', width: '8' }
  for (const [operation, amount, expected] of [
    ['ROL', 8, '81'],
    ['ROL', 9, '03'],
    ['ROR', 4096, '81'],
    ['SHL', 8, '00'],
    ['SHR', 4096, '00'],
    ['SHL', 0, '81'],
  ] as const) {
    assert.equal(await output({ ...byte, operation, amount }), expected)
  }
})

test('64 KiB of bytes, as words and as one number', async () => {
  const input_text = 'ab'.repeat(65_536)
  const rows = await run({ input_text, key: 'ff', width: '8' })
  assert.equal(rows.words, 65_536)
  assert.equal(rows.table.length, 16)
  const one = await run({ input_text, operation: 'NOT' })
  assert.equal(one.output, '54'.repeat(65_536))
  assert.equal(one.decimal, undefined)
  assert.deepEqual(one.table, [])
})

test('what is no number, does not fit or is missing is refused at its field', async () => {
  for (const [raw, field] of [
    [{ input_text: 'xyz', key: '1' }, 'input_text'],
    [{ input_text: 'ff', key: 'xyz' }, 'key'],
    [{ input_text: 'ff' }, 'key'],
    [{ input_text: '256', key: '1', input_format: 'Decimal', width: '8' }, 'input_text'],
    [{ input_text: '1', key: '-129', input_format: 'Decimal', width: '8' }, 'key'],
    [{ input_text: '1 2', key: '1', input_format: 'Decimal' }, 'input_text'],
    [{ input_text: '1', key: '1 2', input_format: 'Decimal' }, 'key'],
    [{ input_text: 'ff', operation: 'SHL', amount: 4097 }, 'amount'],
    [{ input_text: 'ff', operation: 'SHL', amount: -1 }, 'amount'],
    [{ input_text: 'ff', operation: 'IMPLIES' }, 'operation'],
    [{ input_text: 'ff', key: '1', width: '24' }, 'width'],
    [{ input_text: 'ff', key: '1', input_format: 'Octal' }, 'input_format'],
  ] as const) {
    await assert.rejects(run(raw), { name: 'Problem', field }, JSON.stringify(raw))
  }
})
