import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { ecc } from './ecc.ts'

type Result = Record<'ciphertext' | 'plaintext' | 'curve' | 'output_format' | 'note', string>
async function run(name: 'encrypt' | 'decrypt', input: Record<string, unknown>): Promise<Result> {
  const action = ecc.actions.find(action => action.name === name)
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  action.show?.(outcome.result, outcome.input)
  return outcome.result as Result
}
const ec = (namedCurve: string) => () =>
  generateKeyPairSync('ec', {
    namedCurve,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
const x25519 = () =>
  generateKeyPairSync('x25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
const curves = { secp256k1: ec('secp256k1'), 'P-256': ec('prime256v1'), 'P-384': ec('secp384r1'), X25519: x25519 }

test('[CTL-063] every curve, derivation and layout there and back, in every output format', async () => {
  for (const [curve, generate] of Object.entries(curves)) {
    const { privateKey, publicKey } = generate()
    for (const settings of [{}, { kdf: 'X9.63-SHA256' }, ...(/^[sX]/.test(curve) ? [{ layout: 'eciesjs' }] : [])]) {
      for (const [output_format, input_format] of [
        ['Hex', 'Hex'],
        ['Base64', 'Base64'],
        ['Base64URL', 'Base64'],
      ]) {
        const made = await run('encrypt', {
          input_text: 'emporté 漢字\0',
          publicKey,
          output_format,
          curve,
          ...settings,
        })
        assert.deepEqual([made.curve, made.note], [curve, undefined])
        const back = await run('decrypt', { input_text: made.ciphertext, input_format, privateKey, ...settings, curve })
        assert.equal(back.plaintext, 'emporté 漢字\0')
      }
    }
    const bytes = await run('encrypt', { input_text: 'ff00', input_format: 'Hex', publicKey })
    if (curve !== 'P-256') assert.match(bytes.note, new RegExp(`on ${curve}, so that curve`))
    const { plaintext, output_format } = await run('decrypt', { input_text: bytes.ciphertext, privateKey })
    assert.deepEqual([plaintext, output_format], ['ff00', 'Hex'])
    assert.notEqual(
      (await run('encrypt', { input_text: 'ff00', input_format: 'Hex', publicKey })).ciphertext,
      bytes.ciphertext,
    )
  }
})

test('a text of 4 MiB comes back', async () => {
  const { privateKey, publicKey } = x25519()
  const input_text = 'é'.repeat(2 ** 21)
  const { ciphertext } = await run('encrypt', { input_text, publicKey, output_format: 'Base64' })
  const back = await run('decrypt', { input_text: ciphertext, input_format: 'Base64', privateKey })
  assert.ok(back.plaintext === input_text)
})

test('refusals name the field; what does not open says the same whatever is wrong', async () => {
  const { privateKey, publicKey } = curves['P-256']()
  const { ciphertext } = await run('encrypt', { input_text: 'text', publicKey })
  const locked = generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
  }).privateKey
  const p521 = ec('secp521r1')()
  for (const [name, input, field, message] of [
    ['encrypt', { input_text: 'a' }, 'publicKey', /please paste a key/],
    ['encrypt', { publicKey: p521.publicKey }, 'publicKey', /on P-521, and the curves at hand/],
    ['encrypt', { publicKey: `04${'11'.repeat(64)}` }, 'publicKey', /not a point on the curve/],
    ['encrypt', { publicKey, layout: 'eciesjs' }, 'layout', /eciesjs has secp256k1 and X25519, not P-256/],
    ['encrypt', { publicKey: '00'.repeat(32), curve: 'X25519' }, 'publicKey', /small order/],
    ['decrypt', { input_text: ciphertext }, 'privateKey', /please paste a key/],
    ['decrypt', { input_text: ciphertext, privateKey: publicKey }, 'privateKey', /this is a public key/],
    ['decrypt', { input_text: ciphertext, privateKey: locked }, 'passphrase', /enter its passphrase/],
    ['decrypt', { input_text: 'ff', privateKey }, 'input_text', /has at least 93 bytes, and this one has 1/],
    ['decrypt', { input_text: `${ciphertext}00`, privateKey }, 'input_text', /does not open with this key/],
    ['decrypt', { input_text: `05${ciphertext.slice(2)}`, privateKey }, 'input_text', /does not open with this key/],
    ['decrypt', { input_text: ciphertext, privateKey, kdf: 'X9.63-SHA256' }, 'input_text', /does not open/],
    ['decrypt', { input_text: ciphertext, privateKey: curves['P-256']().privateKey }, 'input_text', /does not open/],
  ] as const) {
    await assert.rejects(run(name, input), { name: 'Problem', field, message })
  }
})
