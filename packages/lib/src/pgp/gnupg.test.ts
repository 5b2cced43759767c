import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { PrivateKey } from 'openpgp'
import { type Bytes, fromUtf8, toBase64, toUtf8 } from '../bytes.ts'
import { blocksIn, toArmor } from './armor.ts'
import { createKey, describeKey, keyTypes, readPrivateKeys, readPublicKeys } from './keys.ts'
import { decryptMessage, encryptMessage, readMessage, signatureStyles, signMessage, verifyMessage } from './message.ts'
import { listPackets } from './packets.ts'

/** Both ways with GnuPG, which knows RFC 4880 alone. */
const folder = mkdtempSync(join(tmpdir(), 'pgp-'))
const home = join(folder, 'home')
mkdirSync(home, { mode: 0o700 })
after(() => {
  spawnSync('gpgconf', ['--homedir', home, '--kill', 'gpg-agent'])
  rmSync(folder, { recursive: true, force: true })
})
const gpgArgs = [
  '--homedir',
  home,
  '--batch',
  '--yes',
  '--quiet',
  '--trust-model',
  'always',
  '--pinentry-mode',
  'loopback',
  // Salted and not iterated, since these passwords guard nothing.
  '--s2k-mode',
  '1',
]
const gpg = (args: string[], input: string | Uint8Array = ''): Buffer =>
  execFileSync('gpg', [...gpgArgs, ...args], { input, cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] })
const path = (name: string) => join(folder, name)
const text = (bytes: Uint8Array) => toUtf8(Uint8Array.from(bytes))

const NOW = new Date(Date.now() - 60_000)
const own = new Map<string, PrivateKey>()
for (const keyType of keyTypes) {
  const { key, revocation } = await createKey({
    name: `Own ${keyType}`,
    email: 'own@example.com',
    passphrase: undefined,
    keyType,
    rsaBits: 2048,
    expiresSeconds: 0,
    profile: 'RFC 4880 (GnuPG)',
    now: NOW,
  })
  own.set(keyType, key)
  writeFileSync(path(`revocation-${keyType}.asc`), revocation)
  gpg(['--import'], toArmor('PRIVATE KEY BLOCK', Uint8Array.from(key.write()), 'RFC 4880 (GnuPG)'))
}
gpg(['--passphrase', '', '--quick-generate-key', 'Theirs <theirs@example.com>', 'ed25519', 'sign', 'never'])
const theirId =
  /fpr:+([0-9A-F]{40})/.exec(gpg(['--with-colons', '--list-keys', 'theirs@example.com']).toString())?.[1] ?? ''
gpg(['--passphrase', '', '--quick-add-key', theirId, 'cv25519', 'encr', 'never'])
const theirPublic = gpg(['--armor', '--export', theirId]).toString()
const theirPrivate = gpg(['--armor', '--export-secret-keys', theirId]).toString()
const [theirKey] = await readPublicKeys(theirPublic)
assert.ok(theirKey)

const messages = fc
  .sample(fc.uint8Array({ maxLength: 3_000 }), { numRuns: 210, seed: 7 })
  .map(bytes => Uint8Array.from(bytes))
const nothing = { passwords: [], signers: [], profile: 'RFC 4880 (GnuPG)', now: new Date() } as const

test('differential: 210 messages for keys of all three kinds, which gpg opens', async () => {
  const files: string[] = []
  for (const [index, message] of messages.entries()) {
    const key = own.get(keyTypes[index % keyTypes.length] ?? 'RSA')
    assert.ok(key)
    const { bytes } = await encryptMessage({ ...nothing, message, recipients: [key.toPublic()] })
    files.push(path(`out-${index}.gpg`))
    writeFileSync(path(`out-${index}.gpg`), index % 2 ? bytes : toArmor('MESSAGE', bytes, 'RFC 4880 (GnuPG)'))
  }
  gpg(['--decrypt-files', ...files])
  for (const [index, message] of messages.entries()) {
    assert.deepEqual(Uint8Array.from(readFileSync(path(`out-${index}`))), message)
  }
})

test('differential: 210 messages that gpg encrypted, compressed and not', async () => {
  const names = messages.map((message, index) => {
    writeFileSync(path(`in-${index}`), message)
    return path(`in-${index}`)
  })
  gpg(['--recipient', theirId, '--encrypt-files', ...names.slice(0, 105)])
  gpg(['--recipient', theirId, '--compress-algo', 'bzip2', '--encrypt-files', ...names.slice(105)])
  const keys = await readPrivateKeys(theirPrivate, undefined)
  for (const [index, message] of messages.entries()) {
    const parsed = await readMessage(toBase64(readFileSync(path(`in-${index}.gpg`))))
    const { data, recipients } = await decryptMessage({
      message: parsed,
      keys,
      passwords: [],
      verifiers: [],
      now: new Date(),
    })
    assert.deepEqual(data, message)
    assert.equal(recipients.length, 1)
  }
})

test('a password: ours for gpg, and that of gpg for us, also with the ciphers of old', async () => {
  const { bytes } = await encryptMessage({
    ...nothing,
    message: fromUtf8('Grüße'),
    recipients: [],
    passwords: ['geheim'],
  })
  assert.equal(text(gpg(['--passphrase', 'geheim', '--decrypt'], bytes)), 'Grüße')
  for (const cipher of ['AES', 'AES256', 'TWOFISH', '3DES', 'CAST5']) {
    const lock = ['--passphrase', 'geheim', '--cipher-algo', cipher, '--symmetric']
    const made = gpg(['--armor', ...lock], 'Grüße').toString()
    const message = await readMessage(made)
    const opened = await decryptMessage({ message, keys: [], passwords: ['geheim'], verifiers: [], now: new Date() })
    assert.equal(text(opened.data), 'Grüße')
  }
})

test('signatures of all keys in all three styles, which gpg finds good', async () => {
  for (const keyType of keyTypes) {
    const signer = own.get(keyType)
    assert.ok(signer)
    for (const style of signatureStyles) {
      const message = fromUtf8('Grüße,\n- mit Strich   \nund Ende')
      const signed = await signMessage({
        message,
        text: text(message),
        style,
        signers: [signer],
        profile: 'RFC 4880 (GnuPG)',
        now: new Date(),
      })
      writeFileSync(path('signed'), 'text' in signed ? signed.text : signed.bytes)
      writeFileSync(path('message'), message)
      const args = style === 'Detached' ? ['--verify', 'signed', 'message'] : ['--verify', 'signed']
      const { status, stderr } = spawnSync('gpg', [...gpgArgs.filter(arg => arg !== '--quiet'), ...args], {
        cwd: folder,
        encoding: 'utf8',
      })
      assert.equal(status, 0, stderr)
      assert.match(stderr, new RegExp(`Good signature from "Own ${keyType}`))
      writeFileSync(path('message'), 'changed')
      if (style === 'Detached') assert.notEqual(spawnSync('gpg', [...gpgArgs, ...args], { cwd: folder }).status, 0)
    }
  }
})

const signedByGpg = (style: string, message: string): string =>
  gpg(['--armor', '--local-user', theirId, style], message).toString()

test('signatures of gpg in all three styles, and what is changed is found', async () => {
  const verifiers = await readPublicKeys(theirPublic)
  // The signatures are made after this line.
  const now = new Date(Date.now() + 60_000)
  for (const message of ['One line\n', 'Grüße\r\nund mehr', '- dash\n-- two \t\n', '', 'x'.repeat(5_000)]) {
    const clear = signedByGpg('--clearsign', message)
    const inline = signedByGpg('--sign', message)
    const detached = signedByGpg('--detach-sign', message)
    const checked = [
      await verifyMessage({ message: fromUtf8(clear), text: clear, signature: undefined, verifiers, now }),
      await verifyMessage({ message: fromUtf8(inline), text: inline, signature: undefined, verifiers, now }),
      await verifyMessage({ message: fromUtf8(message), text: '', signature: detached, verifiers, now }),
    ]
    assert.deepEqual(
      checked.map(({ style }) => style),
      ['Clear-signed', 'Inline', 'Detached'],
    )
    for (const { signatures } of checked) {
      assert.equal(signatures.length, 1)
      assert.partialDeepStrictEqual(signatures[0], {
        status: 'valid',
        fingerprint: theirId,
        user: 'Theirs <theirs@example.com>',
        reason: null,
      })
    }
    assert.equal(text(checked[1]?.data ?? new Uint8Array()), message)
    const changed = await verifyMessage({
      message: fromUtf8(`${message}!`),
      text: '',
      signature: detached,
      verifiers,
      now,
    })
    assert.partialDeepStrictEqual(changed.signatures[0], {
      status: 'invalid',
      reason: 'The signature does not belong to this message: one of the two was changed.',
    })
    const stranger = await verifyMessage({
      message: fromUtf8(message),
      text: '',
      signature: detached,
      verifiers: [],
      now,
    })
    assert.partialDeepStrictEqual(stranger.signatures[0], { status: 'unknown key', key_id: theirId.slice(-16) })
  }
  const clear = signedByGpg('--clearsign', 'One line\n').replace('One', 'Two')
  const forged = await verifyMessage({ message: fromUtf8(clear), text: clear, signature: undefined, verifiers, now })
  assert.equal(forged.signatures[0]?.status, 'invalid')
})

test('signed and encrypted by gpg: the signature inside is checked', async () => {
  const key = own.get('ECC P-256')
  assert.ok(key)
  const made = gpg(
    ['--armor', '--local-user', theirId, '--sign', '--encrypt', '--recipient', key.getFingerprint()],
    'secret',
  ).toString()
  const opened = await decryptMessage({
    message: await readMessage(made),
    keys: [key],
    passwords: [],
    verifiers: [theirKey],
    now: new Date(),
  })
  assert.equal(text(opened.data), 'secret')
  assert.equal(opened.signatures[0]?.status, 'valid')
})

test('a key that was locked by us is opened by gpg, and the other way round', async () => {
  const { key } = await createKey({
    name: 'Locked',
    email: '',
    passphrase: 'pässword',
    keyType: 'Curve25519',
    rsaBits: 2048,
    expiresSeconds: 0,
    profile: 'RFC 4880 (GnuPG)',
    now: NOW,
  })
  gpg(['--passphrase', 'pässword', '--import'], Uint8Array.from(key.write()))
  assert.match(
    gpg(['--passphrase', 'pässword', '--local-user', key.getFingerprint(), '--clearsign'], 'x').toString(),
    /BEGIN PGP SIGNATURE/,
  )
  gpg(['--passphrase', 'schloß', '--quick-generate-key', 'Shut', 'ed25519', 'sign', 'never'])
  const exported = gpg(['--passphrase', 'schloß', '--armor', '--export-secret-keys', 'Shut']).toString()
  const [opened] = await readPrivateKeys(exported, 'schloß')
  assert.equal(opened?.isDecrypted(), true)
  await assert.rejects(readPrivateKeys(exported, undefined), { name: 'PassphraseError', fault: 'missing' })
  const ours = toArmor('PRIVATE KEY BLOCK', Uint8Array.from(key.write()), 'RFC 4880 (GnuPG)')
  await assert.rejects(readPrivateKeys(ours, 'wrong'), { name: 'PassphraseError', fault: 'wrong' })
})

test('keys that have expired or were revoked are told, and nothing is encrypted to them', async () => {
  const [day, year] = [86_400_000, 365 * 86_400_000]
  gpg([
    '--faked-system-time',
    '20200101T000000',
    '--passphrase',
    '',
    '--quick-generate-key',
    'Old',
    'rsa2048',
    'encr,sign',
    '1y',
  ])
  const [old] = await readPublicKeys(gpg(['--armor', '--export', 'Old']).toString())
  assert.ok(old)
  const report = await describeKey(old, new Date())
  assert.deepEqual([report.status, report.expires?.slice(0, 4)], ['expired', '2020'])
  assert.equal((await describeKey(old, new Date(new Date('2020-01-01').getTime() + day))).status, 'valid')
  assert.equal((await describeKey(old, new Date(new Date('2020-01-01').getTime() - year))).status, 'not yet valid')
  await assert.rejects(
    encryptMessage({ ...nothing, message: fromUtf8('x'), recipients: [old] }),
    /a key cannot be encrypted to: it has expired/,
  )

  const signature = gpg(
    ['--faked-system-time', '20200601T000000', '--armor', '--local-user', 'Old', '--detach-sign'],
    'x',
  ).toString()
  const early = await verifyMessage({ message: fromUtf8('x'), text: '', signature, verifiers: [old], now: new Date() })
  assert.partialDeepStrictEqual(early.signatures[0], { status: 'valid', key_status: 'expired' })

  const key = own.get('RSA')
  assert.ok(key)
  gpg(['--import', 'revocation-RSA.asc'])
  const [revoked] = await readPublicKeys(gpg(['--armor', '--export', key.getFingerprint()]).toString())
  assert.ok(revoked)
  assert.equal((await describeKey(revoked, new Date())).status, 'revoked')
  await assert.rejects(encryptMessage({ ...nothing, message: fromUtf8('x'), recipients: [revoked] }), /it was revoked/)
})

test('keys of old: what they signed is checked and called weak, and nothing new is made with them', async () => {
  for (const [name, algorithm, weakness] of [
    ['Dsa', 'dsa2048', /DSA is no longer approved/],
    ['Short', 'rsa1024', /1024 bits is too short/],
  ] as const) {
    gpg(['--passphrase', '', '--quick-generate-key', name, algorithm, 'sign', 'never'])
    const signature = gpg(['--armor', '--local-user', name, '--detach-sign'], 'x').toString()
    const verifiers = await readPublicKeys(gpg(['--armor', '--export', name]).toString())
    const now = new Date(Date.now() + 60_000)
    const { signatures } = await verifyMessage({ message: fromUtf8('x'), text: '', signature, verifiers, now })
    assert.equal(signatures[0]?.status, 'valid')
    assert.match(signatures[0]?.weakness ?? '', weakness)
    const changed = await verifyMessage({ message: fromUtf8('y'), text: '', signature, verifiers, now })
    assert.equal(changed.signatures[0]?.status, 'invalid')
    const signers = await readPrivateKeys(
      gpg(['--passphrase', '', '--armor', '--export-secret-keys', name]).toString(),
      undefined,
    )
    const options = {
      message: fromUtf8('x'),
      text: 'x',
      style: 'Detached',
      signers,
      profile: 'RFC 4880 (GnuPG)',
      now,
    } as const
    await assert.rejects(signMessage(options), /the key cannot sign: it is (?:too short|of a kind)/)
  }
})

test('a message that unpacks to more than it may is refused, whoever packed it', async () => {
  const zeros = new Uint8Array(33 * 1_048_576)
  for (const algorithm of ['zlib', 'bzip2']) {
    const bomb = gpg(['--armor', '--passphrase', 'x', '--compress-algo', algorithm, '--symmetric'], zeros).toString()
    assert.ok(bomb.length < 100_000)
    const opening = readMessage(bomb).then(message =>
      decryptMessage({ message, keys: [], passwords: ['x'], verifiers: [], now: new Date() }),
    )
    await assert.rejects(opening, /more than 32 MiB/)
  }
})

/** Lines such as "# off=0 ctb=98 tag=6 hlen=2 plen=51". */
function packetsOfGpg(bytes: Uint8Array): [offset: number, tag: number, length: number][] {
  const { stdout } = spawnSync('gpg', [...gpgArgs, '--passphrase', 'x', '--list-packets'], {
    input: bytes,
    encoding: 'utf8',
  })
  return [...stdout.matchAll(/# off=(\d+) ctb=\w+ tag=(\d+) hlen=\d+ plen=(\d+)/g)].map(
    ([, ...numbers]) => numbers.map(Number) as [number, number, number],
  )
}

test('packets, their places and lengths are those of gpg --list-packets', async () => {
  const key = own.get('Curve25519')
  assert.ok(key)
  const cases: Bytes[] = [
    Uint8Array.from(gpg(['--export'])),
    Uint8Array.from(key.write()),
    ...blocksIn(signedByGpg('--detach-sign', 'x')).map(({ bytes }) => bytes),
    ...blocksIn(signedByGpg('--clearsign', 'x')).map(({ bytes }) => bytes),
  ]
  for (const bytes of cases) {
    const found = listPackets(bytes)
    assert.deepEqual(
      found.map(({ offset, tag, bytes: length }) => [offset, tag, length]),
      packetsOfGpg(bytes),
    )
    assert.deepEqual(
      found.flatMap(({ fault }) => fault ?? []),
      [],
    )
  }
})
