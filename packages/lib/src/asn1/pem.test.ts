import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex, toHex } from '../bytes.ts'
import { looksLikePem, parsePem, toPem } from './pem.ts'

const block = (label: string, ...body: string[]) =>
  [`-----BEGIN ${label}-----`, ...body, `-----END ${label}-----`].join('\n')
const refuses = (text: string, expected: RegExp) =>
  assert.throws(() => parsePem(text), { name: 'RangeError', message: expected })

test('RFC 7468 §2: blocks with text around them, in order', () => {
  const text = `Subject: CN=a\n${block('CERTIFICATE', 'AAEC')}\nissuer\n${block('X509 CRL', 'Aw==')}\n`
  assert.deepEqual(
    parsePem(text).map(({ label, bytes, line }) => [label, toHex(bytes), line]),
    [
      ['CERTIFICATE', '000102', 2],
      ['X509 CRL', '03', 6],
    ],
  )
})

test('RFC 7468 §2: lines of 64 characters are written, and read back', () => {
  const bytes = Uint8Array.from({ length: 100 }, (_, i) => i)
  const pem = toPem('PRIVATE KEY', bytes)
  assert.deepEqual(
    pem.split('\n').map(line => line.length),
    [27, 64, 64, 8, 25, 0],
  )
  assert.deepEqual(parsePem(pem)[0]?.bytes, bytes)
})

test('white space, joined lines and escaped line breaks do not change a block', () => {
  for (const text of [
    '-----BEGIN A-----\r\nAA\r\nEC\r\n-----END A-----\r\n',
    '  -----BEGIN A-----  \n  AAEC\t\n\n  -----END A-----',
    '-----BEGIN A----- AAEC -----END A-----',
    '-----BEGIN A-----AAEC-----END A-----',
    '-----BEGIN A-----\\nAAEC\\n-----END A-----\\n',
    '-----BEGIN A-----\rAAEC\r-----END A-----',
  ]) {
    const [only, ...more] = parsePem(text)
    assert.deepEqual([only?.label, toHex(only?.bytes ?? fromHex('')), more.length], ['A', '000102', 0], text)
  }
  assert.equal(parsePem('-----BEGIN A----- AAEC -----END A----- -----BEGIN B----- AAEC -----END B-----').length, 2)
})

test('RFC 1421 §4.6: header fields of an encrypted key', () => {
  const text = block('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,00', ' 11', '', 'AAEC')
  assert.deepEqual(parsePem(text)[0]?.headers, { 'Proc-Type': '4,ENCRYPTED', 'DEK-Info': 'AES-128-CBC,0011' })
  assert.deepEqual(parsePem(toPem('A', fromHex('00'), { B: 'c' }))[0]?.headers, { B: 'c' })
})

test('RFC 7468 §3: what is broken is refused with the line it is on', () => {
  refuses('', /no line that reads -----BEGIN/)
  refuses('AAEC', /no line that reads -----BEGIN/)
  refuses('\n-----BEGIN A-----\nAAEC\n', /begins on line 2 has no line that reads -----END A-----/)
  refuses(`-----BEGIN A-----\nAAEC\n${block('B', 'AAEC')}`, /line 1 has no line that reads -----END A-----/)
  refuses('-----BEGIN A-----\nAAEC\n-----END B-----', /line 1 begins as A but ends as B on line 3/)
  refuses('AAEC\n-----END A-----', /line 2 ends a block of A that no line begins/)
  refuses(block('A', 'AA*C'), /line 2 has a character that is not Base64, at position 3/)
  refuses(block('A', 'AA_C'), /not Base64/)
  refuses(block('A', 'AAECA'), /wrong length/)
  refuses(block('A', 'AA='), /wrong length/)
  refuses(block('A', 'AB=='), /whole byte/)
  refuses(block('A', 'AA==AA=='), /Base64/)
  refuses(block('A'), /is empty/)
  refuses('—–BEGIN A—–\nAAEC', /typographic dashes/)
  refuses('----BEGIN A----\nAAEC\n----END A----', /five hyphens/)
  refuses('--- BEGIN A ---', /five hyphens/)
  refuses(block('A', 'AAEC').repeat(1001), /at most 1000 blocks/)
})

test('a text that means to be PEM is told from one that does not', () => {
  assert.ok(looksLikePem('x\n----BEGIN A'))
  assert.ok(!looksLikePem('AAEC'))
})
