import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { addressChecksum } from './address-checksum.ts'

const [action] = addressChecksum.actions
assert.ok(action)

interface Result {
  standard: string
  valid: boolean
  addresses: { address: string; checksum: string; wrong_letters: { position: number }[]; checksum_of?: number[] }[]
}
async function run(raw: Record<string, unknown>) {
  const { result, input } = await performed(action ?? assert.fail(), raw, replay())
  return { ...(result as Result), panels: action?.show?.(result, input) ?? [] }
}
const GOOD = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

test('[CTL-087] EIP-55: the checksum is made, and checked', async () => {
  const [made] = (await run({ text: GOOD.toLowerCase() })).addresses
  assert.equal(made?.address, GOOD)
  assert.equal(made?.checksum, 'none')
  assert.equal((await run({ text: GOOD })).valid, true)
  assert.equal((await run({ text: GOOD.slice(2) })).valid, true)
})

test('EIP-1191: chain 30 has a checksum of its own, chain 1 has not, and the other is recognised', async () => {
  const rootstock = '0xFb6916095cA1Df60bb79ce92cE3EA74c37c5d359'
  assert.deepEqual((({ standard, valid }) => ({ standard, valid }))(await run({ text: rootstock, chain_id: 30 })), {
    standard: 'EIP-1191',
    valid: true,
  })
  assert.equal((await run({ text: GOOD, chain_id: '1' })).valid, true)
  assert.deepEqual((await run({ text: rootstock })).addresses[0]?.checksum_of, [30])
  assert.deepEqual((await run({ text: GOOD, chain_id: 31 })).addresses[0]?.checksum_of, [0])
})

test('many at once: each has its verdict, and wrong letters their places', async () => {
  const { valid, addresses, panels } = await run({
    text: `${GOOD}\n${GOOD.replace('B', 'b')},${GOOD.toUpperCase().replace('X', 'x')}; ${'0'.repeat(40)}`,
  })
  assert.equal(valid, false)
  assert.deepEqual(
    addresses.map(({ checksum }) => checksum),
    ['correct', 'wrong', 'none', 'correct'],
  )
  assert.deepEqual(addresses[1]?.wrong_letters, [{ position: 2, typed: 'b', expected: 'B' }])
  assert.equal(panels[0]?.kind === 'banner' && panels[0].title, '1 of 4 checksums are wrong')
})

test('addresses pasted into one line without their line breaks are told apart', async () => {
  assert.equal((await run({ text: GOOD + GOOD })).addresses.length, 2)
})

test('what is no address, or too many, is refused by its number', async () => {
  for (const [raw, field, message] of [
    [{ text: '' }, 'text', /at least one/],
    [{ text: ' ,\n' }, 'text', /at least one/],
    [{ text: `${GOOD} 0x12` }, 'text', /number 2: expected an address of 40/],
    [{ text: `${GOOD} `.repeat(1001) }, 'text', /at most 1000/],
    [{ text: GOOD, chain_id: -1 }, 'chain_id', /from 0/],
    [{ text: GOOD, chain_id: '0x1' }, 'chain_id', /whole number/],
  ] as const) {
    await assert.rejects(run(raw), { name: 'Problem', field, message })
  }
})
