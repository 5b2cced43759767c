import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isShown, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { readPrivateKey } from '@assay/lib/key/read'
import { sshKeyGenerator } from './ssh-key-generator.ts'

const [action] = sshKeyGenerator.actions
assert.ok(action)
type Pair = Record<'privateKey' | 'publicKey' | 'fingerprint_sha256' | 'fingerprint_md5' | 'ssh_type', string> & {
  bits: number
  encrypted: boolean
}
async function make(input: Record<string, unknown>) {
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Pair
  return {
    ...result,
    panels: action.show?.(result, outcome.input) ?? [],
    terminal: action.terminal?.(outcome.input, result),
  }
}

const folder = mkdtempSync(join(tmpdir(), 'ssh-keygen-'))
after(() => rmSync(folder, { recursive: true }))
const keygen = (...args: string[]) => execFileSync('ssh-keygen', args, { encoding: 'utf8', cwd: folder, stdio: 'pipe' })
function save(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  chmodSync(path, 0o600)
  return path
}

test('[CTL-115] [CTL-116] [CTL-117] [CTL-118] [CTL-119] kinds and sizes, RSA and 2048 preset; sizes count for RSA only', async () => {
  const { keyType, keySize } = action.fields
  assert.deepEqual([keyType?.options, keyType?.default], [['RSA', 'ECDSA', 'ED25519'], 'RSA'])
  assert.deepEqual([keySize?.options, keySize?.default], [['2048', '3072', '4096'], '2048'])
  assert.ok(keySize)
  const shown = ['RSA', 'ED25519', 'ECDSA', 'RSA'].map(keyType => isShown(action.fields, { keyType }, keySize))
  assert.deepEqual(shown, [true, false, false, true])
  assert.equal((await make({ keyType: 'ED25519', keySize: '4096' })).bits, 256)
})

test('[CTL-120] the comment ends the public line; without one the line ends with the key', async () => {
  const parts = async (input: object) => (await make({ keyType: 'ED25519', ...input })).publicKey.split(' ').slice(2)
  assert.deepEqual(await parts({ comment: 'alice at work' }), ['alice', 'at', 'work'])
  assert.deepEqual(await parts({}), [])
})

test('[CTL-121] ssh-keygen -y, -l and -Y find the key, the fingerprints and the signatures of every type', async () => {
  for (const [input, type, bits] of [
    [{}, 'ssh-rsa', 2048],
    [{ keyType: 'RSA', keySize: '3072', passphrase: 'geheim' }, 'ssh-rsa', 3072],
    [{ keyType: 'ECDSA' }, 'ecdsa-sha2-nistp256', 256],
    [{ keyType: 'ECDSA', curve: 'P-384', passphrase: 'pässwörd 漢字' }, 'ecdsa-sha2-nistp384', 384],
    [{ keyType: 'ECDSA', curve: 'P-521' }, 'ecdsa-sha2-nistp521', 521],
    [{ keyType: 'ED25519' }, 'ssh-ed25519', 256],
    [{ keyType: 'ED25519', passphrase: ' ' }, 'ssh-ed25519', 256],
  ] as const) {
    const comment = 'alice@example.com, née 漢字'
    const pair = await make({ ...input, comment })
    const passphrase = 'passphrase' in input ? input.passphrase : ''
    assert.deepEqual([pair.ssh_type, pair.bits, pair.encrypted], [type, bits, passphrase !== ''])
    const path = save('id', pair.privateKey)
    const open = save('id.pub', pair.publicKey)
    assert.equal(keygen('-y', '-P', passphrase, '-f', path).trim(), pair.publicKey)
    assert.ok(pair.publicKey.endsWith(` ${comment}`))
    assert.ok(keygen('-l', '-f', open).startsWith(`${bits} ${pair.fingerprint_sha256} `))
    assert.ok(keygen('-l', '-E', 'md5', '-f', open).startsWith(`${bits} ${pair.fingerprint_md5} `))
    if (passphrase) {
      assert.throws(() => keygen('-y', '-P', 'wrong', '-f', path))
      continue
    }
    save('message', 'text')
    keygen('-Y', 'sign', '-n', 'test', '-f', path, 'message')
    save('signers', `alice ${pair.publicKey}`)
    const args = ['-Y', 'verify', '-n', 'test', '-f', 'signers', '-I', 'alice', '-s', 'message.sig']
    assert.match(execFileSync('ssh-keygen', args, { input: 'text', cwd: folder, encoding: 'utf8' }), /Good "test"/)
    rmSync(join(folder, 'message.sig'))
  }
})

test('pairs are read back, have both files, and no two are alike', async () => {
  const [one, two] = [await make({ keyType: 'ED25519' }), await make({ keyType: 'ED25519' })]
  assert.notEqual(one.publicKey, two.publicKey)
  assert.equal((await readPrivateKey(one.privateKey)).key.type, 'Ed25519')
  const files = one.panels.flatMap(panel => (panel.kind === 'file' ? [panel.name] : []))
  assert.deepEqual(files, ['id_ed25519', 'id_ed25519.pub'])
  const locked = await make({ keyType: 'ED25519', passphrase: 'x' })
  await assert.rejects(readPrivateKey(locked.privateKey, { passphrase: 'y' }), /does not open/)
})

test('the command makes the same kind of key, with a comment that the shell leaves alone', async () => {
  for (const [input, command] of [
    [{}, 'ssh-keygen -t rsa -b 2048 -f id_rsa'],
    [
      { keyType: 'ECDSA', curve: 'P-384', comment: "it's me" },
      "ssh-keygen -t ecdsa -b 384 -C 'it'\\''s me' -f id_ecdsa",
    ],
    [{ keyType: 'ED25519', comment: 'a@b' }, 'ssh-keygen -t ed25519 -C a@b -f id_ed25519'],
  ] as const) {
    assert.equal((await make(input)).terminal?.command, command)
  }
})

test('refusals name the field', async () => {
  for (const [input, field, message] of [
    [{ keyType: 'ED25519', comment: 'a\nssh-rsa AAAA' }, 'comment', /one line without control characters/],
    [{ keyType: 'ED25519', comment: 'a'.repeat(1001) }, 'comment', /at most 1000 characters/],
    [{ keyType: 'ED25519', passphrase: '\ud800' }, 'passphrase', /surrogate/],
    [{ keySize: '1024' }, 'keySize', /expected one of/],
    [{ keyType: 'DSA' }, 'keyType', /expected one of/],
  ] as const) {
    await assert.rejects(make(input), { name: 'Problem', field, message })
  }
})
