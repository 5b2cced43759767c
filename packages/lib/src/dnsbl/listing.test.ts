import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planted } from '../mail/planted.ts'
import { askList, judge, listName } from './listing.ts'
import { addressLists, type BlockList, domainLists } from './zones.ts'

const bad: BlockList = {
  zone: 'bad.example.net',
  name: 'Bad',
  asks: 'address',
  kind: 'spam',
  control: { listed: '127.0.0.2', clean: '127.0.0.1' },
}
const control = '2.0.0.127.bad.example.net. A 127.0.0.2\n'
const ask = (zone: string, subject = '192.0.2.99', list: BlockList = bad, failing: readonly string[] = []) =>
  askList(list, subject, planted(zone, failing))

test('RFC 5782 §2.1: 192.0.2.99 is asked for as 99.2.0.192', () => {
  assert.equal(listName('192.0.2.99', 'bad.example.net'), '99.2.0.192.bad.example.net.')
})

test('RFC 5782 §2.4: an IPv6 address is asked for by its nibbles', () => {
  assert.equal(
    listName('2001:db8:1:2:3:4:567:89ab', 'ugly.example.com'),
    'b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.8.b.d.0.1.0.0.2.ugly.example.com.',
  )
})

test('RFC 5782 §3: a domain is asked for as it is', () => {
  assert.equal(listName('invader.com', 'doms.example.net'), 'invader.com.doms.example.net.')
})

test('RFC 5782 §2.1: listed with its reason, and not listed', async () => {
  const zone = `${control}99.2.0.192.bad.example.net. A 127.0.0.2
99.2.0.192.bad.example.net. TXT "Dynamic address, see http://bad.example.net?192.0.2.99"`
  const listed = await ask(zone)
  assert.equal(listed.status, 'listed')
  assert.deepEqual(listed.texts, ['Dynamic address, see http://bad.example.net?192.0.2.99'])
  assert.equal((await ask(zone, '192.0.2.1')).status, 'not listed')
})

test('RFC 5782 §5: a list without its test entry is unavailable, never clean', async () => {
  const { status, reason } = await ask('99.2.0.192.bad.example.net. A 127.0.0.2')
  assert.equal(status, 'unavailable')
  assert.match(reason ?? '', /test entry/)
})

test('RFC 5782 §5: a list that has 127.0.0.1 lists everything, so it tells nothing', async () => {
  const zone = `${control}1.0.0.127.bad.example.net. A 127.0.0.2\n99.2.0.192.bad.example.net. A 127.0.0.2`
  assert.equal((await ask(zone)).status, 'unavailable')
})

test('RFC 5782 §5: over IPv6 the test entries are the same, mapped', async () => {
  const six = { ...bad, ipv6: true }
  const name = (text: string) => listName(text, 'bad.example.net')
  const zone = `${name('::ffff:127.0.0.2')} A 127.0.0.2\n${name('2001:db8::1')} A 127.0.0.2`
  assert.equal((await ask(zone, '2001:db8::1', six)).status, 'listed')
  assert.equal((await ask(zone, '2001:db8::2', six)).status, 'not listed')
  assert.equal((await ask(control, '2001:db8::2', six)).status, 'unavailable')
})

test('RFC 5782 §2.1: only answers in 127.0.0.0/8 count', async () => {
  const parked = `2.0.0.127.bad.example.net. A 203.0.113.5\n99.2.0.192.bad.example.net. A 203.0.113.5`
  assert.equal((await ask(parked)).status, 'unavailable')
  const odd = await ask(`${control}99.2.0.192.bad.example.net. A 203.0.113.5`)
  assert.equal(odd.status, 'unavailable')
  assert.deepEqual(odd.codes, ['203.0.113.5'])
})

for (const code of ['127.255.255.252', '127.255.255.254', '127.255.255.255', '127.255.255.1']) {
  test(`${code} refuses the question`, async () => {
    assert.equal((await ask(`${control}99.2.0.192.bad.example.net. A ${code}`)).status, 'refused')
    assert.equal((await ask(`2.0.0.127.bad.example.net. A ${code}`)).status, 'refused')
  })
}

test('a list that does not answer is unavailable, and so is one whose question fails', async () => {
  assert.equal((await ask('', '192.0.2.99', bad, ['2.0.0.127.bad.example.net.'])).status, 'unavailable')
  assert.equal((await ask(control, '192.0.2.99', bad, ['99.2.0.192.bad.example.net.'])).status, 'unavailable')
  assert.equal(judge(bad, { status: 'refused', records: [] }).status, 'refused')
  assert.equal(judge(bad, { status: 'servfail', records: [] }).status, 'unavailable')
})

const find = (zone: string): BlockList => {
  const found = [...addressLists, ...domainLists].find(list => list.zone === zone)
  assert.ok(found, zone)
  return found
}
const answerOf = (zone: string, ...codes: readonly string[]) => {
  const records = codes.map(code => `x A ${code}`).join('\n')
  return planted(records)
    .resolve('x.example.com.', 'A')
    .then(answer => judge(find(zone), answer))
}

test('Spamhaus: codes in words, and the PBL is a policy', async () => {
  const sbl = await answerOf('zen.spamhaus.org', '127.0.0.2', '127.0.0.10')
  assert.deepEqual([sbl.status, sbl.kind, sbl.meanings.length], ['listed', 'spam', 2])
  const pbl = await answerOf('zen.spamhaus.org', '127.0.0.10')
  assert.deepEqual([pbl.status, pbl.kind], ['listed', 'policy'])
  assert.equal((await answerOf('dbl.spamhaus.org', '127.0.1.255')).status, 'refused')
  assert.deepEqual((await answerOf('dbl.spamhaus.org', '127.0.1.4')).meanings, ['phishing'])
})

test('SURBL and URIBL: bits of the last number, and 127.0.0.1 refuses', async () => {
  assert.deepEqual((await answerOf('multi.surbl.org', '127.0.0.24')).meanings, ['phishing', 'malware'])
  assert.deepEqual((await answerOf('multi.uribl.com', '127.0.0.6')).meanings, ['black', 'grey'])
  for (const zone of ['multi.surbl.org', 'multi.uribl.com']) {
    assert.equal((await answerOf(zone, '127.0.0.1')).status, 'refused')
  }
})

test('HostKarma and DNSWL: praise is no listing', async () => {
  const white = await answerOf('hostkarma.junkemailfilter.com', '127.0.0.1')
  assert.deepEqual([white.status, white.kind], ['not listed', 'praise'])
  assert.equal((await answerOf('hostkarma.junkemailfilter.com', '127.0.0.2')).status, 'listed')
  assert.equal((await answerOf('list.dnswl.org', '127.0.5.3')).status, 'not listed')
  assert.equal((await answerOf('list.dnswl.org', '127.0.0.255')).status, 'refused')
  assert.equal((await answerOf('list.dnswl.org', '127.0.10.3')).status, 'refused')
})

test('a list without control points may accuse, but its silence proves nothing', async () => {
  const { control: _, ...uncontrolled } = bad
  const zone = '99.2.0.192.bad.example.net. A 127.0.0.2'
  assert.equal((await ask(zone, '192.0.2.99', uncontrolled)).status, 'listed')
  assert.equal((await ask(zone, '192.0.2.1', uncontrolled)).status, 'unavailable')
})

test('the lists: each once, and each with control points or a note why not', () => {
  const all = [...addressLists, ...domainLists]
  assert.equal(new Set(all.map(({ zone }) => zone)).size, all.length)
  for (const { zone, control, note } of all) assert.ok(control ?? note, zone)
  for (const { zone } of all) assert.doesNotMatch(zone, /sorbs|njabl|ordb|ahbl|manitu/)
})
