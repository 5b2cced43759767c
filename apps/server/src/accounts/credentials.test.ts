import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountTrial } from '../../test/account-trial.ts'

const unlimited = {
  accountMailsPerQuarterHour: 10_000,
  accountMailsPerHour: 10_000,
  loginsPerQuarterHour: 10_000,
  clientLoginsPerQuarterHour: 10_000,
  guessesPerHour: 10_000,
}

/** What is chosen, then what is typed to log in where that is another spelling, then one that must not do. */
const passwords: readonly [chosen: string, typed: string, wrong: string][] = [
  ['a', 'a', 'A'],
  ['seven77', 'seven77', 'seven7'],
  ['eight888', 'eight888', 'eight8888'],
  ['x'.repeat(64), 'x'.repeat(64), 'x'.repeat(63)],
  // bcrypt would have stopped at the 72nd byte.
  ['x'.repeat(73), 'x'.repeat(73), `${'x'.repeat(72)}y`],
  ['x'.repeat(128), 'x'.repeat(128), `${'x'.repeat(127)}y`],
  ['x'.repeat(1024), 'x'.repeat(1024), `${'x'.repeat(1023)}y`],
  ['é'.repeat(512), 'e\u0301'.repeat(512), 'é'.repeat(511)],
  [' ', ' ', '  '],
  [' in front', ' in front', 'in front'],
  ['behind ', 'behind ', 'behind'],
  ['in  side', 'in  side', 'in side'],
  ['\t\n\r', '\t\n\r', '\t\n'],
  ['\u00a0', '\u00a0', ' '],
  ['before\0after', 'before\0after', 'before\0other'],
  ['\0', '\0', '\0\0'],
  ['Å', 'A\u030a', 'A'],
  ['Å', '\u212b', 'a'],
  ['ﬁ', 'ﬁ', 'fi'],
  ['한글', '\u1112\u1161\u11ab\u1100\u1173\u11af', '한'],
  ['\u0958', '\u0915\u093c', '\u0915'],
  ['ß', 'ß', 'ss'],
  ['İstanbul', 'İstanbul', 'istanbul'],
  ['пароль', 'пароль', 'пapоль'],
  ['🐦', '🐦', '🐧'],
  ['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦', '👩👩👧👦'],
  ['\u202eabc', '\u202eabc', 'abc'],
  ['\u200babc', '\u200babc', 'abc'],
  ['\ufeffabc', '\ufeffabc', 'abc'],
  ['\u{10ffff}', '\u{10ffff}', '\u{10fffe}'],
  ['z\u0301\u0302\u0303'.repeat(100), 'z\u0301\u0302\u0303'.repeat(100), 'z\u0302\u0301\u0303'.repeat(100)],
  ['"\\\'; drop table account --', '"\\\'; drop table account --', '"'],
  ['$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA', '$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA', '$argon2id$'],
  ['__proto__', '__proto__', '__proto'],
]
const refused: readonly [unknown, RegExp][] = [
  ['', /^Enter a password\.$/],
  ['x'.repeat(1025), /at most 1024 bytes/],
  ['é'.repeat(513), /at most 1024 bytes/],
  ['e\u0301'.repeat(513), /at most 1024 bytes/],
  ['x'.repeat(1_000_000), /at most 1024 bytes/],
  ['🐦'.repeat(257), /at most 1024 bytes/],
  ['\ud800', /whole characters/],
  ['a\udc00b', /whole characters/],
  [7, /^Enter a password\.$/],
  [null, /^Enter a password\.$/],
  [['a'], /^Enter a password\.$/],
  [{ a: 1 }, /^Enter a password\.$/],
  [undefined, /^Enter a password\.$/],
]

test('U4: passwords of any characters and up to 1,024 bytes are what they are, others are refused', async t => {
  const { post, store } = await accountTrial(t, { limits: unlimited })
  for (const [i, [chosen, typed, wrong]] of passwords.entries()) {
    const email = `p${i}@example.org`
    const what = JSON.stringify(chosen.slice(0, 20))
    assert.equal((await post('/auth/register/', { email, password: chosen })).statusCode, 201, what)
    // The right password of an address that is not verified is told from a wrong one.
    assert.equal((await post('/auth/login/', { email, password: typed })).statusCode, 403, what)
    assert.equal((await post('/auth/login/', { email, password: wrong })).statusCode, 401, what)
  }
  for (const [password, detail] of refused)
    for (const url of ['/auth/register/', '/auth/login/']) {
      const answer = await post(url, { email: 'other@example.org', password })
      assert.equal(answer.statusCode, 400)
      assert.match(answer.json().detail, detail)
    }
  const rows = await store.use(db => db.selectFrom('account').select('password_hash').execute())
  assert.equal(rows.length, passwords.length)
  for (const { password_hash } of rows) assert.match(String(password_hash), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

const spellings: readonly (readonly string[])[] = [
  ['ada@example.org', ' Ada@Example.ORG ', 'ADA@EXAMPLE.ORG.', 'ada@EXAMPLE。org'],
  ['ada+news@example.org'],
  ['a.da@example.org'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example', 'ada@BU\u0308CHER.example'],
  // Cyrillic а: another name, which is not folded into the Latin one.
  ['ada@ex\u0430mple.org'],
  ["o'neil/x=y@example.org"],
  [`${'x'.repeat(64)}@${'a'.repeat(61)}.${'b'.repeat(61)}.${'c'.repeat(61)}.de`],
]
const noAddresses: readonly unknown[] = [
  '',
  ' ',
  'ada',
  '@example.org',
  'ada@',
  'ada@example',
  'ada@@example.org',
  'ada@b@example.org',
  'ada b@example.org',
  '"ada"@example.org',
  'ada@127.0.0.1',
  'ada@[127.0.0.1]',
  'ада@example.org',
  'ada@example.org\r\nBcc: b@example.org',
  'ada\0@example.org',
  'a\u200bda@example.org',
  'ada@exa_mple..org',
  'Ada <ada@example.org>',
  'ada@example.org,b@example.org',
  `${'x'.repeat(65)}@example.org`,
  `${'x'.repeat(64)}@${'a'.repeat(61)}.${'b'.repeat(61)}.${'c'.repeat(61)}.info`,
  // Short as typed, and over 254 characters in DNS.
  `${'x'.repeat(64)}@${Array.from({ length: 8 }, () => 'ü'.repeat(20)).join('.')}.org`,
  7,
  null,
  ['ada@example.org'],
  { toString: 'ada@example.org' },
]

test('one address is one account however it is spelled, and no others are folded into it', async t => {
  const { post, store } = await accountTrial(t, { limits: unlimited })
  for (const same of spellings)
    for (const email of same)
      assert.equal((await post('/auth/register/', { email, password: 'secret' })).statusCode, 201, email)
  const rows = await store.use(db => db.selectFrom('account').select('email').execute())
  assert.equal(rows.length, spellings.length)
  for (const [email = ''] of spellings)
    assert.equal((await post('/auth/login/', { email, password: 'secret' })).statusCode, 403, email)
})

test('what is no e-mail address is refused by every door, without being repeated', async t => {
  const { post } = await accountTrial(t, { limits: unlimited })
  for (const email of noAddresses)
    for (const url of ['/auth/register/', '/auth/login/', '/auth/password-change/', '/auth/verify-email/']) {
      const needsPassword = url === '/auth/register/' || url === '/auth/login/'
      const answer = await post(url, { email, ...(needsPassword && { password: 'secret' }) })
      const detail = 'Enter an email address such as name@example.com.'
      assert.deepEqual(
        [answer.statusCode, answer.json()],
        [400, { detail, code: 'invalid-input' }],
        JSON.stringify(email),
      )
    }
})
