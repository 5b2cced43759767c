import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { domainToASCII, domainToUnicode } from 'node:url'
import { readIdn } from './idn.ts'
import { encodePunycode } from './punycode.ts'

test('UTS 46 §4: both forms, whichever is typed', () => {
  for (const [typed, ascii, unicode] of [
    ['münchen.example', 'xn--mnchen-3ya.example', 'münchen.example'],
    ['MÜNCHEN.example.', 'xn--mnchen-3ya.example.', 'münchen.example.'],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example', 'münchen.example'],
    ['XN--MNCHEN-3YA.example', 'xn--mnchen-3ya.example', 'münchen.example'],
    // RFC 5895 and UTS 46 §2.3: the full stops of East Asia separate labels too.
    ['日本語。jp', 'xn--wgv71a119e.jp', '日本語.jp'],
    // UTS 46 §7: characters of IDNA2008 that IDNA2003 mapped away.
    ['faß.de', 'xn--fa-hia.de', 'faß.de'],
    ['βόλος.com', 'xn--nxasmm1c.com', 'βόλος.com'],
    ['example.com', 'example.com', 'example.com'],
    ['_dmarc.bücher.example', '_dmarc.xn--bcher-kva.example', '_dmarc.bücher.example'],
    ['r3---sn-a.example', 'r3---sn-a.example', 'r3---sn-a.example'],
  ] as const) {
    const { labels, ...forms } = readIdn(typed)
    assert.deepEqual(forms, { ascii, unicode })
    assert.equal(labels.map(label => label.ascii).join('.'), ascii.replace(/\.$/, ''))
  }
})

test('what UTS 46 makes of each label', () => {
  assert.deepEqual(readIdn('Bücher.example').labels, [
    { typed: 'Bücher', unicode: 'bücher', ascii: 'xn--bcher-kva' },
    { typed: 'example', unicode: 'example', ascii: 'example' },
  ])
})

test('refusals say which label and why', () => {
  for (const [name, reason] of [
    ['', /^label 1 is empty/],
    ['.example', /^label 1 is empty/],
    ['a..b', /^label 2 is empty/],
    [`${'a'.repeat(64)}.example`, /^label 1 has 64 characters in ASCII, and at most 63 are allowed/],
    [`b.${'ü'.repeat(60)}.example`, /^label 2 has \d+ characters in ASCII/],
    [`${'a'.repeat(60)}.`.repeat(5), /^the name has 304 characters in ASCII, and at most 253/],
    ['a'.repeat(1001), /^expected at most 1000 characters in a name/],
    ['b.a\ufffda', /^label 2 holds a character that UTS 46 forbids, character 4/],
    ['xn--999.example', /^label 1 begins with xn-- and is no Punycode: the last number is cut off/],
    ['a.xn--\u00fc', /^label 2 begins with xn--/],
    // A capital letter, which UTS 46 makes small.
    [
      `xn--${encodePunycode('Ü')}.example`,
      /^label 1 begins with xn-- and stands for characters that UTS 46 writes otherwise or forbids/,
    ],
    ['b.a a', /^label 2 holds white space or a control character, character 4/],
    ['a.\u0301b', /^label 2 begins with a combining mark/],
    ['\u05d0a', /^label 1 mixes directions of writing/],
    ['99.\u05d0', /^a label breaks the rules that hold beside one written from right to left/],
    ['a\u200db', /^label 1 holds a character that UTS 46 forbids, character 2/],
  ] as const) {
    assert.throws(() => readIdn(name), { name: 'RangeError', message: reason }, name)
  }
})

test('400 random names: the same as domainToASCII and domainToUnicode of Node', () => {
  const letters = [...'aZ9-üßΣжあ漢字ｅ①ﬁ.\u3002é\u0301\u200dא1٣']
  for (let i = 0; i < 400; i++) {
    const name = Array.from(randomBytes(1 + (i % 9)), byte => letters[byte % letters.length]).join('')
    const ascii = domainToASCII(name)
    // Node holds each label alone to RFC 5893 §2, where UTS 46 means all labels of a name.
    if (/א/.test(name) && /[.\u3002]/.test(name)) continue
    // Node takes what ends in a number for an IPv4 address, and empty labels for good.
    if (
      /(?:^|[.\u3002])\p{Nd}*[.\u3002]?$/u.test(name.normalize('NFKC')) ||
      /^[\d.]+$/.test(ascii) ||
      /^\.|\.\./.test(ascii)
    )
      continue
    if (ascii === '') assert.throws(() => readIdn(name), RangeError, JSON.stringify(name))
    else {
      const idn = readIdn(name)
      assert.equal(idn.ascii, ascii, JSON.stringify(name))
      assert.equal(idn.unicode, domainToUnicode(ascii), JSON.stringify(name))
    }
  }
})
