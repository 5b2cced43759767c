import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { keyFormatConverter } from './key-format-converter.ts'

const [action] = keyFormatConverter.actions
assert.ok(action)
interface Result {
  key: string
  form: string
  hex?: string
  file: string
  private: boolean
  read_form: string
  description: string
  comment?: string
}
async function convert(key: string, output_format: string, more: Record<string, unknown> = {}) {
  assert.ok(action)
  const outcome = await performed(action, { key, output_format, ...more }, replay())
  const result = outcome.result as Result
  return {
    ...result,
    panels: action.show?.(result, outcome.input) ?? [],
    terminal: action.terminal?.(outcome.input, result),
  }
}

const folder = mkdtempSync(join(tmpdir(), 'key-convert-'))
after(() => rmSync(folder, { recursive: true }))
const openssl = (input: string | Uint8Array, ...args: string[]) =>
  execFileSync('openssl', args, { input, encoding: 'utf8', cwd: folder, stdio: 'pipe' })

const ec = (namedCurve: string) => () => generateKeyPairSync('ec', { namedCurve }).privateKey
const kinds: Record<string, () => KeyObject> = {
  RSA: () => generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
  DSA: () => generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }).privateKey,
  'P-256': ec('prime256v1'),
  'P-384': ec('secp384r1'),
  'P-521': ec('secp521r1'),
  secp256k1: ec('secp256k1'),
  'P-224': ec('secp224r1'),
  brainpoolP256r1: ec('brainpoolP256r1'),
  brainpoolP320r1: ec('brainpoolP320r1'),
  Ed25519: () => generateKeyPairSync('ed25519').privateKey,
  Ed448: () => generateKeyPairSync('ed448').privateKey,
  X25519: () => generateKeyPairSync('x25519').privateKey,
  X448: () => generateKeyPairSync('x448').privateKey,
}
/** What each form has no place for. */
const without: Record<string, readonly string[]> = {
  JWK: ['DSA', 'P-224', 'brainpoolP256r1', 'brainpoolP320r1'],
  OpenSSH: ['secp256k1', 'P-224', 'brainpoolP256r1', 'brainpoolP320r1', 'X25519', 'X448'],
  PKCS1: Object.keys(kinds).filter(kind => kind !== 'RSA'),
  SEC1: Object.keys(kinds).filter(kind => !/^[Psb]/.test(kind)),
}

/** OpenSSL's own reading of what was written. */
function readBack({ key, hex }: Result): KeyObject {
  if (key.startsWith('{')) return createPrivateKey({ key: JSON.parse(key), format: 'jwk' })
  if (hex) return createPrivateKey({ key: Buffer.from(hex, 'hex'), format: 'der', type: 'pkcs8' })
  return createPrivateKey(key)
}
function readPublicBack({ key, hex }: Result): KeyObject {
  if (key.startsWith('{')) return createPublicKey({ key: JSON.parse(key), format: 'jwk' })
  if (hex) return createPublicKey({ key: Buffer.from(hex, 'hex'), format: 'der', type: 'spki' })
  return createPublicKey(key)
}

test('[CTL-137] PEM, DER and JWK come first among the formats', () => {
  assert.deepEqual(action.fields.output_format?.options?.slice(0, 3), ['PEM', 'DER', 'JWK'])
})

test('every kind of key into every form and back: OpenSSL reads the same key, 350 times', async () => {
  let count = 0
  for (const [kind, generate] of Object.entries(kinds)) {
    for (let round = 0; round < 4; round++) {
      const key = generate()
      const pem = String(key.export({ type: 'pkcs8', format: 'pem' }))
      const spki = String(createPublicKey(key).export({ type: 'spki', format: 'pem' }))
      for (const form of ['PEM', 'DER', 'PKCS8', 'JWK', 'PKCS1', 'SEC1'] as const) {
        if (without[form]?.includes(kind)) continue
        const written = await convert(pem, form)
        assert.equal(written.private, true)
        assert.ok(readBack(written).equals(key), `${kind} ${form}`)
        assert.equal((await convert(written.key, 'PEM')).key, (await convert(pem, 'PEM')).key)
        count++
      }
      for (const form of ['PEM', 'DER', 'SPKI', 'JWK', 'PKCS1'] as const) {
        if (without[form]?.includes(kind)) continue
        const written = await convert(spki, form)
        assert.equal(written.private, false)
        assert.ok(readPublicBack(written).equals(createPublicKey(key)), `${kind} ${form}`)
        assert.equal((await convert(written.key, 'PEM')).key, spki)
        count++
      }
      const known = !['P-224', 'brainpoolP320r1'].includes(kind)
      if (known) assert.equal((await convert(pem, 'Public only')).key, spki)
    }
  }
  assert.ok(count > 350, String(count))
})

test('OpenSSH: ssh-keygen reads what is written, and what it writes is read', async () => {
  for (const kind of ['RSA', 'P-256', 'P-384', 'P-521', 'Ed25519']) {
    const source = kinds[kind]?.()
    assert.ok(source)
    const pem = String(source.export({ type: 'pkcs8', format: 'pem' }))
    for (const new_passphrase of [undefined, 'geheim']) {
      const { key, comment } = await convert(pem, 'OpenSSH', { new_passphrase, comment: 'a comment' })
      assert.equal(comment, undefined)
      const path = join(folder, 'id')
      writeFileSync(path, key)
      chmodSync(path, 0o600)
      const line = execFileSync('ssh-keygen', ['-y', '-P', new_passphrase ?? '', '-f', path], {
        encoding: 'utf8',
      }).trim()
      const back = await convert(key, 'PEM', { passphrase: new_passphrase })
      assert.ok(createPrivateKey(back.key).equals(source))
      assert.equal(back.comment, 'a comment')
      assert.equal((await convert(key, 'Public only', { passphrase: new_passphrase })).key, line)
      assert.equal((await convert(line, 'OpenSSH')).key, line)
      assert.ok(createPublicKey((await convert(line, 'SPKI')).key).equals(createPublicKey(source)))
    }
  }
})

test('locked keys: what is locked here OpenSSL opens, and the other way round', async () => {
  const source = kinds['P-256']?.()
  assert.ok(source)
  const pem = String(source.export({ type: 'pkcs8', format: 'pem' }))
  const { key, hex } = await convert(pem, 'DER', { new_passphrase: 'pässword' })
  assert.ok(hex && key)
  const der = { key: Buffer.from(hex, 'hex'), format: 'der', type: 'pkcs8', passphrase: 'pässword' } as const
  assert.ok(createPrivateKey(der).equals(source))
  const locked = (await convert(pem, 'PEM', { new_passphrase: 'x' })).key
  assert.match(locked, /^-----BEGIN ENCRYPTED PRIVATE KEY-----/)
  assert.ok(createPrivateKey({ key: locked, passphrase: 'x' }).equals(source))
  const theirs = String(source.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'y' }))
  assert.ok(createPrivateKey((await convert(theirs, 'SEC1', { passphrase: 'y' })).key).equals(source))
  const opened = await convert(theirs, 'PEM', { passphrase: 'y' })
  assert.ok(
    opened.panels.some(({ kind }) => kind === 'note'),
    'that the lock is gone is told',
  )
})

test('RFC 4055 §1.2: a key for PSS only stays one, or is refused', async () => {
  const pem = openssl('', 'genpkey', '-algorithm', 'RSA-PSS', '-pkeyopt', 'rsa_pss_keygen_md:sha256')
  const spki = openssl(pem, 'pkey', '-pubout')
  assert.equal((await convert(pem, 'SPKI')).key, spki)
  assert.equal((await convert(spki, 'PEM')).key, spki)
  assert.ok(createPrivateKey((await convert(pem, 'PKCS8')).key).equals(createPrivateKey(pem)))
  for (const form of ['JWK', 'PKCS1', 'OpenSSH']) {
    for (const key of [pem, spki]) await assert.rejects(convert(key, form), /for PSS or OAEP only/)
  }
})

test('the commands of OpenSSL and ssh-keygen write the same', async () => {
  for (const [kind, form] of [
    ['RSA', 'PKCS1'],
    ['P-256', 'SEC1'],
    ['Ed25519', 'PEM'],
    ['RSA', 'SPKI'],
  ] as const) {
    const pem = String(kinds[kind]?.().export({ type: 'pkcs8', format: 'pem' }))
    writeFileSync(join(folder, 'key.pem'), pem)
    const { key, terminal } = await convert(pem, form)
    assert.equal(
      execFileSync('sh', ['-c', terminal?.command ?? ''], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }),
      key,
    )
  }
  const spki = openssl(String(kinds.Ed25519?.().export({ type: 'pkcs8', format: 'pem' })), 'pkey', '-pubout')
  writeFileSync(join(folder, 'key.pem'), spki)
  const { terminal, key } = await convert(spki, 'DER')
  execFileSync('sh', ['-c', terminal?.command ?? ''], { cwd: folder })
  assert.equal(openssl('', 'base64', '-A', '-in', 'key.der'), key)
})

test('forms that have no place for a key say why', async () => {
  for (const [form, absent] of Object.entries(without)) {
    for (const kind of absent) {
      const pem = String(kinds[kind]?.().export({ type: 'pkcs8', format: 'pem' }))
      await assert.rejects(convert(pem, form), { name: 'Problem', field: 'output_format' })
    }
  }
  const pem = String(kinds['P-256']?.().export({ type: 'pkcs8', format: 'pem' }))
  const spki = (await convert(pem, 'SPKI')).key
  const p224 = String(kinds['P-224']?.().export({ type: 'pkcs8', format: 'pem' }))
  const bare = openssl(p224, 'ec', '-no_public')
  for (const [key, form, more, field, message] of [
    ['', 'PEM', {}, 'key', /please paste a key/],
    ['a key?', 'PEM', {}, 'key', /not a key in PEM/],
    [spki, 'PKCS8', {}, 'output_format', /for private keys, and this is a public one/],
    [spki, 'SEC1', {}, 'output_format', /for private keys/],
    [spki, 'PEM', { new_passphrase: 'x' }, 'output_format', /a public key is not locked/],
    [pem, 'JWK', { new_passphrase: 'x' }, 'output_format', /JWK has no lock that is safe/],
    [pem, 'PKCS1', {}, 'output_format', /PKCS #1 is for RSA keys, and this is EC on P-256/],
    [pem, 'PEM', { input_format: 'JWK' }, 'input_format', /written as PKCS #8 in PEM, and JWK was chosen/],
    [pem, 'PEM', { input_format: 'DER' }, 'input_format', /and DER was chosen/],
    [(await convert(pem, 'PEM', { new_passphrase: 'x' })).key, 'PEM', {}, 'passphrase', /enter its passphrase/],
    [bare, 'Public only', {}, 'key', /none is computed on this curve/],
    ['{"kty":"oct","k":"AA"}', 'PEM', {}, 'key', /symmetric key/],
  ] as const) {
    await assert.rejects(convert(key, form, more), { name: 'Problem', field, message })
  }
  for (const input_format of ['PEM', 'auto']) assert.equal((await convert(pem, 'SPKI', { input_format })).key, spki)
})
