import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { confusables } from './confusables.ts'
import { toAscii, toUnicode } from './idna.ts'
import { encodePunycode } from './punycode.ts'
import { fuzzers, namesBy, permutationsOf, type Registered, riskOf, toRegistrable } from './typosquatting.ts'
import { asciiGlyphs, cyrillicTwins, otherGlyphs } from './typosquatting-glyphs.ts'
import { swappedSuffixes, temptingWords } from './typosquatting-words.ts'

/** One kind after the other of the program that has become the measure, for all domains in one go. */
const DNSTWIST = `
import json, sys, dnstwist
asked = json.load(sys.stdin)
answers = {}
for name in asked['names']:
    for kind in asked['kinds']:
        fuzzer = dnstwist.Fuzzer(name, asked['words'], asked['suffixes'])
        fuzzer.generate([kind])
        answers[name + ' ' + kind] = [each['domain'] for each in fuzzer.domains]
print(json.dumps(answers))`
/** Debian's, which has the module. */
const PYTHON = '/usr/bin/python3'
const hasDnstwist = spawnSync(PYTHON, ['-c', 'import dnstwist'], { stdio: 'ignore' }).status === 0

/** Which of our kinds make up one of dnstwist's. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  addition: ['addition'],
  bitsquatting: ['bitsquatting'],
  cyrillic: ['cyrillic'],
  dictionary: ['dictionary'],
  homoglyph: ['glyph', 'homoglyph', 'homoglyph-2'],
  hyphenation: ['hyphenation'],
  insertion: ['insertion'],
  omission: ['omission'],
  repetition: ['repetition'],
  replacement: ['replacement'],
  subdomain: ['subdomain'],
  'tld-swap': ['tld-swap'],
  transposition: ['transposition'],
  various: ['various'],
  'vowel-swap': ['vowel-swap'],
}

const domains: readonly Registered[] = [
  { label: 'example', suffix: 'com' },
  { label: 'google', suffix: 'com' },
  { label: 'my-bank', suffix: 'net' },
  { label: 'e', suffix: 'org' },
  { label: 'x1', suffix: 'org' },
  { label: 'paypal', suffix: 'co.uk' },
  { label: 'müller', suffix: 'de' },
  { label: 'acab-aa', suffix: 'com' },
]

function ours(domain: Registered, names: readonly string[]): Set<string> {
  const raw = fuzzers.filter(({ name }) => names.includes(name)).flatMap(fuzzer => [...namesBy(fuzzer, domain)])
  return new Set(raw.flatMap(name => toRegistrable(name) ?? []))
}

test('dnstwist: each kind gives the same names, and none is missing', { skip: !hasDnstwist }, () => {
  const names = domains.map(({ label, suffix }) => toAscii(`${label}.${suffix}`) ?? '')
  const request = { names, kinds: Object.keys(kinds), words: temptingWords, suffixes: swappedSuffixes }
  const stdout = execFileSync(PYTHON, ['-c', DNSTWIST], { input: JSON.stringify(request), encoding: 'utf8' })
  const answers: Record<string, string[]> = JSON.parse(stdout)
  let compared = 0
  for (const [i, domain] of domains.entries()) {
    const name = names[i] ?? ''
    for (const [kind, parts] of Object.entries(kinds)) {
      const found = ours(domain, parts)
      const expected = new Set(answers[`${name} ${kind}`])
      for (const set of [found, expected]) set.delete(name)
      assert.deepEqual(
        [...expected].filter(each => !found.has(each)),
        [],
        `${kind} of ${name}: missing`,
      )
      assert.deepEqual(
        [...found].filter(each => !expected.has(each)),
        [],
        `${kind} of ${name}: more than dnstwist has`,
      )
      compared += expected.size
    }
  }
  assert.ok(compared > 10_000)
})

test('every permutation comes once, without the domain itself, the likeliest kinds first', () => {
  for (const domain of domains) {
    const all = [...permutationsOf(domain)]
    const names = all.map(each => each.domain)
    assert.equal(new Set(names).size, names.length)
    assert.ok(!names.includes(toAscii(`${domain.label}.${domain.suffix}`) ?? ''))
    const order = all.map(({ fuzzer }) => fuzzers.findIndex(({ name }) => name === fuzzer))
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    )
  }
})

test('names are what UTS 46 makes of them, so that no two stand for one', () => {
  for (const { domain, unicode } of permutationsOf({ label: 'bank-oz', suffix: 'com' })) {
    assert.equal(toAscii(unicode ?? domain), domain, unicode)
    if (unicode) assert.equal(toUnicode(domain), unicode)
  }
})

test('UTS 46: every look-alike stands for itself', () => {
  const tables = [...Object.values(otherGlyphs), ...Object.values(confusables), cyrillicTwins]
  for (const character of new Set(tables.flatMap(row => [...row]))) {
    assert.equal(toAscii(`a${character}`), `xn--${encodePunycode(`a${character}`)}`, character)
  }
  for (const looks of Object.values(asciiGlyphs)) assert.match(looks, /^[a-z\d ]+$/)
})

// RFC 3492 §7.1, in the spelling of the RFC but for the upper case that UTS 46 takes away.
for (const [title, text, expected] of [
  ['(A) Arabic', 'ليهمابتكلموشعربي؟', 'egbpdaj6bu4bxfgehfvwxn'],
  ['(B) Chinese, simplified', '他们为什么不说中文', 'ihqwcrb4cv8a8dqg056pqjye'],
  ['(L) 3年B組金八先生', '3年b組金八先生', '3b-ww4c5e180e575a65lsy2b'],
  ['(S) -> $1.00 <-', '-> $1.00 <-', '-> $1.00 <--'],
] as const) {
  test(`RFC 3492 §7.1 ${title}`, () => assert.equal(encodePunycode(text), expected))
}

test('what no registry takes is left out', () => {
  for (const name of [
    '-a.com',
    'a-.com',
    'ab--c.com',
    `${'a'.repeat(64)}.com`,
    '.com',
    'a..com',
    'ab--é.com',
    'é-.com',
  ]) {
    assert.equal(toRegistrable(name), undefined, name)
  }
  assert.equal(toRegistrable('ab-c.com'), 'ab-c.com')
  assert.equal(toRegistrable('bücher.example'), 'xn--bcher-kva.example')
})

test('[TYP-012] [TYP-013] [BIZ-017] more than three characters longer is High, anything else Medium', () => {
  assert.equal(riskOf('example1234.com', 'example.com'), 'High')
  assert.equal(riskOf('example123.com', 'example.com'), 'Medium')
  assert.equal(riskOf('exmple.com', 'example.com'), 'Medium')
})
