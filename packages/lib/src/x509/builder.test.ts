import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { parseDer } from '../asn1/der.ts'
import { toPem } from '../asn1/pem.ts'
import { type Bytes, fromHex } from '../bytes.ts'
import { generateEcKey } from '../key/ec.ts'
import { generateOkpKey } from '../key/okp.ts'
import { writePkcs8 } from '../key/pkcs8.ts'
import { readPrivateKey } from '../key/read.ts'
import { signerFor } from '../sign/signer.ts'
import { parseAltNames } from './alt-name.ts'
import { type CertificatePlan, createRequest, createSelfSigned, type Role } from './builder.ts'
import { parseCertificate } from './certificate.ts'
import { linksOf } from './chain.ts'
import { writeSubject } from './subject.ts'

const folder = mkdtempSync(join(tmpdir(), 'x509-builder-'))
after(() => rmSync(folder, { recursive: true }))
const openssl = (input: string | Uint8Array, ...args: string[]): string =>
  execFileSync('openssl', args, { input, encoding: 'utf8', cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] })

const random = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))
const NOW = new Date('2026-06-01T00:00:00Z')
const later = (days: number) => new Date(NOW.getTime() + days * 86_400_000)

const rsa = (await readPrivateKey(openssl('', 'genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'))).key
const ed25519 = await generateOkpKey('Ed25519', random)
const keys = {
  RSA: rsa,
  'P-256': await generateEcKey('P-256', random),
  'P-384': await generateEcKey('P-384', random),
  'P-521': await generateEcKey('P-521', random),
  Ed25519: ed25519,
  Ed448: await generateOkpKey('Ed448', random),
}

async function plan(
  key: (typeof keys)[keyof typeof keys],
  more: Partial<CertificatePlan> = {},
): Promise<CertificatePlan> {
  assert.ok(key.publicKey)
  const subject = await writeSubject({ common_name: 'www.example.com', organization: 'Bücher & Söhne' })
  const altNames = await parseAltNames('www.example.com, 192.0.2.1')
  return {
    key,
    publicKey: key.publicKey,
    subject,
    altNames,
    role: 'Server',
    notBefore: NOW,
    notAfter: later(365),
    ...more,
  }
}

for (const [name, key] of Object.entries(keys)) {
  test(`RFC 5280 §4.1: openssl verify accepts the certificate of a key of the kind ${name}, and so do we`, async () => {
    for (const role of ['Server', 'Authority'] as const) {
      const bytes = await createSelfSigned(await plan(key, { role }), random)
      const pem = toPem('CERTIFICATE', bytes)
      writeFileSync(join(folder, 'own.pem'), pem)
      const verified = openssl(
        '',
        'verify',
        '-x509_strict',
        '-attime',
        String(later(1).getTime() / 1000),
        '-CAfile',
        'own.pem',
        'own.pem',
      )
      assert.match(verified, /own\.pem: OK/)
      const [link] = await linksOf([parseCertificate(bytes)])
      assert.deepEqual(link, { issuer: 0, signature: { verdict: 'valid' }, faults: [] })
      assert.deepEqual(parseCertificate(bytes).faults, [])
    }
  })
}

test('RFC 5280 §4.2: openssl finds the extensions of a server and of an authority', async () => {
  const text = async (role: Role) =>
    openssl(await createSelfSigned(await plan(rsa, { role }), random), 'x509', '-noout', '-text')
  const server = await text('Server')
  assert.match(server, /Basic Constraints: critical\s+CA:FALSE/)
  assert.match(server, /Key Usage: critical\s+Digital Signature, Key Encipherment\n/)
  assert.match(server, /Extended Key Usage: \s+TLS Web Server Authentication\n/)
  assert.match(server, /DNS:www\.example\.com, IP Address:192\.0\.2\.1\n/)
  const authority = await text('Authority')
  assert.match(authority, /Basic Constraints: critical\s+CA:TRUE\n/)
  assert.match(authority, /Key Usage: critical\s+Digital Signature, Certificate Sign, CRL Sign\n/)
  assert.doesNotMatch(authority, /Extended Key Usage/)
})

test('RFC 5280 §4.2.1.2: the key identifier is the one openssl computes', async () => {
  const own = openssl(await createSelfSigned(await plan(rsa), random), 'x509', '-noout', '-ext', 'subjectKeyIdentifier')
  writeFileSync(join(folder, 'rsa.pem'), toPem('PRIVATE KEY', writePkcs8(rsa)))
  const theirs = openssl('', 'req', '-x509', '-key', 'rsa.pem', '-subj', '/CN=a')
  assert.equal(own, openssl(theirs, 'x509', '-noout', '-ext', 'subjectKeyIdentifier'))
})

test('RFC 5280 §4.1.2.5: UTCTime through 2049, GeneralizedTime from 2050 on', async () => {
  for (const [days, tags] of [
    [365, [23, 23]],
    [20_000, [23, 24]],
  ] as const) {
    const bytes = await createSelfSigned(await plan(ed25519, { notAfter: later(days) }), random)
    const [body] = parseParts(bytes)
    const validity = body && parseParts(body)[4]
    assert.deepEqual(validity && parseParts(validity).map(part => part[0]), tags)
    assert.equal(
      openssl(bytes, 'x509', '-noout', '-enddate', '-dateopt', 'iso_8601').trim(),
      `notAfter=${later(days).toISOString().replace('T', ' ').slice(0, 19)}Z`,
    )
  }
})

/** The whole encodings inside a constructed element. */
function parseParts(bytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = []
  const { content } = parseDer(Uint8Array.from(bytes))
  for (let at = 0; at < content.length; ) {
    const [, first = 0] = content.subarray(at)
    const more = first & 0x80 ? first & 0x7f : 0
    const length = more ? content.subarray(at + 2, at + 2 + more).reduce((sum, octet) => sum * 256 + octet, 0) : first
    parts.push(content.subarray(at, at + 2 + more + length))
    at += 2 + more + length
  }
  return parts
}

test('RFC 5280 §4.1.2.2: the serial number is positive, has 16 bytes, and is another each time', async () => {
  const serials = new Set<bigint>()
  for (const fill of [0, 255, undefined, undefined]) {
    const source = fill === undefined ? random : (length: number) => new Uint8Array(length).fill(fill)
    const { serial, serialBytes } = parseCertificate(await createSelfSigned(await plan(ed25519), source))
    assert.ok(serial > 0n && serialBytes === 16)
    serials.add(serial)
  }
  assert.equal(serials.size, 4)
})

test('RFC 5280 §4.2.1.6: the names are critical where the subject is empty', async () => {
  const subject = await writeSubject({ common_name: ' ' })
  const altNames = await parseAltNames('a.example')
  const text = openssl(
    await createRequest({ ...(await plan(ed25519)), subject, altNames }),
    'req',
    '-inform',
    'DER',
    '-noout',
    '-text',
    '-verify',
  )
  assert.match(text, /Subject: \n/)
  assert.match(text, /X509v3 Subject Alternative Name: critical\s+DNS:a\.example\n/)
})

test('RFC 2986 §4.1: with Ed25519 the request is byte for byte that of openssl req', async () => {
  writeFileSync(join(folder, 'ed.pem'), toPem('PRIVATE KEY', writePkcs8(ed25519)))
  for (const [subject, typed, names] of [
    [{ common_name: 'a.example' }, '/CN=a.example', ''],
    [{ common_name: 'Ünïcode', country: 'de', state: 'Hessen' }, '/C=DE/ST=Hessen/CN=Ünïcode', 'DNS:a.example'],
    [
      { common_name: 'a.example', organization: 'A/B', organizational_unit: 'O', locality: 'L', email: 'x@y.example' },
      '/L=L/O=A\\/B/OU=O/CN=a.example/emailAddress=x@y.example',
      'DNS:*.a.example,IP:2001:db8::1,email:a@b.example,URI:https://a.example/?q=1',
    ],
  ] as const) {
    const own = await createRequest({
      ...(await plan(ed25519)),
      subject: await writeSubject(subject),
      altNames: await parseAltNames(names),
    })
    const addition = names ? ['-addext', `subjectAltName=${names}`] : []
    const theirs = openssl('', 'req', '-new', '-key', 'ed.pem', '-utf8', '-subj', typed, ...addition)
    assert.equal(toPem('CERTIFICATE REQUEST', own), theirs)
  }
})

test('RFC 2986 §4.2: openssl req -verify accepts the request of every kind of key', async () => {
  for (const key of Object.values(keys)) {
    const bytes = await createRequest(await plan(key))
    assert.match(openssl(bytes, 'req', '-inform', 'DER', '-noout', '-verify', '-text'), /Public-Key|ED\d+ Public-Key/)
  }
})

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/)
const host = fc.array(label, { minLength: 1, maxLength: 4 }).map(labels => [...labels, 'example'].join('.'))
const anyName = fc.oneof(
  host.map(name => `DNS:${name}`),
  host.map(name => `DNS:*.${name}`),
  fc.ipV4().map(text => `IP:${text}`),
  fc.tuple(fc.stringMatching(/^[a-z0-9.+_-]{1,20}$/), host).map(([local, name]) => `email:${local}@${name}`),
  host.map(name => `URI:https://${name}/path?q=1#x`),
)

test('differential: the names of 300 random certificates are what openssl prints', async () => {
  const cases = fc.sample(fc.array(anyName, { minLength: 1, maxLength: 12 }), { numRuns: 300, seed: 1 })
  const pems: string[] = []
  const expected: string[] = []
  for (const names of cases) {
    const altNames = await parseAltNames(names.join(', '))
    pems.push(toPem('CERTIFICATE', await createSelfSigned(await plan(ed25519, { altNames }), random)))
    expected.push([...new Set(names)].join(', ').replaceAll('IP:', 'IP Address:'))
  }
  writeFileSync(join(folder, 'all.pem'), pems.join(''))
  const bundle = openssl('', 'crl2pkcs7', '-nocrl', '-certfile', 'all.pem')
  const text = execFileSync('openssl', ['pkcs7', '-print_certs', '-text', '-noout'], {
    input: bundle,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  const printed = [...text.matchAll(/Subject Alternative Name: \n\s+(.*)/g)].map(([, line = '']) => line.trim())
  assert.deepEqual(printed, expected)
})

test('names are told apart by their look, and written as certificates have them', async () => {
  const read = async (text: string) => (await parseAltNames(text)).map(({ type, value }) => `${type} ${value}`)
  assert.deepEqual(await read('Example.COM\n*.bücher.example;localhost nas-1'), [
    'DNS example.com',
    'DNS *.xn--bcher-kva.example',
    'DNS localhost',
    'DNS nas-1',
  ])
  assert.deepEqual(await read('192.0.2.1, 2001:DB8:0::1, IP Address: ::1, ip:192.0.2.1'), [
    'IP 192.0.2.1',
    'IP 2001:db8::1',
    'IP ::1',
  ])
  assert.deepEqual(
    await read(
      'a.b+c@bücher.example https://a.example/ü spiffe://a.example/b urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    ),
    [
      'email a.b+c@xn--bcher-kva.example',
      'URI https://a.example/%C3%BC',
      'URI spiffe://a.example/b',
      'URI urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    ],
  )
  assert.deepEqual(await read(' , ;'), [])
})

for (const [text, words] of [
  ['a..b', /host name/],
  ['-a.example', /host name/],
  ['a!.example', /host name/],
  [`${'a'.repeat(64)}.example`, /host name/],
  [`${'a.'.repeat(130)}example`, /host name/],
  ['1.2.3', /host name/],
  ['a.*.example', /asterisk/],
  ['*', /asterisk/],
  ['f*o.example', /asterisk/],
  ['IP:a.example', /IPv4 address/],
  ['IP:192.0.2.256', /IPv4 address/],
  ['a@', /name@example\.com/],
  ['a@b@c.example', /name@example\.com/],
  ['ü@a.example', /before the @/],
  ['URI:relative', /absolute/],
  ['URI:https://', /absolute/],
  ['DNS:a\0b.example', /domain name|host name/],
  [Array.from({ length: 101 }, (_, i) => `a${i}.example`).join(), /at most 100 names, got 101/],
  ['a.example, b..c', /^name 2 of 2: /],
] as const) {
  test(`refused: ${JSON.stringify(text.slice(0, 40))}`, async () => {
    await assert.rejects(
      parseAltNames(text),
      (error: Error) => error instanceof RangeError && words.test(error.message),
    )
  })
}

for (const [subject, attribute, words] of [
  [{ country: 'Germany' }, 'country', /two letters/],
  [{ country: 'D1' }, 'country', /two letters/],
  [{ common_name: 'x'.repeat(65) }, 'common_name', /host name|64/],
  [{ common_name: `${'x '.repeat(40)}` }, 'common_name', /at most 64 characters/],
  [{ common_name: 'a\nb' }, 'common_name', /one line/],
  [{ common_name: 'a..example' }, 'common_name', /host name/],
  [{ organization: 'é'.repeat(65) }, 'organization', /at most 64 characters/],
  [{ organizational_unit: 'a\0b' }, 'organizational_unit', /one line/],
  [{ state: 'x'.repeat(129) }, 'state', /at most 128/],
  [{ email: 'nobody' }, 'email', /name@example\.com/],
] as const) {
  test(`refused in the subject: ${attribute} ${words}`, async () => {
    await assert.rejects(writeSubject(subject), { name: 'SubjectError', attribute, message: words })
  })
}

test('RFC 5280 appendix A.1: the bounds count characters, and 64 beyond the BMP still fit', async () => {
  await writeSubject({ organization: '😀'.repeat(64), locality: 'x'.repeat(128) })
})

test('keys that sign no certificates are refused', async () => {
  assert.throws(() => signerFor({ type: 'X25519', bytes: fromHex('00'.repeat(32)) }), /signs no certificates/)
  assert.throws(() => signerFor({ type: 'EC', curve: 'secp256k1', d: fromHex('01') }), /not one of P-256/)
})
