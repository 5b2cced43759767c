import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fromHex, fromUtf8, toUtf8 } from '../bytes.ts'
import { hideMessage, revealMessage, zeroWidthMethods } from './zero-width.ts'

test('what each method writes', () => {
  const hidden = (method: (typeof zeroWidthMethods)[number]) =>
    Array.from(hideMessage('ab', fromUtf8('A'), method), character => character.codePointAt(0)?.toString(16)).join(' ')
  assert.equal(hidden('zero-width bits'), '61 200b 200c 200b 200b 200b 200b 200b 200c 62')
  assert.equal(hidden('variation selectors'), '61 e0131 62')
  assert.equal(hidden('tag characters'), '61 e0041 62')
})

test('every byte goes there and back, and the text shows the same', () => {
  const all = Uint8Array.from({ length: 256 }, (_, i) => i)
  for (const method of zeroWidthMethods) {
    const message = method === 'tag characters' ? all.slice(0, 128) : all
    for (const text of ['', 'a', 'Größe', '😀 smile', '\n']) {
      const { message: read, cover, ...rest } = revealMessage(hideMessage(text, message, method))
      assert.deepEqual(read, message)
      assert.equal(cover, text)
      assert.equal(rest.method, method)
    }
  }
  for (let i = 2; i < 200; i++) {
    const message = new Uint8Array(randomBytes(i))
    assert.deepEqual(revealMessage(hideMessage('x', message, 'variation selectors')).message, message)
  }
})

test('the other meaning of the two characters is tried when the first gives no text', () => {
  const swapped = hideMessage('ab', fromUtf8('Grüße'), 'zero-width bits').replace(/[\u200b\u200c]/g, bit =>
    bit === '\u200b' ? '\u200c' : '\u200b',
  )
  const { message, remarks } = revealMessage(swapped)
  assert.equal(toUtf8(message), 'Grüße')
  assert.deepEqual(remarks, ['Zero is U+200C in it, and one is U+200B.'])
})

test('what is odd is told', () => {
  const { message, remarks } = revealMessage(`${hideMessage('a', fromUtf8('hi'), 'zero-width bits')}\u200b\u200b`)
  assert.equal(toUtf8(message), 'hi')
  assert.deepEqual(remarks, ['The bits are no whole number of bytes; the last 2 were dropped.'])
  const both = hideMessage(hideMessage('a', fromUtf8('t'), 'tag characters'), fromUtf8('b'), 'zero-width bits')
  assert.deepEqual(revealMessage(both).remarks, ['The text also holds characters of another kind: tag characters.'])
})

test('refusals say why', () => {
  assert.throws(() => hideMessage('a\u200cb', fromUtf8('x'), 'zero-width bits'), /character 2 is one of those that/)
  assert.throws(() => hideMessage('❤\ufe0f', fromUtf8('x'), 'variation selectors'), /character 2 is one of those that/)
  assert.throws(() => hideMessage('a', fromHex('61ff'), 'tag characters'), /byte 2 is not ASCII/)
  assert.throws(() => revealMessage('plain ❤\ufe0f'), /there is no message in it/)
  assert.throws(() => revealMessage('a\u200bb'), /there are only 1 bits/)
  assert.throws(() => revealMessage(''), /there is no message/)
})
