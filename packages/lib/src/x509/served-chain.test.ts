import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parsePem } from '../asn1/pem.ts'
import { type Certificate, parseCertificate } from './certificate.ts'
import { matchesHost } from './host-match.ts'
import { certificatesOfIssuer } from './issuer-file.ts'
import { type OcspReport, readOcsp } from './ocsp.ts'
import { findPath } from './path.ts'
import { type ChainFault, judgeServedChain } from './served-chain.ts'

const folder = mkdtempSync(join(tmpdir(), 'served-chain-'))
after(() => rmSync(folder, { recursive: true }))
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
const file = (name: string) => readFileSync(join(folder, name))

interface Wish {
  by?: string
  extensions: string[]
  days?: [from: number, until: number]
  key?: string[]
  digest?: string
}
const DAY = 86_400_000
const stamp = (days: number) => `${new Date(Date.now() + days * DAY).toISOString().replace(/\D/g, '').slice(0, 14)}Z`

/** A certificate made by openssl x509, with its key beside it. */
function make(
  name: string,
  {
    by,
    extensions,
    days = [-10, 60],
    key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
    digest = 'sha256',
  }: Wish,
): void {
  openssl('req', '-new', ...key, '-noenc', '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`)
  writeFileSync(join(folder, `${name}.ext`), extensions.join('\n'))
  writeFileSync(join(folder, `${name}.db`), '')
  const config = [
    '[ca]',
    'default_ca=a',
    '[a]',
    `database=${name}.db`,
    `new_certs_dir=.`,
    `rand_serial=yes`,
    `policy=p`,
    `default_md=${digest}`,
    'unique_subject=no',
    '[p]',
    'commonName=supplied',
  ]
  writeFileSync(join(folder, `${name}.cnf`), config.join('\n'))
  const signer = by ? ['-cert', `${by}.pem`, '-keyfile', `${by}.key`] : ['-selfsign', '-keyfile', `${name}.key`]
  openssl(
    'ca',
    '-batch',
    '-notext',
    '-config',
    `${name}.cnf`,
    ...signer,
    '-in',
    `${name}.csr`,
    '-out',
    `${name}.pem`,
    '-extfile',
    `${name}.ext`,
    '-startdate',
    stamp(days[0]),
    '-enddate',
    stamp(days[1]),
  )
}

const authority = [
  'basicConstraints=critical,CA:TRUE',
  'keyUsage=critical,keyCertSign,cRLSign',
  'subjectKeyIdentifier=hash',
]
const server = (host = 'host.example') => [
  'basicConstraints=critical,CA:FALSE',
  'extendedKeyUsage=serverAuth',
  `subjectAltName=DNS:${host},DNS:*.wild.example,IP:192.0.2.1`,
]

make('root', { extensions: authority })
make('stranger', { extensions: authority })
make('issuing', { by: 'root', extensions: [...authority.slice(1), 'basicConstraints=critical,CA:TRUE,pathlen:0'] })
make('good', { by: 'issuing', extensions: server() })
make('expired', { by: 'issuing', extensions: server(), days: [-20, -5] })
make('early', { by: 'issuing', extensions: server(), days: [5, 60] })
make('other', { by: 'issuing', extensions: server('other.example') })
make('own', { extensions: server() })
make('below', { by: 'stranger', extensions: server() })
make('weak', { by: 'issuing', extensions: server(), key: ['-newkey', 'rsa:1024'] })
make('sha1', { by: 'issuing', extensions: server(), digest: 'sha1' })
make('client', { by: 'issuing', extensions: ['extendedKeyUsage=clientAuth', 'subjectAltName=DNS:host.example'] })
make('plain', { by: 'root', extensions: ['basicConstraints=critical,CA:FALSE'] })
make('under-plain', { by: 'plain', extensions: server() })
make('deeper', { by: 'issuing', extensions: authority })
make('too-deep', { by: 'deeper', extensions: server() })
make('old-issuing', { by: 'root', extensions: authority, days: [-20, -5] })
make('under-old', { by: 'old-issuing', extensions: server(), days: [-10, 60] })

const read = (name: string): Certificate => {
  const [block] = parsePem(String(file(`${name}.pem`)))
  assert.ok(block)
  return parseCertificate(block.bytes)
}
const root = read('root')

async function judged(names: readonly string[], more: { host?: string; fetched?: string[]; ocsp?: OcspReport } = {}) {
  const sent = names.map(read)
  const [leaf] = sent
  assert.ok(leaf)
  const pool = [
    ...sent.map(certificate => ({ certificate, source: 'sent' as const })),
    ...(more.fetched ?? []).map(name => ({ certificate: read(name), source: 'fetched' as const })),
  ]
  const path = await findPath(leaf, { pool, rootsFor: () => [{ certificate: root, store: 'system' }] })
  const findings = await judgeServedChain({
    host: more.host ?? 'host.example',
    sent,
    path,
    ocsp: more.ocsp,
    now: new Date(),
  })
  return { path, findings, faults: [...new Set(findings.flatMap(({ fault }) => fault ?? []))] }
}

/** Whether openssl verify takes what was sent, with the root as its only one. */
function verifies(names: readonly string[], host = 'host.example'): boolean {
  const [leaf = '', ...others] = names
  writeFileSync(join(folder, 'others.pem'), others.map(name => file(`${name}.pem`)).join(''))
  const untrusted = others.length ? ['-untrusted', 'others.pem'] : []
  const args = [
    'verify',
    '-CAfile',
    'root.pem',
    '-no-CApath',
    '-purpose',
    'sslserver',
    '-auth_level',
    '2',
    '-verify_hostname',
    host,
  ]
  return spawnSync('openssl', [...args, ...untrusted, `${leaf}.pem`], { cwd: folder }).status === 0
}

const cases: readonly (readonly [names: readonly string[], faults: readonly ChainFault[], host?: string])[] = [
  [['good', 'issuing'], []],
  [['good', 'issuing', 'root'], []],
  [['good', 'issuing'], [], 'a.wild.example'],
  [['good', 'issuing'], ['wrong name'], 'wild.example'],
  [['good', 'issuing'], ['wrong name'], 'a.b.wild.example'],
  [['good'], ['incomplete']],
  [['expired', 'issuing'], ['expired']],
  [['early', 'issuing'], ['not yet valid']],
  [['other', 'issuing'], ['wrong name']],
  [['own'], ['self-signed']],
  [['below', 'stranger'], ['untrusted root']],
  [['below'], ['incomplete']],
  [['good', 'root', 'issuing'], ['wrong order']],
  [['good', 'stranger', 'issuing'], ['extra certificates']],
  [['weak', 'issuing'], ['weak key']],
  [['sha1', 'issuing'], ['weak signature']],
  [['client', 'issuing'], ['not for servers']],
  [['under-plain', 'plain'], ['not an authority']],
  [['too-deep', 'deeper', 'issuing'], ['not an authority']],
  [['under-old', 'old-issuing'], ['expired']],
]
/** Faults that OpenSSL tolerates: it sorts and picks what it needs. */
const tolerated: readonly ChainFault[] = ['wrong order', 'extra certificates']

for (const [names, faults, host] of cases) {
  test(`${names.join(', ')}${host ? ` for ${host}` : ''}: ${faults.join(', ') || 'nothing wrong'}, and openssl verify agrees`, async () => {
    assert.deepEqual((await judged(names, host ? { host } : {})).faults, faults)
    assert.equal(
      verifies(names, host),
      faults.every(fault => tolerated.includes(fault)),
    )
  })
}

test('RFC 5280 §4.2.2.1: an issuer that was fetched makes the path whole, and stays a fault', async () => {
  const { path, faults, findings } = await judged(['good'], { fetched: ['stranger', 'issuing'] })
  assert.deepEqual(
    path.steps.map(({ source }) => source),
    ['sent', 'fetched', 'root'],
  )
  assert.deepEqual([path.end, path.store, faults], ['trusted', 'system', ['incomplete']])
  assert.match(JSON.stringify(findings), /does not send issuing/)
})

test('RFC 5280 §4.2.2.1: certificates of an issuer in DER, in PEM and in CMS', () => {
  const expected = [read('issuing').whole]
  openssl('x509', '-in', 'issuing.pem', '-outform', 'DER', '-out', 'issuing.der')
  openssl('crl2pkcs7', '-nocrl', '-certfile', 'issuing.pem', '-outform', 'DER', '-out', 'issuing.p7c')
  for (const name of ['issuing.der', 'issuing.pem', 'issuing.p7c']) {
    assert.deepEqual(certificatesOfIssuer(Uint8Array.from(file(name))), expected)
  }
  for (const bad of ['', 'no certificate', '\x30\x03\x02\x01\x01']) {
    assert.throws(() => certificatesOfIssuer(Uint8Array.from(Buffer.from(bad, 'latin1'))), RangeError)
  }
})

/** An answer of openssl ocsp about a certificate of `issuing`, signed by it or by one it allowed. */
function answer(name: string, line: string, signer: string): Uint8Array<ArrayBuffer> {
  const serial = read(name).serial.toString(16).toUpperCase()
  writeFileSync(
    join(folder, 'index.txt'),
    `${line.replace('SERIAL', serial.length % 2 ? `0${serial}` : serial)}\t/CN=${name}\n`,
  )
  openssl('ocsp', '-issuer', 'issuing.pem', '-cert', `${name}.pem`, '-no_nonce', '-reqout', 'request.der')
  openssl(
    'ocsp',
    '-index',
    'index.txt',
    '-CA',
    'issuing.pem',
    '-rsigner',
    `${signer}.pem`,
    '-rkey',
    `${signer}.key`,
    '-reqin',
    'request.der',
    '-respout',
    'response.der',
    '-ndays',
    '1',
  )
  return Uint8Array.from(file('response.der'))
}
const until = stamp(60).slice(2)
const good = `V\t${until}\t\tSERIAL\tunknown`
const revoked = `R\t${until}\t${stamp(-3).slice(2)},keyCompromise\tSERIAL\tunknown`
const about = (name: string, now = new Date()) => ({ leaf: read(name), issuer: read('issuing'), now })

make('responder', { by: 'issuing', extensions: ['extendedKeyUsage=OCSPSigning'] })

test('RFC 6960 §4.2: good, revoked and unknown, as openssl ocsp answers, by the issuer and by its responder', async () => {
  for (const signer of ['issuing', 'responder']) {
    const fine = await readOcsp(answer('good', good, signer), about('good'))
    assert.deepEqual([fine.status, fine.signature, fine.response, fine.faults], ['good', 'valid', 'successful', []])
    const gone = await readOcsp(answer('good', revoked, signer), about('good'))
    assert.deepEqual(
      [gone.status, gone.reason, gone.revoked_at?.slice(0, 10)],
      ['revoked', 'keyCompromise', new Date(Date.now() - 3 * DAY).toISOString().slice(0, 10)],
    )
    const stranger = await readOcsp(answer('other', good.replace('SERIAL', '01'), signer), about('other'))
    assert.equal(stranger.status, 'unknown')
  }
})

test('RFC 6960 §3.2: an answer about another certificate, of yesterday, or by a stranger is of no use', async () => {
  const bytes = answer('good', good, 'issuing')
  assert.deepEqual((await readOcsp(bytes, about('other'))).faults, ['it is about another certificate'])
  assert.deepEqual((await readOcsp(bytes, about('good', new Date(Date.now() + 3 * DAY)))).faults, ['it is out of date'])
  assert.deepEqual((await readOcsp(bytes, about('good', new Date(Date.now() - 3 * DAY)))).faults, [
    'it is from the future',
  ])
  const forged = await readOcsp(answer('good', good, 'stranger'), about('good'))
  assert.deepEqual([forged.signature, forged.faults], ['invalid', ['its signature does not hold']])
})

test('RFC 6960 §4.2.1: a responder that does not answer, and bytes that are no answer', async () => {
  const later = await readOcsp(Uint8Array.of(0x30, 3, 0x0a, 1, 3), about('good'))
  assert.deepEqual([later.status, later.response], ['none', 'tryLater'])
  const whole = answer('good', good, 'issuing')
  for (const length of [0, 1, 5, 50, whole.length - 1]) {
    await assert.rejects(readOcsp(whole.slice(0, length), about('good')), RangeError)
  }
})

test('a stapled answer is part of the judgement', async () => {
  const report = await readOcsp(answer('good', revoked, 'issuing'), about('good'))
  assert.deepEqual((await judged(['good', 'issuing'], { ocsp: report })).faults, ['revoked'])
  const fine = await readOcsp(answer('good', good, 'issuing'), about('good'))
  const { findings } = await judged(['good', 'issuing'], { ocsp: fine })
  assert.equal(findings.at(-1)?.verdict, 'pass')
  const none = await judged(['good', 'issuing'])
  assert.deepEqual([none.findings.at(-1)?.name, none.findings.at(-1)?.verdict], ['Revocation', 'skipped'])
})

for (const [name, host, expected] of [
  ['a.example', 'A.EXAMPLE', true],
  ['*.example.com', 'a.example.com', true],
  ['*.example.com', 'example.com', false],
  ['*.example.com', 'a.b.example.com', false],
  ['a*.example.com', 'ab.example.com', false],
  ['*', 'example', false],
  ['*.com', 'a.com', true],
  ['192.0.2.1', '192.0.2.1', false],
] as const) {
  test(`RFC 9525 §6.3: the name ${name} is ${expected ? '' : 'not '}for ${host}`, () => {
    assert.equal(matchesHost([{ type: 'DNS', value: name }], host), expected)
  })
}

test('RFC 9525 §6.4: an address is compared with addresses alone, in any spelling', () => {
  assert.equal(matchesHost([{ type: 'IP', value: '2001:db8::1' }], '2001:db8:0:0::1'), true)
  assert.equal(matchesHost([{ type: 'IP', value: '192.0.2.1' }], '192.0.2.2'), false)
  assert.equal(matchesHost([{ type: 'DNS', value: '192.0.2.1' }], '192.0.2.1'), false)
})
