import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex, fromUtf8 } from '../bytes.ts'
import { echoes, exposures, openRoot, provenExposure } from './exposure.ts'
import type { Answer } from './response.ts'

const answer = (body: string | Uint8Array, status = 200, type = 'text/plain'): Answer => ({
  url: 'https://site.test/',
  status,
  headers: [['Content-Type', type]],
  body: typeof body === 'string' ? fromUtf8(body) : body,
})
const spa = answer('<!doctype html><title>Application</title><div id=root></div>')

function proof(path: string, found: Answer, invented: Answer | undefined = answer('', 404)): string | undefined {
  const exposure = [openRoot, ...exposures].find(each => each.path === path)
  assert.ok(exposure, path)
  return provenExposure(exposure, found, invented)
}

/** As the programs themselves write them. */
const real: [path: string, body: string | Uint8Array, words: RegExp][] = [
  ['/.git/HEAD', 'ref: refs/heads/main\n', /^ref: refs\/heads\/main$/],
  ['/.env', '# settings\nAPP_KEY=base64:secret\nDB_PASSWORD="hunter2"\n', /^APP_KEY, DB_PASSWORD …$/],
  ['/.env', 'export AWS_SECRET_ACCESS_KEY=abc\n', /^AWS_SECRET_ACCESS_KEY …$/],
  ['/.svn/wc.db', fromUtf8('SQLite format 3\0\u0010'), /^SQLite/],
  ['/.htpasswd', 'admin:$apr1$abcdefgh$0123456789abcdefghijkl\n', /^user:hash$/],
  ['/.htpasswd', 'admin:$2y$05$abcdefghijklmnopqrstuv\n', /^user:hash$/],
  ['/.DS_Store', fromHex('00000001427564310000100000000800'), /^Bud1$/],
  ['/backup.sql', '-- MySQL dump 10.13  Distrib 8.0.36\n--\n', /MySQL dump/],
  ['/backup.sql', '--\n-- PostgreSQL database dump\n--\n', /PostgreSQL database dump/],
  ['/server-status', '<h1>Apache Server Status for site.test (via 192.0.2.1)</h1>', /Apache Server Status/],
  ['/server-status', 'Active connections: 291 \nserver accepts handled requests\n', /Active connections: 291/],
  ['/phpinfo.php', '<html><head><title>PHP 8.2.7 - phpinfo()</title>', /phpinfo\(\)/],
  ['/info.php', '<title>phpinfo()</title>', /phpinfo\(\)/],
  ['/actuator', '{"_links":{"self":{"href":"https://site.test/actuator","templated":false}}}', /_links\.self/],
  ['/actuator/env', '{"activeProfiles":[],"propertySources":[]}', /propertySources/],
  ['/backup/', '<html><head><title>Index of /backup/</title></head>', /Index of/],
  ['/uploads/', '<title>Directory listing for /uploads/</title>', /Directory listing/],
  ['/files/', '<pre><A HREF="/">[To Parent Directory]</A><br>', /Parent Directory/i],
  ['/', '<title>Index of /</title>', /Index of/],
]
for (const [path, body, words] of real) {
  test(`[OPEN-068] ${path} is proven by what the program writes: ${words.source}`, () => {
    assert.match(proof(path, answer(body)) ?? '', words)
  })
  test(`${path} with another status, or the same for an invented path, proves nothing`, () => {
    for (const status of [206, 301, 302, 401, 403, 404, 500]) assert.equal(proof(path, answer(body, status)), undefined)
    assert.equal(proof(path, answer(body), answer(body)), undefined)
  })
}

test('network.md §1.21: a start page for every path proves nothing', () => {
  for (const { path } of [openRoot, ...exposures]) {
    assert.equal(proof(path, spa, spa), undefined, path)
    assert.equal(proof(path, spa), undefined, path)
    assert.equal(proof(path, answer(new Uint8Array())), undefined, path)
  }
})

for (const [path, body] of [
  ['/.git/HEAD', 'This is about ref: refs/heads/main'],
  ['/.git/HEAD', 'ref: refs/heads/main <script>'],
  ['/.env', '<html>\nAPP_KEY=1'],
  ['/.env', 'a=1\nb=2'],
  ['/.htpasswd', '<p>admin:$apr1$</p>'],
  ['/phpinfo.php', '<h1>About phpinfo()</h1>'],
  ['/actuator', '{"_links":null}'],
  ['/actuator', '[1'],
  ['/actuator/env', '{"__proto__":{"propertySources":[]}}'],
  ['/backup.sql', 'We have no -- MySQL dump'],
  ['/backup/', '<title>Backup plans</title>'],
] as const) {
  test(`${path} is not proven by ${JSON.stringify(body)}`, () => assert.equal(proof(path, answer(body)), undefined))
}

test('the values of a settings file are not told', () => {
  assert.ok(!proof('/.env', answer('DB_PASSWORD=hunter2'))?.includes('hunter2'))
})

test('RFC 9110 §9.3.8: TRACE is an echo only as message/http and with what was sent', () => {
  const echo = 'TRACE / HTTP/1.1\r\nHost: site.test\r\nX-Probe: a1b2\r\n\r\n'
  assert.equal(echoes(answer(echo, 200, 'message/http'), 'a1b2'), true)
  assert.equal(echoes(answer(echo, 200, 'text/html'), 'a1b2'), false)
  assert.equal(echoes(answer(echo, 405, 'message/http'), 'a1b2'), false)
  assert.equal(echoes(answer('TRACE / HTTP/1.1\r\n\r\n', 200, 'message/http'), 'a1b2'), false)
})
