import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { sampleCertificate, sampleClearSigned, sampleEncrypted, sampleKey } from '@assay/lib/pgp/samples'
import { pgp } from './pgp.ts'

const [encrypt, decrypt] = pgp.actions
assert.ok(encrypt && decrypt)
// biome-ignore lint/suspicious/noExplicitAny: results of two actions, looked into by name
const run = async (action: typeof encrypt, input: Record<string, unknown>): Promise<any> =>
  (await performed(action, input, replay({ now: '2026-06-01T00:00:00Z' }))).result

test('[CTL-068] what is encrypted in any form is decrypted again, bytes and text, with a signature', async () => {
  for (const output_format of ['Armored', 'Base64', 'Hex']) {
    for (const profile of ['RFC 4880 (GnuPG)', 'RFC 9580']) {
      const { ciphertext } = await run(encrypt, {
        message: '00ff10',
        message_format: 'Hex',
        publicKey: sampleCertificate,
        privateKey: sampleKey,
        output_format,
        profile,
      })
      const { plaintext, signatures, output_bytes } = await run(decrypt, {
        message: ciphertext,
        privateKey: sampleKey,
        publicKey: sampleCertificate,
        output_format: 'Hex',
      })
      assert.deepEqual([plaintext, output_bytes, signatures[0].status], ['00ff10', 3, 'valid'])
    }
  }
})

test('an empty message, and one of 4 MiB', async () => {
  for (const message of ['', 'Zeile\n'.repeat(699_051)]) {
    const { ciphertext } = await run(encrypt, { message, publicKey: sampleCertificate, output_format: 'Base64' })
    const { plaintext } = await run(decrypt, { message: ciphertext, privateKey: sampleKey })
    assert.equal(plaintext === message, true)
  }
})

test('a message for two recipients and a password is opened by each', async () => {
  const { ciphertext, recipients } = await run(encrypt, {
    message: 'x',
    publicKey: sampleCertificate + sampleCertificate,
    password: 'p',
  })
  assert.equal(recipients.length, 2)
  for (const way of [{ privateKey: sampleKey }, { password: 'p' }]) {
    assert.equal((await run(decrypt, { message: ciphertext, ...way })).plaintext, 'x')
  }
})

const hostile = [
  '\0',
  '漢字',
  '-----BEGIN PGP MESSAGE-----',
  'A'.repeat(10_000),
  '00'.repeat(5_000),
  '\ud83d\ude00'.repeat(50),
  sampleClearSigned,
  '../../etc/passwd',
]
for (const [action, input, fields] of [
  [encrypt, { message: 'x', publicKey: sampleCertificate }, ['publicKey', 'privateKey']],
  [decrypt, { message: sampleEncrypted, privateKey: sampleKey }, ['message', 'privateKey', 'publicKey']],
] as const) {
  test(`${action.name}: whatever is typed into a field is refused under its name`, async () => {
    for (const field of fields) {
      for (const value of hostile) {
        await assert.rejects(run(action, { ...input, [field]: value }), (error: unknown) => {
          assert.ok(error instanceof Problem && error.field === field, `${field}: ${error}`)
          assert.ok(!error.message.includes(value))
          return true
        })
      }
    }
  })
}

test('what is missing is asked for at its field', async () => {
  await assert.rejects(run(encrypt, { message: 'x' }), { field: 'publicKey' })
  await assert.rejects(run(decrypt, { message: sampleEncrypted }), { field: 'privateKey', message: /12C83F1E706F6308/ })
  const { ciphertext } = await run(encrypt, { message: 'x', password: 'p' })
  await assert.rejects(run(decrypt, { message: ciphertext }), { field: 'password' })
  await assert.rejects(run(decrypt, { message: ciphertext, password: 'q' }), { field: 'password' })
})
