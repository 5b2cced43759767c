import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { checkDkimKey, type DkimKey, looksLikeDkim } from './dkim.ts'
import { knownSelectors, parseSelector } from './dkim-selectors.ts'

/** Keys from OpenSSL, an independent program. */
const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { stdio: ['pipe', 'pipe', 'ignore'] })
const convert = (key: Buffer, ...args: readonly string[]) =>
  execFileSync('openssl', args, { input: key, stdio: ['pipe', 'pipe', 'ignore'] }).toString('base64')

const rsa = (bits: number) => openssl('genrsa', String(bits))
const key2048 = rsa(2048)
const p2048 = convert(key2048, 'rsa', '-pubout', '-outform', 'DER')
const bare = convert(key2048, 'rsa', '-RSAPublicKey_out', '-outform', 'DER')
const p1024 = convert(rsa(1024), 'rsa', '-pubout', '-outform', 'DER')
const p512 = convert(rsa(512), 'rsa', '-pubout', '-outform', 'DER')
const ed25519 = openssl('genpkey', '-algorithm', 'ed25519')
const wrapped = convert(ed25519, 'pkey', '-pubout', '-outform', 'DER')
const raw = Buffer.from(wrapped, 'base64').subarray(-32).toString('base64')
const ec = convert(openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout'), 'ec', '-pubout', '-outform', 'DER')

const warns = ({ findings }: DkimKey) => findings.filter(({ verdict }) => verdict === 'warn').map(({ name }) => name)
const fails = ({ findings }: DkimKey) => findings.filter(({ verdict }) => verdict === 'fail').map(({ name }) => name)

test('RFC 8463 §A.2: both published keys', () => {
  const first = checkDkimKey('v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=')
  assert.deepEqual([first.state, first.type, first.bits], ['usable', 'Ed25519', 256])
  const second = checkDkimKey(
    'v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB',
  )
  assert.deepEqual([second.state, second.type, second.bits], ['usable', 'RSA', 1024])
})

for (const [what, record, state, findings] of [
  ['2048 bits', `v=DKIM1; k=rsa; p=${p2048}`, 'usable', []],
  ['no version', `p=${p2048}`, 'usable', []],
  ['no spaces, a semicolon at the end', `v=DKIM1;p=${p2048};`, 'usable', []],
  ['spaces inside the Base64', `v=DKIM1; p=${p2048.replace(/(.{50})/g, '$1 ')}`, 'usable', []],
  ['tabs around the signs', `v\t=\tDKIM1\t;\tp\t=\t${p2048}`, 'usable', []],
  ['for mail, strict, SHA-256', `v=DKIM1; s=email; t=s; h=sha256; p=${p2048}`, 'usable', []],
  ['for everything', `v=DKIM1; s=*; p=${p2048}`, 'usable', []],
  ['a tag nobody knows', `v=DKIM1; x=1; p=${p2048}`, 'usable', []],
  ['1024 bits', `v=DKIM1; p=${p1024}`, 'usable', ['Key length']],
  ['testing', `v=DKIM1; t=y:s; p=${p2048}`, 'usable', ['Testing']],
  ['a bare key', `v=DKIM1; p=${bare}`, 'usable', ['Key form']],
  ['SHA-1 beside SHA-256', `v=DKIM1; h=sha1:sha256; p=${p2048}`, 'usable', ['Hash functions']],
  ['a granularity', `v=DKIM1; g=*; p=${p2048}`, 'usable', ['Granularity']],
  ['Ed25519', `v=DKIM1; k=ed25519; p=${raw}`, 'usable', []],
] as const) {
  test(`RFC 6376 §3.6.1: a key is usable: ${what}`, () => {
    const key = checkDkimKey(record)
    assert.equal(key.state, state, JSON.stringify(key.findings))
    assert.deepEqual(warns(key), findings)
    assert.deepEqual(fails(key), [])
  })
}

for (const [what, record, state, finding] of [
  ['512 bits (RFC 8301 §3.2)', `v=DKIM1; p=${p512}`, 'weak', 'Key length'],
  ['an empty p=', 'v=DKIM1; p=', 'revoked', 'Public key'],
  ['an empty p= of spaces', 'v=DKIM1; p= ; t=s', 'revoked', 'Public key'],
  ['no p=', 'v=DKIM1; k=rsa', 'broken', 'Public key'],
  ['SHA-1 alone (RFC 8301 §3.1)', `v=DKIM1; h=sha1; p=${p2048}`, 'broken', 'Hash functions'],
  ['another service', `v=DKIM1; s=tlsrpt; p=${p2048}`, 'broken', 'Service'],
  ['a version that comes last', `p=${p2048}; v=DKIM1`, 'broken', 'Version'],
  ['another version', `v=DKIM2; p=${p2048}`, 'broken', 'Version'],
  ['a version in small letters', `v=dkim1; p=${p2048}`, 'broken', 'Version'],
  ['a tag twice (§3.2)', `v=DKIM1; k=rsa; k=rsa; p=${p2048}`, 'broken', 'Form'],
  ['text that is no tag (§3.2)', `v=DKIM1; hello; p=${p2048}`, 'broken', 'Form'],
  ['no Base64', 'v=DKIM1; p=this*is*not', 'broken', 'Public key'],
  ['a key cut short', `v=DKIM1; p=${p2048.slice(0, 200)}`, 'broken', 'Public key'],
  ['an elliptic curve under rsa', `v=DKIM1; p=${ec}`, 'broken', 'Public key'],
  ['an unknown type', `v=DKIM1; k=dsa; p=${p2048}`, 'ignored', 'Public key'],
  ['Ed25519 in a wrapping (RFC 8463 §4.2)', `v=DKIM1; k=ed25519; p=${wrapped}`, 'broken', 'Public key'],
  ['RSA under ed25519', `v=DKIM1; k=ed25519; p=${p2048}`, 'broken', 'Public key'],
] as const) {
  test(`RFC 6376 §3.6.1: a key is not usable: ${what}`, () => {
    const key = checkDkimKey(record)
    assert.equal(key.state, state)
    assert.ok(fails(key).includes(finding), JSON.stringify(key.findings))
  })
}

test('the length of keys is that of OpenSSL', () => {
  for (const [p, bits] of [
    [p512, 512],
    [p1024, 1024],
    [p2048, 2048],
    [bare, 2048],
  ] as const) {
    assert.equal(checkDkimKey(`p=${p}`).bits, bits)
  }
})

test('whatever stands in a record is judged and never thrown', () => {
  for (const value of [
    '',
    ';',
    '=',
    'v',
    'p',
    'v=DKIM1',
    'p=AAAA',
    'p=MAA=',
    'p=MIIB',
    'k=ed25519;p=AA==',
    '\0',
    'p=é',
  ]) {
    assert.notEqual(checkDkimKey(value).state, 'usable', value)
  }
})

test('text at the name of a key that is none', () => {
  assert.equal(looksLikeDkim('v=spf1 -all'), false)
  assert.equal(looksLikeDkim('v=DMARC1; p=none'), true, 'a p= tag makes it one, and the version then breaks it')
  assert.equal(looksLikeDkim('v=DKIM1'), true)
})

test('RFC 6376 §3.1: selectors', () => {
  for (const good of ['s1', 'S1', ' brisbane ', 'jan2005', 'foo.bar', '2026-11', '_x']) assert.ok(parseSelector(good))
  assert.equal(parseSelector('s1._domainkey.example.com'), 's1')
  for (const bad of ['', ' ', '.', 'a..b', '-a', 'a b', 'ä', 'a/b', 'x'.repeat(300)]) {
    assert.throws(() => parseSelector(bad), RangeError, bad)
  }
  assert.equal(new Set(knownSelectors).size, knownSelectors.length)
  for (const selector of knownSelectors) assert.equal(parseSelector(selector), selector)
})
