import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fromHex, toHex } from '../bytes.ts'
import { typeName } from './codes.ts'
import {
  canonicalRdata,
  createRecord,
  presentation,
  type RecordData,
  recordFromBytes,
  recordFromText,
} from './message.ts'
import { records } from './records.ts'
import { splitLines, Tokens } from './tokens.ts'

const owner = { name: 'example.', ttl: 300 }

function fromText(type: string, text: string, origin = '.') {
  const [line] = splitLines(text)
  return recordFromText(type, owner, new Tokens(line?.tokens ?? [], origin))
}
const fromBytes = (type: string, hex: string) => recordFromBytes(type, owner, fromHex(hex))

const vectors: {
  records: { owner: string; type: string; typeCode: string; presentation: string; rdataHex: string }[]
} = JSON.parse(readFileSync(new URL('../../../../vectors/dns/records.json', import.meta.url), 'utf8'))

for (const vector of vectors.records) {
  test(`dig 9.18.49: ${vector.type} ${vector.presentation.slice(0, 50)}`, () => {
    const record = fromBytes(vector.typeCode, vector.rdataHex)
    assert.equal(record.type, vector.type)
    assert.equal(presentation(record), vector.presentation)
    assert.equal(toHex(fromText(vector.type, vector.presentation).rdata), vector.rdataHex)
    const generic = fromText(vector.type, `\\# ${vector.rdataHex.length / 2} ${vector.rdataHex}`)
    assert.deepEqual(generic, record)
  })
}

test('the vectors have 47 records of 43 types', () => {
  assert.equal(vectors.records.length, 47)
  assert.equal(new Set(vectors.records.map(vector => vector.type)).size, 43)
})

test('every declaration bears the mnemonic that IANA gave its number', () => {
  for (const [name, { code }] of Object.entries(records)) assert.equal(typeName(code), name)
})

for (const [type, text, hex] of [
  ['HTTPS', '0 foo.example.com.', '0000 03666f6f076578616d706c6503636f6d00'],
  ['SVCB', '1 .', '0001 00'],
  ['SVCB', '16 foo.example.com. port=53', '0010 03666f6f076578616d706c6503636f6d00 0003 0002 0035'],
  ['SVCB', '1 foo.example.com. key667="hello"', '0001 03666f6f076578616d706c6503636f6d00 029b 0005 68656c6c6f'],
  [
    'SVCB',
    '1 foo.example.com. key667="hello\\210qoo"',
    '0001 03666f6f076578616d706c6503636f6d00 029b 0009 68656c6c6fd2716f6f',
  ],
  [
    'SVCB',
    '1 foo.example.com. ipv6hint=2001:db8::1,2001:db8::53:1',
    '0001 03666f6f076578616d706c6503636f6d00 0006 0020 20010db8000000000000000000000001 20010db8000000000000000000530001',
  ],
  [
    'SVCB',
    '16 foo.example.org. mandatory=alpn,ipv4hint alpn="h2,h3-19" ipv4hint=192.0.2.1',
    '0010 03666f6f076578616d706c65036f726700 0000 0004 0001 0004 0001 0009 02 6832 05 68332d3139 0004 0004 c0000201',
  ],
  [
    'SVCB',
    '16 foo.example.org. alpn="f\\\\\\\\oo\\\\,bar,h2"',
    '0010 03666f6f076578616d706c65036f726700 0001 000c 08 665c6f6f2c626172 02 6832',
  ],
] as const) {
  test(`RFC 9460 appendix D.1, D.2: ${text}`, () => {
    assert.equal(presentation(fromBytes(type, hex)), text)
    assert.equal(toHex(fromText(type, text).rdata), hex.replaceAll(' ', ''))
  })
}

test('RFC 9460 appendix D.2: other ways to write the same parameters', () => {
  const same = (a: string, b: string) => assert.deepEqual(fromText('SVCB', a), fromText('SVCB', b))
  same(
    '16 foo. alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1',
    '16 foo. mandatory=alpn,ipv4hint alpn="h2,h3-19" ipv4hint=192.0.2.1',
  )
  same('16 foo. alpn="f\\\\\\\\oo\\\\,bar,h2"', '16 foo. alpn=f\\\\\\092oo\\092,bar,h2')
  same('1 foo. key667=hello', '1 foo. key667="hello"')
  same('1 foo. ipv6hint="2001:db8::1,2001:db8::53:1"', '1 foo. ipv6hint=2001:db8::1,2001:db8::53:1')
  assert.equal(
    toHex(fromText('SVCB', '1 example.com. ipv6hint="2001:db8:122:344::192.0.2.33"').rdata),
    '0001076578616d706c6503636f6d000006001020010db80122034400000000c0000221',
  )
})

for (const text of [
  '1 foo.example.com. key123=abc key123=def',
  '1 foo.example.com. mandatory',
  '1 foo.example.com. alpn',
  '1 foo.example.com. port',
  '1 foo.example.com. ipv4hint',
  '1 foo.example.com. ipv6hint',
  '1 foo.example.com. no-default-alpn=abc',
  '1 foo.example.com. mandatory=key123',
  '1 foo.example.com. mandatory=mandatory',
  '1 foo.example.com. mandatory=key123,key123 key123=abc',
]) {
  test(`RFC 9460 appendix D.3: refused: ${text}`, () => assert.throws(() => fromText('SVCB', text), RangeError))
}

test('RFC 4034 §4.3: the NSEC example, with a type that has no mnemonic', () => {
  const text = 'host.example.com. A MX RRSIG NSEC TYPE1234'
  const hex = `04686f7374076578616d706c6503636f6d00 0006 400100000003 041b ${'00'.repeat(26)}20`
  assert.equal(presentation(fromBytes('NSEC', hex)), text)
  assert.equal(toHex(fromText('NSEC', text).rdata), hex.replaceAll(' ', ''))
  assert.equal(toHex(fromText('NSEC', 'host.example.com. TYPE1234 NSEC TYPE46 MX A A').rdata), hex.replaceAll(' ', ''))
})

test('RFC 5155 §3.3: NSEC3 and NSEC3PARAM with and without salt', () => {
  const text = '1 1 12 AABBCCDD 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR MX DNSKEY NS SOA NSEC3PARAM RRSIG'
  const sorted = '1 1 12 AABBCCDD 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR NS SOA MX RRSIG DNSKEY NSEC3PARAM'
  assert.equal(presentation(fromText('NSEC3', text)), sorted)
  assert.equal(presentation(fromText('NSEC3', sorted)), sorted)
  assert.equal(presentation(fromBytes('NSEC3PARAM', '0100000000')), '1 0 0 -')
  assert.equal(toHex(fromText('NSEC3PARAM', '1 0 0 -').rdata), '0100000000')
})

test('RFC 4034 §3.2: the times of RRSIG are written as dates and may be read as numbers', () => {
  const text = 'A 5 3 86400 20030322173103 20030220173103 2642 example.com. oJB1W6WN'
  const record = fromText('RRSIG', text)
  assert.equal(presentation(record), text)
  assert.ok(record.type === 'RRSIG' && record.data?.expiration === 1048354263)
  const numbers = 'A 5 3 86400 1048354263 1045762263 2642 example.com. oJB1W6WN'
  assert.deepEqual(fromText('RRSIG', numbers), record)
  assert.throws(() => fromText('RRSIG', text.replace('20030322173103', '20031322173103')), /a moment/)
})

test('data is typed by the declaration', () => {
  const data: RecordData<'MX'> = { preference: 10, exchange: 'mail.example.' }
  const record = createRecord('MX', owner, data)
  assert.equal(record.data?.exchange, 'mail.example.')
  assert.equal(toHex(record.rdata), '000a046d61696c076578616d706c6500')
  assert.deepEqual(fromBytes('MX', toHex(record.rdata)), record)
})

test('text beyond ASCII in a zone file is UTF-8, and TXT strings are kept apart as bytes', () => {
  const record = fromText('TXT', '"für" plain')
  assert.ok(record.type === 'TXT')
  assert.deepEqual(record.data?.strings, ['f\u00c3\u00bcr', 'plain'])
  assert.equal(presentation(record), '"f\\195\\188r" "plain"')
})

for (const [type, hex] of [
  ['A', 'c00002'],
  ['A', 'c000020100'],
  ['AAAA', '20010db8'],
  ['MX', '000a'],
  ['MX', '000ac00c'],
  ['TXT', ''],
  ['TXT', '05616263'],
  ['SOA', '0000'],
  ['LOC', '0100138b3cf018810cbce0009895b8'],
  ['LOC', '00a016138b3cf018810cbce0009895b8'],
  ['LOC', '00001613ffffffff810cbce0009895b8'],
  ['NSEC', '00002100'],
  ['NSEC', '00000100'],
  ['NSEC', '0001014000014000'],
  ['NSEC', '0000024000'],
  ['APL', '00031503c0a820'],
  ['APL', '00011504c0a82000'],
  ['APL', '00012103c0a820'],
  ['SVCB', '0001000003000200350003000200 35'],
  ['SVCB', '00010000030001 35'],
  ['SVCB', '0001000001000100'],
  ['SVCB', '0001000001 00'],
  ['SVCB', '00010000020000'],
  ['SVCB', '00010000070001ff'],
  ['CAA', '000569737375'],
  ['EUI48', '00005e0053'],
  ['NSEC3', '0100000c04aabb'],
  ['RRSIG', '0001050300015180'],
] as const) {
  test(`malformed ${type} data stays bytes: ${hex || 'none'}`, () => {
    const record = fromBytes(type, hex)
    assert.equal(record.data, undefined)
    assert.equal(presentation(record), `\\# ${record.rdata.length} ${toHex(record.rdata).toUpperCase()}`.trimEnd())
  })
}

for (const [type, text] of [
  ['A', '192.0.2'],
  ['A', '192.0.2.256'],
  ['A', '192.0.2.01'],
  ['A', '192.0.2.1 192.0.2.2'],
  ['AAAA', '2001:db8:::1'],
  ['AAAA', '1:2:3:4:5:6:7:8:9'],
  ['AAAA', '1:2:3:4:5:6:7::8'],
  ['AAAA', '::1.2.3'],
  ['MX', 'ten mail.'],
  ['MX', '65536 mail.'],
  ['MX', '10'],
  ['TXT', ''],
  ['TXT', `"${'a'.repeat(256)}"`],
  ['DS', '1 13 2 ABC'],
  ['LOC', '91 0 0 N 0 0 0 E 0m'],
  ['LOC', '52 60 0 N 0 0 0 E 0m'],
  ['LOC', '52 0 0 E 0 0 0 E 0m'],
  ['APL', '1:192.0.2.0/33'],
  ['APL', '3:192.0.2.0/24'],
  ['EUI48', '00-00-5e-00-53'],
  ['NID', '10 14:4fff:ff20'],
  ['NSAP', '47.0005'],
  ['TYPE65280', 'text'],
  ['TYPE65280', '\\# 2 00'],
  ['NSEC', '. NOTATYPE'],
] as const) {
  test(`refused as text: ${type} ${text.slice(0, 40)}`, () => assert.throws(() => fromText(type, text), RangeError))
}

test('AAAA: groups as RFC 5952 §4 and inet_ntop write them', () => {
  for (const text of [
    '::',
    '::1',
    '1::',
    '2001:db8::8:800:200c:417a',
    '1:0:2:0:0:3:0:4',
    '::ffff:192.0.2.1',
    '::192.0.2.1',
    '0:0:1::1',
  ]) {
    const record = fromText('AAAA', text)
    assert.equal(presentation(record), text === '1:0:2:0:0:3:0:4' ? '1:0:2::3:0:4' : text)
  }
  assert.equal(presentation(fromText('AAAA', '1:0:2:3:4:5:6:7')), '1:0:2:3:4:5:6:7')
})

test('LOC: defaults of RFC 1876 §3 and the borders of its fields', () => {
  assert.equal(
    presentation(fromText('LOC', '42 21 54 N 71 06 18 W -24m 30m')),
    '42 21 54.000 N 71 6 18.000 W -24.00m 30m 10000m 10m',
  )
  assert.equal(presentation(fromText('LOC', '1 N 2 E 0')), '1 0 0.000 N 2 0 0.000 E 0.00m 1m 10000m 10m')
  const corner = '90 0 0.000 S 180 0 0.000 W 42849672.95m 90000000m 0.90m 0.00m'
  assert.equal(presentation(fromText('LOC', corner)), corner)
})

test('RFC 4034 §6.2 and RFC 6840 §5.1: names in lower case where DNSSEC signs them so', () => {
  const canonical = (type: string, text: string) => toHex(canonicalRdata(fromText(type, text)))
  assert.equal(canonical('MX', '10 MAIL.Example.'), '000a046d61696c076578616d706c6500')
  assert.equal(canonical('SRV', '0 0 53 A.'), '000000000035016100')
  assert.equal(canonical('DNAME', 'A.'), '016100')
  assert.equal(canonical('RRSIG', 'A 5 1 0 0 0 0 A. AA=='), '00010501000000000000000000000000000001610000')
  assert.equal(canonical('NSEC', 'A. A'), '014100000140')
  assert.equal(canonical('SVCB', '1 A.'), '0001014100')
  assert.equal(canonical('HINFO', 'A B'), '01410142')
  assert.equal(canonical('TYPE65280', '\\# 1 41'), '41')
})
