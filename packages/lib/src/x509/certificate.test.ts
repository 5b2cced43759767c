import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { writeAlgorithm } from '../asn1/algorithm.ts'
import { parseDer } from '../asn1/der.ts'
import { parsePem } from '../asn1/pem.ts'
import { der } from '../asn1/write.ts'
import { type Bytes, concat, fromHex, fromUtf8, toHex } from '../bytes.ts'
import { readPublicKey } from '../key/read.ts'
import { verifySignature } from '../sign/verify.ts'
import { type Certificate, parseCertificate } from './certificate.ts'
import { chainOf, linksOf, signedBy } from './chain.ts'
import { describeCertificate } from './describe.ts'
import { certificatesInFile, certificatesInText } from './input.ts'
import { judge, validityOf } from './judge.ts'
import { equalNames } from './name.ts'
import { readTimestamps } from './sct.ts'

const folder = mkdtempSync(join(tmpdir(), 'x509-'))
after(() => rmSync(folder, { recursive: true }))
const openssl = (input: string | Uint8Array, ...args: string[]): string =>
  execFileSync('openssl', args, { input, encoding: 'utf8', cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] })
const file = (name: string, content: string) => writeFileSync(join(folder, name), content)
const bytesOf = (pem: string): Bytes => parsePem(pem)[0]?.bytes ?? new Uint8Array()
const parsed = (pem: string): Certificate => parseCertificate(bytesOf(pem))
const NOW = new Date('2026-06-01T00:00:00Z')
const report = async (pem: string) => {
  const certificate = parsed(pem)
  const [link] = await linksOf([certificate])
  assert.ok(link)
  return describeCertificate(certificate, link, NOW)
}

const genpkey = (...args: string[]) => openssl('', 'genpkey', ...args)
const ec = (curve: string) => genpkey('-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${curve}`)
const rsaKey = genpkey('-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048')
const kinds: Readonly<Record<string, { key: string; options?: string[] }>> = {
  'RSA with SHA-256': { key: rsaKey },
  'RSA with SHA-1': { key: rsaKey, options: ['-sha1'] },
  'RSA with MD5': { key: rsaKey, options: ['-md5'] },
  'RSA with SHA-512/256': { key: rsaKey, options: ['-sha512-256'] },
  'RSA with SHA3-256': { key: rsaKey, options: ['-sha3-256'] },
  'RSA-PSS': { key: rsaKey, options: ['-sha256', '-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:32'] },
  'RSA-PSS with SHA-1': {
    key: rsaKey,
    options: ['-sha1', '-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:20'],
  },
  'RSA-PSS key': { key: genpkey('-algorithm', 'RSA-PSS', '-pkeyopt', 'rsa_keygen_bits:2048') },
  'P-256': { key: ec('prime256v1') },
  'P-384 with SHA-384': { key: ec('secp384r1'), options: ['-sha384'] },
  'P-521 with SHA3-512': { key: ec('secp521r1'), options: ['-sha3-512'] },
  secp256k1: { key: ec('secp256k1') },
  brainpoolP256r1: { key: ec('brainpoolP256r1') },
  brainpoolP512r1: { key: ec('brainpoolP512r1'), options: ['-sha512'] },
  Ed25519: { key: genpkey('-algorithm', 'ED25519') },
  Ed448: { key: genpkey('-algorithm', 'ED448') },
  DSA: { key: openssl('', 'dsaparam', '-genkey', '-noout', '1024') },
}

const subject =
  '/C=DE/ST=Bayern/L=München/O=Müller, Söhne \\"+\\" Co./OU=#1 <a;b>/CN=example.com/emailAddress=a@example.com'
function selfSigned({ key, options = [] }: { key: string; options?: string[] | undefined }, ...more: string[]): string {
  file('key.pem', key)
  return openssl(
    '',
    'req',
    '-x509',
    '-new',
    '-key',
    'key.pem',
    '-utf8',
    '-subj',
    subject,
    '-days',
    '30',
    ...options,
    ...more,
  )
}

/** What the fields of openssl x509 say, one line each. */
function theirs(pem: string) {
  const print = (...args: string[]) => openssl(pem, 'x509', '-noout', ...args).trim()
  const value = (text: string) => text.slice(text.indexOf('=') + 1)
  return {
    serial: value(print('-serial')).toLowerCase(),
    sha256: value(print('-fingerprint', '-sha256')).replaceAll(':', '').toLowerCase(),
    sha1: value(print('-fingerprint', '-sha1')).replaceAll(':', '').toLowerCase(),
    subject: value(print('-subject', '-nameopt', 'RFC2253,utf8,-esc_msb,-esc_ctrl')),
    issuer: value(print('-issuer', '-nameopt', 'RFC2253,utf8,-esc_msb,-esc_ctrl')),
    not_before: new Date(value(print('-startdate'))).toISOString(),
    not_after: new Date(value(print('-enddate'))).toISOString(),
    spki: execFileSync('openssl', ['pkey', '-pubin', '-outform', 'DER'], { input: print('-pubkey') }).toString('hex'),
  }
}

for (const [name, kind] of Object.entries(kinds)) {
  test(`${name}: the fields are those of openssl x509, and the signature holds`, async () => {
    const pem = selfSigned(kind)
    const {
      serial,
      fingerprints,
      subject,
      issuer,
      validity,
      public_key,
      self_signed,
      signature,
      pem: again,
    } = await report(pem)
    assert.deepEqual(
      {
        serial,
        sha256: fingerprints.sha256,
        sha1: fingerprints.sha1,
        subject: subject.text,
        issuer: issuer.text,
        not_before: validity.not_before,
        not_after: validity.not_after,
        spki: public_key.spki,
      },
      theirs(pem),
    )
    assert.equal(again, pem)
    assert.deepEqual([self_signed, signature.checked], ['yes', 'valid'])
    assert.deepEqual(parsed(pem).faults, [])
  })

  test(`${name}: a changed certificate does not hold`, async () => {
    const bytes = Uint8Array.from(bytesOf(selfSigned(kind)))
    const at = Buffer.from(bytes).indexOf('example.com')
    bytes[at] = (bytes[at] ?? 0) ^ 1
    const certificate = parseCertificate(bytes)
    assert.equal((await signedBy(certificate, certificate)).verdict, 'invalid')
  })
}

test('curves without arithmetic here are read, and their signatures are unknown, not invalid', async () => {
  for (const curve of ['secp224r1', 'prime192v1', 'brainpoolP320r1', 'brainpoolP256t1']) {
    const { public_key, self_signed, signature } = await report(selfSigned({ key: ec(curve) }))
    assert.equal('curve' in public_key, true, curve)
    assert.deepEqual([self_signed, signature.checked], ['unproven', 'unknown'])
  }
  for (const curve of ['sect233r1', 'secp160r1']) {
    const { public_key, signature } = await report(selfSigned({ key: ec(curve) }))
    assert.match('problem' in public_key ? public_key.problem : '', /not known here/)
    assert.equal(signature.checked, 'unknown')
  }
  const explicit = await report(
    selfSigned({
      key: genpkey('-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-pkeyopt', 'ec_param_enc:explicit'),
    }),
  )
  assert.match('problem' in explicit.public_key ? explicit.public_key.problem : '', /described by its parameters/)
})

const extensions: readonly (readonly [config: string, name: string, value: unknown])[] = [
  ['basicConstraints=critical,CA:TRUE,pathlen:3', 'basicConstraints', { ca: true, path_length: 3 }],
  ['basicConstraints=CA:FALSE', 'basicConstraints', { ca: false, path_length: null }],
  [
    'keyUsage=critical,digitalSignature,nonRepudiation,keyEncipherment,dataEncipherment,keyAgreement,keyCertSign,cRLSign,encipherOnly,decipherOnly',
    'keyUsage',
    [
      'digitalSignature',
      'nonRepudiation',
      'keyEncipherment',
      'dataEncipherment',
      'keyAgreement',
      'keyCertSign',
      'cRLSign',
      'encipherOnly',
      'decipherOnly',
    ],
  ],
  [
    'extendedKeyUsage=serverAuth,codeSigning,1.2.3.4',
    'extKeyUsage',
    [
      { oid: '1.3.6.1.5.5.7.3.1', name: 'serverAuth' },
      { oid: '1.3.6.1.5.5.7.3.3', name: 'codeSigning' },
      { oid: '1.2.3.4', name: '1.2.3.4' },
    ],
  ],
  [
    'subjectAltName=DNS:*.example.com,email:a@example.com,URI:https://example.com/x,IP:192.0.2.1,IP:2001:db8::1,RID:1.2.3.4,dirName:dir,otherName:1.3.6.1.4.1.311.20.2.3;UTF8:ada@example.com',
    'subjectAltName',
    [
      { type: 'DNS', value: '*.example.com' },
      { type: 'email', value: 'a@example.com' },
      { type: 'URI', value: 'https://example.com/x' },
      { type: 'IP', value: '192.0.2.1' },
      { type: 'IP', value: '2001:db8::1' },
      { type: 'registered ID', value: '1.2.3.4' },
      { type: 'directory', value: 'CN=Ada,O=Example' },
      { type: 'other', value: 'msUserPrincipalName: ada@example.com' },
    ],
  ],
  ['issuerAltName=DNS:issuer.example.com', 'issuerAltName', [{ type: 'DNS', value: 'issuer.example.com' }]],
  [
    'nameConstraints=critical,permitted;DNS:example.com,permitted;IP:192.0.2.0/255.255.255.0,excluded;email:example.org',
    'nameConstraints',
    {
      permitted: [
        { type: 'DNS', value: 'example.com' },
        { type: 'IP', value: '192.0.2.0/24' },
      ],
      excluded: [{ type: 'email', value: 'example.org' }],
    },
  ],
  [
    'certificatePolicies=2.23.140.1.2.1,1.3.5.8,@policy',
    'certificatePolicies',
    [
      { oid: '2.23.140.1.2.1', name: 'domain-validated', qualifiers: [] },
      { oid: '1.3.5.8', name: '1.3.5.8', qualifiers: [] },
      {
        oid: '1.3.5.9',
        name: '1.3.5.9',
        qualifiers: [
          { type: 'cps', text: 'https://example.com/cps' },
          { type: 'unotice', text: 'Example 1, 2 Be careful' },
        ],
      },
    ],
  ],
  ['policyMappings=1.3.5.8:1.3.5.9', 'policyMappings', [{ issuer: '1.3.5.8', subject: '1.3.5.9' }]],
  [
    'policyConstraints=requireExplicitPolicy:3,inhibitPolicyMapping:0',
    'policyConstraints',
    { require_explicit_policy: 3, inhibit_policy_mapping: 0 },
  ],
  ['inhibitAnyPolicy=2', 'inhibitAnyPolicy', 2],
  [
    'authorityInfoAccess=OCSP;URI:http://ocsp.example.com,caIssuers;URI:http://example.com/ca.cer',
    'authorityInfoAccess',
    [
      { method: 'ocsp', type: 'URI', location: 'http://ocsp.example.com' },
      { method: 'caIssuers', type: 'URI', location: 'http://example.com/ca.cer' },
    ],
  ],
  [
    'subjectInfoAccess=caRepository;URI:http://example.com/',
    'subjectInfoAccess',
    [{ method: 'caRepository', type: 'URI', location: 'http://example.com/' }],
  ],
  [
    'crlDistributionPoints=point',
    'cRLDistributionPoints',
    [
      {
        names: [{ type: 'URI', value: 'http://example.com/ca.crl' }],
        reasons: ['keyCompromise', 'cACompromise'],
        issuer: [{ type: 'directory', value: 'CN=Ada,O=Example' }],
      },
    ],
  ],
  [
    'freshestCRL=URI:http://example.com/new.crl',
    'freshestCRL',
    [{ names: [{ type: 'URI', value: 'http://example.com/new.crl' }], reasons: [], issuer: [] }],
  ],
  ['tlsfeature=status_request,17', 'tlsfeature', [5, 17]],
  ['noCheck=ignored', 'ocspNoCheck', null],
  ['1.3.6.1.4.1.11129.2.4.3=critical,DER:05:00', 'ctPoison', null],
  ['nsCertType=server,sslCA', 'nsCertType', ['SSL server', 'SSL CA']],
  ['nsComment=a remark', 'nsComment', 'a remark'],
  ['1.3.6.1.4.1.311.21.1=DER:02:03:01:00:02', 'msCAVersion', 65538],
  ['1.3.6.1.4.1.311.20.2=ASN1:BMPSTRING:Web', 'msCertificateTemplateName', 'Web'],
  ['1.2.3.4.5=DER:04:02:be:ef', '1.2.3.4.5', undefined],
]

for (const [config, name, value] of extensions) {
  test(`RFC 5280 §4.2: ${config.slice(0, 60)}`, async () => {
    file(
      'ext.cnf',
      [
        '[req]',
        'distinguished_name=dn',
        '[dn]',
        '[ext]',
        config,
        '[dir]',
        'O=Example',
        'CN=Ada',
        '[policy]',
        'policyIdentifier=1.3.5.9',
        'CPS.1=https://example.com/cps',
        'userNotice.1=@notice',
        '[notice]',
        'explicitText=Be careful',
        'organization=Example',
        'noticeNumbers=1,2',
        '[point]',
        'fullname=URI:http://example.com/ca.crl',
        'reasons=keyCompromise,CACompromise',
        'CRLissuer=dirName:dir',
        '',
      ].join('\n'),
    )
    const pem = openssl(
      '',
      'req',
      '-x509',
      '-new',
      '-config',
      'ext.cnf',
      '-extensions',
      'ext',
      '-newkey',
      'ed25519',
      '-nodes',
      '-keyout',
      '/dev/null',
      '-subj',
      '/CN=a',
    )
    const found = (await report(pem)).extensions.find(extension => extension.name === name)
    assert.ok(found, name)
    assert.equal(found.problem, undefined)
    assert.deepEqual(found.value, value)
    assert.equal(found.critical, config.includes('critical'))
    assert.ok(found.lines.length > 0 && found.lines.every(line => line.length > 0))
    if (value === undefined) assert.deepEqual(found.lines, ['0402beef'])
  })
}

const rfc8410 = `-----BEGIN CERTIFICATE-----
MIIBLDCB36ADAgECAghWAUdKKo3DMDAFBgMrZXAwGTEXMBUGA1UEAwwOSUVURiBUZX
N0IERlbW8wHhcNMTYwODAxMTIxOTI0WhcNNDAxMjMxMjM1OTU5WjAZMRcwFQYDVQQD
DA5JRVRGIFRlc3QgRGVtbzAqMAUGAytlbgMhAIUg8AmJMKdUdIt93LQ+91oNvzoNJj
ga9OukqY6qm05qo0UwQzAPBgNVHRMBAf8EBTADAQEAMA4GA1UdDwEBAAQEAwIDCDAg
BgNVHQ4BAQAEFgQUmx9e7e0EM4Xk97xiPFl1uQvIuzswBQYDK2VwA0EAryMB/t3J5v
/BzKc9dNZIpDmAgs3babFOTQbs+BolzlDUwsPrdGxO3YNGhW7Ibz3OGhhlxXrCe1Cg
w1AH9efZBw==
-----END CERTIFICATE-----`

test('RFC 8410 §10.1 and §10.2: the certificate is signed with the key of the example', async () => {
  const certificate = parsed(rfc8410)
  const { key } = await readPublicKey('MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=')
  const { algorithm, signed, signature } = certificate
  assert.deepEqual(await verifySignature(algorithm, key, signed, signature), { verdict: 'valid' })
  assert.equal(certificate.key?.type, 'X25519')
  // Errata 6936 and 7070: values that DER leaves out stand there.
  assert.equal(certificate.faults.length, 2)
  const [link] = await linksOf([certificate])
  assert.deepEqual([link?.issuer, link?.signature.verdict], [null, 'unknown'])
})

const roots = '/etc/ssl/certs'
test('roots that browsers trust are read without a fault, and each signed itself', {
  skip: !existsSync(roots),
}, async () => {
  const names = readdirSync(roots)
    .filter(name => name.endsWith('.pem'))
    .slice(0, 60)
  for (const name of names) {
    const certificate = parsed(readFileSync(join(roots, name), 'utf8'))
    const { verdict } = await signedBy(certificate, certificate)
    assert.equal(verdict, 'valid', name)
    const { extensions } = await report(readFileSync(join(roots, name), 'utf8'))
    assert.deepEqual(
      extensions.filter(({ problem }) => problem),
      [],
      name,
    )
  }
})

function chainPems() {
  file(
    'chain.cnf',
    '[ca]\nbasicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\nsubjectKeyIdentifier=hash\n[leaf]\nsubjectAltName=DNS:example.com\nextendedKeyUsage=serverAuth\nauthorityKeyIdentifier=keyid\n',
  )
  for (const name of ['root', 'middle', 'leaf', 'other']) {
    file(`${name}.key`, ec('prime256v1'))
    file(`${name}.csr`, openssl('', 'req', '-new', '-key', `${name}.key`, '-subj', `/CN=${name}`))
  }
  const sign = (name: string, section: string, ...by: string[]) => {
    const pem = openssl(
      '',
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-days',
      '30',
      '-extfile',
      'chain.cnf',
      '-extensions',
      section,
      ...by,
    )
    file(`${name}.pem`, pem)
    return pem
  }
  const root = sign('root', 'ca', '-signkey', 'root.key')
  const middle = sign('middle', 'ca', '-CA', 'root.pem', '-CAkey', 'root.key', '-CAcreateserial')
  const leaf = sign('leaf', 'leaf', '-CA', 'middle.pem', '-CAkey', 'middle.key', '-CAcreateserial')
  const other = sign('other', 'ca', '-signkey', 'other.key')
  return { root, middle, leaf, other }
}

test('RFC 5280 §6.1: chains in every order, and what is missing from them', async () => {
  const { root, middle, leaf, other } = chainPems()
  const chain = async (...pems: string[]) => chainOf(await linksOf(pems.map(parsed)))
  assert.deepEqual(await chain(leaf, middle, root), {
    order: 'leaf first',
    path: [0, 1, 2],
    complete: true,
    unused: [],
  })
  assert.deepEqual(await chain(root, middle, leaf), {
    order: 'root first',
    path: [2, 1, 0],
    complete: true,
    unused: [],
  })
  assert.deepEqual(await chain(leaf, root, middle), { order: 'mixed', path: [0, 2, 1], complete: true, unused: [] })
  assert.deepEqual(await chain(leaf, middle), { order: 'leaf first', path: [0, 1], complete: false, unused: [] })
  assert.deepEqual(await chain(leaf, root), { order: 'unrelated', path: [0], complete: false, unused: [1] })
  assert.deepEqual(await chain(leaf, other, middle), { order: 'mixed', path: [0, 2], complete: false, unused: [1] })
  assert.deepEqual(await chain(root), { order: 'single', path: [0], complete: true, unused: [] })
  assert.deepEqual(await chain(leaf), { order: 'single', path: [0], complete: false, unused: [] })
})

test('an issuer of the right name with another key is found out', async () => {
  const { middle, leaf } = chainPems()
  file('forged.key', ec('prime256v1'))
  const forged = openssl('', 'req', '-x509', '-new', '-key', 'forged.key', '-subj', '/CN=middle', '-days', '30')
  const [link] = await linksOf([leaf, forged].map(parsed))
  assert.equal(link?.signature.verdict, 'invalid')
  assert.ok(link?.faults.some(fault => /key identifiers/.test(fault)))
  const [right] = await linksOf([leaf, forged, middle].map(parsed))
  assert.deepEqual([right?.issuer, right?.signature.verdict], [2, 'valid'])
  const [, own] = await linksOf([leaf, leaf].map(parsed))
  assert.equal(own?.issuer, null)
})

test('an issuer that may not issue is pointed out although the signature holds', async () => {
  file('end.key', ec('prime256v1'))
  file('end.cnf', '[end]\nbasicConstraints=CA:FALSE\nkeyUsage=digitalSignature\n')
  file('end.csr', openssl('', 'req', '-new', '-key', 'end.key', '-subj', '/CN=end'))
  file(
    'end.pem',
    openssl(
      '',
      'x509',
      '-req',
      '-in',
      'end.csr',
      '-signkey',
      'end.key',
      '-days',
      '5',
      '-extfile',
      'end.cnf',
      '-extensions',
      'end',
    ),
  )
  file('sub.csr', openssl('', 'req', '-new', '-key', 'end.key', '-subj', '/CN=sub'))
  const sub = openssl(
    '',
    'x509',
    '-req',
    '-in',
    'sub.csr',
    '-CA',
    'end.pem',
    '-CAkey',
    'end.key',
    '-CAcreateserial',
    '-days',
    '9',
  )
  const [link] = await linksOf([parsed(sub), parsed(readFileSync(join(folder, 'end.pem'), 'utf8'))])
  assert.equal(link?.signature.verdict, 'valid')
  assert.equal(link?.faults.length, 3)
})

const plain = selfSigned({ key: kinds.Ed25519?.key ?? '' }, '-addext', 'subjectAltName=DNS:example.com')

test('RFC 5280 §4.1.2.5: both ends of the validity still belong to it', () => {
  const certificate = parsed(plain)
  const { notBefore, notAfter } = certificate
  const at = (date: Date, ms: number) => validityOf(certificate, new Date(date.getTime() + ms)).status
  assert.deepEqual(
    [
      at(notBefore.date, -1),
      at(notBefore.date, 0),
      at(notAfter.date, 0),
      at(notAfter.date, 999),
      at(notAfter.date, 1000),
    ],
    ['not yet valid', 'valid', 'valid', 'valid', 'expired'],
  )
})

test('days left are whole days, and never less than nothing by a fraction', () => {
  const certificate = parsed(plain)
  const left = (ms: number) => validityOf(certificate, new Date(certificate.notAfter.date.getTime() - ms)).days_left
  assert.deepEqual([left(86_400_000), left(86_399_999), left(0), left(-3_600_000), left(-86_400_000)], [1, 0, 0, 0, -1])
})

test('verdicts in plain words', async () => {
  const verdicts = async (pem: string, now = NOW) =>
    Object.fromEntries((await judge(parsed(pem), now)).map(({ name, verdict }) => [name, verdict]))
  const start = parsed(plain).notBefore.date
  const soon = new Date(start.getTime() + 86_400_000)
  assert.equal((await verdicts(plain, soon)).Validity, 'warn')
  assert.equal((await verdicts(plain, new Date('2000-01-01'))).Validity, 'fail')
  assert.equal((await verdicts(plain, new Date('2100-01-01'))).Validity, 'fail')
  const weak = genpkey('-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024')
  assert.equal((await verdicts(selfSigned({ key: weak }))).Key, 'fail')
  const three = genpkey('-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-pkeyopt', 'rsa_keygen_pubexp:3')
  assert.equal((await verdicts(selfSigned({ key: three }))).Key, 'warn')
  assert.equal(
    (await verdicts(selfSigned({ key: rsaKey, options: ['-sha1'] })))['Signature algorithm'],
    'not-applicable',
  )
  const { leaf } = chainPems()
  assert.equal((await verdicts(leaf)).Names, 'pass')
  const signed = openssl(
    '',
    'x509',
    '-req',
    '-in',
    'leaf.csr',
    '-sha1',
    '-CA',
    'root.pem',
    '-CAkey',
    'root.key',
    '-CAcreateserial',
  )
  assert.equal((await verdicts(signed))['Signature algorithm'], 'fail')
  assert.equal((await verdicts(signed)).Names, 'warn')
  const caWithout = selfSigned({ key: rsaKey }, '-addext', 'keyUsage=digitalSignature')
  assert.equal((await verdicts(caWithout)).Authority, 'fail')
  const poisoned = selfSigned({ key: rsaKey }, '-addext', '1.3.6.1.4.1.11129.2.4.3=critical,DER:05:00')
  assert.equal((await verdicts(poisoned)).Precertificate, 'fail')
  const unknown = selfSigned({ key: rsaKey }, '-addext', '1.2.3.4=critical,DER:05:00')
  assert.equal((await verdicts(unknown))['Critical extensions'], 'warn')
  const long = selfSigned({ key: rsaKey }, '-set_serial', '-5')
  assert.equal((await verdicts(long))['Serial number'], 'fail')
  assert.match((await report(long)).serial, /^-05$/)
  const nul = selfSigned(
    { key: rsaKey },
    '-addext',
    'basicConstraints=CA:FALSE',
    '-addext',
    'subjectAltName=DER:30:05:82:03:61:00:62',
  )
  assert.equal((await verdicts(nul)).Names, 'fail')
})

/** A certificate with parts of our choosing; its signature is of no use. */
function made(
  parts: {
    version?: Bytes
    serial?: Bytes
    inner?: Bytes
    validity?: Bytes
    subject?: Bytes
    extensions?: Bytes
    after?: Bytes
  } = {},
): Bytes {
  const algorithm = writeAlgorithm('1.3.101.112')
  const name = der.sequence(der.setOf(der.sequence(der.oid('2.5.4.3'), der.utf8String('a'))))
  const validity = der.sequence(der.time(new Date('2026-01-01')), der.time(new Date('2027-01-01')))
  const key = der.sequence(algorithm, der.bitString(new Uint8Array(32).fill(1)))
  const body = der.sequence(
    parts.version ?? der.explicit(0, der.integer(2)),
    parts.serial ?? der.integer(1),
    parts.inner ?? algorithm,
    name,
    parts.validity ?? validity,
    parts.subject ?? name,
    key,
    parts.extensions ?? new Uint8Array(),
    parts.after ?? new Uint8Array(),
  )
  return der.sequence(body, algorithm, der.bitString(new Uint8Array(64)))
}

test('what breaks the structure is refused with its offset', () => {
  const good = made()
  assert.deepEqual(parseCertificate(good).faults, [])
  for (const [bytes, words] of [
    [new Uint8Array(), /no bytes \(at byte 0\)/],
    [good.slice(0, -1), /bytes are left|only \d+ are left/],
    [concat(good, Uint8Array.of(0)), /1 bytes follow/],
    [made({ serial: new Uint8Array() }), /expected an INTEGER for the serial number/],
    [made({ serial: fromHex('02020001') }), /leading octet/],
    [made({ validity: der.sequence(der.time(new Date())) }), /the end of the validity is missing/],
    [made({ validity: der.sequence(der.utf8String('x'), der.utf8String('y')) }), /is not a time/],
    [made({ after: der.null() }), /follow the end of the signed part/],
    [made({ extensions: der.explicit(3, der.sequence(), der.null()) }), /follow the end of the extensions/],
    [made({ version: der.implicit(0, Uint8Array.of(2)) }), /not constructed/],
    [der.sequence(der.sequence()), /algorithm of the signature is missing/],
    [der.octetString(good), /expected a SEQUENCE/],
  ] as const) {
    assert.throws(
      () => parseCertificate(bytes),
      error => error instanceof RangeError && words.test(error.message),
      String(words),
    )
  }
})

test('what only breaks a rule is read and listed', () => {
  const extension = (oid: string, ...rest: Uint8Array[]) =>
    der.sequence(der.oid(oid), ...rest, der.octetString(der.null()))
  const list = (...items: Bytes[]) => der.explicit(3, der.sequence(...items))
  for (const [bytes, words] of [
    [made({ version: der.explicit(0, der.integer(0)) }), /version 1 is written out/],
    [made({ version: der.explicit(0, der.integer(4)) }), /version 5 is not defined/],
    [made({ version: new Uint8Array(), extensions: list(extension('1.2.3')) }), /extensions need version 3/],
    [made({ inner: writeAlgorithm('1.3.101.113') }), /differs from the one beside the signature/],
    [
      made({ validity: der.sequence(der.generalizedTime(new Date('2026-01-01')), der.time(new Date('2027-01-01'))) }),
      /GeneralizedTime before 2050/,
    ],
    [made({ extensions: list(extension('1.2.3'), extension('1.2.3')) }), /twice/],
    [made({ extensions: list(extension('1.2.3', der.boolean(false))) }), /writes out that it is not critical/],
    [made({ extensions: list(extension('1.2.3', fromHex('010101'))) }), /is not ff/],
    [made({ extensions: list() }), /list of extensions is empty/],
    [
      made({ subject: der.sequence(der.setOf(der.sequence(der.oid('2.5.4.3'), der.printableString('a@b')))) }),
      /does not allow/,
    ],
    [
      made({ subject: der.sequence(der.setOf(der.sequence(der.oid('2.5.4.3'), fromHex('0c01ff')))) }),
      /not valid UTF-8/,
    ],
    [made({ subject: der.sequence(der.setOf()) }), /is empty/],
  ] as const) {
    const { faults } = parseCertificate(bytes)
    assert.ok(
      faults.some(fault => words.test(fault)),
      `${words} in ${faults.join('; ')}`,
    )
  }
})

test('an extension that is broken keeps its bytes and does not hide the others', async () => {
  const list = der.explicit(
    3,
    der.sequence(
      der.sequence(der.oid('2.5.29.19'), der.octetString(fromHex('0500'))),
      der.sequence(der.oid('2.5.29.15'), der.octetString(concat(der.namedBits([5]), Uint8Array.of(0)))),
      der.sequence(der.oid('2.5.29.17'), der.octetString(der.sequence(der.implicit(2, fromUtf8('example.com'))))),
    ),
  )
  const certificate = parseCertificate(made({ extensions: list }))
  const [link] = await linksOf([certificate])
  assert.ok(link)
  const { extensions } = await describeCertificate(certificate, link, NOW)
  assert.match(extensions[0]?.problem ?? '', /expected a SEQUENCE/)
  assert.match(extensions[1]?.problem ?? '', /1 bytes follow/)
  assert.deepEqual(extensions[0]?.lines, ['0500'])
  assert.deepEqual(extensions[2]?.lines, ['DNS: example.com'])
})

test('RFC 4514 §2.4: names are escaped, and nothing in them is invisible', () => {
  const name = (...values: string[]) =>
    parseCertificate(
      made({
        subject: der.sequence(
          ...values.map(value => der.setOf(der.sequence(der.oid('2.5.4.3'), der.utf8String(value)))),
        ),
      }),
    ).subject.text
  assert.equal(name('a', 'b'), 'CN=b,CN=a')
  assert.equal(name('James "Jim" Smith, III'), 'CN=James \\"Jim\\" Smith\\, III')
  assert.equal(name(' x '), 'CN=\\ x\\ ')
  assert.equal(name('a\u0000b\u202ec\u200b'), 'CN=a\\u{0}b\\u{202e}c\\u{200b}')
  const other = (value: Bytes) =>
    parseCertificate(made({ subject: der.sequence(der.setOf(der.sequence(der.oid('1.2.3.4'), value))) })).subject.text
  assert.equal(other(der.octetString(fromHex('0102'))), '1.2.3.4=#04020102')
  assert.equal(other(fromHex('1e0400e900e8')), '1.2.3.4=éè')
})

test('RFC 5280 §7.1: case, white space and encoding do not make another name', () => {
  const name = (value: Bytes) =>
    parseCertificate(made({ subject: der.sequence(der.setOf(der.sequence(der.oid('2.5.4.10'), value))) })).subject
  assert.ok(equalNames(name(der.utf8String('Example  Trust')), name(der.printableString(' example trust'))))
  assert.ok(!equalNames(name(der.utf8String('Example')), name(der.utf8String('Examples'))))
})

test('other things than certificates are told by their names', () => {
  file('key.pem', rsaKey)
  const request = openssl('', 'req', '-new', '-key', 'key.pem', '-subj', '/CN=a')
  file('one.pem', plain)
  const pkcs7 = openssl('', 'crl2pkcs7', '-nocrl', '-certfile', 'one.pem')
  const pkcs12 = execFileSync('openssl', ['pkcs12', '-export', '-nokeys', '-in', 'one.pem', '-passout', 'pass:'], {
    cwd: folder,
  })
  const der = (pem: string) => toHex(bytesOf(pem))
  for (const [text, words] of [
    ['', /nothing in it/],
    ['hello world', /no certificate in PEM/],
    [request, /certificate request \(CSR\)/],
    [der(request), /certificate request \(CSR\)/],
    [pkcs7, /PKCS #7 bundle/],
    [der(pkcs7), /PKCS #7 bundle/],
    [pkcs12.toString('hex'), /PKCS #12 file/],
    [rsaKey, /a private key/],
    [der(rsaKey), /a private key/],
    [openssl(rsaKey, 'pkey', '-pubout'), /a public key alone/],
    [der(openssl(rsaKey, 'pkey', '-pubout')), /a public key alone/],
    ['-----BEGIN PGP MESSAGE-----\n\nAA\n=AAAA\n-----END PGP MESSAGE-----', /OpenPGP/],
    [plain.replace('-----END CERTIFICATE-----', ''), /no line that reads -----END CERTIFICATE/],
    [plain.replace(/\n[^-\n]{64}\n/, '\n'), /at byte \d+/],
    ['3000', /no certificate/],
  ] as const) {
    assert.throws(
      () => certificatesInText(text).map(parseCertificate),
      error => error instanceof RangeError && words.test(error.message),
      String(words),
    )
  }
  assert.throws(() => certificatesInFile(new Uint8Array()), /the file is empty/)
  assert.throws(() => certificatesInFile(fromHex('feedfeed00')), /Java keystore/)
  assert.throws(() => certificatesInFile(fromHex('ff00ff')), /neither DER nor text/)
})

test('every form of a certificate is read', () => {
  const bytes = bytesOf(plain)
  file('one.pem', plain)
  const trusted = openssl(plain, 'x509', '-trustout', '-addtrust', 'serverAuth')
  for (const text of [
    plain,
    toHex(bytes),
    toHex(bytes).replace(/../g, '$&:').slice(0, -1),
    toHex(bytes).replace(/../g, '0x$&, '),
    Buffer.from(bytes).toString('base64'),
    plain.replaceAll('\n', '\\n'),
    trusted,
    `text\n${plain}\n${rsaKey}`,
  ]) {
    assert.deepEqual(certificatesInText(text).map(toHex), [toHex(bytes)])
  }
  assert.deepEqual(certificatesInFile(bytes).map(toHex), [toHex(bytes)])
  assert.deepEqual(certificatesInFile(fromUtf8(`\ufeff${plain}`)).map(toHex), [toHex(bytes)])
  assert.equal(certificatesInText(plain.repeat(3)).length, 3)
  assert.throws(() => certificatesInText(plain.repeat(201)), /at most 200/)
})

test('no change of a certificate does anything but read or refuse with a RangeError', async () => {
  const bytes = bytesOf(chainPems().leaf)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      async changes => {
        const changed = Uint8Array.from(bytes)
        for (const [at, octet] of changes) changed[at] = octet
        try {
          const certificate = parseCertificate(changed)
          const [link] = await linksOf([certificate])
          assert.ok(link)
          const description = await describeCertificate(certificate, link, NOW)
          assert.deepEqual(JSON.parse(JSON.stringify(description)), description)
        } catch (error) {
          assert.ok(error instanceof RangeError, String(error instanceof Error ? error.stack : error))
        }
      },
    ),
    { numRuns: 1500 },
  )
})

test('RFC 6962 §3.3: embedded timestamps are those that openssl x509 -text prints', async () => {
  const pem = readFileSync(new URL('../../../../vectors/x509/embeddedSCTs3.pem', import.meta.url), 'utf8')
  const text = openssl(pem, 'x509', '-noout', '-text')
  const logs = [...text.matchAll(/Log ID {4}: ([\s\S]*?)\n\s*Timestamp : (.*?) GMT/g)].map(([, id = '', time = '']) => [
    Buffer.from(id.replace(/[\s:]/g, ''), 'hex').toString('base64'),
    new Date(`${time}Z`).toISOString(),
  ])
  assert.equal(logs.length, 3)
  const { extensions } = await report(pem)
  const value = extensions.find(({ oid }) => oid === '1.3.6.1.4.1.11129.2.4.2')?.value
  assert.ok(Array.isArray(value))
  assert.deepEqual(
    value.map(({ log_id, timestamp }: Record<string, string>) => [log_id, timestamp]),
    logs,
  )
  assert.ok(value.every(({ algorithm }: Record<string, string>) => algorithm === 'ECDSA with SHA-256'))
  for (const { signature } of value) assert.ok(text.replace(/[\s:]/g, '').includes(signature.toUpperCase()))
})

test('RFC 6962 §3.3: a list of timestamps that is cut short or too long is refused', () => {
  const pem = readFileSync(new URL('../../../../vectors/x509/embeddedSCTs3.pem', import.meta.url), 'utf8')
  const { extensions } = parsed(pem)
  const list = parseDer(
    extensions.find(({ name }) => name === 'signedCertificateTimestampList')?.bytes ?? new Uint8Array(),
  ).content
  assert.equal(readTimestamps(list).length, 3)
  for (const wrong of [
    new Uint8Array(),
    list.slice(0, -1),
    concat(list, Uint8Array.of(0)),
    list.slice(0, 20),
    fromHex('0002ffff'),
  ]) {
    assert.throws(() => readTimestamps(wrong), RangeError)
  }
  assert.deepEqual(readTimestamps(fromHex('0000')), [])
})
