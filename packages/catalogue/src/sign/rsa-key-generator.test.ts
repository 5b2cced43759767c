import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Panel, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { fromBase64 } from '@assay/lib/bytes'
import { readPrivateKey, readPublicKey } from '@assay/lib/key/read'
import { rsaKeyGenerator } from './rsa-key-generator.ts'

const [action] = rsaKeyGenerator.actions
assert.ok(action)
interface Pair {
  privateKey: string
  publicKey: string
  keySize: number
  encrypted: boolean
  fingerprints: Record<string, string>
}
const make = async (input: Record<string, unknown>): Promise<Pair> =>
  (await performed(action, input, replay())).result as Pair

const folder = mkdtempSync(join(tmpdir(), 'rsa-keygen-'))
after(() => rmSync(folder, { recursive: true }))
const openssl = (input: string | Uint8Array, ...args: string[]): string =>
  execFileSync('openssl', args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] })

test('[BIZ-030] the key size is 2048 unless another is chosen', async () => {
  assert.equal((await make({})).keySize, 2048)
  await assert.rejects(make({ keySize: '1024' }), { field: 'keySize' })
  await assert.rejects(make({ keySize: '8192' }), { field: 'keySize' })
})

test('openssl rsa -check finds every pair sound, in every format it reads', async () => {
  for (const [format, passphrase] of [
    ['PKCS8 PEM'],
    ['PKCS8 PEM', 'pässword'],
    ['PKCS1 PEM'],
    ['DER'],
    ['DER', 'x'],
  ] as const) {
    const { privateKey, publicKey, encrypted } = await make({ format, passphrase })
    assert.equal(encrypted, passphrase !== undefined)
    const [input, form] = format === 'DER' ? [fromBase64(privateKey), ['-inform', 'DER']] : [privateKey, []]
    const args = ['rsa', ...form, '-passin', `pass:${passphrase ?? ''}`]
    assert.match(openssl(input, ...args, '-check', '-noout'), /RSA key ok/)
    const theirs = openssl(input, ...args, format === 'PKCS1 PEM' ? '-RSAPublicKey_out' : '-pubout')
    assert.equal(theirs.replace(/-----[^-]+-----|\s/g, ''), publicKey.replace(/-----[^-]+-----|\s/g, ''))
  }
})

test('every size gives a modulus of exactly that size', async () => {
  for (const keySize of ['2048', '3072', '4096']) {
    const { privateKey } = await make({ keySize })
    assert.match(openssl(privateKey, 'rsa', '-text', '-noout'), new RegExp(`Private-Key: \\(${keySize} bit`))
  }
})

test('JWK: the pair is read back, and only the private one has the private parts', async () => {
  const { privateKey, publicKey } = await make({ format: 'JWK' })
  assert.deepEqual(Object.keys(JSON.parse(publicKey)), ['kty', 'n', 'e'])
  assert.deepEqual(Object.keys(JSON.parse(privateKey)), ['kty', 'n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'])
  assert.deepEqual((await readPrivateKey(privateKey)).key.publicKey, (await readPublicKey(publicKey)).key)
})

test('OpenSSH: ssh-keygen reads the pair and finds the same fingerprint', async () => {
  for (const passphrase of [undefined, 'geheim']) {
    const { privateKey, publicKey, fingerprints } = await make({ format: 'OpenSSH', passphrase })
    const path = join(folder, `id_rsa${passphrase ?? ''}`)
    writeFileSync(path, privateKey, { mode: 0o600 })
    const keygen = (...args: string[]) => execFileSync('ssh-keygen', args, { encoding: 'utf8' })
    assert.equal(keygen('-y', '-P', passphrase ?? '', '-f', path).trim(), publicKey)
    writeFileSync(`${path}.pub`, publicKey)
    assert.ok(keygen('-l', '-f', `${path}.pub`).includes(fingerprints.ssh_sha256 ?? '?'))
  }
})

test('the fingerprint is that of openssl over the public key', async () => {
  const { publicKey, fingerprints } = await make({})
  const der = execFileSync('openssl', ['pkey', '-pubin', '-outform', 'DER'], { input: publicKey })
  assert.match(openssl(der, 'dgst', '-sha256', '-r'), new RegExp(`^${fingerprints.spki_sha256}`))
  assert.equal(fingerprints.pin_sha256, Buffer.from(fingerprints.spki_sha256 ?? '', 'hex').toString('base64'))
})

test('a passphrase is refused where it could only lock badly, and no two keys are alike', async () => {
  for (const format of ['PKCS1 PEM', 'JWK']) {
    await assert.rejects(make({ format, passphrase: 'geheim' }), {
      field: 'passphrase',
      message: /no lock that is safe/,
    })
  }
  await assert.rejects(make({ passphrase: '\ud800' }), { field: 'passphrase' })
  assert.notEqual((await make({})).privateKey, (await make({})).privateKey)
})

test('both keys can be saved, in DER as bytes', async () => {
  for (const [format, names] of [
    ['PKCS8 PEM', ['private.pem', 'public.pem']],
    ['JWK', ['private.json', 'public.json']],
    ['DER', ['private.der', 'public.der']],
    ['OpenSSH', ['id_rsa', 'id_rsa.pub']],
  ] as const) {
    const { result, input } = await performed(action, { format }, replay())
    const panels: readonly Panel[] = action.show?.(result, input) ?? []
    const files = panels.flatMap(panel => (panel.kind === 'file' ? [panel] : []))
    assert.deepEqual(
      files.map(({ name }) => name),
      names,
    )
    const [secret] = files
    const { privateKey } = result as Pair
    const saved = Buffer.from(secret?.base64 ?? '', 'base64')
    assert.equal(format === 'DER' ? saved.toString('base64') : saved.toString().trim(), privateKey.trim())
  }
})
