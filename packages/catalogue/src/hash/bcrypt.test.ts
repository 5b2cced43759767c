import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { bcrypt } from './bcrypt.ts'

async function run(name: 'hash' | 'verify', raw: Record<string, unknown>) {
  const action = bcrypt.actions.find(candidate => candidate.name === name)
  assert.ok(action)
  return (await performed(action, raw, replay())).result as Record<string, unknown>
}

test('[CTL-112] what is hashed with a random salt verifies, in each version', async () => {
  for (const version of ['2a', '2b', '2y']) {
    const { hash_value, salt } = await run('hash', { password: 'pässword', rounds: 4, version })
    assert.match(String(hash_value), new RegExp(`^\\$${version}\\$04\\$`))
    assert.match(String(salt), /^[0-9a-f]{32}$/)
    assert.equal((await run('verify', { password: 'pässword', hash_value })).valid, true)
    assert.equal((await run('verify', { password: 'passwort', hash_value })).valid, false)
  }
})

test('two runs take two salts', async () => {
  const given = { password: 'a', rounds: 4 }
  assert.notEqual((await run('hash', given)).salt, (await run('hash', given)).salt)
})

test('72 bytes are hashed, 73 are refused, and a check says what it cut', async () => {
  const { hash_value } = await run('hash', { password: 'é'.repeat(36), rounds: 4 })
  const checked = await run('verify', { password: `${'é'.repeat(36)}!`, hash_value })
  assert.deepEqual([checked.valid, checked.password_bytes, checked.ignored_bytes], [true, 73, 1])
  await assert.rejects(run('hash', { password: `${'é'.repeat(36)}!`, rounds: 4 }), {
    field: 'password',
    message: /at most 72 bytes, got 73/,
  })
})

test('[OPEN-077] costs over the cap are refused before any work, also those of a stored hash', async () => {
  for (const rounds of [3, 14, 31, '1e9', -1]) {
    await assert.rejects(run('hash', { password: 'a', rounds }), { name: 'Problem', field: 'rounds' })
  }
  const hash_value = '$2b$14$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
  await assert.rejects(run('verify', { password: 'a', hash_value }), { field: 'hash_value', message: /at most 13/ })
})

test('salts of another length, NUL and what is no hash are refused at their fields', async () => {
  await assert.rejects(run('hash', { password: 'a', salt: '00' }), { field: 'salt', message: /16 bytes, got 1/ })
  await assert.rejects(run('hash', { password: 'a\0b' }), { field: 'password', message: /NUL/ })
  await assert.rejects(run('verify', { password: 'a', hash_value: '$2x$' }), { field: 'hash_value' })
  await assert.rejects(run('verify', { password: 'a' }), { field: 'hash_value' })
})
