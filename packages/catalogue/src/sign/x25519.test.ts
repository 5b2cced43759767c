import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { x25519 } from './x25519.ts'

type Result = Record<'privateKey' | 'publicKey' | 'private_pem' | 'public_pem' | 'shared_secret', string> & {
  private_jwk: Record<string, string>
  public_jwk: Record<string, string>
  all_zero: boolean
  generated: boolean
}
async function run(name: 'generate' | 'derive', input: Record<string, unknown>): Promise<Result> {
  const action = x25519.actions.find(action => action.name === name)
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  action.show?.(outcome.result, outcome.input)
  return outcome.result as Result
}

test('[CTL-122] [CTL-123] results are written in Base64, which is preset, or in Hex', async () => {
  for (const { fields } of x25519.actions) {
    assert.deepEqual([fields.encoding?.options, fields.encoding?.default], [['Base64', 'Hex'], 'Base64'])
  }
  assert.match((await run('generate', {})).publicKey, /^[A-Za-z0-9+/]{43}=$/)
  assert.match((await run('generate', { encoding: 'Hex' })).publicKey, /^[0-9a-f]{64}$/)
})

test('[CTL-067] OpenSSL computes the same secret from the pairs made here, 200 times', async () => {
  const peer = generateKeyPairSync('x25519')
  const publicKey = String(peer.publicKey.export({ type: 'spki', format: 'pem' }))
  for (let i = 0; i < 200; i++) {
    const encoding = i % 2 ? 'Hex' : 'Base64'
    const pair = await run('generate', { encoding })
    const privateKey = createPrivateKey(pair.private_pem)
    const theirs = diffieHellman({ privateKey, publicKey: peer.publicKey }).toString(i % 2 ? 'hex' : 'base64')
    assert.equal((await run('derive', { encoding, privateKey: pair.privateKey, publicKey })).shared_secret, theirs)
    assert.deepEqual(createPublicKey(privateKey).export({ format: 'jwk' }), pair.public_jwk)
    assert.ok(createPublicKey(pair.public_pem).equals(createPublicKey(privateKey)))
  }
})

test('every form of a key is the same key, and a new one is new', async () => {
  const pair = await run('generate', { encoding: 'Hex' })
  const base64 = Buffer.from(pair.privateKey, 'hex').toString('base64')
  for (const privateKey of [pair.privateKey, base64, base64.replace(/=+$/, ''), pair.private_pem]) {
    const again = await run('generate', { encoding: 'Hex', privateKey })
    assert.deepEqual([again.publicKey, again.generated], [pair.publicKey, false])
  }
  const jwk = JSON.stringify(pair.private_jwk)
  assert.equal((await run('generate', { encoding: 'Hex', privateKey: jwk })).publicKey, pair.publicKey)
  assert.notEqual((await run('generate', {})).privateKey, (await run('generate', {})).privateKey)
})

test('refusals name the field', async () => {
  const { privateKey } = await run('generate', {})
  const p256 = String(
    generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  )
  for (const [name, input, field, message] of [
    ['generate', { privateKey: 'AA==' }, 'privateKey', /Private key: /],
    ['generate', { privateKey: p256 }, 'privateKey', /on another curve/],
    ['generate', { encoding: 'Base32' }, 'encoding', /expected one of/],
    ['derive', { privateKey }, 'publicKey', /please paste a key/],
    ['derive', { publicKey: privateKey }, 'privateKey', /please paste a key/],
    ['derive', { privateKey, publicKey: p256 }, 'publicKey', /on X25519 and the public one on P-256/],
    ['derive', { privateKey, publicKey: '00'.repeat(31) }, 'publicKey', /Public key of the other side: /],
  ] as const) {
    await assert.rejects(run(name, input), { name: 'Problem', field, message })
  }
})
