import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromUtf8 } from '../bytes.ts'
import { basicOverHttp, loginOverHttp, weakCookies, weakTransport } from './authentication.ts'
import type { Answer } from './response.ts'

const answer = (url: string, headers: readonly [string, string][], { status = 200, body = '' } = {}): Answer => ({
  url,
  status,
  headers,
  body: fromUtf8(body),
})
const PLAIN = 'http://site.test/'
const SECURE = 'https://site.test/'

test('RFC 7617 §4: Basic over plain HTTP is a weakness, over TLS or with another scheme it is not', () => {
  const asks = (url: string, challenge: string, status = 401) =>
    basicOverHttp(answer(url, [['WWW-Authenticate', challenge]], { status }))
  assert.match(asks(PLAIN, 'Basic realm="WallyWorld"')?.description ?? '', /plain HTTP/)
  assert.ok(asks(PLAIN, 'Negotiate, basic realm="x"'))
  assert.equal(asks(SECURE, 'Basic realm="WallyWorld"'), undefined)
  assert.equal(asks(PLAIN, 'Digest realm="Basically"'), undefined)
  assert.equal(asks(PLAIN, 'Basic realm="x"', 200), undefined)
})

const html: [string, string] = ['Content-Type', 'text/html; charset=utf-8']
const form = (body: string, url = PLAIN) => loginOverHttp(answer(url, [html], { body }))

test('a login form is a weakness over plain HTTP, however it is written', () => {
  for (const body of [
    '<form><input type="password" name=p></form>',
    "<FORM><INPUT name=p TYPE='PASSWORD'></FORM>",
    '<input name="p" type = password >',
  ]) {
    assert.match(form(body)?.description ?? '', /login form/, body)
    assert.equal(form(body, SECURE), undefined, body)
  }
})

test('what only looks like a form is none', () => {
  for (const body of [
    '<!-- <input type=password> -->',
    '<script>"<input type=password>"</script>',
    '<input type=text placeholder="type=password">'.replace('type=password', 'password'),
    'input type=password',
  ]) {
    assert.equal(form(body), undefined, body)
  }
  const text = answer(PLAIN, [['Content-Type', 'text/plain']], { body: '<input type=password>' })
  assert.equal(loginOverHttp(text), undefined)
})

test('a form on an encrypted page that sends to a plain address', () => {
  assert.match(
    form('<form action="http://site.test/in"><input type=password>', SECURE)?.description ?? '',
    /plain HTTP/,
  )
  assert.equal(form('<form action="/in"><input type=password>', SECURE), undefined)
  assert.equal(form('<form action="http://site.test/search"><input type=text>', SECURE), undefined)
})

test('RFC 6265 §4.1.2: each cookie says what it lacks, never its value', () => {
  const cookies = weakCookies(
    answer(SECURE, [
      ['Set-Cookie', 'good=1; Secure; HttpOnly; SameSite=Strict'],
      ['set-cookie', 'bare=secret123; path=/'],
      ['Set-Cookie', 'half=1; SECURE; samesite=lax'],
    ]),
  )
  assert.deepEqual(
    cookies.map(({ description }) => description),
    ['A cookie lacks Secure, HttpOnly, SameSite', 'A cookie lacks HttpOnly'],
  )
  assert.ok(!JSON.stringify(cookies).includes('secret123'))
  assert.deepEqual(weakCookies(answer(SECURE, [])), [])
})

test('RFC 6797: missing or void HSTS is a weakness of an encrypted site', () => {
  const hsts = (value?: string, url = SECURE) =>
    weakTransport(answer(url, value === undefined ? [] : [['Strict-Transport-Security', value]]))
  assert.match(hsts()?.description ?? '', /is missing/)
  assert.match(hsts('max-age=0')?.description ?? '', /does not hold/)
  assert.match(hsts('includeSubDomains')?.description ?? '', /does not hold/)
  assert.equal(hsts('max-age=31536000'), undefined)
  assert.equal(hsts(undefined, PLAIN), undefined)
})
