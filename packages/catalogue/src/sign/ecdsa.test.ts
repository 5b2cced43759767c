import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { fromHex, toBase64, toBase64Url, toHex } from '@assay/lib/bytes'
import { signingCurves } from '@assay/lib/key/ec'
import { ecdsa } from './ecdsa.ts'

type Raw = Record<string, unknown>
interface Result {
  signature: string
  valid: boolean
  reason?: string
  note?: string
  curve: string
  r: string
  s: string
  privateKey: string
  publicKey: string
  private_hex: string
  public_hex: string
  private_jwk?: Record<string, string>
  public_jwk?: Record<string, string>
  public_key: string
}
async function run(name: 'sign' | 'verify' | 'keygen', input: Raw) {
  const action = ecdsa.actions.find(action => action.name === name)
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Result
  return { result, panels: action.show?.(result, outcome.input), terminal: action.terminal?.(outcome.input, result) }
}
const sign = (input: Raw) => run('sign', input).then(({ result }) => result)
const verify = (input: Raw) => run('verify', input).then(({ result }) => result)
const keygen = (input: Raw) => run('keygen', input).then(({ result }) => result)

const folder = mkdtempSync(join(tmpdir(), 'ecdsa-tool-'))
after(() => rmSync(folder, { recursive: true }))
const openssl = (input: string | Uint8Array, ...args: string[]) =>
  execFileSync('openssl', args, { input, cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] })
const file = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content)

test('[CTL-064] every curve, hash function and format: sign, verify, and OpenSSL agrees', async () => {
  for (const curve of signingCurves) {
    const { privateKey, publicKey } = await keygen({ curve })
    file('private.pem', privateKey)
    file('public.pem', publicKey)
    for (const [hash, md] of [
      ['SHA-256', '-sha256'],
      ['SHA-512', '-sha512'],
      ['SHA-224', '-sha224'],
      ['SHA3-256', '-sha3-256'],
      ['SHA3-512', '-sha3-512'],
    ] as const) {
      for (const signature_format of ['DER', 'P1363', 'JWS']) {
        const { signature } = await sign({ message: 'emporté', privateKey, hash, signature_format })
        const { valid, curve: used } = await verify({
          message: 'emporté',
          publicKey,
          signature,
          hash,
          signature_format,
        })
        assert.deepEqual([valid, used], [true, curve])
        assert.equal((await verify({ message: 'emporte', publicKey, signature, hash, signature_format })).valid, false)
        if (signature_format !== 'DER') continue
        file('signature', fromHex(signature))
        const args = ['dgst', md, '-verify', 'public.pem', '-signature', 'signature']
        assert.equal(String(openssl('emporté', ...args)), 'Verified OK\n')
      }
      const theirs = toBase64(Uint8Array.from(openssl('text', 'dgst', md, '-sign', 'private.pem')))
      assert.equal((await verify({ message: 'text', publicKey, signature: theirs, hash })).valid, true)
    }
  }
})

test('the commands of OpenSSL verify and sign the same', async () => {
  const { privateKey, publicKey } = await keygen({ curve: 'P-384' })
  const made = await run('sign', { message: "it's 100%", privateKey, hash: 'SHA-384' })
  file('private.pem', privateKey)
  const sh = (command: string) => spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8', timeout: 20_000 })
  const theirs = sh(made.terminal?.command ?? '').stdout.replace(/\s/g, '')
  assert.equal((await verify({ message: "it's 100%", publicKey, signature: theirs, hash: 'SHA-384' })).valid, true)
  const checked = await run('verify', {
    message: "it's 100%",
    publicKey,
    signature: made.result.signature,
    hash: 'SHA-384',
  })
  assert.equal(checked.result.valid, true)
  assert.equal(checked.terminal?.prints, 'Verified OK')
  assert.equal(sh(checked.terminal?.command ?? '').stdout, 'Verified OK\n')
})

test('every form of a key signs and verifies alike', async () => {
  const { privateKey, publicKey, private_hex, public_hex, private_jwk, public_jwk } = await keygen({ curve: 'P-256' })
  const { signature } = await sign({ message: 'text', privateKey })
  file('private.pem', privateKey)
  const locked = String(openssl(privateKey, 'pkcs8', '-topk8', '-v2', 'aes-256-cbc', '-passout', 'pass:geheim'))
  for (const key of [private_hex, `0x${private_hex}`, JSON.stringify(private_jwk), String(openssl(privateKey, 'ec'))]) {
    assert.equal((await sign({ message: 'text', privateKey: key })).signature, signature)
  }
  assert.equal((await sign({ message: 'text', privateKey: locked, passphrase: 'geheim' })).signature, signature)
  const compressed = `0${(Number.parseInt(public_hex.slice(-1), 16) & 1) + 2}${public_hex.slice(2, 66)}`
  const certificate = String(openssl('', 'req', '-x509', '-new', '-key', 'private.pem', '-subj', '/CN=a'))
  for (const key of [publicKey, public_hex, compressed, JSON.stringify(public_jwk), certificate]) {
    assert.equal((await verify({ message: 'text', publicKey: key, signature })).valid, true)
  }
  const own = await verify({ message: 'text', publicKey: privateKey, signature })
  assert.match(own.note ?? '', /public half/)
})

test('RFC 6979 §3.2: the same message always gets the same signature', async () => {
  const { privateKey } = await keygen({ curve: 'brainpoolP256r1' })
  assert.equal(
    (await sign({ message: 'a', privateKey })).signature,
    (await sign({ message: 'a', privateKey })).signature,
  )
  assert.notEqual(
    (await sign({ message: 'a', privateKey })).signature,
    (await sign({ message: 'b', privateKey })).signature,
  )
})

test('a key on another curve than the chosen one counts, and the result says so', async () => {
  const { privateKey, publicKey } = await keygen({ curve: 'P-521' })
  const { signature, curve, note } = await sign({ message: 'text', privateKey })
  assert.equal(curve, 'P-521')
  assert.match(note ?? '', /on P-521, so that curve/)
  assert.equal((await verify({ message: 'text', publicKey, signature, curve: 'P-521' })).note, undefined)
})

test('signatures that do not hold say why, as a finding', async () => {
  const { privateKey, publicKey } = await keygen({ curve: 'P-256' })
  const { signature, r, s } = await sign({ message: 'text', privateKey })
  const p1363 = `${r}${s}`
  const zero = '00'.repeat(32)
  const check = async (input: Raw) => verify({ message: 'text', publicKey, ...input })
  for (const [input, reason] of [
    [{ signature: `${signature}00` }, /1 bytes follow/],
    [{ signature: signature.slice(0, -2) }, /bytes, but only/],
    [{ signature: `3081${signature.slice(2)}` }, /shortest form/],
    [{ signature: p1363 }, /strict DER: .+ In P1363 it has 64 bytes as here, so choose that\.$/],
    [{ signature, signature_format: 'P1363' }, /has 64 bytes in this format, .+ as one in DER does, so choose that\.$/],
    [{ signature: '00'.repeat(63), signature_format: 'P1363' }, /this one has 63\.$/],
    [{ signature: zero + s, signature_format: 'P1363' }, /r is zero/],
    [{ signature: r + zero, signature_format: 'P1363' }, /s is zero/],
    [{ signature: 'ff'.repeat(64), signature_format: 'P1363' }, /r is not below the order/],
    [{ signature: toBase64Url(fromHex(p1363)).slice(0, -2), signature_format: 'JWS' }, /has 64 bytes/],
    [{ signature: s + r, signature_format: 'P1363' }, /another message, with another key/],
    [{ signature, hash: 'SHA-512' }, /another hash function/],
    [{ signature: '3006020100020100' }, /r is zero/],
    [{ signature: '300602018002017f' }, /r is negative/],
  ] as const) {
    const result = await check(input)
    assert.equal(result.valid, false)
    assert.match(result.reason ?? '', reason)
  }
  const { panels } = await run('verify', { message: 'text', publicKey, signature: '3006020100020100' })
  assert.deepEqual(panels?.[0]?.kind === 'banner' && [panels[0].tone, panels[0].badge], ['bad', 'INVALID'])
})

test('questions that cannot be asked are problems of their field', async () => {
  const { privateKey, publicKey, private_hex, public_hex } = await keygen({ curve: 'P-256' })
  const { signature } = await sign({ message: 'text', privateKey })
  const ed25519 = String(openssl('', 'genpkey', '-algorithm', 'ED25519'))
  const p224 = String(openssl('', 'genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:secp224r1'))
  const off = `${public_hex.slice(0, -2)}${public_hex.endsWith('00') ? '01' : '00'}`
  const locked = String(openssl(privateKey, 'pkcs8', '-topk8', '-v2', 'aes-256-cbc', '-passout', 'pass:geheim'))
  for (const [name, input, field, message] of [
    ['sign', {}, 'privateKey', /please paste a key/],
    ['sign', { privateKey: publicKey }, 'privateKey', /this is a public key/],
    ['sign', { privateKey: ed25519 }, 'privateKey', /kind Ed25519/],
    ['sign', { privateKey: p224 }, 'privateKey', /curve P-224/],
    ['sign', { privateKey: '00'.repeat(32) }, 'privateKey', /from 1 to the order/],
    ['sign', { privateKey: 'ff'.repeat(32) }, 'privateKey', /from 1 to the order/],
    ['sign', { privateKey: private_hex.slice(2) }, 'privateKey', /Private key: /],
    ['sign', { privateKey: locked }, 'passphrase', /enter its passphrase/],
    ['sign', { privateKey: locked, passphrase: 'x' }, 'passphrase', /does not open/],
    ['sign', { privateKey: privateKey.slice(0, 90) }, 'privateKey', /-----END PRIVATE KEY-----/],
    ['verify', { signature }, 'publicKey', /please paste a key/],
    ['verify', { publicKey: off, signature }, 'publicKey', /not a point on the curve/],
    ['verify', { publicKey: '00', signature }, 'publicKey', /Public key: /],
    ['verify', { publicKey: ed25519, signature }, 'publicKey', /kind Ed25519/],
    ['verify', { publicKey }, 'signature', /please paste a signature/],
    ['verify', { publicKey, signature: '!' }, 'signature', /not in the Base64 alphabet/],
    ['verify', { publicKey, signature: 'abc' }, 'signature', /odd/],
    ['verify', { publicKey, signature: 'AA==', signature_format: 'JWS' }, 'signature', /Base64url without padding/],
    ['keygen', { curve: 'P-224' }, 'curve', /expected one of/],
  ] as const) {
    await assert.rejects(run(name, input), { name: 'Problem', field, message })
  }
})

test('keys are fresh, on their curve, and the same in every form', async () => {
  for (const curve of signingCurves) {
    const { privateKey, publicKey, private_hex, public_hex, private_jwk } = await keygen({ curve })
    assert.equal(String(openssl(privateKey, 'pkey', '-pubout')), publicKey)
    const text = String(openssl(privateKey, 'pkey', '-text', '-noout')).replace(/[\s:]/g, '')
    assert.ok(text.includes(public_hex) && text.includes(private_hex), curve)
    assert.equal(private_jwk === undefined, curve.startsWith('brainpool'))
    if (private_jwk) assert.equal(private_jwk.d, toBase64Url(fromHex(private_hex)))
    assert.notEqual((await keygen({ curve })).private_hex, private_hex)
    assert.equal(toHex(fromHex(public_hex)).slice(0, 2), '04')
  }
})

test('a high s on the curve of Bitcoin is pointed out', async () => {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const { privateKey, publicKey } = await keygen({ curve: 'secp256k1' })
  const { r, s } = await sign({ message: 'text', privateKey, signature_format: 'P1363' })
  const other = (order - BigInt(`0x${s}`)).toString(16).padStart(64, '0')
  const notesOf = async (signature: string) => {
    const { result, panels } = await run('verify', {
      message: 'text',
      publicKey,
      signature,
      signature_format: 'P1363',
      curve: 'secp256k1',
    })
    assert.equal(result.valid, true)
    return panels?.filter(({ kind }) => kind === 'note').length
  }
  assert.deepEqual([await notesOf(r + s), await notesOf(r + other)].toSorted(), [0, 1])
})
