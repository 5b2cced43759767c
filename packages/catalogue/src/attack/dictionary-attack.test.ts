import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { perform, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { dictionaryAttack } from './dictionary-attack.ts'

const [action] = dictionaryAttack.actions
assert.ok(action)

interface Result {
  found: boolean
  password: string | null
  how?: string
  after?: number
  tried: number
  words: number
  exhausted: boolean
}
const run = async (raw: Record<string, unknown>) => (await performed(action, raw, replay())).result as Result
const digest = (name: string, ...parts: (string | Uint8Array)[]) => {
  const hash = createHash(name.toLowerCase())
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

test('[CTL-139] [CTL-140] [CTL-141] the fields are those asked for, and a word of the list is found', async () => {
  const { hash, algorithm, dictionary } = action.fields
  assert.ok(hash && dictionary)
  assert.deepEqual(algorithm?.options, ['MD5', 'SHA1', 'SHA256'])
  assert.equal(algorithm?.default, 'MD5')
  for (const algorithm of ['MD5', 'SHA1', 'SHA256']) {
    const words = { dictionary: 'alpha\nÄpfel 7\nomega', algorithm }
    const found = await run({ ...words, hash: digest(algorithm, 'Äpfel 7') })
    assert.deepEqual([found.found, found.password, found.after, found.tried], [true, 'Äpfel 7', 2, 2])
    const missed = await run({ ...words, hash: digest(algorithm, 'beta').toUpperCase() })
    assert.deepEqual([missed.found, missed.password, missed.tried, missed.exhausted], [false, null, 3, true])
  }
})

test('a salt before the password or after it, as text and as any bytes', async () => {
  for (let i = 0; i < 200; i++) {
    const salt = randomBytes(i % 40)
    const word = randomBytes(1 + (i % 20)).toString('base64')
    const input = { dictionary: `x\n${word}\ny`, salt: salt.toString('hex'), salt_format: 'Hex', algorithm: 'SHA256' }
    assert.equal((await run({ ...input, hash: digest('SHA256', salt, word) })).password, word)
    assert.equal(
      (await run({ ...input, hash: digest('SHA256', word, salt), salt_position: 'after' })).password,
      word,
      `${salt.length} bytes after`,
    )
  }
  assert.equal((await run({ hash: digest('MD5', 'é:', 'open'), salt: 'é:', dictionary: 'open' })).found, true)
  assert.equal((await run({ hash: digest('MD5', 'open'), salt: 'é:', dictionary: 'open' })).found, false)
})

test('variations and common passwords are tried only when asked for', async () => {
  const hash = digest('MD5', 'Dr@g0n2024')
  assert.equal((await run({ hash, dictionary: 'dragon' })).found, false)
  const { password, how } = await run({ hash, dictionary: 'dragon', rules: 'simple' })
  assert.equal(password, 'Dr@g0n2024')
  assert.match(String(how), /first letter capital.*then 2024/)
  const common = { hash: digest('MD5', 'letmein'), common_passwords: 'yes' }
  assert.equal((await run(common)).password, 'letmein')
  assert.equal((await run({ ...common, dictionary: 'letmein' })).after, 1)
})

test('the run tells its rate, and stops when it is cancelled', async () => {
  const words = Array.from({ length: 50_000 }, (_, i) => `word${i}`).join('\n')
  const stop = new AbortController()
  const context = { ...replay({}, stop.signal), now: () => new Date() }
  const raw = { hash: digest('MD5', 'none'), dictionary: words, rules: 'simple' }
  let cancelled = 0
  const updates = perform(action, raw, context)
  await assert.rejects(async () => {
    for await (const { label, progress } of updates) {
      assert.match(String(label), /^[\d,]+ tried/)
      assert.ok(Number(progress) >= 0 && Number(progress) <= 1)
      if (cancelled === 0) cancelled = performance.now()
      stop.abort()
    }
  })
  assert.ok(performance.now() - cancelled < 1000)
})

test('[OPEN-077] what is over a limit, or is no hash, is refused at its field', async () => {
  const good = { hash: digest('MD5', 'x'), dictionary: 'x' }
  for (const [bad, field] of [
    [{ hash: '' }, 'hash'],
    [{ hash: 'zz' }, 'hash'],
    [{ hash: digest('SHA1', 'x') }, 'hash'],
    [{ hash: `${good.hash}\n${digest('MD5', 'y')}` }, 'hash'],
    [{ algorithm: 'SHA512' }, 'algorithm'],
    [{ dictionary: '' }, 'dictionary'],
    [{ dictionary: 'a\n'.repeat(100_001) }, 'dictionary'],
    [{ dictionary: 'x'.repeat(129) }, 'dictionary'],
    [{ dictionary: '\ud800' }, 'dictionary'],
    [{ salt: 'x'.repeat(1025) }, 'salt'],
    [{ salt: 'zz', salt_format: 'Hex' }, 'salt'],
    [{ salt_position: 'around' }, 'salt_position'],
  ] as const) {
    await assert.rejects(run({ ...good, ...bad }), { name: 'Problem', field }, JSON.stringify(bad).slice(0, 80))
  }
})

test('cost follows the words and their variations, up to the limit', () => {
  const { cost } = action
  assert.ok(cost !== 'light')
  const of = (dictionary: string, rules = 'none') =>
    cost({ hash: '', algorithm: 'MD5', dictionary, rules, common_passwords: false }).milliseconds
  assert.ok(of('a') < 50)
  assert.ok(of('a\n'.repeat(1000), 'simple') > of('a\n'.repeat(1000)))
  assert.ok(of('a\n'.repeat(99_999), 'simple') <= 40_020)
})
