import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, host, hosts } from '../src/inventory.ts'
import { dig, run } from './programs.ts'

const only = (name: string) => host(name).v4[0] ?? ''

async function pointers(text: string): Promise<string[]> {
  const { output } = await run('dig', '@8.8.8.8', '+short', '+time=4', '+tries=1', '-x', text)
  return output.trim().split('\n').filter(Boolean).sort()
}

test('what the inventory says of every address is in the reverse zones', async () => {
  const special = /^(reverse-|customer)/
  const questions = Object.values(hosts)
    .filter(({ name }) => !special.test(name))
    .flatMap(({ v4, v6, pointers: targets }) => [...v4, ...v6].map(text => ({ text, targets })))
  const answers = await Promise.all(questions.map(async ({ text }) => ({ text, targets: await pointers(text) })))
  assert.deepEqual(
    answers,
    questions.map(({ text, targets }) => ({ text, targets: targets.map(target => `${target}.`).sort() })),
  )
})

test('forward-confirmed: the names lead back', async () => {
  for (const name of ['www.good.test', 'mail.good.test', 'dns.google', 'a.root-servers.net', 'r3.transit.test']) {
    const { v4, v6 } = address(name)
    assert.ok((await dig('8.8.8.8', name, 'A')).records.includes(`A ${v4}`), name)
    assert.ok((await dig('8.8.8.8', name, 'AAAA')).records.includes(`AAAA ${v6}`), name)
  }
})

test('several pointers, of which one name does not exist', async () => {
  assert.deepEqual(await pointers(address('multi.good.test').v6), [
    'multi.good.test.',
    'second.good.test.',
    'third.good.test.',
  ])
  assert.equal((await dig('8.8.8.8', 'third.good.test', 'A')).status, 'NXDOMAIN')
})

test('no pointer is NXDOMAIN', async () => {
  assert.equal((await dig('8.8.8.8', '51.0.3.26.in-addr.arpa', 'PTR')).status, 'NXDOMAIN')
})

test('RFC 2317 §4: the pointer is an alias into the zone of the customer', async () => {
  const { records } = await dig('8.8.8.8', '7.1.3.26.in-addr.arpa', 'PTR')
  assert.deepEqual(records, ['CNAME 7.0/25.1.3.26.in-addr.arpa.', 'PTR customer7.isp.test.'])
  assert.deepEqual(await pointers('26.3.1.8'), ['8.0/25.1.3.26.in-addr.arpa.', 'customer8.isp.test.', 'shop.isp.test.'])
  assert.equal((await dig('8.8.8.8', '9.1.3.26.in-addr.arpa', 'PTR')).status, 'NXDOMAIN')
  assert.deepEqual(await pointers('2a0f:1ab:31::7'), ['customer7.isp.test.'])
})

test('reverse zones that are dead, lame and expired', async () => {
  const ask = (name: string, ...options: string[]) =>
    dig('8.8.8.8', `${only(name).split('.').reverse().join('.')}.in-addr.arpa`, 'PTR', ...options)
  assert.notEqual((await ask('reverse-dead.bad.test')).status, 'NOERROR')
  assert.equal((await ask('reverse-lame.bad.test')).status, 'SERVFAIL')
  assert.equal((await ask('reverse-expired.bad.test')).status, 'SERVFAIL')
  assert.deepEqual((await ask('reverse-expired.bad.test', '+cd')).records, ['PTR reverse-expired.bad.test.'])
})
