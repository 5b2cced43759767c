import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { defaultLimits, limitNames, limitVariable } from './limits.ts'
import { readSettings, SettingError } from './settings.ts'

const refuses = (environment: Record<string, string>, sentence: RegExp) =>
  assert.throws(
    () => readSettings(environment),
    error => error instanceof SettingError && sentence.test(error.message),
  )

test('nothing set: loopback, no proxies, the limits as they stand', () => {
  const settings = readSettings({ PATH: '/bin' })
  assert.deepEqual(settings.listen, { host: '127.0.0.1', port: 8080 })
  assert.equal(settings.brand, 'Assay')
  assert.deepEqual(settings.trustedProxies, [])
  assert.deepEqual(settings.testNetworks, [])
  assert.deepEqual(settings.limits, defaultLimits)
})

test('[OPEN-009] every limit can be set, under a name of its own', () => {
  assert.equal(limitVariable('lookupsPerMinute'), 'ASSAY_LOOKUPS_PER_MINUTE')
  assert.equal(new Set(limitNames.map(limitVariable)).size, limitNames.length)
  const { limits } = readSettings({ ASSAY_LOOKUPS_PER_MINUTE: '7' })
  assert.equal(limits.lookupsPerMinute, 7)
  for (const value of ['0', '-1', '1.5', 'many', '1e3']) {
    refuses({ ASSAY_LOOKUPS_PER_MINUTE: value }, /^ASSAY_LOOKUPS_PER_MINUTE: expected a whole number above 0\.$/)
  }
})

test('[OPEN-027] brand and base address are one setting each', () => {
  const settings = readSettings({ ASSAY_BRAND: 'Proof', ASSAY_BASE_URL: 'https://proof.example/' })
  assert.equal(settings.brand, 'Proof')
  assert.equal(settings.base, 'https://proof.example')
  refuses({ ASSAY_BASE_URL: 'proof.example' }, /^ASSAY_BASE_URL: expected an address such as/)
  assert.equal(settings.root, '')
  const below = readSettings({ ASSAY_BASE_URL: 'https://example.com/tools/proof/' })
  assert.deepEqual([below.base, below.root], ['https://example.com/tools/proof', '/tools/proof'])
  for (const path of ['/a//b', '//', '/.hidden', '/a b', '/%61', '/a?b', '/a#b', '/"', '/a;b']) {
    refuses({ ASSAY_BASE_URL: `https://proof.example${path}` }, /^ASSAY_BASE_URL: expected an address such as/)
  }
  refuses({ ASSAY_BASE_URL: 'ftp://proof.example' }, /ASSAY_BASE_URL/)
})

test('[OPEN-023] the contact address is a setting', () => {
  assert.equal(readSettings({ ASSAY_CONTACT: 'a@example.com' }).contact, 'a@example.com')
  refuses({ ASSAY_CONTACT: '{email}' }, /^ASSAY_CONTACT: expected an e-mail address\.$/)
})

test('where to listen: an address and a port, or a socket', () => {
  assert.deepEqual(readSettings({ ASSAY_LISTEN: '0.0.0.0:80' }).listen, { host: '0.0.0.0', port: 80 })
  assert.deepEqual(readSettings({ ASSAY_LISTEN: '[::1]:8080' }).listen, { host: '::1', port: 8080 })
  assert.deepEqual(readSettings({ ASSAY_LISTEN: 'unix:/run/assay.sock' }).listen, { socket: '/run/assay.sock' })
  for (const value of ['8080', 'localhost:8080', '127.0.0.1', '127.0.0.1:70000', 'unix:relative']) {
    refuses({ ASSAY_LISTEN: value }, /^ASSAY_LISTEN: expected an address and a port/)
  }
})

test('names that do not exist stop the start', () => {
  refuses({ ASSAY_LISTENS: '127.0.0.1:80' }, /^ASSAY_LISTENS: no such setting\. There are ASSAY_LISTEN,/)
})

test('F12: in production on a public address the proxies must be named, or said to be none', () => {
  const outside = { NODE_ENV: 'production', ASSAY_LISTEN: '0.0.0.0:8080' }
  refuses(outside, /^ASSAY_TRUSTED_PROXIES: expected the prefixes of the proxies/)
  assert.deepEqual(readSettings({ ...outside, ASSAY_TRUSTED_PROXIES: 'none' }).trustedProxies, [])
  assert.deepEqual(readSettings({ ...outside, ASSAY_TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8' }).trustedProxies, [
    '10.0.0.0/8',
    'fd00::/8',
  ])
  assert.ok(readSettings({ NODE_ENV: 'production' }))
  for (const value of ['1', 'true', '10.0.0.1', '10.0.0.0/40']) {
    refuses({ ...outside, ASSAY_TRUSTED_PROXIES: value }, /ASSAY_TRUSTED_PROXIES: expected an address block/)
  }
})

test('[OPEN-008] named test networks are opened by a setting only', () => {
  assert.deepEqual(readSettings({ ASSAY_ALLOWED_TEST_NETWORKS: '10.1.0.0/16' }).testNetworks, ['10.1.0.0/16'])
  refuses({ ASSAY_ALLOWED_TEST_NETWORKS: 'everything' }, /ASSAY_ALLOWED_TEST_NETWORKS/)
})

test('A8: the opt-out list takes domains, addresses and prefixes', () => {
  const { optedOut } = readSettings({ ASSAY_OPTED_OUT: 'Example.com, 203.0.113.7, 2001:db8::/32' })
  assert.deepEqual(optedOut, { domains: ['example.com'], networks: ['203.0.113.7/32', '2001:db8::/32'] })
  assert.deepEqual(readSettings({ ASSAY_OPTED_OUT: 'none' }).optedOut, { domains: [], networks: [] })
  refuses({ ASSAY_OPTED_OUT: 'not a name' }, /^ASSAY_OPTED_OUT: /)
  refuses({ ASSAY_OPTED_OUT: '1.2.3.4/40' }, /^ASSAY_OPTED_OUT: /)
})

test('RFC 7958: trust anchors of DNSSEC are DS records of the root, or a file of them', t => {
  const line = '. IN DS 47005 13 2 2eb6e9f2480126691594d649a5a613de3052e37861634641bb568746f2ffc4d4'
  assert.equal(readSettings({}).trustAnchors, undefined)
  assert.equal(readSettings({ ASSAY_TRUST_ANCHORS: line }).trustAnchors, line)
  const folder = mkdtempSync(join(tmpdir(), 'anchors-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'root.anchor')
  writeFileSync(file, `${line}\n`)
  assert.equal(readSettings({ ASSAY_TRUST_ANCHORS: file }).trustAnchors, `${line}\n`)
  for (const value of [line.replace('.', 'com.'), '. IN A 192.0.2.1', 'none', `${folder}/missing`]) {
    refuses({ ASSAY_TRUST_ANCHORS: value }, /^ASSAY_TRUST_ANCHORS: /)
  }
})

test('the place of the store: a folder, or a PostgreSQL database, whose address is not repeated', () => {
  assert.deepEqual([readSettings({}).data, readSettings({}).database], ['./data', undefined])
  assert.equal(readSettings({ ASSAY_DATA: '/var/lib/assay' }).data, '/var/lib/assay')
  const address = 'postgresql://assay:secret@db.example/assay'
  assert.equal(readSettings({ DATABASE_URL: address }).database, address)
  refuses(
    { DATABASE_URL: 'mysql://assay:secret@db.example/' },
    /^DATABASE_URL: expected an address such as [^@]+@host\/name\.$/,
  )
})

test('Redis: an address with or without user, password and database, which is not repeated', () => {
  assert.equal(readSettings({}).redis, undefined)
  const plain = { host: 'cache.example', port: 6379, tls: false, user: undefined, password: undefined, db: 0 }
  assert.deepEqual(readSettings({ REDIS_URL: 'redis://cache.example' }).redis, plain)
  assert.deepEqual(readSettings({ REDIS_URL: 'redis://cache.example:6380/' }).redis, { ...plain, port: 6380 })
  assert.deepEqual(readSettings({ REDIS_URL: 'redis://:p%40ss@[::1]/3' }).redis, {
    ...plain,
    host: '::1',
    password: 'p@ss',
    db: 3,
  })
  assert.deepEqual(readSettings({ REDIS_URL: 'rediss://us%3Aer:secret@cache.example:7000/15' }).redis, {
    host: 'cache.example',
    port: 7000,
    tls: true,
    user: 'us:er',
    password: 'secret',
    db: 15,
  })
  for (const value of [
    'cache.example:6379',
    'http://:secret@h',
    'redis://',
    'redis://:secret@h/one',
    'redis://:secret@h/1/2',
    'redis://:secret@h/?db=1',
    'redis://:secret@h:99999',
    'redis://:secret@h/#1',
    'redis:///var/run/redis.sock',
  ]) {
    refuses(
      { REDIS_URL: value },
      /^REDIS_URL: expected an address such as redis:\/\/user:password@host:6379\/0 or [^@]*$/,
    )
  }
  refuses({ REDIS_URL: 'redis://:%zz@h' }, /^REDIS_URL: expected user and password percent-encoded/)
})

test('mails: an SMTP server asks for the address that gets them, and its password is not repeated', () => {
  const { smtp, mailFrom } = readSettings({
    ASSAY_CONTACT: 'a@example.com',
    ASSAY_SMTP_URL: 'smtps://b:c@mail.example',
    ASSAY_MAIL_FROM: 'site@example.com',
  })
  assert.deepEqual(smtp, { host: 'mail.example', port: 465, secure: true, login: { user: 'b', pass: 'c' } })
  assert.equal(mailFrom, 'site@example.com')
  refuses({ ASSAY_SMTP_URL: 'smtp://mail.example' }, /^ASSAY_CONTACT: expected the e-mail address that gets/)
  refuses(
    { ASSAY_CONTACT: 'a@example.com', ASSAY_SMTP_URL: 'http://x:secret@h' },
    /^ASSAY_SMTP_URL: expected an address such as [^@]*@host:587 or [^@]*@host\.$/,
  )
  refuses({ ASSAY_MAIL_FROM: 'a@example.com\nBcc: b@example.com' }, /^ASSAY_MAIL_FROM: expected an e-mail address\.$/)
})

test('[OPEN-019] signing in by a provider needs both halves of its client', () => {
  const nobody = readSettings({}).providers
  assert.deepEqual(nobody, { google: undefined, github: undefined })
  const { google, github } = readSettings({
    ASSAY_GOOGLE_CLIENT_ID: 'id.apps.googleusercontent.com',
    ASSAY_GOOGLE_CLIENT_SECRET: 'GOCSPX-secret',
    ASSAY_GITHUB_CLIENT_ID: 'Iv1.abc',
    ASSAY_GITHUB_CLIENT_SECRET: 'secret',
  }).providers
  assert.deepEqual(google, {
    clientId: 'id.apps.googleusercontent.com',
    clientSecret: 'GOCSPX-secret',
    address: 'https://accounts.google.com',
  })
  assert.deepEqual(github, { clientId: 'Iv1.abc', clientSecret: 'secret', address: 'https://github.com' })
  refuses({ ASSAY_GOOGLE_CLIENT_ID: 'a' }, /^ASSAY_GOOGLE_CLIENT_SECRET: expected the secret of the client, as ASSAY_/)
  refuses({ ASSAY_GITHUB_CLIENT_SECRET: 'a' }, /^ASSAY_GITHUB_CLIENT_ID: expected the id of the client, as ASSAY_/)
  refuses(
    { ASSAY_GITHUB_CLIENT_ID: 'a b', ASSAY_GITHUB_CLIENT_SECRET: 'a' },
    /^ASSAY_GITHUB_CLIENT_ID: expected the text/,
  )
})

test('U9: a provider is reached by https, or on this machine', () => {
  const client = { ASSAY_GOOGLE_CLIENT_ID: 'a', ASSAY_GOOGLE_CLIENT_SECRET: 'b' }
  const issuer = (address: string) =>
    readSettings({ ...client, ASSAY_GOOGLE_ISSUER: address }).providers.google?.address
  for (const address of [
    'https://login.example/realms/a',
    'https://login.example/o/a/',
    'http://127.0.0.1:9/',
    'http://[::1]:9/',
  ])
    assert.equal(issuer(address), address)
  for (const address of [
    'http://login.example',
    'http://10.0.0.1',
    'login.example',
    'https://a@b.example',
    'https://a.example/?b',
    'ftp://a.example',
  ])
    refuses({ ...client, ASSAY_GOOGLE_ISSUER: address }, /^ASSAY_GOOGLE_ISSUER: expected an address such as https:/)
  const server = readSettings({
    ASSAY_GITHUB_CLIENT_ID: 'a',
    ASSAY_GITHUB_CLIENT_SECRET: 'b',
    ASSAY_GITHUB_URL: 'https://github.example/',
  })
  assert.equal(server.providers.github?.address, 'https://github.example')
})
