import assert from 'node:assert/strict'
import { test } from 'node:test'
import { otpauthPayload, smsPayload, urlPayload, vcardPayload, wifiPayload } from './qr-payload.ts'

test('ZXing, Barcode Contents: the Wi-Fi network of the example', () => {
  const network = { ssid: 'mynetwork', password: 'mypass', security: 'WPA', hidden: false } as const
  assert.equal(wifiPayload(network), 'WIFI:T:WPA;S:mynetwork;P:mypass;;')
  assert.equal(wifiPayload({ ...network, hidden: true }), 'WIFI:T:WPA;S:mynetwork;P:mypass;H:true;;')
  assert.equal(wifiPayload({ ...network, security: 'none' }), 'WIFI:T:nopass;S:mynetwork;;')
})

test('ZXing, Barcode Contents: special characters of a Wi-Fi network are escaped', () => {
  // The name "foo;bar\baz" of the page, with its quotation marks.
  const given = { ssid: '"foo;bar\\baz"', password: 'a:b,c', security: 'WEP', hidden: false } as const
  assert.equal(wifiPayload(given), 'WIFI:T:WEP;S:\\"foo\\;bar\\\\baz\\";P:a\\:b\\,c;;')
})

test('RFC 2426 §4: text values of a vCard are escaped and empty ones left out', () => {
  const card = { firstName: '', lastName: '', organization: '', phone: '', email: '', url: '', note: '' }
  assert.equal(
    vcardPayload({ ...card, firstName: 'Frank', lastName: 'Dawson, Jr.', organization: 'A;B\\C', note: 'one\ntwo' }),
    [
      'BEGIN:VCARD',
      'VERSION:3.0',
      'N:Dawson\\, Jr.;Frank;;;',
      'FN:Frank Dawson\\, Jr.',
      'ORG:A\\;B\\\\C',
      'NOTE:one\\ntwo',
      'END:VCARD',
    ].join('\r\n'),
  )
  assert.match(vcardPayload({ ...card, organization: 'Only' }), /\r\nFN:Only\r\n/)
})

const otp = {
  type: 'totp',
  issuer: 'ACME Co',
  account: 'john.doe@email.com',
  secret: 'HXDMVJECJJWSRB3HWIZR4IFUGFTMXBOZ',
  algorithm: 'SHA1',
  digits: 6,
  period: 30,
  counter: 0,
} as const

test('Key Uri Format: the example of the page', () => {
  assert.equal(
    otpauthPayload(otp),
    'otpauth://totp/ACME%20Co:john.doe%40email.com?secret=HXDMVJECJJWSRB3HWIZR4IFUGFTMXBOZ&issuer=ACME%20Co&algorithm=SHA1&digits=6&period=30',
  )
})

test('Key Uri Format: a counter in place of a period, and secrets as people type them', () => {
  const hotp = otpauthPayload({ ...otp, type: 'hotp', issuer: '', secret: 'jbsw y3dp-ehpk 3pxp', counter: 7 })
  assert.equal(hotp, 'otpauth://hotp/john.doe%40email.com?secret=JBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&counter=7')
  assert.match(otpauthPayload({ ...otp, secret: 'MZXW6YQ=' }), /secret=MZXW6YQ&/)
})

test('secrets that are no Base32 are refused', () => {
  for (const secret of ['', ' ', 'not base32!', '1', 'A']) {
    assert.throws(() => otpauthPayload({ ...otp, secret }), { name: 'RangeError' }, secret)
  }
})

test('ZXing, Barcode Contents: a text message', () => {
  assert.equal(smsPayload('+44 (1632) 960-001', 'on my way: 5 min'), 'SMSTO:+441632960001:on my way: 5 min')
  assert.equal(smsPayload('112', ''), 'SMSTO:112')
  for (const number of ['', 'abc', '+', '1', '12;34']) {
    assert.throws(() => smsPayload(number, ''), /expected a telephone number/, number)
  }
})

test('addresses keep their scheme or get https', () => {
  assert.equal(urlPayload(' example.com/a?b=c#d '), 'https://example.com/a?b=c#d')
  assert.equal(urlPayload('example.com:8080'), 'https://example.com:8080')
  assert.equal(urlPayload('http://example.com'), 'http://example.com')
  assert.equal(urlPayload('mailto:a@example.com'), 'mailto:a@example.com')
  for (const text of ['', 'two words', 'https://', 'http://[::1']) {
    assert.throws(() => urlPayload(text), /expected a web address/, text)
  }
})
