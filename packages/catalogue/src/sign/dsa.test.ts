import assert from 'node:assert/strict'
import { generateKeyPairSync, verify } from 'node:crypto'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { dsa } from './dsa.ts'

async function run(name: 'sign' | 'verify', raw: Record<string, unknown>) {
  const action = dsa.actions.find(candidate => candidate.name === name)
  assert.ok(action)
  return (await performed(action, raw, replay())).result as { signature: string; valid: boolean }
}

const pair = generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 256 })
const privateKey = String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
const publicKey = String(pair.publicKey.export({ type: 'spki', format: 'pem' }))

test('[CTL-065] OpenSSL verifies what is signed with its key, by every hash function and in both formats', async () => {
  const message = 'pässword'
  for (const hash of ['SHA-1', 'SHA-224', 'SHA-256', 'SHA-384', 'SHA-512']) {
    for (const [signature_format, dsaEncoding] of [
      ['DER', 'der'],
      ['P1363', 'ieee-p1363'],
    ] as const) {
      const { signature } = await run('sign', { message, privateKey, hash, signature_format })
      const given = (text: string) =>
        verify(hash, Buffer.from(text), { key: pair.publicKey, dsaEncoding }, Buffer.from(signature, 'hex'))
      assert.deepEqual([given(message), given('passwort')], [true, false], `${hash} ${signature_format}`)
      assert.equal((await run('verify', { message, publicKey, hash, signature_format, signature })).valid, true)
      assert.equal((await run('verify', { message: '', publicKey, hash, signature_format, signature })).valid, false)
    }
  }
})
