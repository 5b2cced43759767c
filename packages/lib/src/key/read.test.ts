import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { toOctets } from '../asn1/integer.ts'
import { parsePem, toPem } from '../asn1/pem.ts'
import { der } from '../asn1/write.ts'
import { type Bytes, fromUtf8, toBase64, toBase64Url, toHex } from '../bytes.ts'
import { signingCurves } from './ec.ts'
import { fingerprints, hasJwkForm } from './fingerprint.ts'
import { readJwk, writePrivateJwk, writePublicJwk } from './jwk.ts'
import type { PrivateKey, PublicKey } from './key.ts'
import { okpNames } from './key.ts'
import { generateOkpKey } from './okp.ts'
import { writeOpenSshPrivateKey, writeSshLine } from './openssh.ts'
import { PassphraseError } from './passphrase.ts'
import { encryptPkcs8 } from './pbes2.ts'
import { writeRsaPrivateKey, writeRsaPublicKey } from './pkcs1.ts'
import { writePkcs8 } from './pkcs8.ts'
import { readKey, readPrivateKey, readPublicKey } from './read.ts'
import { writeEcPrivateKey } from './sec1.ts'
import { writeSpki } from './spki.ts'

const folder = mkdtempSync(join(tmpdir(), 'keys-'))
after(() => rmSync(folder, { recursive: true }))
const file = (name: string) => join(folder, name)
const random = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))
const openssl = (input: string | Uint8Array, ...args: string[]): string =>
  execFileSync('openssl', args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] })
const opensslBytes = (input: string | Uint8Array, ...args: string[]): Bytes =>
  Uint8Array.from(execFileSync('openssl', args, { input, stdio: ['pipe', 'pipe', 'pipe'] }))

/** What OpenSSL needs to lock with ciphers that it has put aside. */
const legacy = ['-provider', 'legacy', '-provider', 'default']

const publicKeyOf = ({ publicKey }: PrivateKey): PublicKey => {
  assert.ok(publicKey)
  return publicKey
}

/** OpenSSL's names of the kinds of key. */
const kinds: readonly (readonly [name: string, ...args: string[]])[] = [
  ['RSA', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  ...signingCurves.map(
    curve =>
      [
        curve,
        '-algorithm',
        'EC',
        '-pkeyopt',
        `ec_paramgen_curve:${{ 'P-256': 'prime256v1', 'P-384': 'secp384r1', 'P-521': 'secp521r1' }[curve as string] ?? curve}`,
      ] as const,
  ),
  ...okpNames.map(name => [name, '-algorithm', name] as const),
]
const keys = new Map(kinds.map(([name, ...args]) => [name, openssl('', 'genpkey', ...args)]))
const dsa = () => {
  const parameters = openssl('', 'dsaparam', '-genkey', '1024').replace(
    /-----BEGIN DSA PARAM[\s\S]*?-----END DSA PARAMETERS-----\n/,
    '',
  )
  return openssl(parameters, 'pkey')
}
const DSA = dsa()

for (const [name, pem] of [...keys, ['DSA', DSA] as const]) {
  test(`${name}: PKCS #8 and SPKI as OpenSSL writes them are read, and written alike`, async () => {
    const found = await readKey(pem)
    assert.equal(found.role, 'private')
    assert.equal(found.form, 'PKCS #8 in PEM')
    assert.ok(found.role === 'private')
    const der = parsePem(pem)[0]?.bytes
    assert.deepEqual(toHex(writePkcs8(found.key)), toHex(der ?? new Uint8Array()))
    const spki = opensslBytes(pem, 'pkey', '-pubout', '-outform', 'DER')
    assert.equal(toHex(writeSpki(publicKeyOf(found.key))), toHex(spki))
    for (const text of [toPem('PUBLIC KEY', spki), toHex(spki), toBase64(spki)]) {
      const again = await readKey(text)
      assert.equal(again.role, 'public')
      assert.deepEqual(again.key, publicKeyOf(found.key))
    }
    for (const text of [toHex(der ?? new Uint8Array()), toBase64(der ?? new Uint8Array())]) {
      assert.deepEqual((await readKey(text)).key, found.key)
    }
  })
}

test('EC: compressed points of OpenSSL are read as the same keys', async () => {
  for (const curve of signingCurves) {
    const pem = keys.get(curve) ?? ''
    const compressed = openssl(pem, 'ec', '-pubout', '-conv_form', 'compressed')
    assert.deepEqual((await readKey(compressed)).key, (await readPublicKey(pem)).key)
    const hybrid = openssl(pem, 'ec', '-pubout', '-conv_form', 'hybrid')
    await assert.rejects(readKey(hybrid), /does not begin with 02, 03 or 04/)
    const explicit = openssl(pem, 'ec', '-pubout', '-param_enc', 'explicit')
    await assert.rejects(readKey(explicit), /described by its parameters/)
  }
})

test('PKCS #1 and SEC 1 are read and written as OpenSSL does', async () => {
  const rsa = openssl(keys.get('RSA') ?? '', 'rsa', '-traditional')
  const found = await readKey(rsa)
  assert.equal(found.form, 'PKCS #1 in PEM')
  assert.ok(found.role === 'private' && found.key.type === 'RSA')
  assert.equal(toPem('RSA PRIVATE KEY', writeRsaPrivateKey(found.key)), rsa)
  const publicPem = openssl(rsa, 'rsa', '-RSAPublicKey_out')
  assert.equal(toPem('RSA PUBLIC KEY', writeRsaPublicKey(found.key.publicKey)), publicPem)
  assert.deepEqual((await readKey(publicPem)).key, found.key.publicKey)
  for (const curve of signingCurves) {
    const sec1 = openssl(keys.get(curve) ?? '', 'ec')
    const ec = await readKey(sec1)
    assert.equal(ec.form, 'SEC 1 in PEM')
    assert.ok(ec.role === 'private' && ec.key.type === 'EC')
    assert.equal(toPem('EC PRIVATE KEY', writeEcPrivateKey(ec.key)), sec1)
    const withoutPublic = openssl(sec1, 'ec', '-no_public')
    assert.deepEqual((await readKey(withoutPublic)).key, ec.key)
    const named = openssl(
      '',
      'ecparam',
      '-genkey',
      '-name',
      curve.replace('P-256', 'prime256v1').replace(/P-(384|521)/, 'secp$1r1'),
    )
    assert.match(named, /EC PARAMETERS/)
    assert.equal((await readKey(named)).form, 'SEC 1 in PEM')
  }
})

test('RSA: three primes of OpenSSL', async () => {
  const pem = openssl(
    '',
    'genpkey',
    '-algorithm',
    'RSA',
    '-pkeyopt',
    'rsa_keygen_bits:2048',
    '-pkeyopt',
    'rsa_keygen_primes:3',
  )
  const found = await readKey(pem)
  assert.ok(found.role === 'private' && found.key.type === 'RSA')
  assert.equal(found.key.primes.length, 3)
  assert.equal(toPem('PRIVATE KEY', writePkcs8(found.key)), pem)
  assert.deepEqual((await readKey(JSON.stringify(writePrivateJwk(found.key)))).key, found.key)
  const short = { ...found.key, primes: [] }
  assert.throws(() => writePkcs8(short), RangeError)
})

test('RSA: a JWK without primes gets them back', async () => {
  const found = await readPrivateKey(keys.get('RSA') ?? '')
  assert.ok(found.key.type === 'RSA')
  const { kty, n, e, d } = writePrivateJwk(found.key)
  const bare = await readPrivateKey(JSON.stringify({ kty, n, e, d }))
  assert.ok(bare.key.type === 'RSA')
  assert.equal(bare.key.primes.length, 0)
  assert.equal(
    openssl(toPem('PRIVATE KEY', writePkcs8(bare.key)), 'pkey', '-pubout'),
    openssl(keys.get('RSA') ?? '', 'pkey', '-pubout'),
  )
})

test('PKCS #8 locked by OpenSSL opens with its passphrase', async () => {
  const pem = keys.get('Ed25519') ?? ''
  const plain = (await readKey(pem)).key
  for (const options of [
    ['-v2', 'aes-256-cbc'],
    ['-v2', 'aes-192-cbc', '-iter', '1000'],
    ['-v2', 'aes-128-cbc', '-v2prf', 'hmacWithSHA1'],
    ['-v2', 'aes-128-cbc', '-v2prf', 'hmacWithSHA224'],
    ['-v2', 'aes-256-cbc', '-v2prf', 'hmacWithSHA384'],
    ['-v2', 'aes-256-cbc', '-v2prf', 'hmacWithSHA512'],
    ['-scrypt', '-scrypt_N', '1024', '-scrypt_r', '8', '-scrypt_p', '1'],
    ['-v2', 'des3'],
    ['-v2', 'des3', '-v2prf', 'hmacWithSHA1', '-iter', '1'],
    ['-v2', 'des', ...legacy],
    ['-v1', 'PBE-MD5-DES', ...legacy],
    ['-v1', 'PBE-SHA1-DES', ...legacy],
    ['-v1', 'PBE-SHA1-DES', '-iter', '12345', ...legacy],
    ['-v1', 'PBE-SHA1-3DES'],
    ['-v1', 'PBE-SHA1-3DES', '-iter', '1'],
    ['-v1', 'PBE-SHA1-2DES'],
  ]) {
    const locked = openssl(pem, 'pkcs8', '-topk8', ...options, '-passout', 'pass:geheim')
    const found = await readKey(locked, { passphrase: 'geheim' })
    assert.deepEqual(
      [found.key, found.encrypted, found.form],
      [plain, true, 'encrypted PKCS #8 in PEM'],
      options.join(' '),
    )
    await assert.rejects(readKey(locked), error => error instanceof PassphraseError && error.fault === 'missing')
    await assert.rejects(readKey(locked, { passphrase: 'Geheim' }), PassphraseError)
    const der = toBase64(parsePem(locked)[0]?.bytes ?? new Uint8Array())
    assert.deepEqual((await readKey(der, { passphrase: 'geheim' })).key, plain)
  }
  for (const [options, message] of [
    [['-v2', 'bf', ...legacy], /only AES and DES in CBC mode are read/],
    [['-v1', 'PBE-SHA1-RC4-128', ...legacy], /pbeWithSHA1And128BitRC4.*, which is not read: openssl pkcs8/],
    [['-v2', 'aes-256-cbc', '-iter', '2000001'], /2000001 iterations/],
  ] as const) {
    const locked = openssl(pem, 'pkcs8', '-topk8', ...options, '-passout', 'pass:geheim')
    await assert.rejects(readKey(locked, { passphrase: 'geheim' }), { name: 'RangeError', message })
  }
})

test('RFC 7292 §B.1: passphrases that are long, empty of ASCII or outside the first plane', async () => {
  const pem = keys.get('Ed25519') ?? ''
  const plain = (await readKey(pem)).key
  for (const passphrase of ['pässwörd', 'x'.repeat(100), '鍵', '🔑', ' ']) {
    for (const options of [
      ['-v1', 'PBE-SHA1-3DES'],
      ['-v2', 'des3'],
      ['-v1', 'PBE-SHA1-DES', ...legacy],
    ]) {
      const locked = openssl(pem, 'pkcs8', '-topk8', ...options, '-passout', `pass:${passphrase}`)
      assert.deepEqual((await readKey(locked, { passphrase })).key, plain, `${options.join(' ')} ${passphrase}`)
    }
  }
})

test('RFC 8018 §A.3: more iterations than are taken are refused before they begin', async () => {
  const parameters = der.sequence(der.octetString(random(8)), der.integer(2_000_001))
  for (const oid of ['1.2.840.113549.1.5.10', '1.2.840.113549.1.12.1.3']) {
    const algorithm = der.sequence(der.oid(oid), parameters)
    const locked = toPem('ENCRYPTED PRIVATE KEY', der.sequence(algorithm, der.octetString(random(16))))
    await assert.rejects(readKey(locked, { passphrase: 'x' }), /asks for 2000001 iterations/)
  }
})

test('PKCS #8 locked here opens in OpenSSL', async () => {
  const pem = keys.get('P-256') ?? ''
  const locked = await encryptPkcs8(parsePem(pem)[0]?.bytes ?? new Uint8Array(), 'pässword', random)
  const text = toPem('ENCRYPTED PRIVATE KEY', locked)
  assert.equal(openssl(text, 'pkey', '-passin', 'pass:pässword'), pem)
  assert.deepEqual((await readKey(text, { passphrase: 'pässword' })).key, (await readKey(pem)).key)
})

test('RFC 1421 §4.6.1: keys that OpenSSL locked the old way', async () => {
  for (const options of [['-aes128'], ['-aes192'], ['-aes256'], ['-des3'], ['-des', ...legacy]]) {
    const pem = keys.get('P-384') ?? ''
    const locked = openssl(pem, 'ec', ...options, '-passout', 'pass:geheim')
    assert.match(locked, /Proc-Type/)
    assert.deepEqual((await readKey(locked, { passphrase: 'geheim' })).key, (await readKey(pem)).key)
    await assert.rejects(readKey(locked), PassphraseError)
    await assert.rejects(readKey(locked, { passphrase: 'x' }), PassphraseError)
  }
  const camellia = openssl(keys.get('P-384') ?? '', 'ec', '-camellia128', '-passout', 'pass:geheim')
  await assert.rejects(readKey(camellia, { passphrase: 'geheim' }), /only AES and DES in CBC mode are read/)
  const short = openssl(keys.get('P-384') ?? '', 'ec', '-des3', '-passout', 'pass:geheim')
  await assert.rejects(
    readKey(short.replace(/(DEK-Info: DES-EDE3-CBC,.{14})../, '$1'), { passphrase: 'geheim' }),
    /initialization vector has 7 bytes, not 8/,
  )
})

const sshKeygen = (...args: string[]) =>
  execFileSync('ssh-keygen', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

test('OpenSSH: keys of ssh-keygen are read, plain and locked, and written for it', async () => {
  for (const [type, ...bits] of [
    ['ed25519'],
    ['rsa', '-b', '2048'],
    ['ecdsa', '-b', '256'],
    ['ecdsa', '-b', '384'],
    ['ecdsa', '-b', '521'],
  ] as const) {
    const path = file(`${type}${bits.join('')}`)
    sshKeygen('-q', '-t', type, ...bits, '-N', '', '-C', 'ada@example.com', '-f', path)
    const privateText = readFileSync(path, 'utf8')
    const publicText = readFileSync(`${path}.pub`, 'utf8')
    const found = await readPrivateKey(privateText)
    const line = await readKey(publicText)
    assert.deepEqual(
      [line.key, line.comment, line.form],
      [found.key.publicKey, 'ada@example.com', 'OpenSSH public key'],
    )
    assert.equal(writeSshLine(publicKeyOf(found.key), 'ada@example.com'), publicText.trim())
    assert.ok(
      sshKeygen('-l', '-f', `${path}.pub`).includes((await fingerprints(publicKeyOf(found.key))).ssh_sha256 ?? '?'),
    )
    for (const passphrase of [undefined, 'geheim']) {
      const own = file(`own-${type}${bits.join('')}${passphrase ?? ''}`)
      writeFileSync(own, await writeOpenSshPrivateKey(found.key, { comment: 'x', passphrase, random }), { mode: 0o600 })
      assert.equal(sshKeygen('-y', '-P', passphrase ?? '', '-f', own).trim(), writeSshLine(publicKeyOf(found.key), 'x'))
    }
    const [, base64 = ''] = publicText.split(' ')
    const hex = Buffer.from(base64, 'base64').toString('hex')
    for (const blob of [base64, hex, hex.replace(/..(?=.)/g, '$&:'), hex.replace(/../g, '0x$&, ')]) {
      const bare = await readKey(blob)
      assert.deepEqual(bare.key, line.key)
      assert.match(bare.form, /^OpenSSH public key in (?:Base64|hexadecimal)$/)
    }
    const rfc4716 = sshKeygen('-e', '-m', 'RFC4716', '-f', `${path}.pub`)
    assert.deepEqual((await readKey(rfc4716)).key, found.key.publicKey)
  }
})

test('sshd(8): a line of authorized_keys or known_hosts is read from the type of its key on', async () => {
  const path = file('line')
  sshKeygen('-q', '-t', 'ed25519', '-N', '', '-C', 'ada', '-f', path)
  const own = readFileSync(`${path}.pub`, 'utf8').trim()
  const { key } = await readKey(own)
  for (const text of [
    `restrict,command="echo ssh-rsa" ${own}`,
    `from="10.0.0.?,*.example.com",no-pty\t${own}`,
    `example.com,192.0.2.7 ${own}`,
    `@cert-authority *.example.com ${own}`,
    `|1|F1E1KeoE/eEWhi10WpGv4OdiO6Y=|3988QV0VE8wmZL7suNrYQLITLCg= ${own}`,
    `# example.com:22 SSH-2.0-OpenSSH_10.0\nexample.com ${own}\n`,
  ]) {
    assert.deepEqual(await readKey(text), { role: 'public', key, comment: 'ada', form: 'OpenSSH public key' }, text)
  }
  const [type, base64] = own.split(' ')
  assert.deepEqual((await readKey(`${type} ${base64?.slice(0, 40)}\n${base64?.slice(40)}`)).key, key)
  await assert.rejects(readKey(`${own}\n${own}\n`), /there are 2 keys, so please paste the one that is meant/)
})

test('OpenSSH: locked keys of ssh-keygen', async () => {
  for (const cipher of ['aes256-ctr', 'aes128-cbc', 'aes192-ctr']) {
    const path = file(`locked-${cipher}`)
    sshKeygen('-q', '-t', 'ed25519', '-N', 'geheim', '-Z', cipher, '-a', '4', '-f', path)
    const text = readFileSync(path, 'utf8')
    const found = await readKey(text, { passphrase: 'geheim' })
    assert.equal(found.encrypted, true)
    assert.deepEqual(
      (await readKey(readFileSync(`${path}.pub`, 'utf8'))).key,
      found.role === 'private' && found.key.publicKey,
    )
    await assert.rejects(readKey(text), PassphraseError)
    await assert.rejects(readKey(text, { passphrase: 'geheim ' }), PassphraseError)
  }
  const path = file('chacha')
  sshKeygen('-q', '-t', 'ed25519', '-N', 'geheim', '-Z', 'chacha20-poly1305@openssh.com', '-a', '1', '-f', path)
  await assert.rejects(readKey(readFileSync(path, 'utf8'), { passphrase: 'geheim' }), /cipher other than AES/)
})

test('RFC 7517: JWKs go around', async () => {
  for (const [name, pem] of keys) {
    const found = await readPrivateKey(pem)
    if (!hasJwkForm(publicKeyOf(found.key))) {
      assert.throws(() => writePublicJwk(publicKeyOf(found.key)), /no name in JOSE/)
      continue
    }
    assert.deepEqual((await readPrivateKey(JSON.stringify(writePrivateJwk(found.key)))).key, found.key, name)
    const set = { keys: [writePublicJwk(publicKeyOf(found.key))] }
    assert.deepEqual((await readPublicKey(JSON.stringify(set))).key, found.key.publicKey)
  }
})

test('RFC 7638 §3.1: the thumbprint of the example', async () => {
  const jwk = {
    kty: 'RSA',
    n: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw',
    e: 'AQAB',
    alg: 'RS256',
    kid: '2011-04-29',
  }
  const { key } = await readPublicKey(JSON.stringify(jwk))
  assert.equal((await fingerprints(key)).jwk_thumbprint, 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs')
})

test('RFC 8037 §A.1–A.3: the Ed25519 key and its thumbprint', async () => {
  const jwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  }
  const { key } = await readPrivateKey(JSON.stringify(jwk))
  assert.equal((await fingerprints(publicKeyOf(key))).jwk_thumbprint, 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
})

test('a private key where a public one is wanted gives its public half and says so', async () => {
  for (const pem of keys.values()) {
    const { key, note } = await readPublicKey(pem)
    assert.deepEqual(key, (await readPublicKey(openssl(pem, 'pkey', '-pubout'))).key)
    assert.match(note ?? '', /public half/)
  }
  await assert.rejects(readPrivateKey(openssl(DSA, 'pkey', '-pubout')), /this is a public key \(SPKI in PEM\)/)
})

test('certificates and requests give their public keys', async () => {
  const path = file('key.pem')
  writeFileSync(path, keys.get('P-256') ?? '')
  const own = (await readPublicKey(keys.get('P-256') ?? '')).key
  const certificate = openssl('', 'req', '-x509', '-new', '-key', path, '-subj', '/CN=a', '-days', '1')
  const request = openssl('', 'req', '-new', '-key', path, '-subj', '/CN=a')
  for (const text of [certificate, request, toBase64(parsePem(certificate)[0]?.bytes ?? new Uint8Array())]) {
    assert.deepEqual((await readPublicKey(text)).key, own)
  }
  const both = `${certificate}\n${keys.get('P-256')}`
  assert.equal((await readKey(both, { prefer: 'public' })).form, 'X.509 certificate in PEM')
  const chain = `${certificate}${certificate}`
  assert.equal((await readKey(chain)).form, 'first of 2 blocks, X.509 certificate in PEM')
  assert.equal((await readPrivateKey(both)).form, 'PKCS #8 in PEM')
})

const b64 = (text: string) => toBase64(fromUtf8(text))

test('what is not a key is refused with what it is', async () => {
  const rsa = keys.get('RSA') ?? ''
  const body = parsePem(rsa)[0]?.bytes ?? new Uint8Array()
  for (const [text, words] of [
    ['', /paste a key/],
    ['   \n', /paste a key/],
    ['hello world!', /not a key in PEM/],
    [b64('hello'), /\(at byte|is missing|DER/],
    ['00', /not a key in DER but something else of 1 byte$/],
    ['c9:af:a9', /not a key in DER but something else of 3 bytes$/],
    ['3000', /not a key/],
    ['{"kty":', /not JSON/],
    ['[]', /not a JWK|set of/],
    ['{"keys":[]}', /set of 0 keys/],
    ['[{},{}]', /set of 2 keys, so please paste/],
    ['[1]', /not a JWK/],
    ['{}', /kty/],
    ['{"kty":"oct","k":"AA"}', /symmetric/],
    ['{"kty":"RSA","n":"AQAB"}', /member e of the JWK is missing/],
    ['{"kty":"RSA","n":"AQAB=","e":"AQAB"}', /not Base64url without padding/],
    ['{"kty":"RSA","n":"A","e":"AQAB"}', /cut short/],
    ['{"kty":"RSA","n":1,"e":"AQAB"}', /not a string/],
    ['{"kty":"EC","crv":"P-257","x":"","y":""}', /member crv/],
    ['{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}', /1 bytes, and P-256 takes 32/],
    ['{"kty":"OKP","crv":"Ed25519","x":"AA"}', /32 bytes, and this one has 1/],
    [toPem('CERTIFICATE REVOCATION LIST', body), /CERTIFICATE REVOCATION LIST is not a key/],
    ['-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nAA\n=AAAA\n-----END PGP PUBLIC KEY BLOCK-----', /OpenPGP/],
    [toPem('PUBLIC KEY', body), /expected a SEQUENCE for|the algorithm|got an INTEGER/],
    [toPem('PRIVATE KEY', body.slice(0, 100)), /bytes are left|only \d+ are left/],
    [`${rsa}${rsa}`, /there are 2 keys/],
    [rsa.replace(/\n-----END[^\n]*\n/, ''), /no line that reads -----END PRIVATE KEY/],
    ['ssh-rsa', /not a key/],
    ['ssh-rsa AAAA', /middle of/],
    [`ssh-ed25519 ${toBase64(fromUtf8('\0\0\0\x07ssh-rsa'))}`, /middle of|another type/],
    ['sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAA', /security key/],
    ['---- BEGIN SSH2 PUBLIC KEY ----\nAAAA', /no line that reads ---- END/],
    ['A'.repeat(200_001), /at most 200000/],
  ] as const) {
    await assert.rejects(
      readKey(text),
      error => error instanceof RangeError && words.test(error.message),
      text.slice(0, 80),
    )
  }
})

test('keys whose parts do not belong together are refused', async () => {
  const found = await readPrivateKey(keys.get('RSA') ?? '')
  assert.ok(found.key.type === 'RSA')
  const { key } = found
  const [p, q] = key.primes
  assert.ok(p && q)
  const broken: [PrivateKey & { type: 'RSA' }, RegExp][] = [
    [{ ...key, d: key.d + 2n }, /private exponent/],
    [{ ...key, d: key.publicKey.n }, /out of range/],
    [{ ...key, publicKey: { ...key.publicKey, n: key.publicKey.n + 1n } }, /odd primes/],
    [{ ...key, publicKey: { ...key.publicKey, e: 4n } }, /public exponent/],
    [{ ...key, publicKey: { ...key.publicKey, e: 1n } }, /public exponent/],
    [{ ...key, primes: [{ ...p, exponent: p.exponent + 1n }, q] }, /exponent of prime 1/],
    [{ ...key, primes: [p, { ...q, coefficient: q.coefficient + 1n }] }, /coefficient of prime 2/],
    [{ ...key, primes: [{ ...p, prime: p.prime + 2n }, q] }, /prime/],
  ]
  for (const [wrong, words] of broken) {
    const text = toPem('RSA PRIVATE KEY', writeRsaPrivateKey(wrong))
    await assert.rejects(
      readKey(text),
      error => error instanceof RangeError && words.test(error.message),
      String(words),
    )
  }
  const jwk = { ...writePrivateJwk(key), dq: undefined }
  assert.throws(() => readJwk(jwk), /all of them or none/)
  const ec = await readPrivateKey(keys.get('P-256') ?? '')
  assert.ok(ec.key.type === 'EC' && ec.key.publicKey)
  const { point } = ec.key.publicKey
  const off = { ...ec.key.publicKey, point: Uint8Array.from(point, (octet, i) => (i === 64 ? octet ^ 1 : octet)) }
  for (const [publicKey, words] of [
    [off, /not a point on the curve/],
    [{ ...off, point: point.slice(0, 64) }, /takes 65 bytes/],
    [{ ...off, point: Uint8Array.of(0) }, /infinity/],
    [{ ...off, point: new Uint8Array() }, /does not begin/],
    [{ ...off, point: new Uint8Array(65).fill(255).fill(4, 0, 1) }, /not a point/],
  ] as const) {
    await assert.rejects(readKey(toHex(writeSpki(publicKey))), words)
    await assert.rejects(readKey(toPem('PRIVATE KEY', writePkcs8({ ...ec.key, publicKey }))), RangeError)
  }
  for (const d of [new Uint8Array(32), new Uint8Array(32).fill(255), new Uint8Array(33).fill(1)]) {
    await assert.rejects(readKey(toPem('PRIVATE KEY', writePkcs8({ type: 'EC', curve: 'P-256', d }))), RangeError)
  }
  const other = await readPublicKey(openssl('', 'genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'))
  assert.ok(other.key.type === 'EC')
  const mixed = toPem('PRIVATE KEY', writePkcs8({ ...ec.key, publicKey: other.key }))
  await assert.rejects(readKey(mixed), /does not belong/)
})

test('keys that ask for endless work are refused before it begins', async () => {
  const long = (1n << 40_000n) - 1n
  const parameters = der.sequence(der.integer(long), der.integer((1n << 160n) - 1n), der.integer(2))
  const dsa = der.sequence(
    der.integer(0),
    der.sequence(der.oid('1.2.840.10040.4.1'), parameters),
    der.octetString(der.integer(long >> 1n)),
  )
  await assert.rejects(readKey(toHex(dsa)), /out of range|too long to compute/)
  const rsa = (n: bigint, e: bigint) => toHex(writeRsaPublicKey({ type: 'RSA', n, e }))
  await assert.rejects(readKey(rsa(long, 65537n)), /40000 bits, and the most taken is 16384/)
  const large = (1n << 8000n) - 1n
  await assert.rejects(readKey(rsa(large, (1n << 4000n) - 1n)), /public exponent has 4000 bits/)
  const jwk = { kty: 'RSA', n: toBase64Url(toOctets((1n << 9000n) - 1n)), e: 'AQAB', d: 'Aw' }
  await assert.rejects(readKey(JSON.stringify(jwk)), /9000 bits, and the most taken is 8192/)
  for (const text of ['-'.repeat(150_000), `ssh-rsa AAAA${' '.repeat(150_000)}x`, '{'.repeat(150_000)]) {
    await assert.rejects(readKey(text), RangeError)
  }
})

test('RFC 8410 §7: new keys of the Edwards and Montgomery curves are those that OpenSSL derives', async () => {
  for (const name of okpNames) {
    const key = await generateOkpKey(name, random)
    const theirs = openssl(toPem('PRIVATE KEY', writePkcs8(key)), 'pkey', '-pubout')
    assert.equal(theirs, toPem('PUBLIC KEY', writeSpki(publicKeyOf(key))))
  }
})
