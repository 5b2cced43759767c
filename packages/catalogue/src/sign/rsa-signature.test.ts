import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { constants, createPrivateKey, createPublicKey, randomBytes, randomInt, sign, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { pssSignature, rsaPrivateKey, rsaPublicKey, wrongHashSignature } from './rsa-examples.ts'
import { rsaSignature } from './rsa-signature.ts'

type Raw = Record<string, unknown>
interface Result {
  signature: string
  valid: boolean
  reason?: string
  note?: string
  salt_length?: number
}
async function run(name: 'sign' | 'verify', input: Raw) {
  const action = rsaSignature.actions.find(action => action.name === name)
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Result
  return { result, panels: action.show?.(result, outcome.input), terminal: action.terminal?.(outcome.input, result) }
}
const signed = (input: Raw) => run('sign', { privateKey: rsaPrivateKey, ...input }).then(({ result }) => result)
const verified = (input: Raw) => run('verify', { publicKey: rsaPublicKey, ...input }).then(({ result }) => result)

const folder = mkdtempSync(join(tmpdir(), 'rsa-signature-'))
after(() => rmSync(folder, { recursive: true }))
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
writeFileSync(join(folder, 'private.pem'), rsaPrivateKey)

const digests = {
  ...{ 'SHA-1': 'sha1', 'SHA-224': 'sha224', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' },
  ...{ 'SHA-512/224': 'sha512-224', 'SHA-512/256': 'sha512-256', 'SHA3-224': 'sha3-224', 'SHA3-256': 'sha3-256' },
  ...{ 'SHA3-384': 'sha3-384', 'SHA3-512': 'sha3-512' },
} as const
const hashes = Object.keys(digests) as (keyof typeof digests)[]

test('OpenSSL verifies what is signed here, and the other way round, 220 times', async () => {
  const [privateKey, publicKey] = [createPrivateKey(rsaPrivateKey), createPublicKey(rsaPublicKey)]
  for (let i = 0; i < 220; i++) {
    const hash = hashes[i % hashes.length] ?? 'SHA-256'
    const text = randomBytes(randomInt(0, 300))
    const pss = i % 2 === 0
    const saltLength = randomInt(0, 150)
    const terms = {
      ...{ message: text.toString('hex'), input_format: 'Hex', hash, salt_length: saltLength },
      algorithm: pss ? 'RSASSA-PSS' : 'RSASSA-PKCS1-v1_5',
    }
    const padding = pss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength } : {}
    const ours = Buffer.from((await signed(terms)).signature, 'hex')
    assert.ok(verify(digests[hash], text, { key: publicKey, ...padding }, ours), JSON.stringify(terms))
    const theirs = sign(digests[hash], text, { key: privateKey, ...padding })
    assert.equal((await verified({ ...terms, signature: theirs.toString('base64') })).valid, true)
    assert.equal((await verified({ ...terms, signature: theirs.toString('hex'), salt_length: -1 })).valid, true)
    const at = randomInt(0, 256)
    theirs[at] = (theirs[at] ?? 0) ^ (1 << randomInt(0, 8))
    assert.equal((await verified({ ...terms, signature: theirs.toString('hex') })).valid, false)
  }
})

test('the commands of OpenSSL sign and verify the same', async () => {
  const sh = (command: string) => spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8', timeout: 20_000 })
  for (const terms of [
    { algorithm: 'RSASSA-PKCS1-v1_5', hash: 'SHA-512/256' },
    { hash: 'SHA3-256', salt_length: 20 },
    { mgf_hash: 'SHA-1', salt_length: 0 },
  ]) {
    const message = "it's 100% é"
    const made = await run('sign', { message, privateKey: rsaPrivateKey, ...terms })
    const theirs = sh(made.terminal?.command ?? '').stdout.replace(/\s/g, '')
    assert.equal((await verified({ message, signature: theirs, ...terms })).valid, true)
    const checked = await run('verify', {
      message,
      publicKey: rsaPublicKey,
      signature: made.result.signature,
      ...terms,
    })
    assert.equal(sh(checked.terminal?.command ?? '').stdout, 'Verified OK\n')
  }
})

test('a signature that does not hold says what it really carries', async () => {
  const pkcs1 = { algorithm: 'RSASSA-PKCS1-v1_5' }
  const { signature } = await signed({ message: 'text', ...pkcs1 })
  const pss = (await signed({ message: 'text', salt_length: 20 })).signature
  const masked = (await signed({ message: 'text', mgf_hash: 'SHA-1' })).signature
  const [other] = [openssl('genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048')]
  const foreign = (await signed({ message: 'text', privateKey: other, ...pkcs1 })).signature
  for (const [input, reason] of [
    [{ message: 'other', signature, ...pkcs1 }, /^It was made with this key and SHA-256, but over another message\.$/],
    [{ signature, hash: 'SHA-512', ...pkcs1 }, /^It was made with SHA-256, not with SHA-512, and holds with that\.$/],
    [
      { signature: wrongHashSignature, ...pkcs1 },
      /made with SHA-1, not with SHA-256, and that does not fit the message/,
    ],
    [{ signature }, /a signature with the padding PKCS #1 v1.5 and holds with SHA-256, and PSS was asked for/],
    [{ signature: pss }, /^Its salt has 20 bytes, not 32; with that it holds\.$/],
    [{ signature: pss, ...pkcs1 }, /the padding PSS and holds with SHA-256, and PKCS #1 v1.5 was asked for/],
    [{ signature: pss, hash: 'SHA-384' }, /^It was made with SHA-256, not with SHA-384, and holds with that\.$/],
    [{ signature: pss, message: 'other', salt_length: 20 }, /this key and SHA-256, but over another message/],
    [{ signature: masked }, /^Its mask is made with SHA-1, not with SHA-256\.$/],
    [{ signature: foreign, ...pkcs1 }, /no padding of RSA: it was made with another key|not below the modulus/],
    [{ signature: signature.slice(2) }, /^The signature has 255 bytes, and those of this key have 256\.$/],
    [{ signature: `00${signature}` }, /^The signature has 257 bytes/],
    [{ signature: 'ff'.repeat(256) }, /not below the modulus/],
    [{ signature: '00'.repeat(256) }, /no padding of RSA/],
  ] as const) {
    const result = await verified({ message: 'text', ...input })
    assert.equal(result.valid, false)
    assert.match(result.reason ?? '', reason)
  }
  const { panels } = await run('verify', { message: 'a', publicKey: rsaPublicKey, signature: pssSignature })
  assert.deepEqual(panels?.[0]?.kind === 'banner' && [panels[0].tone, panels[0].badge], ['bad', 'INVALID'])
})

test('input and output formats: the same bytes give the same signature', async () => {
  const terms = { algorithm: 'RSASSA-PKCS1-v1_5' }
  const { signature } = await signed({ message: 'é\0', ...terms })
  assert.equal((await signed({ message: 'c3a900', input_format: 'Hex', ...terms })).signature, signature)
  assert.equal((await signed({ message: 'w6kA', input_format: 'Base64', ...terms })).signature, signature)
  for (const output_format of ['Base64', 'Base64URL']) {
    const written = (await signed({ message: 'é\0', output_format, ...terms })).signature
    assert.equal((await verified({ message: 'é\0', signature: written, ...terms })).valid, true)
  }
})

test('RFC 8702: PSS with SHAKE there and back, and nothing else with SHAKE', async () => {
  for (const hash of ['SHAKE128', 'SHAKE256']) {
    const { signature } = await signed({ message: 'text', hash, salt_length: 64 })
    assert.equal((await verified({ message: 'text', signature, hash, salt_length: 64 })).valid, true)
    assert.match(
      (await verified({ message: 'text', signature })).reason ?? '',
      new RegExp(`made with ${hash}, not with`),
    )
    assert.equal((await run('sign', { message: 'a', privateKey: rsaPrivateKey, hash })).terminal, undefined)
    await assert.rejects(signed({ message: 'a', hash, algorithm: 'RSASSA-PKCS1-v1_5' }), {
      field: 'hash',
      message: `Hash function: ${hash} goes with RSASSA-PSS only.`,
    })
  }
})

test('RFC 4055 §1.2: a key for PSS only signs with PSS only', async () => {
  const privateKey = openssl('genpkey', '-algorithm', 'RSA-PSS')
  writeFileSync(join(folder, 'pss.pem'), privateKey)
  const { signature } = await signed({ message: 'text', privateKey })
  const publicKey = openssl('pkey', '-in', 'pss.pem', '-pubout')
  assert.equal((await verified({ message: 'text', publicKey, signature })).valid, true)
  for (const check of [
    signed({ message: 'a', privateKey, algorithm: 'RSASSA-PKCS1-v1_5' }),
    verified({ publicKey, signature, algorithm: 'RSASSA-PKCS1-v1_5' }),
  ]) {
    await assert.rejects(check, { field: 'algorithm', message: /restricted to another padding/ })
  }
})

test('questions that cannot be asked are problems of their field', async () => {
  const ec = openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256')
  const small = openssl('genrsa', '-traditional', '512')
  for (const [name, input, field, message] of [
    ['sign', { privateKey: '' }, 'privateKey', /please paste a key/],
    ['sign', { privateKey: rsaPublicKey }, 'privateKey', /this is a public key/],
    ['sign', { privateKey: ec }, 'privateKey', /kind EC/],
    ['sign', { privateKey: small, hash: 'SHA-512' }, 'salt_length', /at most 0 bytes of salt fit/],
    ['sign', { privateKey: small, hash: 'SHA-512', algorithm: 'RSASSA-PKCS1-v1_5' }, 'privateKey', /too short/],
    ['sign', { salt_length: 223 }, 'salt_length', /at most 222 bytes of salt fit with this key and SHA-256, got 223/],
    ['sign', { salt_length: -1 }, 'salt_length', /from 0 to 2048 bytes/],
    ['sign', { message: 'xyz', input_format: 'Hex' }, 'message', /not a hexadecimal digit/],
    ['verify', { signature: '' }, 'signature', /please paste a signature/],
    ['verify', { signature: '!' }, 'signature', /not in the Base64 alphabet/],
    ['verify', { publicKey: ec, signature: '00' }, 'publicKey', /kind EC/],
    ['verify', { hash: 'MD5', signature: '00' }, 'hash', /expected one of/],
  ] as const) {
    const keys = name === 'sign' ? { privateKey: rsaPrivateKey } : { publicKey: rsaPublicKey }
    await assert.rejects(run(name, { message: 'a', ...keys, ...input }), { name: 'Problem', field, message })
  }
})
