import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex, toHex } from '../bytes.ts'
import { canonicalOrder, type Signature, signedOwner } from './canonical.ts'
import { keyTag } from './dnskey.ts'
import { isSupported, type KeyRecord, keyDigest, verifyWith } from './dnssec-algorithms.ts'
import { ede } from './dnssec-error.ts'
import {
  MAX_KEYS_PER_TAG,
  MAX_VERIFICATIONS_PER_RRSET,
  type SignedRrset,
  serialDistance,
  verifyRrset,
} from './dnssec-signature.ts'
import type { ResourceRecord } from './message.ts'
import { parseZone } from './zone.ts'

const isKey = (record: ResourceRecord): record is KeyRecord => record.type === 'DNSKEY' && record.data !== undefined
const isSignature = (record: ResourceRecord): record is Signature =>
  record.type === 'RRSIG' && record.data !== undefined

interface Vector extends SignedRrset {
  zone: string
  keys: KeyRecord[]
}

function vectorOf(text: string): Vector {
  const all = parseZone(text)
  const signatures = all.filter(isSignature)
  return {
    zone: signatures[0]?.data.signer ?? '.',
    keys: all.filter(isKey),
    records: all.filter(({ type }) => type === signatures[0]?.data.typeCovered),
    signatures,
  }
}

const check = ({ zone, keys, records, signatures }: Vector, date: string, work = { verifications: 0, hashes: 0 }) =>
  verifyRrset(
    { records, signatures },
    { zone, keys, now: Date.parse(date) / 1000, work, maxVerifications: Number.POSITIVE_INFINITY },
  )

const RSASHA256 = `
example.net. 3600 IN DNSKEY 256 3 8 AwEAAcFcGsaxxdgiuuGmCkVImy4h99CqT7jwY3pexPGcnUFtR2Fh36BponcwtkZ4cAgtvd4Qs8PkxUdp6p/DlUmObdk=
www.example.net. 3600 IN A 192.0.2.91
www.example.net. 3600 IN RRSIG A 8 3 3600 20300101000000 20000101000000 9033 example.net. kRCOH6u7l0QGy9qpC9l1sLncJcOKFLJ7GhiUOibu4teYp5VE9RncriShZNz85mwlMgNEacFYK/lPtPiVYP4bwg==`

const RSASHA512 = `
example.net. 3600 IN DNSKEY 256 3 10 AwEAAdHoNTOW+et86KuJOWRDp1pndvwb6Y83nSVXXyLA3DLroROUkN6X0O6pnWnjJQujX/AyhqFDxj13tOnD9u/1kTg7cV6rklMrZDtJCQ5PCl/D7QNPsgVsMu1J2Q8gpMpztNFLpPBz1bWXjDtaR7ZQBlZ3PFY12ZTSncorffcGmhOL
www.example.net. 3600 IN A 192.0.2.91
www.example.net. 3600 IN RRSIG A 10 3 3600 20300101000000 20000101000000 3740 example.net. tsb4wnjRUDnB1BUi+t6TMTXThjVnG+eCkWqjvvjhzQL1d0YRoOe0CbxrVDYd0xDtsuJRaeUw1ep94PzEWzr0iGYgZBWm/zpq+9fOuagYJRfDqfReKBzMweOLDiNa8iP5g9vMhpuv6OPlvpXwm9Sa9ZXIbNl1MBGk0fthPgxdDLw=`

const P256 = `
example.net. 3600 IN DNSKEY 257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==
www.example.net. 3600 IN A 192.0.2.1
www.example.net. 3600 IN RRSIG A 13 3 3600 1284026679 1281607479 55648 example.net. qx6wLYqmh+l9oCKTN6qIc+bw6ya+KJ8oMz0YP107epXAyGmt+3SNruPFKG7tZoLBLlUzGGus7ZwmwWep666VCw==`

const P384 = `
example.net. 3600 IN DNSKEY 257 3 14 xKYaNhWdGOfJ+nPrL8/arkwf2EY3MDJ+SErKivBVSum1w/egsXvSADtNJhyem5RCOpgQ6K8X1DRSEkrbYQ+OB+v8/uX45NBwY8rp65F6Glur8I/mlVNgF6W/qTI37m40
www.example.net. 3600 IN A 192.0.2.1
www.example.net. 3600 IN RRSIG A 14 3 3600 1284027625 1281608425 10771 example.net. /L5hDKIvGDyI1fcARX3z65qrmPsVz73QD1Mr5CEqOiLP95hxQouuroGCeZOvzFaxsT8Glr74hbavRKayJNuydCuzWTSSPdz7wnqXL5bdcJzusdnI0RSMROxxwGipWcJm`

const ED25519 = `
example.com. 3600 IN DNSKEY 257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=
example.com. 3600 IN MX 10 mail.example.com.
example.com. 3600 IN RRSIG MX 15 2 3600 1440021600 1438207200 3613 example.com. oL9krJun7xfBOIWcGHi7mag5/hdZrKWw15jPGrHpjQeRAvTdszaPD+QLs3fx8A4M3e23mRZ9VrbpMngwcrqNAg==`

const ED25519_SECOND = `
example.com. 3600 IN DNSKEY 257 3 15 zPnZ/QwEe7S8C5SPz2OfS5RR40ATk2/rYnE9xHIEijs=
example.com. 3600 IN MX 10 mail.example.com.
example.com. 3600 IN RRSIG MX 15 2 3600 1440021600 1438207200 35217 example.com. zXQ0bkYgQTEFyfLyi9QoiY6D8ZdYo4wyUhVioYZXFdT410QPRITQSqJSnzQoSm5poJ7gD7AQR0O7KuI5k2pcBg==`

const ED448 = `
example.com. 3600 IN DNSKEY 257 3 16 3kgROaDjrh0H2iuixWBrc8g2EpBBLCdGzHmn+G2MpTPhpj/OiBVHHSfPodx1FYYUcJKm1MDpJtIA
example.com. 3600 IN MX 10 mail.example.com.
example.com. 3600 IN RRSIG MX 16 2 3600 1440021600 1438207200 9713 example.com. 3cPAHkmlnxcDHMyg7vFC34l0blBhuG1qpwLmjInI8w1CMB29FkEAIJUA0amxWndkmnBZ6SKiwZSAxGILn/NBtOXft0+Gj7FSvOKxE/07+4RQvE581N3Aj/JtIyaiYVdnYtyMWbSNyGEY2213WKsJlwEA`

const VECTORS: [from: string, text: string, date: string][] = [
  ['RFC 5702 §6.1: RSA/SHA-256', RSASHA256, '2020-01-01'],
  ['RFC 5702 §6.2: RSA/SHA-512', RSASHA512, '2020-01-01'],
  ['RFC 6605 §6.1: ECDSA P-256', P256, '2010-08-20'],
  ['RFC 6605 §6.2: ECDSA P-384', P384, '2010-08-20'],
  ['RFC 8080 §6.1 as corrected by erratum 4935: Ed25519, first key', ED25519, '2015-08-01'],
  ['RFC 8080 §6.1 as corrected by erratum 4935: Ed25519, second key', ED25519_SECOND, '2015-08-01'],
  ['RFC 8080 §6.2 as corrected by erratum 4935: Ed448', ED448, '2015-08-01'],
]

for (const [from, text, date] of VECTORS) {
  test(`${from} verifies, and not with any one bit of it changed`, async () => {
    const vector = vectorOf(text)
    assert.equal(keyTag(vector.keys[0]?.rdata ?? new Uint8Array()), vector.signatures[0]?.data.keyTag)
    assert.equal((await check(vector, date)).state, 'secure')
    const [signature] = vector.signatures
    assert.ok(signature)
    const changed = signature.data.signature.slice()
    changed[3] = (changed[3] ?? 0) ^ 0x10
    const forged = { ...signature, data: { ...signature.data, signature: changed } }
    const refused = await check({ ...vector, signatures: [forged] }, date)
    assert.equal(refused.state === 'bogus' && refused.flaw.ede, ede.bogus)
    const renamed = vector.records.map(record => ({ ...record, name: `x.${record.name}` }))
    assert.equal((await check({ ...vector, records: renamed }, date)).state, 'bogus')
  })
}

test('RFC 6605 §6 and RFC 8080 §6: DS digests of the example keys, SHA-256 and SHA-384', async () => {
  const digest = async (text: string, type: number) => {
    const [key] = vectorOf(text).keys
    assert.ok(key)
    return toHex(await keyDigest(key, type))
  }
  assert.equal(await digest(P256, 2), 'b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17')
  assert.equal(
    await digest(P384, 4),
    '72d7b62976ce06438e9c0bf319013cf801f09ecc84b8d7e9495f27e305c6a9b0563a9b5f4d288405c3008a946df983d6',
  )
  assert.equal(await digest(ED25519, 2), '3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304b')
  assert.equal(await digest(ED448, 2), '6ccf18d5bc5d7fc2fceb1d59d17321402f2aa8d368048db93dd811f5cb2b19c7')
})

test('RFC 4034 §5.4: the SHA-1 digest of the example key, whatever the case of its name', async () => {
  const [key] = parseZone(
    `dskey.EXAMPLE.com. 86400 IN DNSKEY 256 3 5 AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==`,
  )
  assert.ok(key && isKey(key))
  assert.equal(toHex(await keyDigest(key, 1)), '2bb183af5f22588179a53b0a98631fad1a292118')
  await assert.rejects(keyDigest(key, 3), RangeError)
})

test('RFC 4035 §5.3.1: before, within and after the time of a signature', async () => {
  const flaw = async (date: string) => {
    const result = await check(vectorOf(P256), date)
    return result.state === 'bogus' ? result.flaw : undefined
  }
  assert.equal((await flaw('2010-08-01'))?.ede, ede.signatureNotYetValid)
  assert.equal(await flaw('2010-09-09T10:04:38Z'), undefined)
  assert.equal((await flaw('2010-09-09T10:04:40Z'))?.ede, ede.signatureExpired)
  assert.match((await flaw('2026-01-01'))?.reason ?? '', /expired on 9 September 2010\.$/)
})

test('RFC 1982 §3.2: moments are compared on a circle of 32 bits', () => {
  assert.ok(serialDistance(0xfffffff0, 0x10) > 0)
  assert.ok(serialDistance(0x10, 0xfffffff0) < 0)
  assert.equal(serialDistance(5, 5), 0)
})

test('RFC 9905, RFC 9906, RFC 6944: given up algorithms and unknown ones are not supported', () => {
  for (const algorithm of [0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 17, 23, 100, 252, 253, 254, 255]) {
    assert.equal(isSupported(algorithm), false, String(algorithm))
  }
  for (const algorithm of [8, 10, 13, 14, 15, 16]) assert.equal(isSupported(algorithm), true, String(algorithm))
})

test('RFC 4035 §5.3.1: the signer has to be the zone, and a name cannot have fewer labels than were signed', async () => {
  const vector = vectorOf(P256)
  const refused = await check({ ...vector, zone: 'net.' }, '2010-08-20')
  assert.ok(refused.state === 'bogus' && /not the zone/.test(refused.flaw.reason))
  assert.equal(signedOwner('a.b.example.', 1), '*.example.')
  assert.equal(signedOwner('*.example.', 1), '*.example.')
  assert.equal(signedOwner('example.', 2), undefined)
  assert.equal(signedOwner('example.', 0), '*.')
})

test('RFC 4034 §6.3: records are put in order as bytes, and doubles count once', () => {
  const records = parseZone(`x. 1 IN TXT "b"\nx. 1 IN TXT "a" "c"\nx. 1 IN TXT "b"\nx. 1 IN A 192.0.2.1`).slice(0, 3)
  assert.deepEqual(
    canonicalOrder(records).map(bytes => toHex(bytes)),
    ['01610163', '0162'],
  )
})

test('keys that are none verify nothing and break nothing', async () => {
  const message = fromHex('00')
  for (const algorithm of [5, 7, 8, 10, 13, 14, 15, 16]) {
    for (const publicKey of ['', '00', '0000', '01', '0103', '03010001', 'ff'.repeat(64), '00'.repeat(57)]) {
      assert.equal(await verifyWith({ algorithm, publicKey: fromHex(publicKey) }, message, message), false)
    }
  }
  await assert.rejects(verifyWith({ algorithm: 100, publicKey: message }, message, message), RangeError)
})

test('an RSA key with a modulus or an exponent that only costs time is not used', async () => {
  const huge = new Uint8Array(3 + 3 + 1025).fill(0xff)
  huge.set([3, 1, 0, 1])
  assert.equal(await verifyWith({ algorithm: 8, publicKey: huge }, huge.slice(0, 1025), huge), false)
  const exponent = new Uint8Array(1 + 200 + 256).fill(0xff)
  exponent[0] = 200
  assert.equal(await verifyWith({ algorithm: 8, publicKey: exponent }, exponent.slice(0, 256), exponent), false)
})

test('CVE-2023-50387: many keys of one tag and many signatures cost a fixed number of verifications', async () => {
  const vector = vectorOf(P256)
  const [key] = vector.keys
  const [signature] = vector.signatures
  assert.ok(key && signature)
  const broken = { ...signature, data: { ...signature.data, signature: new Uint8Array(64).fill(1) } }
  const four = Array.from({ length: MAX_KEYS_PER_TAG }, () => key)
  const work = { verifications: 0, hashes: 0 }
  const signatures = Array.from({ length: 500 }, () => broken)
  assert.equal((await check({ ...vector, keys: four, signatures }, '2010-08-20', work)).state, 'bogus')
  assert.equal(work.verifications, MAX_VERIFICATIONS_PER_RRSET)
  const none = { verifications: 0, hashes: 0 }
  const five = await check({ ...vector, keys: [...four, key] }, '2010-08-20', none)
  assert.ok(five.state === 'bogus' && /More than 4 keys/.test(five.flaw.reason))
  assert.equal(none.verifications, 0)
})
