import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { rsa } from './rsa.ts'

type Raw = Record<string, unknown>
async function run(name: 'encrypt' | 'decrypt', input: Raw) {
  const action = rsa.actions.find(action => action.name === name)
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Record<string, string>
  return { result, panels: action.show?.(result, outcome.input), terminal: action.terminal?.(outcome.input, result) }
}
const encrypt = (input: Raw) => run('encrypt', input).then(({ result }) => result)
const decrypt = (input: Raw) => run('decrypt', input).then(({ result }) => result)

const folder = mkdtempSync(join(tmpdir(), 'rsa-tool-'))
after(() => rmSync(folder, { recursive: true }))
const openssl = (input: string, ...args: string[]): string =>
  execFileSync('openssl', args, { input, encoding: 'utf8', cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] })
const privateKey = openssl('', 'genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048')
const publicKey = openssl(privateKey, 'pkey', '-pubout')
const ecKey = openssl('', 'genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256')
writeFileSync(join(folder, 'private.pem'), privateKey)
writeFileSync(join(folder, 'public.pem'), publicKey)

const settings: readonly Raw[] = [
  ...['SHA-1', 'SHA-224', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA-512/224', 'SHA-512/256'].map(hash => ({ hash })),
  { hash: 'SHA-256', mgf_hash: 'SHA-1' },
  { hash: 'SHA-256', label: 'a label' },
  { algorithm: 'RSAES-PKCS1-v1_5' },
  { algorithm: 'raw' },
]

test('[CTL-062] every padding there and back, in every output format', async () => {
  for (const choice of settings) {
    for (const [output_format, input_format] of [
      ['Hex', 'Hex'],
      ['Base64', 'Base64'],
      ['Base64URL', 'Base64'],
    ]) {
      const { ciphertext } = await encrypt({ input_text: 'emporté', publicKey, output_format, ...choice })
      const { plaintext } = await decrypt({ input_text: ciphertext, input_format, privateKey, ...choice })
      assert.equal(plaintext, 'emporté', JSON.stringify(choice))
    }
  }
})

test('[CTL-062] the commands of OpenSSL do the same', async () => {
  for (const choice of settings) {
    const sh = (command: string) => {
      const { stdout, stderr, status } = spawnSync('sh', ['-c', command], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 20_000,
      })
      assert.equal(status, 0, `${command}\n${stderr}`)
      return stdout
    }
    const made = await run('encrypt', { input_text: "it's 100% é", publicKey, ...choice })
    const theirs = sh(made.terminal?.command ?? '').replace(/\s/g, '')
    const ours = await run('decrypt', { input_text: theirs, privateKey, ...choice })
    assert.equal(ours.result.plaintext, "it's 100% é")
    const read = await run('decrypt', { input_text: made.result.ciphertext, privateKey, ...choice })
    assert.equal(sh(read.terminal?.command ?? '').replaceAll('\0', ''), "it's 100% é")
  }
})

test('every form of a key decrypts', async () => {
  const { ciphertext } = await encrypt({ input_text: 'text', publicKey })
  for (const key of [
    privateKey,
    openssl(privateKey, 'rsa', '-traditional'),
    privateKey.replace(/-----[^-]+-----|\s/g, ''),
  ]) {
    assert.equal((await decrypt({ input_text: ciphertext, privateKey: key })).plaintext, 'text')
  }
  for (const key of [publicKey, openssl(privateKey, 'rsa', '-RSAPublicKey_out'), privateKey]) {
    const { ciphertext } = await encrypt({ input_text: 'text', publicKey: key })
    assert.equal((await decrypt({ input_text: ciphertext, privateKey })).plaintext, 'text')
  }
  const locked = openssl(privateKey, 'pkcs8', '-topk8', '-v2', 'aes-256-cbc', '-passout', 'pass:geheim')
  assert.equal((await decrypt({ input_text: ciphertext, privateKey: locked, passphrase: 'geheim' })).plaintext, 'text')
})

test('a private key given for encryption is used for its public half, and the result says so', async () => {
  const { note } = await encrypt({ input_text: 'text', publicKey: privateKey })
  assert.match(note ?? '', /public half/)
})

test('text that is not UTF-8 is never lost', async () => {
  const { ciphertext } = await encrypt({ input_text: 'fffe00', input_format: 'Hex', publicKey })
  assert.deepEqual(await decrypt({ input_text: ciphertext, privateKey }).then(r => [r.plaintext, r.output_format]), [
    'fffe00',
    'Hex',
  ])
  await assert.rejects(decrypt({ input_text: ciphertext, privateKey, output_format: 'UTF-8' }), {
    field: 'output_format',
  })
})

test('refusals name the field and say what to do', async () => {
  const { ciphertext } = await encrypt({ input_text: 'text', publicKey })
  const locked = openssl(privateKey, 'pkcs8', '-topk8', '-v2', 'aes-256-cbc', '-passout', 'pass:geheim')
  const request = openssl('', 'req', '-new', '-key', 'private.pem', '-subj', '/CN=a')
  const changed = `00${ciphertext?.slice(2)}`
  for (const [name, input, field, message] of [
    ['encrypt', { input_text: 'x'.repeat(191), publicKey }, 'input_text', /^Text: at most 190 bytes fit .* has 191\.$/],
    ['encrypt', { input_text: 'x'.repeat(246), publicKey, algorithm: 'RSAES-PKCS1-v1_5' }, 'input_text', /at most 245/],
    ['encrypt', { input_text: 'x'.repeat(257), publicKey, algorithm: 'raw' }, 'input_text', /below the modulus/],
    ['encrypt', { input_text: 'x' }, 'publicKey', /^Public key: please paste a key\.$/],
    ['encrypt', { input_text: 'x', publicKey: ecKey }, 'publicKey', /kind EC/],
    ['encrypt', { input_text: 'x', publicKey: publicKey.slice(0, 200) }, 'publicKey', /-----END PUBLIC KEY-----/],
    ['encrypt', { input_text: 'x', publicKey: locked }, 'passphrase', /locked/],
    ['decrypt', { input_text: ciphertext, privateKey: publicKey }, 'privateKey', /this is a public key/],
    [
      'decrypt',
      { input_text: ciphertext, privateKey: request },
      'privateKey',
      /this is a public key \(certificate request/,
    ],
    ['decrypt', { input_text: ciphertext, privateKey: locked }, 'passphrase', /enter its passphrase/],
    ['decrypt', { input_text: ciphertext, privateKey: locked, passphrase: 'x' }, 'passphrase', /does not open/],
    ['decrypt', { input_text: ciphertext, privateKey: 'MII' }, 'privateKey', /Private key: /],
    ['decrypt', { input_text: '00', privateKey }, 'input_text', /expected 256 bytes.*got 1/],
    ['decrypt', { input_text: '', privateKey }, 'input_text', /expected 256 bytes.*got 0/],
    ['decrypt', { input_text: 'ff'.repeat(256), privateKey }, 'input_text', /not below the modulus/],
    ['decrypt', { input_text: changed, privateKey }, 'input_text', /^The ciphertext does not decrypt/],
    [
      'decrypt',
      { input_text: ciphertext, privateKey, hash: 'SHA-1' },
      'input_text',
      /^The ciphertext does not decrypt/,
    ],
    ['decrypt', { input_text: ciphertext, privateKey, label: 'x' }, 'input_text', /^The ciphertext does not decrypt/],
    [
      'decrypt',
      { input_text: ciphertext, privateKey, algorithm: 'RSAES-PKCS1-v1_5' },
      'input_text',
      /does not decrypt/,
    ],
  ] as const) {
    await assert.rejects(run(name, input), { name: 'Problem', code: 'invalid-input', field, message })
  }
})

test('weak choices carry a note', async () => {
  const weak = openssl('', 'genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024')
  for (const [input, count] of [
    [{ publicKey }, 0],
    [{ publicKey, algorithm: 'RSAES-PKCS1-v1_5' }, 1],
    [{ publicKey, algorithm: 'raw' }, 1],
    [{ publicKey: openssl(weak, 'pkey', '-pubout') }, 1],
    [{ publicKey: weak }, 2],
  ] as const) {
    const { panels } = await run('encrypt', { input_text: 'text', ...input })
    assert.equal(panels?.filter(({ kind }) => kind === 'note').length, count)
  }
})
