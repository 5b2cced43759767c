import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordLine } from './message.ts'
import { parseZone } from './zone.ts'

const lines = (text: string, origin?: string) => parseZone(text, origin).map(recordLine)

test('RFC 1035 §5.3: the example of a zone file', () => {
  const zone = `
@   IN  SOA     VENERA      Action\\.domains (
                                 20     ; SERIAL
                                 7200   ; REFRESH
                                 600    ; RETRY
                                 3600000; EXPIRE
                                 60)    ; MINIMUM

        NS      A.ISI.EDU.
        NS      VENERA
        NS      VAXA
        MX      10      VENERA
        MX      20      VAXA

A       A       26.3.0.103

VENERA  A       10.1.0.52
        A       128.9.0.32

VAXA    A       10.2.0.27
        A       128.9.0.33
`
  assert.deepEqual(lines(zone, 'ISI.EDU.'), [
    'ISI.EDU. 3600 IN SOA VENERA.ISI.EDU. Action\\.domains.ISI.EDU. 20 7200 600 3600000 60',
    'ISI.EDU. 3600 IN NS A.ISI.EDU.',
    'ISI.EDU. 3600 IN NS VENERA.ISI.EDU.',
    'ISI.EDU. 3600 IN NS VAXA.ISI.EDU.',
    'ISI.EDU. 3600 IN MX 10 VENERA.ISI.EDU.',
    'ISI.EDU. 3600 IN MX 20 VAXA.ISI.EDU.',
    'A.ISI.EDU. 3600 IN A 26.3.0.103',
    'VENERA.ISI.EDU. 3600 IN A 10.1.0.52',
    'VENERA.ISI.EDU. 3600 IN A 128.9.0.32',
    'VAXA.ISI.EDU. 3600 IN A 10.2.0.27',
    'VAXA.ISI.EDU. 3600 IN A 128.9.0.33',
  ])
})

test('TTL and class stand in either order, with units, and the last TTL given is kept (RFC 1035 §5.1)', () => {
  const zone = 'a 60 IN A 192.0.2.1\nb IN 1h30m A 192.0.2.2\nc A 192.0.2.3\nd CH TXT x'
  assert.deepEqual(lines(zone, 'test.'), [
    'a.test. 60 IN A 192.0.2.1',
    'b.test. 5400 IN A 192.0.2.2',
    'c.test. 5400 IN A 192.0.2.3',
    'd.test. 5400 CH TXT "x"',
  ])
})

test('RFC 2308 §4: $TTL is the default for what follows, and $ORIGIN completes names', () => {
  const zone = '$TTL 2d\na A 192.0.2.1\nb 5 A 192.0.2.2\nc A 192.0.2.3\n$ORIGIN sub\n@ A 192.0.2.4\nd CNAME @'
  assert.deepEqual(lines(zone, 'test.'), [
    'a.test. 172800 IN A 192.0.2.1',
    'b.test. 5 IN A 192.0.2.2',
    'c.test. 172800 IN A 192.0.2.3',
    'sub.test. 172800 IN A 192.0.2.4',
    'd.sub.test. 172800 IN CNAME sub.test.',
  ])
})

test('quotes protect blanks, semicolons and parentheses; escapes protect the rest', () => {
  const zone = 'a TXT "x ; (y)" z\\;\\"w "" ; comment\n\\097 TXT ( "one"\n  "two" ) ; more\n*.b\\.c TXT t\r\n'
  assert.deepEqual(lines(zone, '.'), [
    'a. 3600 IN TXT "x ; (y)" "z;\\"w" ""',
    'a. 3600 IN TXT "one" "two"',
    '*.b\\.c. 3600 IN TXT "t"',
  ])
})

test('one line without anything around it is a zone', () => {
  assert.deepEqual(lines('_dmarc.example.com. TXT "v=DMARC1; p=none"'), [
    '_dmarc.example.com. 3600 IN TXT "v=DMARC1; p=none"',
  ])
  assert.deepEqual(lines('  ; nothing\n\n'), [])
})

for (const [text, reason] of [
  [' A 192.0.2.1', /line 1: the first record has no owner/],
  ['a\n', /line 1: the record has no type/],
  ['a 60 IN', /line 1: the record has no type/],
  ['a FROB 1', /line 1: "FROB" is neither a mnemonic nor TYPE/],
  ['\na A 192.0.2', /line 2: "192.0.2" is not an IPv4 address/],
  ['a A', /line 1: an IPv4 address expected/],
  ['a TXT "open', /line 1: a quotation mark is still open/],
  ['a TXT ( x', /line 1: a parenthesis is still open/],
  ['a TXT x )', /line 1: a parenthesis closes/],
  ['$INCLUDE other', /line 1: \$INCLUDE is not supported/],
  ['$TTL soon', /line 1: seconds expected/],
  ['a 99999999999 A 192.0.2.1', /line 1: seconds expected/],
  ['a..b A 192.0.2.1', /line 1: the name "a..b" has an empty label/],
] as const) {
  test(`refused: ${JSON.stringify(text)}`, () => assert.throws(() => parseZone(text), reason))
}
