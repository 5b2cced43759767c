import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fromHex, fromUtf8, toUtf8 } from '../bytes.ts'
import { decodePercent, encodePercent, percentModes } from './percent.ts'

/** Every printable ASCII character, and one of two, three and four bytes in UTF-8. */
const everything = `${String.fromCharCode(...Array.from({ length: 127 }, (_, i) => i))}é€😀`

test('URL Standard §1.3: component gives what encodeURIComponent gives', () => {
  assert.equal(encodePercent(fromUtf8(everything), 'component'), encodeURIComponent(everything))
})

test('ECMA-262 §19.2.6.3: full URI gives what encodeURI gives', () => {
  assert.equal(encodePercent(fromUtf8(everything), 'full URI'), encodeURI(everything))
})

test('URL Standard §5.2: form gives what URLSearchParams gives', () => {
  assert.equal(
    `a=${encodePercent(fromUtf8(everything), 'form (+)')}`,
    new URLSearchParams({ a: everything }).toString(),
  )
})

test('all characters leaves none', () => {
  assert.equal(encodePercent(fromUtf8('aé ~'), 'all characters'), '%61%C3%A9%20%7E')
})

test('RFC 3986 §2.3: all but the unreserved characters', () => {
  const written = encodePercent(fromUtf8(everything), 'all but unreserved')
  const expected = encodeURIComponent(everything).replace(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  assert.equal(written, expected)
})

for (const [text, code] of [
  ['r b', 'r%20b'],
  ['=%3D', '%3D%253D'],
  ['c@', 'c%40'],
  ['2 q', '2%20q'],
  ['http://example.com/request', 'http%3A%2F%2Fexample.com%2Frequest'],
] as const) {
  test(`RFC 5849 §3.4.1.1 and §3.4.1.3.2: ${text} as it is signed`, () => {
    assert.equal(encodePercent(fromUtf8(text), 'all but unreserved'), code)
    assert.deepEqual(decodePercent(code, 'all but unreserved', true), { bytes: fromUtf8(text), remarks: [] })
  })
}

test('200 random byte strings go there and back in every mode, UTF-8 or not', () => {
  for (let i = 0; i < 200; i++) {
    const bytes = new Uint8Array(randomBytes(i))
    for (const mode of percentModes.filter(mode => mode !== 'full URI')) {
      assert.deepEqual(decodePercent(encodePercent(bytes, mode), mode, true), { bytes, remarks: [] }, mode)
    }
  }
})

test('decoding agrees with decodeURIComponent, decodeURI and URLSearchParams', () => {
  for (const text of ['caf%C3%A9%20%2F%3f', 'a+b', '%e2%82%AC=€', 'x%26y%25%2523']) {
    assert.equal(toUtf8(decodePercent(text, 'component', true).bytes), decodeURIComponent(text))
    assert.equal(toUtf8(decodePercent(text, 'full URI', true).bytes), decodeURI(text))
    assert.equal(
      toUtf8(decodePercent(text, 'form (+)', true).bytes),
      new URLSearchParams(`a=${text.replace('=', '%3D')}`).get('a'),
    )
  }
})

test('bytes that are not UTF-8 are not lost', () => {
  assert.deepEqual(decodePercent('%FF%00a', 'component', true).bytes, fromHex('ff0061'))
})

test('URL Standard §1.3: a percent sign without two digits stays, and that is told', () => {
  assert.deepEqual(decodePercent('100% of%20it', 'component', false), {
    bytes: fromUtf8('100% of it'),
    remarks: ['The percent sign at character 4 is not followed by two hexadecimal digits and was left as it is.'],
  })
  assert.deepEqual(decodePercent('é%zz%4+%', 'form (+)', false), {
    bytes: fromUtf8('é%zz%4 %'),
    remarks: [
      'The percent sign at character 2, and 2 more, is not followed by two hexadecimal digits and was left as it is.',
    ],
  })
  for (const text of ['%', '%%41', '%u0041', '%E4%', 'a%2', '%25']) {
    const given = new URLSearchParams(`a=${text}`).get('a')
    assert.equal(new TextDecoder().decode(decodePercent(text, 'form (+)', false).bytes), given, text)
  }
})

test('strict reading refuses a broken percent sequence with its position', () => {
  for (const [text, position] of [
    ['100%', 4],
    ['%', 1],
    ['%4', 1],
    ['%zz', 1],
    ['é%', 2],
    ['%41%g1', 4],
    ['% 41', 1],
    ['%+1', 1],
  ] as const) {
    assert.throws(() => decodePercent(text, 'component', true), {
      name: 'RangeError',
      message: `the percent sign at character ${position} is not followed by two hexadecimal digits`,
    })
  }
  assert.throws(() => decodePercent('\ud800', 'component', false), /half of a surrogate pair/)
})
