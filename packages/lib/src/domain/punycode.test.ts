import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { decodePunycode, encodePunycode, MAX_PUNYCODE_CHARACTERS } from './punycode.ts'

const samples = [
  ['(A) Arabic (Egyptian)', 'ليهمابتكلموشعربي؟', 'egbpdaj6bu4bxfgehfvwxn'],
  ['(B) Chinese (simplified)', '他们为什么不说中文', 'ihqwcrb4cv8a8dqg056pqjye'],
  ['(C) Chinese (traditional)', '他們爲什麽不說中文', 'ihqwctvzc91f659drss3x8bo0yb'],
  ['(D) Czech', 'Pročprostěnemluvíčesky', 'Proprostnemluvesky-uyb24dma41a'],
  ['(E) Hebrew', 'למההםפשוטלאמדבריםעברית', '4dbcagdahymbxekheh6e0a7fei0b'],
  ['(F) Hindi', 'यहलोगहिन्दीक्योंनहींबोलसकतेहैं', 'i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd'],
  ['(G) Japanese', 'なぜみんな日本語を話してくれないのか', 'n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa'],
  [
    '(H) Korean',
    '세계의모든사람들이한국어를이해한다면얼마나좋을까',
    '989aomsvi5e83db1d2a355cv1e0vak1dwrv93d5xbh15a0dt30a5jpsd879ccm6fea98c',
  ],
  ['(I) Russian', 'почемужеонинеговорятпорусски', 'b1abfaaepdrnnbgefbaDotcwatmq2g4l'],
  ['(J) Spanish', 'PorquénopuedensimplementehablarenEspañol', 'PorqunopuedensimplementehablarenEspaol-fmd56a'],
  ['(K) Vietnamese', 'TạisaohọkhôngthểchỉnóitiếngViệt', 'TisaohkhngthchnitingVit-kjcr8268qyxafd2f1b9g'],
  ['(L) 3<nen>B<gumi><kinpachi><sensei>', '3年B組金八先生', '3B-ww4c5e180e575a65lsy2b'],
  [
    '(M) <amuro><namie>-with-SUPER-MONKEYS',
    '安室奈美恵-with-SUPER-MONKEYS',
    '-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n',
  ],
  [
    '(N) Hello-Another-Way-<sorezore><no><basho>',
    'Hello-Another-Way-それぞれの場所',
    'Hello-Another-Way--fc4qua05auwb3674vfr0b',
  ],
  ['(O) <hitotsu><yane><no><shita>2', 'ひとつ屋根の下2', '2-u9tlzr9756bt3uc0v'],
  ['(P) Maji<de>Koi<suru>5<byou><mae>', 'MajiでKoiする5秒前', 'MajiKoi5-783gue6qz075azm5e'],
  ['(Q) <pafii>de<runba>', 'パフィーdeルンバ', 'de-jg4avhby1noc0d'],
  ['(R) <sono><supiido><de>', 'そのスピードで', 'd9juau41awczczp'],
  ['(S) -> $1.00 <-', '-> $1.00 <-', '-> $1.00 <--'],
] as const
for (const [name, text, code] of samples) {
  test(`RFC 3492 §7.1: ${name}`, () => {
    // The capital letters of the samples annotate case, which is optional (Appendix A).
    assert.equal(encodePunycode(text).toLowerCase(), code.toLowerCase())
    assert.equal(decodePunycode(code), text)
    assert.equal(decodePunycode(code.toUpperCase()).toLowerCase(), text.toLowerCase())
  })
}

test('CyberChef, operations.mjs: signs with blanks between', () => {
  const text = '♠ ♣ ♥ ♦ ← ↑ \u200d →'
  assert.equal(encodePunycode(text), '       -m06cw7klao368lfb3aq')
  assert.equal(decodePunycode('       -m06cw7klao368lfb3aq'), text)
})

test('ASCII alone ends with the delimiter, and nothing is nothing', () => {
  for (const [text, code] of [
    ['', ''],
    ['a', 'a-'],
    ['-', '--'],
    ['a-b', 'a-b-'],
    ['ü', 'tda'],
    ['😀', 'e28h'],
  ] as const) {
    assert.equal(encodePunycode(text), code)
    assert.equal(decodePunycode(code), text)
  }
})

test('400 random texts: the same as the punycode codec of Python', t => {
  const cases = Array.from({ length: 400 }, (_, i) =>
    Array.from(randomBytes(1 + (i % 25)), (byte, k) =>
      (k + i) % 3 ? String.fromCharCode(33 + (byte % 94)) : String.fromCodePoint(byte * (i % 2 ? 40 : 4200) + 128),
    )
      .join('')
      .toWellFormed(),
  )
  const script = `import sys, json
print(json.dumps([text.encode('punycode').decode() for text in json.load(sys.stdin)]))`
  let codes: string[]
  try {
    codes = JSON.parse(execFileSync('python3', ['-c', script], { input: JSON.stringify(cases), encoding: 'utf8' }))
  } catch {
    return t.skip('no python3')
  }
  for (const [i, text] of cases.entries()) {
    assert.equal(encodePunycode(text), codes[i])
    assert.equal(decodePunycode(codes[i] ?? ''), text)
  }
})

test('refusals say at which character and why', () => {
  for (const [code, reason] of [
    ['ü', /^character 1 is not ASCII/],
    ['a-b c', /^character 4 is neither a letter nor a digit/],
    ['-', /^character 1 is neither a letter nor a digit/],
    ['-a', /^character 1 is neither/],
    ['z', /^the last number is cut off/],
    ['999999b', /goes beyond Unicode/],
    [`a-${'9'.repeat(40)}`, /goes beyond Unicode/],
    ['a'.repeat(MAX_PUNYCODE_CHARACTERS + 1), /^expected at most 2000 characters in a label/],
  ] as const) {
    assert.throws(() => decodePunycode(code), { name: 'RangeError', message: reason }, code)
  }
  assert.throws(() => encodePunycode('ü'.repeat(MAX_PUNYCODE_CHARACTERS + 1)), /expected at most 2000/)
  // U+D800, written by the arithmetic of §6.3.
  assert.throws(() => decodePunycode(surrogate()), /half of a surrogate pair/)
})

/** The Punycode of a lone surrogate, which no text has. */
function surrogate(): string {
  let rest = 0xd800 - 128
  let code = ''
  for (let k = 36; ; k += 36) {
    const threshold = k <= 72 ? 1 : Math.min(26, k - 72)
    const value = rest < threshold ? rest : threshold + ((rest - threshold) % (36 - threshold))
    code += value < 26 ? String.fromCharCode(97 + value) : String(value - 26)
    if (rest < threshold) return code
    rest = Math.floor((rest - threshold) / (36 - threshold))
  }
}
