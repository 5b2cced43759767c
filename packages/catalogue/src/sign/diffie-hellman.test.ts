import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { diffieHellman } from './diffie-hellman.ts'

const [action] = diffieHellman.actions
assert.ok(action)
type Result = Record<'privateKey' | 'publicKey' | 'private_pem' | 'public_pem' | 'p', string> & {
  shared_secret?: string
  safe_prime: boolean
}
async function run(input: Record<string, unknown>) {
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Result
  return {
    ...result,
    panels: action.show?.(result, outcome.input) ?? [],
    terminal: action.terminal?.(outcome.input, result),
  }
}

const folder = mkdtempSync(join(tmpdir(), 'dh-tool-'))
after(() => rmSync(folder, { recursive: true }))
const sh = (command: string) => execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })

test('[CTL-066] the commands of OpenSSL make keys and derive the same secret, in every group', async () => {
  for (const group of ['ffdhe2048', 'ffdhe3072', 'ffdhe4096', 'modp14', 'modp15', 'modp16']) {
    const own = await run({ group })
    assert.equal(own.shared_secret, undefined)
    sh(own.terminal?.command ?? '')
    sh('openssl pkey -in private.pem -pubout -out other.pem && mv private.pem theirs.pem')
    writeFileSync(join(folder, 'private.pem'), own.private_pem)
    const publicKey = sh('cat other.pem')
    const { shared_secret, terminal } = await run({ group, privateKey: own.private_pem, publicKey })
    assert.equal(sh(terminal?.command ?? '').trim(), shared_secret)
    const again = await run({ group, privateKey: own.privateKey, publicKey: publicKey.replaceAll('\n', ' ') })
    assert.equal(again.shared_secret, shared_secret)
    assert.equal(
      (await run({ group, privateKey: sh('cat theirs.pem'), publicKey: own.publicKey })).shared_secret,
      shared_secret,
    )
  }
})

test('numbers in hexadecimal and decimal, with what people put between digits', async () => {
  const { publicKey, p } = await run({ privateKey: 'ff' })
  assert.equal((await run({ privateKey: '0xFF' })).publicKey, publicKey)
  const decimal = await run({ privateKey: '255', number_format: 'Decimal' })
  assert.deepEqual([decimal.publicKey, decimal.privateKey], [BigInt(`0x${publicKey}`).toString(), '255'])
  const spaced = p.replace(/(..)/g, '$1:')
  const custom = await run({ group: 'custom', p: spaced, g: '2', privateKey: '00:ff' })
  assert.deepEqual([custom.publicKey, custom.safe_prime], [publicKey, true])
  assert.ok((await run({ group: 'custom', p: 'd', g: '2' })).panels.some(({ kind }) => kind === 'note'))
})

test('a key in PEM brings its group along', async () => {
  const { publicKey, private_pem, public_pem, shared_secret } = await run({ privateKey: 'ff', publicKey: 'ffff' })
  const own = await run({ group: 'custom', privateKey: private_pem, publicKey: 'ffff' })
  assert.deepEqual([own.shared_secret, own.safe_prime], [shared_secret, true])
  const theirs = await run({ group: 'custom', privateKey: 'ff', publicKey: public_pem })
  assert.equal(theirs.publicKey, publicKey)
  assert.equal((await run({ group: 'custom', p: '23', g: '5', number_format: 'Decimal' })).p, '23')
})

test('refusals name the field', async () => {
  const { p } = await run({})
  const minusOne = (BigInt(`0x${p}`) - 1n).toString(16)
  const modp = await run({ group: 'modp14' })
  for (const [input, field, message] of [
    [{ publicKey: '0' }, 'publicKey', /not from 2 to p − 2/],
    [{ publicKey: '1' }, 'publicKey', /not from 2 to p − 2/],
    [{ publicKey: minusOne }, 'publicKey', /not from 2 to p − 2/],
    [{ publicKey: p }, 'publicKey', /not from 2 to p − 2/],
    [{ publicKey: 'xyz' }, 'publicKey', /expected hexadecimal digits/],
    [{ publicKey: 'ff', number_format: 'Decimal' }, 'publicKey', /expected decimal digits/],
    [{ publicKey: modp.public_pem }, 'publicKey', /another group/],
    [{ privateKey: '0' }, 'privateKey', /from 1 to p − 2/],
    [{ privateKey: modp.public_pem }, 'privateKey', /no block of PRIVATE KEY/],
    [{ group: 'custom' }, 'p', /please enter a number/],
    [{ group: 'custom', p: '15' }, 'p', /p is not a prime/],
    [{ group: 'custom', p: '17', g: '1' }, 'g', /g is not from 2/],
    [{ group: 'custom', p: '17', g: '16' }, 'g', /g is not from 2/],
    [{ group: 'custom', p: 'f'.repeat(1025) }, 'p', /has 4100 bits, and the most taken is 4096/],
    [{ group: 'modp1' }, 'group', /expected one of/],
  ] as const) {
    await assert.rejects(run(input), { name: 'Problem', field, message })
  }
})
