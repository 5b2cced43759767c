import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fromHex, fromUtf8, toHex } from '../bytes.ts'
import { decodeBase91, encodeBase91 } from './base91.ts'
import { decodeBase92, encodeBase92 } from './base92.ts'

test('basE91: what the reference and its ports give', () => {
  for (const [hex, code, from] of [
    ['', '', ''],
    [toHex(fromUtf8('test')), 'fPNKd', 'base91-python'],
    ['fe030057a9bc', 'VLv(GdNE', 'base91-python'],
    [toHex(fromUtf8('May a moody baby doom a yam?\n')), '8D9Kc)=/2$WzeFui#G9Km+<{VT2u9MZil}[A', 'base91-python'],
    [
      toHex(fromUtf8('abcdefgHIJKLMN0123456789!@$%^&*()-=<>?:{}')),
      '#G(Ic,5p(5qOdwQb?texAkZdx2G?*NyWqOa16dvz{0&_t[rU`]D',
      'base91 for JavaScript',
    ],
  ] as const) {
    assert.equal(encodeBase91(fromHex(hex)), code, from)
    assert.deepEqual(decodeBase91(code, true), { bytes: fromHex(hex), remarks: [] }, from)
  }
})

test('Base92, base92.py and its README', () => {
  for (const [hex, code] of [
    ['', ''],
    [toHex(fromUtf8('hello world')), 'Fc_$aOTdKnsM*k'],
    ['61f2059942', 'DJ8gER!'],
    ['5eb63bbbe01eeed093cb22bb8f5acdc3', "C=i.w6'IvB/viUpRAwco"],
  ] as const) {
    assert.equal(encodeBase92(fromHex(hex)), code)
    assert.deepEqual(decodeBase92(code, true), { bytes: fromHex(hex), remarks: [] })
  }
  assert.deepEqual(decodeBase92('~', true).bytes, new Uint8Array(), 'the sign for nothing')
})

test('CyberChef, Base92.mjs', () => {
  for (const [text, code] of [
    ['AB', '8y2'],
    ['Hello!!', ';K_$aOTo&'],
    ['base-92', 'DX2?V<Y(*'],
    ['ietf!', "G'_DW[B"],
  ] as const) {
    assert.equal(encodeBase92(fromUtf8(text)), code)
    assert.deepEqual(decodeBase92(code, true).bytes, fromUtf8(text))
  }
})

test('every length up to 300 goes there and back, strictly, in both', () => {
  for (let length = 0; length < 300; length++) {
    for (const bytes of [
      new Uint8Array(randomBytes(length)),
      new Uint8Array(length),
      new Uint8Array(length).fill(255),
      new Uint8Array(length).fill(0x58),
    ]) {
      assert.deepEqual(decodeBase91(encodeBase91(bytes), true), { bytes, remarks: [] })
      assert.deepEqual(decodeBase92(encodeBase92(bytes), true), { bytes, remarks: [] })
    }
  }
})

/** The bits of the bytes as a string, and every code by cutting it: slow, and nothing like the code that is tested. */
const bitsOf = (bytes: Uint8Array) => Array.from(bytes, byte => byte.toString(2).padStart(8, '0')).join('')

test('300 random byte strings: Base92 written out of a string of bits', () => {
  const letters = [..."!#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_abcdefghijklmnopqrstuvwxyz{|}"]
  for (let length = 0; length < 300; length++) {
    const bytes = new Uint8Array(randomBytes(length))
    const groups = bitsOf(bytes).match(/.{1,13}/g) ?? []
    const expected = groups.map(group => {
      if (group.length < 7) return letters[Number.parseInt(group.padEnd(6, '0'), 2)]
      const value = Number.parseInt(group.padEnd(13, '0'), 2)
      return `${letters[Math.floor(value / 91)]}${letters[value % 91]}`
    })
    assert.equal(encodeBase92(bytes), expected.join(''))
  }
})

test('white space is passed over, or refused by strict reading', () => {
  assert.deepEqual(decodeBase91(' fP\nNKd ', false), { bytes: fromUtf8('test'), remarks: [] })
  assert.deepEqual(decodeBase92('8\ty2\r\n', false), { bytes: fromUtf8('AB'), remarks: [] })
  assert.throws(() => decodeBase91('fP NKd', true), /character 3 is white space/)
})

test('a text that the encoder would not write is remarked on, or refused by strict reading', () => {
  // The reference writes a byte as two digits.
  assert.deepEqual(decodeBase91('A', false), {
    bytes: Uint8Array.of(0),
    remarks: ['The encoder would write these bytes otherwise.'],
  })
  assert.throws(() => decodeBase91('A', true), /character 2 is not what the encoder would write there/)
  assert.deepEqual(decodeBase92('!&', false).remarks.length, 1)
  assert.throws(() => decodeBase92('!&', true), /character \d is not what the encoder would write there/)
})

test('refusals say at which character and why', () => {
  assert.throws(() => decodeBase91("a'", false), /character 2 is not in this basE91 alphabet/)
  assert.throws(() => decodeBase91('aé', false), /character 2 is not/)
  assert.throws(() => decodeBase92('a`', false), /character 2 is not in this Base92 alphabet/)
  assert.throws(() => decodeBase92('~~', false), /character 1 is not/)
  assert.throws(() => decodeBase92('!! }}', false), /the group at character 4 is more than its bits can hold/)
  assert.throws(() => decodeBase92('!!}', false), /the group at character 3 is more/)
})
