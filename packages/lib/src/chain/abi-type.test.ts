import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAbiJson, parseAbiJson } from './abi-json.ts'
import { canonicalSignature, canonicalTypes, parseSignature, parseSignatures } from './abi-type.ts'

const canonical = (text: string) => canonicalSignature(parseSignature(text))

test('ABI specification, §Function Selector: spaces, names and synonyms go, order and nesting stay', () => {
  for (const [text, expected] of [
    ['transfer(address,uint256)', 'transfer(address,uint256)'],
    [' function  transfer ( address to , uint  amount ) external returns ( bool ) ; ', 'transfer(address,uint256)'],
    ['f(uint,int,fixed,ufixed,byte)', 'f(uint256,int256,fixed128x18,ufixed128x18,bytes1)'],
    ['f(uint8[3][],(uint a,string[] b)[2] c)', 'f(uint8[3][],(uint256,string[])[2])'],
    ['f(tuple(uint a, bytes32 b) pair)', 'f((uint256,bytes32))'],
    ['f()', 'f()'],
    ['f(())', 'f(())'],
    ['send(address payable to, string calldata text)', 'send(address,string)'],
    [
      'event Transfer(address indexed from, address indexed to, uint value) anonymous;',
      'Transfer(address,address,uint256)',
    ],
    ['error Insufficient(uint256 available, uint256 required)', 'Insufficient(uint256,uint256)'],
    ['$_a1(function callback, fixed8x80 x)', '$_a1(function,fixed8x80)'],
    ['function\n  f(\n    uint a\n  )\n  public\n  view\n  onlyOwner\n  returns (uint)', 'f(uint256)'],
    ['event(uint)', 'event(uint256)'],
    ['constructor(uint a)', '(uint256)'],
    ['(uint256,string)', '(uint256,string)'],
    ['uint256, string', '(uint256,string)'],
    ['uint a', '(uint256)'],
  ] as const) {
    assert.equal(canonical(text), expected, text)
  }
})

test('what stands around the types is kept: keyword, indexed, anonymous, returned values', () => {
  const event = parseSignature('event E(uint indexed a, bytes b) anonymous')
  assert.equal(event.keyword, 'event')
  assert.equal(event.anonymous, true)
  assert.deepEqual(
    event.inputs.map(({ name, indexed }) => [name, indexed]),
    [
      ['a', true],
      ['b', undefined],
    ],
  )
  const { outputs } = parseSignature('function f() view returns (uint8 x, string memory)')
  assert.equal(canonicalTypes(outputs ?? []), '(uint8,string)')
})

test('several signatures, by lines and by semicolons', () => {
  const found = parseSignatures('a()\nb(uint) view returns (uint)\nfunction c(); event d(bool indexed x);;\n e(string)')
  assert.deepEqual(found.map(canonicalSignature), ['a()', 'b(uint256)', 'c()', 'd(bool)', 'e(string)'])
})

test('what is no signature is refused with its place', () => {
  for (const [text, message] of [
    ['', /at the end/],
    ['transfer', /at the end|expected a type/],
    ['f(', /at the end of the text: expected a type/],
    ['f(uint', /at the end of the text: expected \)/],
    ['f(uint7)', /character 3: expected a width of 8 to 256/],
    ['f(uint0)', /expected a type/],
    ['f(uint08)', /expected a type/],
    ['f(uint264)', /8 to 256/],
    ['f(bytes33)', /bytes1 to bytes32/],
    ['f(bytes0)', /expected a type/],
    ['f(fixed128)', /expected a type/],
    ['f(fixed128x81)', /1 to 80 decimals/],
    ['f(uint256x2)', /expected a type/],
    ['f(IERC20 token)', /character 3: expected a type of the ABI/],
    ['f(uint a b)', /character 10: expected a comma/],
    ['f(uint,)', /character 8: expected a type/],
    ['f(uint))', /character 8: expected the end/],
    ['f(uint)[', /character 8: expected the end/],
    ['f(uint[)', /character 8: expected \]/],
    ['f(uint[-1])', /character 8 has no place/],
    ['f(uint[01])', /character 8: expected a number of elements/],
    ['f(uint[1e9])', /expected a number of elements/],
    ['f(uint[9999999999999999])', /expected a number of elements/],
    ['f("x")', /character 3 has no place/],
    ['f(uint) g(uint)', /character 9: expected the end/],
    [`f(${'('.repeat(40)}uint${')'.repeat(40)})`, /at most 32 tuples/],
    [`f(uint${'[]'.repeat(40)})`, /at most 32 arrays/],
    ['f'.repeat(100_001), /at most 100000 characters/],
  ] as const) {
    assert.throws(() => canonical(text), { name: 'RangeError', message }, text.slice(0, 40))
  }
  assert.throws(() => parseSignatures('(uint)'), /expected a name/)
  assert.throws(() => parseSignatures('a();'.repeat(1001)), /at most 1000 signatures/)
})

test('ABI specification, §JSON and §Handling tuple types: the examples', () => {
  const json = JSON.stringify([
    { type: 'error', inputs: [{ name: 'available', type: 'uint256' }], name: 'InsufficientBalance' },
    {
      type: 'event',
      inputs: [
        { name: 'a', type: 'uint256', indexed: true },
        { name: 'b', type: 'bytes32', indexed: false },
      ],
      name: 'Event',
    },
    { type: 'function', inputs: [{ name: 'a', type: 'uint256' }], name: 'foo', outputs: [] },
    {
      name: 'f',
      type: 'function',
      inputs: [
        {
          name: 's',
          type: 'tuple',
          components: [
            { name: 'a', type: 'uint256' },
            { name: 'b', type: 'uint256[]' },
            {
              name: 'c',
              type: 'tuple[]',
              components: [
                { name: 'x', type: 'uint256' },
                { name: 'y', type: 'uint256' },
              ],
            },
          ],
        },
        {
          name: 't',
          type: 'tuple',
          components: [
            { name: 'x', type: 'uint256' },
            { name: '', type: 'uint256' },
          ],
        },
        { name: 'a', type: 'uint256' },
      ],
      outputs: [{ name: 'ok', type: 'bool' }],
    },
    { type: 'constructor', inputs: [] },
    { type: 'receive', stateMutability: 'payable' },
  ])
  assert.equal(isAbiJson(json), true)
  assert.equal(isAbiJson('f(uint)'), false)
  const found = parseAbiJson(json)
  assert.deepEqual(found.map(canonicalSignature), [
    'InsufficientBalance(uint256)',
    'Event(uint256,bytes32)',
    'foo(uint256)',
    'f((uint256,uint256[],(uint256,uint256)[]),(uint256,uint256),uint256)',
  ])
  assert.equal(found[1]?.inputs[0]?.indexed, true)
  assert.deepEqual(
    found[3]?.outputs?.map(({ name }) => name),
    ['ok'],
  )
})

test('JSON that is no interface is refused', () => {
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'uint256' } : { type: 'tuple', components: [nested(depth - 1)] }
  for (const [json, message] of [
    ['[', /no JSON/],
    ['[]', /at least one function/],
    ['[1]', /expected an object/],
    ['{"type":"constructor"}', /at least one function/],
    ['{"type":"function"}', /expected a name/],
    ['{"type":"function","name":"f","inputs":1}', /list of parameters/],
    ['{"type":"function","name":"f","inputs":[1]}', /expected a type/],
    ['{"type":"function","name":"f","inputs":[{"type":"tuple"}]}', /list of parameters/],
    ['{"type":"function","name":"f","inputs":[{"type":"uint7"}]}', /8 to 256 bits/],
    ['{"type":"function","name":"f(); function g","inputs":[]}', /expected a name/],
    ['{"type":"function","name":"f","inputs":[{"type":"uint8,bool"}]}', /expected a type/],
    [JSON.stringify({ type: 'function', name: 'f', inputs: [nested(100)] }), /at most 32 tuples/],
  ] as const) {
    assert.throws(() => parseAbiJson(json), { name: 'RangeError', message }, json.slice(0, 60))
  }
})
