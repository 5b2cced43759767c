import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { hmac } from './hmac.ts'

const [action] = hmac.actions
const run = async (raw: Record<string, unknown>) => {
  assert.ok(action)
  return (await performed(action, raw, replay())).result as Record<string, unknown>
}

const CASE = { input_text: 'what do ya want for nothing?', key: 'Jefe' }
const CODE = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'

test('[OPEN-026] [CTL-138] the six functions come first, spelled so, and SHA256 is preset', () => {
  const algorithm = action?.fields.algorithm
  assert.deepEqual(algorithm?.options?.slice(0, 6), ['MD5', 'SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512'])
  assert.equal(algorithm?.default, 'SHA256')
})

test('[CTL-003] RFC 4231 §4.3: SHA224, SHA256, SHA384 and SHA512 of one message', async () => {
  const expected = {
    SHA224: 'a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44',
    SHA256: CODE,
    SHA384: 'af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649',
    SHA512:
      '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
  }
  for (const [algorithm, code] of Object.entries(expected)) {
    assert.equal((await run({ ...CASE, algorithm })).hmac, code)
  }
})

test('RFC 4231 §4.3: the code is recognised in every form it comes in', async () => {
  for (const signature of [
    CODE,
    CODE.toUpperCase(),
    `sha256=${CODE}`,
    ` ${CODE}\n`,
    `0x${CODE}`,
    CODE.replace(/..(?=.)/g, '$&-'),
    CODE.replace(/.{8}/g, '$& '),
    'W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=',
    'W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM',
  ]) {
    assert.equal((await run({ ...CASE, signature })).valid, true, signature)
  }
})

test('RFC 2104 §5: half of a code is valid and says so, less is not', async () => {
  const half = await run({ ...CASE, signature: CODE.slice(0, 32) })
  assert.equal(half.valid, true)
  assert.match(String(half.reason), /256 bits the code has 128/)
  assert.equal((await run({ ...CASE, signature: CODE.slice(0, 30) })).valid, false)
})

test('a wrong code is a finding, and so is one of another length', async () => {
  assert.equal((await run({ ...CASE, signature: CODE.replace('5', '6') })).valid, false)
  assert.equal((await run({ ...CASE, signature: `${CODE}00` })).valid, false)
  assert.equal((await run({ ...CASE, signature: '' })).valid, undefined)
})

test('what is no code at all is a problem of its field', async () => {
  for (const signature of ['not a code!', 'abc', 'sha256=zz zz']) {
    await assert.rejects(run({ ...CASE, signature }), { name: 'Problem', code: 'invalid-input', field: 'signature' })
  }
})

test('[OPEN-099] spaces around message and key are data', async () => {
  const plain = await run(CASE)
  assert.notEqual((await run({ ...CASE, key: 'Jefe ' })).hmac, plain.hmac)
  assert.notEqual((await run({ ...CASE, input_text: ` ${CASE.input_text}` })).hmac, plain.hmac)
})

test('unknown functions and broken keys are refused by name', async () => {
  await assert.rejects(run({ ...CASE, algorithm: 'SHA-256' }), { field: 'algorithm' })
  await assert.rejects(run({ ...CASE, key: 'zz', key_format: 'Hex' }), { field: 'key' })
})
