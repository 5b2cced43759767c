import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { keccak } from './keccak.ts'

const [action] = keccak.actions
assert.ok(action)

interface Result {
  hash: string
  bits: number
  selector?: string
  topic?: string
  hashed?: string
  signatures?: { hashed: string; selector?: string; topic?: string }[]
}
async function run(raw: Record<string, unknown>) {
  const { result, input } = await performed(action ?? assert.fail(), raw, replay())
  return { ...(result as Result), panels: action?.show?.(result, input) ?? [] }
}

test('[CTL-086] Keccak team, ShortMsgKAT: Len = 24 in every size, as hexadecimal and as Base64', async () => {
  for (const [bits, hash] of [
    ['224', '6f9d2898efd096baaaaab2e97482ddb6389b8e6caa964b7a0e347e13'],
    ['256', '627d7bc1491b2ab127282827b8de2d276b13d7d70fb4c5957fdf20655bc7ac30'],
    ['384', 'b0665c345f45e6de145b0190335ef5d5aa59e0b49fc1425d5eae7355ea442284cb8a2152d565ebdf2810eccab15af04f'],
    [
      '512',
      'eb7f2a98e00af37d964f7d8c44c1fb6e114d8ee21a7b976ae736539efdc1e3fe43becef5015171e6da30168cae99a82c53fa99042774ef982c01626a540f08c0',
    ],
  ]) {
    assert.equal((await run({ input_text: '1F877C', input_format: 'Hex', bits })).hash, hash)
    assert.equal((await run({ input_text: 'H4d8', input_format: 'Base64', bits })).hash, hash)
  }
})

test('EIP-20 and EIP-721: selectors and topics that everyone knows, however they are written', async () => {
  for (const [input_text, selector] of [
    ['transfer(address,uint256)', '0xa9059cbb'],
    ['function transfer(address _to, uint _value) public returns (bool success)', '0xa9059cbb'],
    ['balanceOf( address )', '0x70a08231'],
    ['approve(address spender,uint value)', '0x095ea7b3'],
    ['transferFrom(address,address,uint256)', '0x23b872dd'],
    ['totalSupply()', '0x18160ddd'],
  ]) {
    assert.equal((await run({ input_text, mode: 'function selector' })).selector, selector)
  }
  const { topic, hashed, bits } = await run({
    input_text: 'Approval(address indexed owner, address indexed spender, uint value)',
    mode: 'event topic',
    bits: '512',
  })
  assert.equal(hashed, 'Approval(address,address,uint256)')
  assert.equal(topic, '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925')
  assert.equal(bits, 256)
})

test('many signatures at once, and a word on anonymous events', async () => {
  const { signatures, panels } = await run({
    input_text: 'event A(uint a) anonymous;\nevent B();',
    mode: 'event topic',
  })
  assert.deepEqual(
    signatures?.map(({ hashed }) => hashed),
    ['A(uint256)', 'B()'],
  )
  assert.equal(panels.at(-1)?.kind, 'note')
})

test('the JSON of an interface gives the selectors of its functions, or the topics of its events', async () => {
  const input_text = JSON.stringify([
    { type: 'function', name: 'transfer', inputs: [{ type: 'address' }, { type: 'uint256' }] },
    { type: 'event', name: 'E', inputs: [] },
  ])
  const found = async (mode: string) => (await run({ input_text, mode })).signatures?.map(({ hashed }) => hashed)
  assert.deepEqual(await found('function selector'), ['transfer(address,uint256)'])
  assert.deepEqual(await found('event topic'), ['E()'])
  await assert.rejects(run({ input_text: '{"type":"event","name":"E"}', mode: 'function selector' }), {
    name: 'Problem',
    field: 'input_text',
  })
})

test('what is no signature, or no text, is refused at its field', async () => {
  for (const [raw, field] of [
    [{ input_text: 'transfer', mode: 'function selector' }, 'input_text'],
    [{ input_text: '', mode: 'event topic' }, 'input_text'],
    [{ input_text: 'f(uint7)', mode: 'event topic' }, 'input_text'],
    [{ input_text: 'ff', input_format: 'Hex', mode: 'event topic' }, 'input_text'],
    [{ input_text: 'zz', input_format: 'Hex' }, 'input_text'],
    [{ input_text: 'x', input_format: 'Latin-1' }, 'input_format'],
    [{ input_text: 'x', bits: '160' }, 'bits'],
    [{ input_text: 'x', mode: 'selector' }, 'mode'],
  ] as const) {
    await assert.rejects(run(raw), { name: 'Problem', field }, JSON.stringify(raw))
  }
})
