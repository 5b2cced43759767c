import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultHost } from '../src/faults.ts'
import { host } from '../src/inventory.ts'
import { run } from './programs.ts'

/** How a program ended, and everything it said. */
async function said(program: string, ...options: string[]): Promise<{ code: number; text: string }> {
  const { code, output, complaints } = await run(program, ...options)
  return { code, text: output + complaints }
}

const only = (name: string) => host(faultHost(name)).v4[0] ?? ''
const options = [
  '--silent',
  '--show-error',
  '--max-time',
  '2',
  '--max-redirs',
  '5',
  '--output',
  '/dev/null',
  '--write-out',
  '%{http_code}',
]

/** What curl says: its exit codes stand in its manual. */
for (const [name, exit, words] of [
  ['mute', 28, /timed out/i],
  ['closed', 52, /Empty reply/],
  ['reset', 56, /reset/i],
  ['cut', 18, /transfer closed|end of response/i],
  ['http-headers', 56, /header/i],
  ['http-loop', 47, /redirects/i],
  ['http-short', 18, /transfer closed|end of response/i],
  ['http-body', 28, /timed out/i],
] as const) {
  test(`fault.test, curl: ${name}`, async () => {
    const { code, text } = await said('curl', ...options, '--location', `http://${faultHost(name)}/`)
    assert.equal(code, exit, text)
    assert.match(text, words)
  })
}

test('fault.test: sites over TLS have a certificate that holds', async () => {
  const { text } = await said('curl', ...options, `https://${faultHost('http-wrong-json')}/`)
  assert.match(text, /200$/)
})

test('fault.test, dig: wrong ids, another question, a loop, and a long text over TCP', async () => {
  const ask = (name: string, ...more: string[]) =>
    said('dig', `@${only(name)}`, `x.zone.${faultHost(name)}`, 'TXT', '+tries=1', '+time=1', ...more)
  assert.match((await ask('dns-id')).text, /ID mismatch/)
  assert.match((await ask('dns-question')).text, /Question section mismatch/)
  assert.match((await ask('dns-loop')).text, /bad|malformed|FORMERR/i)
  assert.match((await ask('dns-cookie')).text, /BADCOOKIE/)
  assert.match((await ask('dns-long')).text, /MSG SIZE {2}rcvd: [56]\d{4}/)
})

test('fault.test, openssl: an alert, and what is no TLS', async () => {
  const hello = (name: string) => said('openssl', 's_client', '-connect', `${only(name)}:443`)
  assert.match((await hello('tls-alert')).text, /handshake failure/)
  assert.match((await hello('tls-http')).text, /wrong version number|packet length too long/)
})
