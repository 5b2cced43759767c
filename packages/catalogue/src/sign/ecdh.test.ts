import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { ecdh } from './ecdh.ts'

const [action] = ecdh.actions
assert.ok(action)
interface Result {
  shared_secret: string
  derived_key?: string
  curve: string
  all_zero: boolean
  note?: string
}
async function run(input: Record<string, unknown>) {
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Result
  return {
    ...result,
    panels: action.show?.(result, outcome.input) ?? [],
    terminal: action.terminal?.(outcome.input, result),
  }
}

const folder = mkdtempSync(join(tmpdir(), 'ecdh-tool-'))
after(() => rmSync(folder, { recursive: true }))
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
const generate = (name: string, ...args: string[]) => {
  const pem = openssl('genpkey', ...args)
  writeFileSync(join(folder, `${name}.pem`), pem)
  return pem
}
const ec = (name: string) => ['-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${name}`]

test('[CTL-133] [OPEN-025] the four curves of the specification come first, and P-256 is preset', () => {
  const { curve } = action.fields
  assert.deepEqual(curve?.options?.slice(0, 4), ['P-256', 'P-384', 'P-521', 'secp256k1'])
  assert.equal(curve?.default, 'P-256')
})

test('[OPEN-025] the command of OpenSSL derives the same, on every curve', async () => {
  for (const [curve, args] of [
    ['P-256', ec('prime256v1')],
    ['P-384', ec('secp384r1')],
    ['P-521', ec('secp521r1')],
    ['secp256k1', ec('secp256k1')],
    ['brainpoolP256r1', ec('brainpoolP256r1')],
    ['brainpoolP384r1', ec('brainpoolP384r1')],
    ['brainpoolP512r1', ec('brainpoolP512r1')],
    ['X25519', ['-algorithm', 'X25519']],
    ['X448', ['-algorithm', 'X448']],
  ] as const) {
    const privateKey = generate('private', ...args)
    generate('other', ...args)
    const publicKey = openssl('pkey', '-in', 'other.pem', '-pubout', '-out', '-')
    writeFileSync(join(folder, 'public.pem'), publicKey)
    const result = await run({ privateKey, publicKey, curve })
    assert.deepEqual([result.curve, result.note, result.all_zero], [curve, undefined, false])
    const command = result.terminal?.command ?? ''
    assert.equal(execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' }).trim(), result.shared_secret)
    const swapped = await run({ privateKey: openssl('pkey', '-in', 'other.pem'), publicKey: privateKey })
    assert.equal(swapped.shared_secret, result.shared_secret)
    if (curve !== 'P-256') assert.match(swapped.note ?? '', new RegExp(`public half.*The keys are on ${curve}`))
  }
})

test('keys are derived, and every term of the derivation counts', async () => {
  const [privateKey, publicKey] = [generate('a', ...ec('prime256v1')), generate('b', ...ec('prime256v1'))]
  const base = { privateKey, publicKey, kdf: 'HKDF-SHA256', salt: 'salt', info: 'info' }
  const { shared_secret, derived_key, terminal } = await run(base)
  assert.equal(terminal, undefined)
  const options = [`hexkey:${shared_secret}`, 'digest:SHA256', 'salt:salt', 'info:info'].flatMap(o => ['-kdfopt', o])
  const theirs = openssl('kdf', '-keylen', '32', ...options, 'HKDF')
    .replace(/[:\s]/g, '')
    .toLowerCase()
  assert.equal(derived_key, theirs)
  for (const change of [{ salt: 'other' }, { info: 'other' }, { length: 33 }, { kdf: 'X9.63-SHA256' }]) {
    assert.notEqual((await run({ ...base, ...change })).derived_key, derived_key)
  }
  assert.equal((await run({ ...base, kdf: 'none' })).derived_key, undefined)
})

test('RFC 7748 §6: a point of small order is told, and a pair with itself too', async () => {
  const privateKey = '01'.repeat(32)
  const { all_zero, panels } = await run({ curve: 'X25519', privateKey, publicKey: '00'.repeat(32) })
  assert.ok(all_zero)
  assert.deepEqual(panels[0]?.kind === 'banner' && panels[0].badge, 'NOT SECRET')
  const own = await run({ privateKey, publicKey: generate('c', ...ec('prime256v1')) })
  assert.equal(
    own.panels.some(({ kind }) => kind === 'note'),
    true,
  )
})

test('refusals name the key that is wrong', async () => {
  const privateKey = generate('p', ...ec('prime256v1'))
  const publicKey = openssl('pkey', '-in', 'p.pem', '-pubout')
  const explicit = openssl('ec', '-in', 'p.pem', '-pubout', '-param_enc', 'explicit')
  const other = generate('q', ...ec('secp384r1'))
  const locked = openssl('pkcs8', '-topk8', '-in', 'p.pem', '-v2', 'aes-256-cbc', '-passout', 'pass:geheim')
  for (const [input, field, message] of [
    [{ publicKey }, 'privateKey', /please paste a key/],
    [{ privateKey }, 'publicKey', /please paste a key/],
    [{ privateKey: publicKey, publicKey }, 'privateKey', /this is a public key/],
    [{ privateKey: locked, publicKey }, 'passphrase', /enter its passphrase/],
    [{ privateKey: locked, publicKey, passphrase: 'x' }, 'passphrase', /does not open/],
    [{ privateKey, publicKey: other }, 'publicKey', /private key is on P-256 and the public one on P-384/],
    [{ privateKey, publicKey: explicit }, 'publicKey', /RFC 5480 wants it named/],
    [{ privateKey, publicKey: '00' }, 'publicKey', /Public key of the other side: /],
    [{ privateKey, publicKey: `04${'11'.repeat(64)}` }, 'publicKey', /not a point on the curve P-256/],
    [{ privateKey, publicKey: generate('ed', '-algorithm', 'ED25519') }, 'publicKey', /Ed25519, which signs/],
    [{ privateKey: generate('r', '-algorithm', 'RSA'), publicKey }, 'privateKey', /of the kind RSA/],
    [{ privateKey, publicKey, kdf: 'X9.63-SHA256', length: 8161 }, 'length', /from 1 to 8160 bytes/],
    [{ privateKey: generate('s', ...ec('secp224r1')), publicKey }, 'privateKey', /curve P-224/],
  ] as const) {
    await assert.rejects(run(input), { name: 'Problem', field, message })
  }
  assert.equal((await run({ privateKey: locked, publicKey, passphrase: 'geheim' })).curve, 'P-256')
})
