import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { eccKeyGenerator } from './ecc-key-generator.ts'

const [action] = eccKeyGenerator.actions
assert.ok(action)
interface Pair {
  privateKey: string
  publicKey: string
  encrypted: boolean
  fingerprints: { spki_sha256: string; ssh_sha256?: string }
}
async function make(input: Record<string, unknown>): Promise<Pair> {
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Pair
  const files = (action.show?.(result, outcome.input) ?? []).filter(({ kind }) => kind === 'file')
  assert.equal(files.length, 2, 'both keys can be saved')
  return result
}
const curves = ['P-256', 'P-384', 'P-521', 'secp256k1', 'brainpoolP256r1', 'Ed25519', 'Ed448', 'X25519', 'X448']

const folder = mkdtempSync(join(tmpdir(), 'ecc-keygen-'))
after(() => rmSync(folder, { recursive: true }))
const openssl = (input: string, ...args: string[]) =>
  execFileSync('openssl', args, { input, encoding: 'utf8', stdio: 'pipe' })

test('openssl pkey -check finds every key sound, locked and unlocked', async () => {
  for (const curve of curves) {
    for (const passphrase of ['P-256', 'X448'].includes(curve) ? [undefined, 'pässword'] : [undefined]) {
      const { privateKey, publicKey, encrypted } = await make({ curve, passphrase })
      assert.equal(encrypted, passphrase !== undefined)
      const args = ['pkey', '-passin', `pass:${passphrase ?? ''}`]
      assert.match(openssl(privateKey, ...args, '-check', '-noout'), /Key is valid/)
      assert.equal(openssl(privateKey, ...args, '-pubout'), publicKey)
    }
  }
})

test('JWK and hexadecimal: OpenSSL reads the same pair, 25 times on each curve', async () => {
  for (const curve of curves.filter(name => name !== 'brainpoolP256r1')) {
    for (let i = 0; i < 25; i++) {
      const { privateKey, publicKey } = await make({ curve, format: 'JWK' })
      const key = createPrivateKey({ key: JSON.parse(privateKey), format: 'jwk' })
      assert.deepEqual(createPublicKey(key).export({ format: 'jwk' }), JSON.parse(publicKey))
    }
  }
  const { privateKey, publicKey } = await make({ curve: 'brainpoolP256r1', format: 'Hex' })
  assert.match(privateKey, /^[0-9a-f]{64}$/)
  assert.match(publicKey, /^04[0-9a-f]{128}$/)
})

test('ssh-keygen reads the pairs and finds the same fingerprint', async () => {
  for (const curve of ['P-256', 'P-384', 'P-521', 'Ed25519']) {
    for (const passphrase of [undefined, 'geheim']) {
      const { privateKey, publicKey, fingerprints } = await make({ curve, format: 'OpenSSH', passphrase })
      const path = join(folder, `${curve}${passphrase ?? ''}`)
      writeFileSync(path, privateKey, { mode: 0o600 })
      const keygen = (...args: string[]) => execFileSync('ssh-keygen', args, { encoding: 'utf8' })
      assert.equal(keygen('-y', '-P', passphrase ?? '', '-f', path).trim(), publicKey)
      writeFileSync(`${path}.pub`, publicKey)
      assert.ok(keygen('-l', '-f', `${path}.pub`).includes(fingerprints.ssh_sha256 ?? '?'))
    }
  }
})

test('what a form cannot hold is refused with the reason', async () => {
  for (const [input, field, message] of [
    [{ curve: 'brainpoolP256r1', format: 'JWK' }, 'format', /no name in JOSE/],
    [{ curve: 'secp256k1', format: 'OpenSSH' }, 'format', /SSH has no keys of the kind secp256k1/],
    [{ curve: 'X25519', format: 'OpenSSH' }, 'format', /SSH has no keys of the kind X25519/],
    [{ format: 'JWK', passphrase: 'x' }, 'passphrase', /JWK has no lock/],
    [{ format: 'Hex', passphrase: 'x' }, 'passphrase', /Hex has no lock/],
    [{ passphrase: '\ud800' }, 'passphrase', /surrogate/],
    [{ curve: 'P-224' }, 'curve', /expected one of/],
  ] as const) {
    await assert.rejects(make(input), { name: 'Problem', field, message })
  }
})
