import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { argon2 } from './argon2.ts'

async function run(name: 'hash' | 'verify', raw: Record<string, unknown>) {
  const action = argon2.actions.find(candidate => candidate.name === name)
  assert.ok(action)
  return (await performed(action, raw, replay())).result as Record<string, unknown>
}

const LIGHT = { password: 'correct horse', memory: 64, iterations: 1 }

test('[CTL-008] [CTL-112] what is hashed with a random salt equals OpenSSL and verifies', async () => {
  for (const algorithm of ['argon2id', 'argon2i', 'argon2d'] as const) {
    const made = await run('hash', { ...LIGHT, algorithm })
    const salt = Buffer.from(String(made.salt), 'hex')
    assert.equal(salt.length, 16)
    const expected = argon2Sync(algorithm, {
      message: 'correct horse',
      nonce: salt,
      memory: 64,
      passes: 1,
      parallelism: 1,
      tagLength: 32,
    })
    assert.equal(made.hash, expected.toString('hex'))
    assert.equal((await run('verify', { password: 'correct horse', hash_value: made.hash_value })).valid, true)
    assert.equal((await run('verify', { password: 'correct horse ', hash_value: made.hash_value })).valid, false)
  }
})

test('two runs take two salts', async () => {
  assert.notEqual((await run('hash', LIGHT)).salt, (await run('hash', LIGHT)).salt)
})

test('a pepper and associated data are needed again to verify', async () => {
  const { hash_value } = await run('hash', { ...LIGHT, secret: 'pepper', associated_data: 'user 7' })
  const { password } = LIGHT
  assert.equal((await run('verify', { password, hash_value, secret: 'pepper' })).valid, true)
  assert.equal((await run('verify', { password, hash_value })).valid, false)
  assert.equal((await run('verify', { password, hash_value, secret: 'salt' })).valid, false)
  assert.equal(
    (await run('verify', { password, hash_value, secret: 'pepper', associated_data: 'user 8' })).valid,
    false,
  )
})

test('[OPEN-077] parameters over a cap are refused before any work, at the field', async () => {
  for (const [bad, field, message] of [
    [{ memory: 131_073 }, 'memory', /131072/],
    [{ memory: 2 ** 31 }, 'memory', /131072/],
    [{ memory: -1 }, 'memory', /from 8/],
    [{ memory: '1e309' }, 'memory', /whole number/],
    [{ memory: 131_072, iterations: 7 }, 'memory', /768 MiB/],
    [{ iterations: 98_305 }, 'iterations', /98304/],
    [{ memory: 8, iterations: 0 }, 'iterations', /from 1/],
    [{ parallelism: 5 }, 'parallelism', /to 4/],
    [{ memory: 16, parallelism: 4 }, 'memory', /at least 32 KiB/],
    [{ dklen: 3 }, 'dklen', /from 4/],
    [{ dklen: 1025 }, 'dklen', /1024/],
    [{ salt: '1234567' }, 'salt', /at least 8 bytes, got 7/],
    [{ algorithm: 'argon2' }, 'algorithm', /argon2id/],
    [{ password: '\ud800' }, 'password', /surrogate/],
  ] as const) {
    await assert.rejects(run('hash', { ...LIGHT, ...bad }), { name: 'Problem', field, message }, JSON.stringify(bad))
  }
})

test('[OPEN-077] a stored hash that asks for too much is refused before any work', async () => {
  const password = 'x'
  for (const costs of [
    'm=4194304,t=1,p=1',
    'm=131072,t=7,p=1',
    'm=256,t=99999999,p=1',
    'm=1024,t=1,p=64',
    'm=4,t=1,p=1',
  ]) {
    const hash_value = `$argon2id$v=19$${costs}$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4`
    await assert.rejects(run('verify', { password, hash_value }), { name: 'Problem', field: 'hash_value' }, costs)
  }
  await assert.rejects(run('verify', { password, hash_value: 'hunter2' }), { field: 'hash_value' })
  await assert.rejects(run('verify', { password }), { field: 'hash_value' })
})

test('cost grows with memory and iterations, and a broken hash costs nothing', () => {
  const [hash, verify] = argon2.actions
  assert.ok(hash && verify && hash.cost !== 'light' && verify.cost !== 'light')
  const small = hash.cost({ password: 'x', memory: 19_456, iterations: 2 })
  const large = hash.cost({ password: 'x', memory: 131_072, iterations: 6 })
  assert.ok(small.milliseconds < 200 && large.milliseconds > 1000 && large.megabytes >= 128)
  assert.ok(verify.cost({ password: 'x', hash_value: 'nothing' }).milliseconds <= 1)
})
