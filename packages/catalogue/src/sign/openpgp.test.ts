import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { sampleCertificate, sampleClearSigned, sampleKey } from '@assay/lib/pgp/samples'
import { openpgp } from './openpgp.ts'

const [keygen, sign, verify, inspect] = openpgp.actions
assert.ok(keygen && sign && verify && inspect)
// biome-ignore lint/suspicious/noExplicitAny: results of four actions, looked into by name
const run = async (action: typeof keygen, input: Record<string, unknown>): Promise<any> =>
  (await performed(action, input, replay({ now: '2026-06-01T00:00:00Z' }))).result

test('[CTL-069] a new key signs in every style, and its public half verifies', async () => {
  for (const keyType of ['Curve25519', 'ECC P-256']) {
    const { privateKey, publicKey, fingerprint } = await run(keygen, {
      name: 'Älice',
      email: 'a@example.com',
      keyType,
      passphrase: 'geheim',
    })
    for (const style of ['Clear-signed', 'Detached', 'Inline']) {
      for (const output_format of style === 'Clear-signed' ? ['Armored'] : ['Armored', 'Base64']) {
        const { signature } = await run(sign, {
          message: 'Grüße',
          privateKey,
          passphrase: 'geheim',
          style,
          output_format,
        })
        const input = style === 'Detached' ? { message: 'Grüße', signature } : { message: signature }
        const found = await run(verify, { ...input, publicKey })
        assert.deepEqual(
          [found.valid, found.style, found.signatures[0].fingerprint, found.message],
          [true, style, fingerprint, 'Grüße'],
        )
      }
    }
  }
})

test('bytes are signed apart or inline, and refused in the clear', async () => {
  const bytes = { message: '00ff', message_format: 'Hex', privateKey: sampleKey }
  const { signature } = await run(sign, { ...bytes, style: 'Detached' })
  const checked = await run(verify, {
    message: '00ff',
    message_format: 'Hex',
    signature,
    publicKey: sampleCertificate,
    output_format: 'Hex',
  })
  assert.deepEqual([checked.valid, checked.message], [true, '00ff'])
  await assert.rejects(run(sign, bytes), { field: 'message', message: /only text/ })
})

test('an inline message as bytes is verified too', async () => {
  const { signature } = await run(sign, {
    message: 'x',
    privateKey: sampleKey,
    style: 'Inline',
    output_format: 'Base64',
  })
  const found = await run(verify, { message: signature, message_format: 'Base64', publicKey: sampleCertificate })
  assert.equal(found.valid, true)
})

test('an old signature of a key that has expired since still holds, and that is told', async () => {
  const { privateKey, publicKey } = await run(keygen, { name: 'Short', expires: 1 })
  const { signature } = await run(sign, { message: 'x', privateKey, style: 'Detached' })
  const later = replay({ now: '2026-07-01T00:00:00Z' })
  const { result } = await performed(verify, { message: 'x', signature, publicKey }, later)
  assert.partialDeepStrictEqual(result, { valid: true, signatures: [{ status: 'valid', key_status: 'expired' }] })
  await assert.rejects(performed(sign, { message: 'x', privateKey }, later), {
    field: 'privateKey',
    message: /expired/,
  })
})

test('inspect lists every packet, and says what it is', async () => {
  const { blocks, keys } = await run(inspect, { message: sampleCertificate })
  assert.deepEqual(
    blocks[0].packets.map(({ name }: { name: string }) => name),
    ['Public Key', 'Signature', 'Public Subkey', 'Signature'],
  )
  assert.equal(keys[0].version, 6)
  const signed = await run(inspect, { message: sampleClearSigned })
  assert.deepEqual(
    signed.blocks.map(({ label }: { label: string }) => label),
    ['SIGNATURE'],
  )
})

for (const [action, input, field] of [
  [keygen, {}, 'name'],
  [keygen, { name: 'a<b>' }, 'name'],
  [keygen, { email: 'nobody' }, 'email'],
  [keygen, { name: 'x'.repeat(201) }, 'name'],
  [keygen, { name: 'x', expires: 4_000 }, 'expires'],
  [keygen, { name: 'x', keyType: 'DSA' }, 'keyType'],
  [sign, { message: 'x', privateKey: sampleCertificate }, 'privateKey'],
  [sign, { message: 'x', privateKey: '' }, 'privateKey'],
  [verify, { message: 'not signed', publicKey: sampleCertificate }, 'message'],
  [verify, { message: 'x', signature: 'AAAA', publicKey: sampleCertificate }, 'signature'],
  [verify, { message: sampleClearSigned, publicKey: 'AAAA' }, 'publicKey'],
  [inspect, { message: '' }, 'message'],
  [inspect, { message: 'hello' }, 'message'],
  [inspect, { message: '-----BEGIN PGP MESSAGE-----' }, 'message'],
] as const) {
  test(`${action.name} refuses ${JSON.stringify(input).slice(0, 60)}`, async () => {
    await assert.rejects(run(action, input), (error: unknown) => {
      assert.ok(error instanceof Problem && error.field === field, String(error))
      return true
    })
  })
}
