import assert from 'node:assert/strict'
import { pbkdf2Sync, scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { pbkdf2 } from './pbkdf2.ts'
import { scrypt } from './scrypt.ts'

async function run(tool: typeof scrypt, raw: Record<string, unknown>) {
  const [action] = tool.actions
  assert.ok(action)
  return (await performed(action, raw, replay())).result as Record<string, unknown>
}

test('[OPEN-077] PBKDF2: iterations times blocks over the cap are refused before any work, at the field', async () => {
  for (const [bad, field, message] of [
    [{ iterations: 2_000_001 }, 'iterations', /2000000/],
    [{ iterations: 2_000_000, dklen: 33 }, 'iterations', /2000000/],
    [{ iterations: 62_501, dklen: 1024 }, 'iterations', /2000000/],
    [{ iterations: 1_000_001, algorithm: 'SHA-224', dklen: 28 }, 'iterations', /1000000/],
    [{ iterations: 0 }, 'iterations', /from 1/],
    [{ iterations: '1e9' }, 'iterations', /whole number/],
    [{ iterations: 2 ** 31 }, 'iterations', /2000000/],
    [{ dklen: 0 }, 'dklen', /from 1/],
    [{ dklen: 1025 }, 'dklen', /1024/],
    [{ algorithm: 'MD5' }, 'algorithm', /SHA-1/],
    [{ salt: 'zz', salt_format: 'Hex' }, 'salt', /Salt/],
  ] as const) {
    const given = { password: 'x', salt: 'y', ...bad }
    await assert.rejects(run(pbkdf2, given), { name: 'Problem', field, message }, JSON.stringify(bad))
  }
})

test('PBKDF2 in each output format equals OpenSSL', async () => {
  const given = { password: 'pässword', salt: '00ff', salt_format: 'Hex', iterations: 1000, dklen: 20 }
  const expected = pbkdf2Sync('pässword', Buffer.from('00ff', 'hex'), 1000, 20, 'sha256')
  assert.equal((await run(pbkdf2, given)).key, expected.toString('hex'))
  assert.equal((await run(pbkdf2, { ...given, output_format: 'Base64' })).key, expected.toString('base64'))
  assert.equal((await run(pbkdf2, { ...given, output_format: 'Base64URL' })).key, expected.toString('base64url'))
})

test('[OPEN-077] scrypt: memory and time over the caps are refused before any work, at the field', async () => {
  for (const [bad, field, message] of [
    [{ n: 2 ** 18 }, 'n', /128 MiB/],
    [{ n: 2 ** 21 }, 'n', /1048576/],
    [{ n: 2 ** 31 }, 'n', /1048576/],
    [{ n: 1000 }, 'n', /power of two/],
    [{ n: 65_536, r: 1 }, 'n', /less than 2\^16/],
    [{ n: 1 }, 'n', /from 2/],
    [{ n: 2 ** 17, p: 3 }, 'p', /2097152/],
    [{ n: 2, r: 1024, p: 17 }, 'p', /16384/],
    [{ r: 1025 }, 'r', /1024/],
    [{ p: 0 }, 'p', /from 1/],
    [{ dklen: 1025 }, 'dklen', /1024/],
  ] as const) {
    const given = { password: 'x', salt: 'y', ...bad }
    await assert.rejects(run(scrypt, given), { name: 'Problem', field, message }, JSON.stringify(bad))
  }
})

test('scrypt at its caps equals OpenSSL', async () => {
  for (const [n, r, p] of [
    [2 ** 17, 8, 2],
    [2, 16, 1024],
  ] as const) {
    const expected = scryptSync('x', 'y', 32, { N: n, r, p, maxmem: 2 ** 30 }).toString('hex')
    assert.equal((await run(scrypt, { password: 'x', salt: 'y', n, r, p })).key, expected)
  }
})

test('a password of bytes that are no text equals OpenSSL', async () => {
  const bytes = Buffer.from('00ff80c328', 'hex')
  for (const [password, password_format] of [
    ['00ff80c328', 'Hex'],
    ['0x00 0xff 0x80 0xc3 0x28', 'Hex'],
    ['AP+Awyg=', 'Base64'],
    ['\0ÿ\x80Ã(', 'Latin-1'],
  ] as const) {
    const given = { password, password_format, salt: 'salt' }
    assert.equal(
      (await run(pbkdf2, { ...given, iterations: 10 })).key,
      pbkdf2Sync(bytes, 'salt', 10, 32, 'sha256').toString('hex'),
    )
    assert.equal(
      (await run(scrypt, { ...given, n: 16 })).key,
      scryptSync(bytes, 'salt', 32, { N: 16, r: 8, p: 1 }).toString('hex'),
    )
  }
  for (const tool of [pbkdf2, scrypt]) {
    const given = { password: 'zz', password_format: 'Hex', salt: 'salt' }
    await assert.rejects(run(tool, given), { name: 'Problem', field: 'password', message: /^Password: character 1/ })
  }
})
