import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fromUtf8, toHex } from '../bytes.ts'
import { digest } from '../hash/digest.ts'
import { type Candidates, maskCandidates, wordCandidates } from './candidates.ts'
import { type CrackProgress, crack, type HashKind, hasherOf, hashKinds, parseTargets } from './crack.ts'

async function run(hashes: string, candidates: Candidates, maxTrials = 1e9) {
  const steps: CrackProgress[] = []
  const cracking = crack(parseTargets(hashes), candidates, { maxTrials, now: () => 0 })
  for (;;) {
    const { done, value } = await cracking.next()
    steps.push(value)
    if (done) return { ...value, steps }
  }
}
const hash = (name: string, text: string) => createHash(name).update(text).digest('hex')

/** A hash as its kind is written. */
async function storedHash(kind: HashKind, password: Uint8Array): Promise<string> {
  const text = toHex((await hasherOf(kind))(password))
  return kind === 'MySQL' ? `*${text.toUpperCase()}` : text
}

/** The hash of each kind by its definition, with other implementations. */
const defined: Record<string, (text: string) => Promise<string> | string> = {
  MD5: text => hash('md5', text),
  SHA1: text => hash('sha1', text),
  SHA256: text => hash('sha256', text),
  SHA512: text => hash('sha512', text),
  NTLM: async text => toHex(await digest('MD4', Buffer.from(text, 'utf16le'))),
  MySQL: text => `*${createHash('sha1').update(createHash('sha1').update(text).digest()).digest('hex').toUpperCase()}`,
}

test('MS-NLMP §4.2.2.1.2 and the MariaDB documentation: stored hashes', async () => {
  assert.equal(await storedHash('NTLM', fromUtf8('Password')), 'a4f49c406510bdcab6824ee7c30fd852')
  assert.equal(await storedHash('NTLM', fromUtf8('Pa$$w0rd')), '92937945b518814341de3f726500d4ff')
  assert.equal(await storedHash('MySQL', fromUtf8('notagoodpwd')), '*3A70EE9FC6594F88CE9E959CD51C5A1C002DC937')
})

for (const kind of hashKinds) {
  test(`${kind} of 200 passwords equals its definition`, async () => {
    const texts = Array.from({ length: 200 }, (_, i) => randomBytes(i).toString('base64').slice(0, i))
    for (const text of [...texts, 'naïve', 'пароль', '密码🔑']) {
      assert.equal(await storedHash(kind, fromUtf8(text)), await defined[kind]?.(text), text)
    }
  })

  test(`${kind}: a password of a mask is found, and one that is not of it is not`, async () => {
    const inside = await storedHash(kind, fromUtf8('k7!'))
    const outside = await storedHash(kind, fromUtf8('K7!'))
    const { found, exhausted } = await run(`${inside}\n${outside}`, maskCandidates('?l?d!'))
    assert.deepEqual(
      found.map(({ password, kind: of, target }) => [password, of, target.text]),
      [['k7!', kind, inside]],
    )
    assert.equal(exhausted, true)
  })
}

test('many hashes of several kinds are searched at once, and the search ends with the last', async () => {
  const passwords = ['aa', 'mm', 'zz']
  const hashes = passwords.flatMap(text => [hash('md5', text), hash('sha1', text), hash('sha256', text)])
  const { found, exhausted, tried } = await run(hashes.join('\n'), maskCandidates('?l?l'))
  assert.deepEqual(
    found.map(({ password }) => password).toSorted(),
    passwords.flatMap(text => [text, text, text]),
  )
  assert.ok(!exhausted && tried === 26 * 26 * 4, 'MD5, NTLM, SHA1 and SHA256 of each, to the very last')
})

test('the limit holds to the hash', async () => {
  for (const limit of [1, 7, 512, 5000]) {
    const { tried, exhausted } = await run(hash('sha1', '?'), maskCandidates('?l?l?l?l'), limit)
    assert.equal(tried, limit)
    assert.equal(exhausted, false)
  }
})

test('progress rises to the end and partial finds are told as they come', async () => {
  const { steps } = await run(`${hash('sha1', 'baaa')}\n${hash('sha1', '?')}`, maskCandidates('?l?l?l?l'))
  const progress = steps.map(step => step.progress)
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  )
  assert.equal(progress.at(-1), 1)
})

test('a wish to stop is heard between slices', async () => {
  const cracking = crack(parseTargets(hash('md5', '?')), maskCandidates('?a?a?a?a?a?a?a?a'), {
    maxTrials: 1e15,
    now: () => performance.now(),
  })
  setTimeout(() => void cracking.return({ tried: 0, progress: 0, found: [], exhausted: false }), 50)
  let slices = 0
  for await (const _ of cracking) slices++
  assert.ok(slices > 0)
})

test('words that hold what is not ASCII are found as NTLM too', async () => {
  const { found } = await run(String(await defined.NTLM?.('пароль1')), wordCandidates(['пароль'], true))
  assert.deepEqual(
    found.map(({ kind, password, how }) => [kind, password, how]),
    [['NTLM', 'пароль1', 'then 1']],
  )
})

test('kinds are told by length, and by the asterisk', () => {
  const kindsOf = (text: string) => parseTargets(text)[0]?.kinds
  assert.deepEqual(kindsOf('0'.repeat(32)), ['MD5', 'NTLM'])
  assert.deepEqual(kindsOf('0'.repeat(40)), ['SHA1'])
  assert.deepEqual(kindsOf(`*${'0'.repeat(40)}`), ['MySQL'])
  assert.deepEqual(kindsOf('F'.repeat(64)), ['SHA256'])
  assert.deepEqual(kindsOf('0'.repeat(128)), ['SHA512'])
  assert.deepEqual(parseTargets('0'.repeat(32), 'NTLM')[0]?.kinds, ['NTLM'])
  assert.deepEqual(parseTargets('0'.repeat(40), 'MySQL')[0]?.kinds, ['MySQL'])
  assert.equal(parseTargets(`${'ab'.repeat(16)}\r\n\n ${'AB'.repeat(16)} \n`).length, 1, 'the same hash once')
})

test('what is no hash is refused, with its line', () => {
  for (const [text, message] of [
    ['', /at least one hash/],
    ['\n \n', /at least one hash/],
    ['hello', /line 1 is no/],
    [`${'0'.repeat(32)}\n${'0'.repeat(31)}`, /line 2 is no/],
    [`*${'0'.repeat(32)}`, /line 1 is no/],
    ['$2b$12$abcdefghijklmnopqrstuu', /line 1 is no/],
  ] as const) {
    assert.throws(() => parseTargets(text), { name: 'RangeError', message })
  }
  assert.throws(() => parseTargets('0'.repeat(40), 'MD5'), /line 1 is no MD5 hash/)
  const many = Array.from({ length: 1001 }, (_, i) => i.toString(16).padStart(32, '0')).join('\n')
  assert.throws(() => parseTargets(many), /at most 1000 hashes, got 1001/)
})

test('a hasher gives a hash of its own each time', async () => {
  const hasher = await hasherOf('MD5')
  const first = hasher(fromUtf8('a'))
  hasher(fromUtf8('b'))
  assert.equal(toHex(first), hash('md5', 'a'))
})
