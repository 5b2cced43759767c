import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { abiEncode } from './abi-encode.ts'

async function run<R>(name: 'encode' | 'decode', raw: Record<string, unknown>) {
  const action = abiEncode.actions.find(action => action.name === name) ?? assert.fail()
  const { result, input } = await performed(action, raw, replay())
  return { ...(result as R), panels: action.show?.(result, input) ?? [] }
}
interface Encoded {
  encoded: string
  bytes: number
  selector?: string
  canonical: string
  keccak256?: string
  words: { offset: number; hex: string; meaning: string }[]
}
interface Decoded {
  values: string
  decoded: { name: string; type: string; value: unknown }[]
  selector?: string
  strict?: boolean
  remarks: { place: string; text: string }[]
}
const encode = (raw: Record<string, unknown>) => run<Encoded>('encode', raw)
const decode = (raw: Record<string, unknown>) => run<Decoded>('decode', raw)

const word = (number: number) => number.toString(16).padStart(64, '0')
const BAZ = `0xcdcd77c0${word(69)}${word(1)}`

test('[CTL-088] ABI specification, §Examples: baz(69, true), there and back', async () => {
  const { encoded, selector, bytes, words } = await encode({ signature: 'baz(uint32 x,bool)', values: '[69, true]' })
  assert.equal(encoded, BAZ)
  assert.equal(selector, '0xcdcd77c0')
  assert.equal(bytes, 68)
  assert.deepEqual(
    words.map(({ offset, meaning }) => [offset, meaning]),
    [
      [0, 'x'],
      [32, 'value 2'],
    ],
  )
  const read = await decode({ signature: 'baz(uint32 x,bool)', input_text: BAZ })
  assert.equal(read.values, '["69",true]')
  assert.equal(read.selector, '0xcdcd77c0')
  assert.equal(read.strict, true)
  assert.equal((await encode({ signature: 'baz(uint32,bool)', values: read.values })).encoded, BAZ)
})

test('the selector may be there, missing, or of a signature without a name, but not of another function', async () => {
  const signature = 'baz(uint32,bool)'
  for (const input_text of [BAZ.slice(2), BAZ.slice(10), BAZ.toUpperCase().replace('0X', '0x'), `  ${BAZ}\n`]) {
    assert.equal((await decode({ signature, input_text })).values, '["69",true]')
  }
  assert.equal((await decode({ signature: 'uint32, bool', input_text: BAZ })).selector, '0xcdcd77c0')
  await assert.rejects(decode({ signature: 'bar(uint32,bool)', input_text: BAZ }), {
    name: 'Problem',
    field: 'input_text',
    message: /expected the selector of the signature, 0x/,
  })
  const cut = await decode({ signature: 'f(bytes)', input_text: `0xd45754f8${word(32)}${word(1)}ff` })
  assert.equal(cut.values, '["0xff"]', 'calldata without its last zeros')
})

test('return values, constructors and calls without arguments', async () => {
  const signature = 'function balanceOf(address) view returns (uint256 balance)'
  assert.equal((await encode({ signature, part: 'return values', values: '5' })).encoded, `0x${word(5)}`)
  const { decoded } = await decode({ signature, part: 'return values', input_text: word(5) })
  assert.deepEqual(decoded, [{ name: 'balance', type: 'uint256', value: '5' }])
  assert.equal((await encode({ signature: 'totalSupply()' })).encoded, '0x18160ddd')
  assert.equal((await encode({ signature: 'constructor(uint8 a)', values: '1' })).encoded, `0x${word(1)}`)
  assert.equal((await decode({ signature: 'totalSupply()', input_text: '0x18160ddd' })).values, '[]')
})

test('the signature as JSON, as compilers write it', async () => {
  const inputs = [
    { name: 'x', type: 'uint32' },
    { name: 'y', type: 'bool' },
  ]
  const entry = { type: 'function', name: 'baz', inputs, outputs: [] }
  assert.equal((await encode({ signature: JSON.stringify([entry]), values: '{"y": true, "x": 69}' })).encoded, BAZ)
  await assert.rejects(encode({ signature: JSON.stringify([entry, entry]), values: '1' }), { field: 'signature' })
})

test('packed data, with its hash, and back', async () => {
  const signature = 'address,uint16'
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const { encoded, keccak256, selector } = await encode({ signature, values: `"${address}", 258`, packed: 'yes' })
  assert.equal(encoded, `${address.toLowerCase()}0102`)
  assert.match(String(keccak256), /^0x[0-9a-f]{64}$/)
  assert.equal(selector, undefined)
  const { values, strict } = await decode({ signature, input_text: encoded, packed: 'yes' })
  assert.equal(values, JSON.stringify([address, '258']))
  assert.equal(strict, undefined)
})

test('what is odd in the data is a remark, not a refusal', async () => {
  const { decoded, strict, remarks, panels } = await decode({ signature: '(bool)', input_text: word(2) })
  assert.equal(decoded[0]?.value, true)
  assert.equal(strict, false)
  assert.match(remarks[0]?.text ?? '', /neither 0 nor 1/)
  assert.equal(panels[0]?.kind === 'banner' && panels[0].tone, 'warn')
})

test('an encoding too long to draw is there all the same', async () => {
  const { encoded, words, panels } = await encode({ signature: '(string)', values: `"${'a'.repeat(200_000)}"` })
  assert.equal(encoded.length, 2 + 2 * (64 + 200_000))
  assert.equal(words.length, 256)
  assert.equal(panels[0]?.kind, 'note')
})

test('what cannot be encoded or decoded is refused at its field', async () => {
  for (const [name, raw, field] of [
    ['encode', { signature: '' }, 'signature'],
    ['encode', { signature: 'f(uint7)', values: '1' }, 'signature'],
    ['encode', { signature: 'f(uint8)', values: '256' }, 'values'],
    ['encode', { signature: 'f(uint8)', values: '[1' }, 'values'],
    ['encode', { signature: 'f(uint8)' }, 'values'],
    ['encode', { signature: 'f(fixed)', values: '1' }, 'values'],
    ['encode', { signature: 'f(uint8)', values: '1', part: 'return values' }, 'signature'],
    ['encode', { signature: 'f(string[])', values: '[["a"]]', packed: 'yes' }, 'signature'],
    ['encode', { signature: 'f(uint8)', values: '1', packed: 'perhaps' }, 'packed'],
    ['decode', { signature: 'f(uint8)', input_text: 'zz' }, 'input_text'],
    ['decode', { signature: 'f(uint8)', input_text: '' }, 'input_text'],
    ['decode', { signature: 'f(string)', input_text: 'ff'.repeat(32) }, 'input_text'],
    ['decode', { signature: 'f(string,bytes)', input_text: 'ff', packed: 'yes' }, 'input_text'],
  ] as const) {
    await assert.rejects(run(name, raw), { name: 'Problem', field }, JSON.stringify(raw))
  }
})
