import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { concat, fromHex, toHex } from '../bytes.ts'
import { decodeParameters } from './abi-decode.ts'
import { encodeParameters, joined } from './abi-encode.ts'
import { decodePacked, encodePacked } from './abi-packed.ts'
import { parseSignature } from './abi-type.ts'
import { plainValue, readTuple } from './abi-value.ts'
import { readLiterals } from './literal.ts'

const inputsOf = (signature: string) => parseSignature(signature).inputs
const encode = (signature: string, values: string) =>
  toHex(joined(encodeParameters(inputsOf(signature), readTuple(inputsOf(signature), readLiterals(values)))))
const packed = (signature: string, values: string) =>
  toHex(joined(encodePacked(inputsOf(signature), readTuple(inputsOf(signature), readLiterals(values)))))

function decode(signature: string, hex: string) {
  const inputs = inputsOf(signature)
  const { values, remarks, strict } = decodeParameters(inputs, fromHex(hex))
  const plain = inputs.map(({ type }, i) => plainValue(type, values[i] ?? assert.fail()))
  return { values: plain, remarks: remarks.map(({ place, text }) => `${place}: ${text}`), strict }
}
const word = (number: number | string) => BigInt(number).toString(16).padStart(64, '0')
const text = (content: string) => Buffer.from(content).toString('hex').padEnd(64, '0')

/** Contract ABI Specification, §"Examples" and §"Use of Dynamic Types". */
const examples: [signature: string, values: string, words: string[]][] = [
  ['baz(uint32,bool)', '69, true', [word(0x45), word(1)]],
  ['bar(bytes3[2])', '[["abc", "def"]]', [text('abc'), text('def')]],
  [
    'sam(bytes,bool,uint256[])',
    '"dave", true, [1, 2, 3]',
    [word(0x60), word(1), word(0xa0), word(4), text('dave'), word(3), word(1), word(2), word(3)],
  ],
  [
    'f(uint256,uint32[],bytes10,bytes)',
    '(0x123, [0x456, 0x789], "1234567890", "Hello, world!")',
    [
      ...[word(0x123), word(0x80), text('1234567890'), word(0xe0)],
      ...[word(2), word(0x456), word(0x789), word(0xd), text('Hello, world!')],
    ],
  ],
  [
    'g(uint256[][],string[])',
    '([[1, 2], [3]], ["one", "two", "three"])',
    [
      ...[word(0x40), word(0x140), word(2), word(0x40), word(0xa0), word(2), word(1), word(2), word(1), word(3)],
      ...[
        word(3),
        word(0x60),
        word(0xa0),
        word(0xe0),
        word(3),
        text('one'),
        word(3),
        text('two'),
        word(5),
        text('three'),
      ],
    ],
  ],
]

for (const [signature, values, words] of examples) {
  test(`ABI specification: ${signature}`, () => {
    assert.equal(encode(signature, values), words.join(''))
    const { strict, remarks, values: found } = decode(signature, words.join(''))
    assert.equal(strict, true, remarks.join())
    assert.equal(encode(signature, JSON.stringify(found)), words.join(''))
  })
}

test('ABI specification, §Non-standard Packed Mode', () => {
  const signature = '(int16,bytes1,uint16,string)'
  const hex = 'ffff42000348656c6c6f2c20776f726c6421'
  assert.equal(packed(signature, '-1, 0x42, 0x03, "Hello, world!"'), hex)
  assert.equal(packed('(uint16)', '0x12'), '0012')
  assert.equal(packed('(string,string)', '"a", "bc"'), packed('(string,string)', '"ab", "c"'))
  assert.equal(packed('(uint8[],bytes2[1])', '[1, 2], ["0xabcd"]'), word(1) + word(2) + 'abcd'.padEnd(64, '0'))
  const inputs = inputsOf(signature)
  const values = decodePacked(inputs, fromHex(hex))
  assert.deepEqual(
    inputs.map(({ type }, i) => plainValue(type, values[i] ?? assert.fail())),
    ['-1', '0x42', '3', 'Hello, world!'],
  )
})

test('packed mode refuses what it does not have, and what can be read in several ways', () => {
  for (const [signature, values, message] of [
    ['((uint8,uint8))', '[[1, 2]]', /no tuples/],
    ['(uint8[][])', '[[[1]]]', /no arrays of arrays/],
    ['(string[])', '[["a"]]', /no arrays of bytes/],
    ['((uint8)[])', '[[[1]]]', /no tuples/],
  ] as const) {
    assert.throws(() => packed(signature, values), { name: 'RangeError', message })
  }
  const read = (signature: string, hex: string) => decodePacked(inputsOf(signature), fromHex(hex))
  assert.throws(() => read('(string,bytes)', 'abcd'), /several ways/)
  assert.throws(() => read('(uint16)', 'abcdef'), /expected 2 bytes/)
  assert.throws(() => read('(uint16,string)', 'ab'), /at least 2 bytes/)
  assert.throws(() => read('(uint8[])', 'abcd'), /whole words/)
  assert.throws(() => read('(uint8[])', word(256)), /padding is wrong/)
  assert.throws(() => read('(bool)', '02'), /0 or 1/)
  assert.deepEqual(read('(uint8[2],bytes)', `${word(1)}${word(2)}ff`), [[1n, 2n], fromHex('ff')])
})

test('ethers, testcases/abi.json.gz: what contracts of solc returned, both ways', () => {
  const cases: { type: string; value: unknown; encoded: string }[] = JSON.parse(
    readFileSync(new URL('../../../../vectors/abi/ethers.json', import.meta.url), 'utf8'),
  )
  assert.equal(cases.length, 200)
  for (const { type, value, encoded } of cases) {
    const signature = `(${type})`
    const hex = encoded.slice(2)
    assert.equal(encode(signature, JSON.stringify([value])), hex, type)
    const { values, strict } = decode(signature, hex)
    assert.equal(strict, true)
    assert.deepEqual(values, [value], type)
  }
})

test('whole numbers: every form, every width at its edges and one beyond', () => {
  assert.equal(encode('(uint)', '"0x10"'), word(16))
  assert.equal(encode('(uint)', '1e18'), word('1000000000000000000'))
  assert.equal(
    encode('(uint)', '115792089237316195423570985008687907853269984665640564039457584007913129639935'),
    'f'.repeat(64),
  )
  assert.equal(encode('(int)', '-1'), 'f'.repeat(64))
  assert.equal(encode('(int8)', '"-0x80"'), `${'f'.repeat(62)}80`)
  for (let bits = 8; bits <= 256; bits += 8) {
    const top = (1n << BigInt(bits)) - 1n
    const half = 1n << BigInt(bits - 1)
    assert.deepEqual(decode(`(uint${bits})`, encode(`(uint${bits})`, `${top}`)).values, [`${top}`])
    assert.throws(() => encode(`(uint${bits})`, `${top + 1n}`), /expected a number from 0 to|whole number/)
    for (const edge of [-half, half - 1n]) {
      assert.deepEqual(decode(`(int${bits})`, encode(`(int${bits})`, `${edge}`)).values, [`${edge}`])
    }
    for (const beyond of [-half - 1n, half]) {
      assert.throws(() => encode(`(int${bits})`, `${beyond}`), /expected a number from -2/)
    }
  }
})

test('an array of as many values as there may be', () => {
  const hex = encode('(bytes[])', `[[${'"",'.repeat(49_000)}""]]`)
  assert.equal(hex.length, 64 * (2 + 2 * 49_001))
  assert.equal(decode('(bytes[])', hex).strict, true)
})

test('a string of eight million characters, and one of a million escapes', () => {
  assert.equal(encode('(bytes)', `"0x${'ab'.repeat(4 * 2 ** 20)}"`).length, 2 * (64 + 4 * 2 ** 20))
  assert.equal(encode('(string)', `"${'\\n'.repeat(2 ** 20)}"`).length, 2 * (64 + 2 ** 20))
})

test('values that do not fit their type are refused with their place', () => {
  for (const [signature, values, message] of [
    ['(uint8 a)', '[256]', /^a: expected a number from 0 to 2\^8 - 1$/],
    ['(uint8)', '[-1]', /^value 1: expected a number from 0/],
    ['(uint8)', '["1.5"]', /whole number/],
    ['(uint8)', '[""]', /whole number/],
    ['(uint8)', '[true]', /whole number/],
    ['(uint8)', '[[1]]', /whole number/],
    ['(uint8)', '[]', /expected 1 value, got 0/],
    ['(uint8[])', '[1, 2]', /a single array is written \[\[1, 2\]\]/],
    ['(uint8[2])', '[[1]]', /value 1: expected 2 elements, got 1/],
    ['(uint8[])', '["x"]', /value 1: expected a list/],
    ['(uint8[][])', '[[[1], [2, 300]]]', /value 1\[1\]\[1\]: expected a number/],
    ['((uint8 x, bool y) p)', '[{"x": 1}]', /p: expected a value for each of the names/],
    ['((uint8 x, bool y) p)', '[{"x": 1, "z": true}]', /p: expected a value for each/],
    ['((uint8 x, bool y) p)', '[[1, 2]]', /p\.y: expected true or false/],
    ['(bool)', '[1]', /true or false/],
    ['(address)', '["0x12"]', /40 hexadecimal/],
    ['(address)', '["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"]', /checksum/],
    ['(bytes2)', '["0xab"]', /expected 2 bytes, got 1/],
    ['(bytes2)', '["abc"]', /at most 2 bytes, got 3/],
    ['(bytes2)', '["0xabc"]', /odd/],
    ['(bytes)', '[abc]', /text in quotes/],
    ['(string)', '[1]', /text in quotes/],
    ['(string)', '["\\ud800"]', /surrogate/],
    ['(function)', '["0x00"]', /expected 24 bytes/],
    ['(fixed)', '[1]', /no compiler encodes/],
  ] as const) {
    assert.throws(() => encode(signature, values), { name: 'RangeError', message }, `${signature} ${values}`)
  }
})

test('tuples by names and in order, an address without checksum, texts shorter than their bytes', () => {
  const signature = '((uint8 x, string y) p)'
  assert.equal(encode(signature, '{"p": {"y": "é", "x": 1}}'), encode(signature, '[[1, "é"]]'))
  assert.deepEqual(decode(signature, encode(signature, '[[1, "é"]]')).values, [{ x: '1', y: 'é' }])
  assert.equal(
    encode('(address)', '["0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED"]').slice(24),
    '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  )
  assert.equal(encode('(bytes4)', '"ab"'), text('ab'))
  const named = decode('((uint8 __proto__, uint8 constructor) p)', word(1) + word(2)).values[0]
  assert.deepEqual(JSON.stringify(named), '{"__proto__":"1","constructor":"2"}')
})

test('data that a contract would refuse, or that no encoder writes, is decoded and told', () => {
  for (const [signature, hex, values, remark] of [
    ['(bool)', word(2), [true], 'value 1: it is neither 0 nor 1, and counts as true'],
    ['(uint8)', word(256), ['256'], 'value 1: it is larger than a uint8 can be'],
    ['(int8)', word(128), ['128'], 'value 1: it is beyond what an int8 can be'],
    ['(bytes1)', `6162${'0'.repeat(60)}`, ['0x61'], 'value 1: the padding after it is not zero'],
    ['(address)', `01${'0'.repeat(62)}`, [`0x${'0'.repeat(40)}`], 'value 1: the twelve bytes before it are not zero'],
    ['(string)', word(32) + word(1) + text('ab'), ['a'], 'value 1: the padding after it is not zero'],
    ['(string)', word(32) + word(1) + 'ff'.padEnd(64, '0'), ['0xff'], 'value 1: it is not UTF-8'],
    ['(bytes)', `${word(32) + word(1)}ff`, ['0xff'], 'value 1: the data ends before the zeros that should follow'],
    ['(uint8)', `${word(1)}ff`, ['1'], 'data: 1 byte belongs to no value, the first here'],
    ['(bytes)', word(64) + word(7) + word(0), ['0x'], 'data: 32 bytes belong to no value, the first here'],
    ['(bytes,bytes)', word(64) + word(64) + word(0), ['0x', '0x'], 'data: values share some of their bytes'],
    ['(bytes)', word(0), ['0x'], 'data: values share some of their bytes'],
  ] as const) {
    const found = decode(signature, hex)
    assert.deepEqual([found.values, found.remarks, found.strict], [[...values], [remark], false], signature)
  }
  const turned = decode('(bytes,bytes)', word(128) + word(64) + word(1) + text('b') + word(1) + text('a'))
  assert.deepEqual(turned.values, ['0x61', '0x62'])
  assert.equal(turned.strict, false, 'in another order')
})

test('offsets and lengths that lead out of the data, and bombs, are refused before anything is made', () => {
  const huge = 'f'.repeat(64)
  const bomb = (depth: number) => {
    // Each array has as many elements as fit, and all of them are the next array.
    const width = 64
    let hex = word(32)
    for (let level = 0; level < depth; level++) hex += word(width) + word(32 * width).repeat(width)
    return `${hex}${word(0)}`
  }
  for (const [signature, hex, message] of [
    ['(uint8)', '', /value 1 should stand at byte 0, and the data has 0 bytes/],
    ['(uint8)', '00'.repeat(31), /should stand at byte 0/],
    ['(string)', huge, /offset at byte 0 leads beyond the 32 bytes/],
    ['(string)', word(33), /leads beyond/],
    ['(string)', word(32), /the length should stand at byte 32/],
    ['(string)', word(32) + huge, /length at byte 32 is more than/],
    ['(bytes)', word(32) + word(1), /more than the rest/],
    ['(uint8[])', word(32) + huge, /more elements than the rest/],
    ['(uint8[3])', word(1) + word(2), /more elements/],
    ['(uint8[999999999999])', word(1), /more elements/],
    ['(string[999999999999])', word(32) + word(0), /more elements/],
    ['(uint8[0][])', word(32) + huge, /at most 100000 values/],
    ['(()[99999999])', '', /at most 100000 values/],
    ['(uint8[][][][][])', bomb(4), /at most 100000 values|more elements|leads beyond/],
    ['(fixed)', word(1), /no compiler encodes/],
  ] as const) {
    const started = performance.now()
    assert.throws(() => decode(signature, hex), { name: 'RangeError', message }, signature)
    assert.ok(performance.now() - started < 3000, signature)
  }
})

test('a string that a thousand elements share does not fill the memory', () => {
  const count = 2000
  const length = 100_000
  const shared = word(32) + word(count) + word(32 * count).repeat(count) + word(length) + '61'.repeat(length)
  assert.throws(() => decode('(string[])', shared.padEnd(shared.length + 64, '0')), /at most 16 MiB in all strings/)
})

test('any value of any type comes back, and its encoding is whole words', () => {
  const elementary = fc.constantFrom(
    'uint8',
    'int24',
    'uint256',
    'int256',
    'bool',
    'address',
    'bytes',
    'string',
    'bytes7',
  )
  const type = fc.letrec<{ type: string }>(tie => ({
    type: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      elementary,
      fc.tuple(tie('type'), fc.constantFrom('', '0', '1', '3')).map(([of, size]) => `${of}[${size}]`),
      fc.array(tie('type'), { maxLength: 3 }).map(parts => `(${parts.join(',')})`),
    ),
  })).type
  fc.assert(
    fc.property(type, fc.nat(), (type, seed) => {
      const inputs = inputsOf(`(${type},bool)`)
      const bytes = concat(fromHex('00'), fromHex(word(seed)))
      let at = 0
      const next = () => bytes[at++ % bytes.length] ?? 0
      const made = inputs.map(input => sample(input.type, next))
      const data = joined(encodeParameters(inputs, made))
      assert.equal(data.length % 32, 0)
      const { values, remarks, strict } = decodeParameters(inputs, data)
      assert.deepEqual(values, made)
      assert.equal(strict, true, JSON.stringify(remarks))
      const again = JSON.stringify(inputs.map(({ type }, i) => plainValue(type, values[i] ?? assert.fail())))
      assert.equal(toHex(joined(encodeParameters(inputs, readTuple(inputs, readLiterals(again))))), toHex(data))
    }),
    { numRuns: 300 },
  )
})

type Type = ReturnType<typeof inputsOf>[number]['type']
type Value = ReturnType<typeof readTuple>[number]
function sample(type: Type, next: () => number): Value {
  const bytes = (length: number) => Uint8Array.from({ length }, () => next() & 127)
  switch (type.kind) {
    case 'array':
      return Array.from({ length: type.length ?? next() % 3 }, () => sample(type.element, next))
    case 'tuple':
      return type.components.map(component => sample(component.type, next))
    case 'bool':
      return next() % 2 === 0
    case 'uint':
      return BigInt(next())
    case 'int':
      return -BigInt(next())
    case 'word':
      return bytes(type.bytes)
    case 'address':
      return bytes(20)
    default:
      return bytes(next() % 70)
  }
}

test('malformed data of any kind never hangs and never throws anything but a RangeError', () => {
  const signatures = ['(uint8[][],string[],(bytes,bool)[2])', '(string)', '((uint8,bytes[])[])', '(uint8[2][])']
  fc.assert(
    fc.property(
      fc.constantFrom(...signatures),
      fc.array(
        fc.oneof(
          fc.nat(8).map(i => word(i * 32)),
          fc.nat(300).map(word),
          fc.constant('f'.repeat(64)),
        ),
        { maxLength: 30 },
      ),
      (signature, words) => {
        try {
          decode(signature, words.join(''))
        } catch (error) {
          assert.ok(error instanceof RangeError, String(error))
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('literals that are none are refused with their place', () => {
  for (const [typed, message] of [
    ['[1', /character 3: expected ","/],
    ['[1,]', /character 4: expected a value/],
    ['1 2', /character 3: expected ","/],
    ['"a', /character 1: expected a text in quotes/],
    ["'a'", /character 1: expected a value/],
    ['"\n"', /expected a text in quotes/],
    ['{"a" 1}', /expected ":"/],
    ['{a: 1}', /expected a name in quotes/],
    ['{"a": 1, "a": 2}', /each name once/],
    [']', /expected a value/],
    ['['.repeat(70), /at most 64 lists/],
    ['1,'.repeat(100_001), /at most 100000 values/],
  ] as const) {
    assert.throws(() => readLiterals(typed), { name: 'RangeError', message }, typed.slice(0, 20))
  }
  assert.deepEqual(readLiterals(' '), { kind: 'list', items: [] })
  assert.deepEqual(readLiterals('"\\u00e9"'), { kind: 'list', items: [{ kind: 'text', text: 'é' }] })
})
