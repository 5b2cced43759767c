import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planted } from './planted.ts'
import { checkHost, type SpfQuestion } from './spf-check.ts'

const check = (zone: string, question: Partial<SpfQuestion> = {}, failing: readonly string[] = []) =>
  checkHost(
    { ip: '192.0.2.65', sender: 'bob@example.com', helo: 'mail.example.com', ...question },
    planted(zone, failing),
  )

const spf = (text: string, more = '') => `@ TXT "${text}"\n${more}`

/** The zone of RFC 7208 appendix A. */
const appendixA = `
@ MX 10 mail-a
@ MX 20 mail-b
@ A 192.0.2.10
@ A 192.0.2.11
amy A 192.0.2.65
bob A 192.0.2.66
mail-a A 192.0.2.129
mail-b A 192.0.2.130
www CNAME example.com.
$ORIGIN 2.0.192.in-addr.arpa.
10 PTR example.com.
11 PTR example.com.
65 PTR amy.example.com.
66 PTR bob.example.com.
129 PTR mail-a.example.com.
130 PTR mail-b.example.com.
$ORIGIN example.com.
`
for (const [record, passes, fails] of [
  ['v=spf1 +all', ['192.0.2.65', '2001:db8::1'], []],
  ['v=spf1 a -all', ['192.0.2.10', '192.0.2.11'], ['192.0.2.65']],
  ['v=spf1 mx -all', ['192.0.2.129', '192.0.2.130'], ['192.0.2.65']],
  ['v=spf1 mx/30 mx:example.com/30 -all', ['192.0.2.131', '192.0.2.128'], ['192.0.2.132']],
  ['v=spf1 ptr -all', ['192.0.2.65', '192.0.2.10'], ['192.0.2.140']],
  ['v=spf1 ip4:192.0.2.128/28 -all', ['192.0.2.129'], ['192.0.2.65']],
] as const) {
  test(`RFC 7208 §A.1: ${record}`, async () => {
    for (const ip of passes) assert.equal((await check(spf(record, appendixA), { ip })).result, 'pass', ip)
    for (const ip of fails) assert.equal((await check(spf(record, appendixA), { ip })).result, 'fail', ip)
  })
}

for (const [macro, expected] of [
  ['%{s}', 'strong-bad@email.example.com'],
  ['%{o}', 'email.example.com'],
  ['%{d}', 'email.example.com'],
  ['%{d4}', 'email.example.com'],
  ['%{d3}', 'email.example.com'],
  ['%{d2}', 'example.com'],
  ['%{d1}', 'com'],
  ['%{dr}', 'com.example.email'],
  ['%{d2r}', 'example.email'],
  ['%{l}', 'strong-bad'],
  ['%{l-}', 'strong.bad'],
  ['%{lr}', 'strong-bad'],
  ['%{lr-}', 'bad.strong'],
  ['%{l1r-}', 'strong'],
] as const) {
  test(`RFC 7208 §7.4: ${macro} is ${expected}`, async () => {
    const zone = `email TXT "v=spf1 -all exp=why.example.com"\nwhy TXT "${macro}"`
    const { explanation } = await check(zone, { ip: '192.0.2.3', sender: 'strong-bad@email.example.com' })
    assert.equal(explanation, expected)
  })
}

for (const [macro, ip, asked] of [
  ['%{ir}.%{v}._spf.%{d2}', '192.0.2.3', '3.2.0.192.in-addr._spf.example.com.'],
  ['%{lr-}.lp._spf.%{d2}', '192.0.2.3', 'bad.strong.lp._spf.example.com.'],
  ['%{lr-}.lp.%{ir}.%{v}._spf.%{d2}', '192.0.2.3', 'bad.strong.lp.3.2.0.192.in-addr._spf.example.com.'],
  ['%{ir}.%{v}.%{l1r-}.lp._spf.%{d2}', '192.0.2.3', '3.2.0.192.in-addr.strong.lp._spf.example.com.'],
  ['%{d2}.trusted-domains.example.net', '192.0.2.3', 'example.com.trusted-domains.example.net.'],
  [
    '%{ir}.%{v}._spf.%{d2}',
    '2001:db8::cb01',
    '1.0.b.c.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6._spf.example.com.',
  ],
] as const) {
  test(`RFC 7208 §7.4: ${macro} asks for ${asked}`, async () => {
    const dns = planted(`email TXT "v=spf1 exists:${macro} -all"`)
    await checkHost({ ip, sender: 'strong-bad@email.example.com', helo: 'h.example.com' }, dns)
    assert.ok(dns.asked.map(text => text.toLowerCase()).includes(`${asked} a`), dns.asked.join('\n'))
  })
}

test('RFC 7208 §7.3: upper-case macros are URL-escaped, percent signs and spaces have forms of their own', async () => {
  const zone = spf('v=spf1 -all exp=why.example.com', 'why TXT "%{L} %%%_%- %{S}"')
  const { explanation } = await check(zone, { sender: "jack&jill=up~!*'()@example.com" })
  assert.equal(explanation, 'jack%26jill%3Dup~%21%2A%27%28%29 % %20 jack%26jill%3Dup~%21%2A%27%28%29%40example.com')
})

test('RFC 7208 §7.3: c, r and t in explanations; an IPv6 client in dotted nibbles', async () => {
  const zone = spf('v=spf1 -all exp=why.example.com', 'why TXT "%{c} %{r} %{t} %{i} %{v}"')
  const question = { ip: '2001:DB8::1', receiver: 'mx.example.net', seconds: 1_234_567_890.9 }
  const { explanation } = await check(zone, question)
  assert.equal(
    explanation,
    '2001:db8::1 mx.example.net 1234567890 2.0.0.1.0.D.B.8.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1 ip6',
  )
})

test('RFC 7208 §7.3: %{p} is a name that leads back, the domain before others, or "unknown"', async () => {
  const zone = `@ TXT "v=spf1 -all exp=why.example.com"
why TXT "%{p}"
65.2.0.192.in-addr.arpa. PTR other.example.net.
65.2.0.192.in-addr.arpa. PTR liar.example.com.
65.2.0.192.in-addr.arpa. PTR amy.example.com.
other.example.net. A 192.0.2.65
liar A 192.0.2.1
amy A 192.0.2.65`
  assert.equal((await check(zone)).explanation, 'amy.example.com')
  assert.equal((await check(zone, { ip: '192.0.2.99' })).explanation, 'unknown')
})

for (const bad of ['%', '%{', '%{x}', '%{d', '%{d0}', '%(d)', '%{c}', '%{r}', '%{t}', '%{dd}', '%{d+2}', '%{-}']) {
  test(`RFC 7208 §7.1: exists:${bad}.example.com is a permanent error`, async () => {
    assert.equal((await check(spf(`v=spf1 exists:${bad}.example.com -all`))).result, 'permerror')
  })
}

for (const bad of [
  ...[
    'all.',
    'all:x',
    'all/8',
    'include',
    'include:',
    'exists',
    'ptr/0',
    'a:',
    'a:foo',
    'a/33',
    'a//129',
    'a/',
    'a/01',
  ],
  ...['a:192.0.2.1', 'a:example.com:8080', 'a:example.-com', 'mx:', 'mx/x', 'ip4', 'ip4:1.2.3', 'ip4:192.0.2.1/33'],
  ...[
    'ip4:192.0.2.01',
    'ip4:2001:db8::1',
    'ip6:192.0.2.1',
    'ip6:2001:db8::/129',
    'ip6:2001:db8::1::',
    'redirect:x.com',
  ],
  ...['exp=', 'redirect=', 'redirect=a redirect=b', 'moo', '!all', '-', '=x', 'moo:x=y', 'unknown=%{x}', 'a\x07'],
]) {
  test(`RFC 7208 §4.6 and §12: "${bad.replace('\x07', '\\x07')}" spoils the record wherever it stands`, async () => {
    assert.equal((await check(spf(`v=spf1 ip4:192.0.2.65 -all ${bad.replace('\x07', '\\007')}`))).result, 'permerror')
  })
}

for (const good of [
  ...['a', 'A:Example.COM', 'a/0', 'a//0', 'a/24//64', 'mx/24', 'a:foo:8080.example.com', 'a:%{d}', 'a:%{d}/24'],
  ...[
    'ptr:example.com',
    'exists:%{l1r+-}.%{d2}',
    'unknown=any:thing/%{d}',
    'x-y_z.1=',
    'exp=why.%{d}',
    '  ',
    '?all',
    '~ALL',
  ],
]) {
  test(`RFC 7208 §12: "${good}" is within the grammar`, async () => {
    assert.equal((await check(spf(`v=spf1 ip4:192.0.2.65 ${good}`))).result, 'pass')
  })
}

test('RFC 7208 §4.3: what is no name with two labels has no policy', async () => {
  const zone = spf('v=spf1 -all')
  for (const domain of ['localhost', 'a..example.com', `${'a'.repeat(64)}.example.com`, `${'a.'.repeat(130)}com`]) {
    assert.equal((await check(zone, { sender: `x@${domain}` })).result, 'none', domain)
  }
  assert.equal((await check(zone, { sender: '', helo: 'OEMCOMPUTER' })).result, 'none')
})

test('RFC 7208 §2.4: without a sender the HELO name is checked, as postmaster', async () => {
  const { result, explanation } = await check('mail TXT "v=spf1 -all exp=why.example.com"\nwhy TXT "%{s} %{h}"', {
    sender: '',
  })
  assert.equal(result, 'fail')
  assert.equal(explanation, 'postmaster@mail.example.com mail.example.com')
})

test('RFC 7208 §4.4: no answer for the record is a temporary error', async () => {
  assert.equal((await check(spf('v=spf1 -all'), {}, ['example.com.'])).result, 'temperror')
})

test('RFC 7208 §4.5: the version ends at a space or the end; case does not count; two records are too many', async () => {
  const pass = spf('v=spf1 +all')
  assert.equal((await check(spf('v=spf10 +all'))).result, 'none')
  assert.equal((await check(spf(' v=spf1 +all'))).result, 'none')
  assert.equal((await check(spf('v=spf1'))).result, 'neutral')
  assert.equal((await check(spf('V=SPF1 -ALL'))).result, 'fail')
  assert.equal((await check(`${pass}@ TXT "v=spf10 x"`)).result, 'pass')
  assert.equal((await check(`${pass}@ TXT "v=spf1 -all"`)).result, 'permerror')
  assert.equal((await check(`${pass}@ SPF "v=spf1 -all"`)).result, 'pass', 'type 99 is not looked at (§3.1)')
})

test('RFC 7208 §3.3: strings are joined without anything between', async () => {
  assert.equal((await check('@ TXT "v=spf1 ip4:192.0" ".2.65 -all"')).result, 'pass')
  assert.equal((await check('@ TXT "v=spf1" "-all"')).result, 'none')
})

test('RFC 7208 §4.6.4: ten terms may ask, the eleventh is a permanent error, all and addresses are free', async () => {
  const terms = (count: number) => `v=spf1 ip4:198.51.100.1 ${'a:amy.example.com '.repeat(count)}-all`
  const zone = 'amy A 192.0.2.1'
  const ten = await check(spf(terms(10), zone))
  assert.deepEqual([ten.result, ten.lookups], ['fail', 10])
  assert.equal((await check(spf(terms(11), zone))).result, 'permerror')
  const early = await check(spf(`v=spf1 ip4:192.0.2.65 ${'a:amy.example.com '.repeat(11)}-all`, zone))
  assert.deepEqual([early.result, early.lookups], ['pass', 0])
})

test('RFC 7208 §4.6.4: includes count with all that is below them', async () => {
  const zone = `in1 TXT "v=spf1 ${'a:amy.example.com '.repeat(4)}-all"
in2 TXT "v=spf1 ${'a:amy.example.com '.repeat(5)}-all"
amy A 192.0.2.1`
  assert.equal((await check(spf('v=spf1 include:in1.example.com include:in1.example.com -all', zone))).result, 'fail')
  assert.equal(
    (await check(spf('v=spf1 include:in1.example.com include:in2.example.com -all', zone))).result,
    'permerror',
  )
})

test('RFC 7208 §4.6.4: two lookups may find nothing, the third is a permanent error', async () => {
  const two = await check(spf('v=spf1 a:x.example.com mx:y.example.com ip4:192.0.2.65 -all'))
  assert.deepEqual([two.result, two.voidLookups], ['pass', 2])
  const three = spf('v=spf1 a:x.example.com mx:y.example.com exists:z.example.com ip4:192.0.2.65 -all')
  assert.equal((await check(three)).result, 'permerror')
})

test('RFC 7208 §4.6.4: more than ten mail servers are a permanent error', async () => {
  const zone = (count: number) =>
    Array.from({ length: count }, (_, i) => `@ MX ${i} m${i}\nm${i} A 198.51.100.${i}`).join('\n')
  assert.equal((await check(spf('v=spf1 mx -all', zone(10)))).result, 'fail')
  assert.equal((await check(spf('v=spf1 mx -all', zone(11)))).result, 'permerror')
})

test('RFC 7208 §5.5 and §4.6.4: of the reverse names the first ten count', async () => {
  const names = (at: number) =>
    Array.from(
      { length: 12 },
      (_, i) => `65.2.0.192.in-addr.arpa. PTR ${i === at ? 'amy' : `n${i}`}.example.com.`,
    ).join('\n')
  const zone = (at: number) => spf('v=spf1 ptr:amy.example.com -all', `amy A 192.0.2.65\n${names(at)}`)
  assert.equal((await check(zone(9))).result, 'pass')
  assert.equal((await check(zone(10))).result, 'fail')
})

test('RFC 7208 §5.5: errors on the way from a reverse name are names that do not match', async () => {
  const zone = spf('v=spf1 ptr -all', '65.2.0.192.in-addr.arpa. PTR amy.example.com.\namy A 192.0.2.65')
  assert.equal((await check(zone, {}, ['amy.example.com.'])).result, 'fail')
  assert.equal((await check(zone, {}, ['65.2.0.192.in-addr.arpa.'])).result, 'fail')
})

for (const [below, result] of [
  ['+all', 'pass'],
  ['-all', 'softfail'],
  ['~all', 'softfail'],
  ['?all', 'softfail'],
  ['moo', 'permerror'],
] as const) {
  test(`RFC 7208 §5.2: an included record with ${below} gives ${result}`, async () => {
    const zone = spf('v=spf1 include:in.example.com ~all', `in TXT "v=spf1 ${below}"`)
    assert.equal((await check(zone)).result, result)
  })
}

test('RFC 7208 §5.2: an include without a record is permanent, one without an answer temporary', async () => {
  const zone = spf('v=spf1 include:in.example.com ip4:192.0.2.65 -all')
  assert.equal((await check(zone)).result, 'permerror')
  assert.equal((await check(zone, {}, ['in.example.com.'])).result, 'temperror')
})

test('RFC 7208 §5.3 and §5.4: an address that cannot be had is a temporary error', async () => {
  assert.equal((await check(spf('v=spf1 a:amy.example.com -all'), {}, ['amy.example.com.'])).result, 'temperror')
  const mx = spf('v=spf1 mx -all', '@ MX 10 mail')
  assert.equal((await check(mx, {}, ['mail.example.com.'])).result, 'temperror')
})

test('RFC 7208 §5: IPv6 clients meet AAAA records and ip6; IPv4 in IPv6 is IPv4; exists always asks for A', async () => {
  const zone = spf('v=spf1 a:six.example.com//64 ip6:2001:db8:1::/48 -all', 'six AAAA 2001:db8::1\nsix A 192.0.2.65')
  assert.equal((await check(zone, { ip: '2001:db8::ffff' })).result, 'pass')
  assert.equal((await check(zone, { ip: '2001:db8:1:2::3' })).result, 'pass')
  assert.equal((await check(zone, { ip: '2001:db8:2::1' })).result, 'fail')
  assert.equal((await check(zone, { ip: '::ffff:192.0.2.65' })).result, 'pass')
  const exists = spf('v=spf1 exists:six.example.com -all', 'six A 127.0.0.2')
  assert.equal((await check(exists, { ip: '2001:db8::1' })).result, 'pass')
})

test('RFC 7208 §6.1: redirect counts when nothing matches, and never beside all', async () => {
  const zone = 'r TXT "v=spf1 ip4:192.0.2.65 -all"'
  assert.equal((await check(spf('v=spf1 redirect=r.example.com', zone))).result, 'pass')
  assert.equal((await check(spf('v=spf1 redirect=r.example.com', zone), { ip: '192.0.2.1' })).result, 'fail')
  assert.equal((await check(spf('v=spf1 redirect=r.example.com ?all', zone))).result, 'neutral')
  assert.equal((await check(spf('v=spf1 redirect=gone.example.com'))).result, 'permerror')
})

test('RFC 7208 §6.1 and §4.6.4: records that lead to each other end with a permanent error', async () => {
  assert.equal((await check(spf('v=spf1 redirect=example.com'))).result, 'permerror')
  const zone = spf('v=spf1 include:b.example.com -all', 'b TXT "v=spf1 include:example.com -all"')
  assert.equal((await check(zone)).result, 'permerror')
})

test('RFC 7208 §6.2: the explanation of the record that decided, never of an included one', async () => {
  const zone = `r TXT "v=spf1 -all exp=inner.example.com"
inner TXT "inner %{d}"
outer TXT "outer %{d}"`
  const redirected = await check(spf('v=spf1 redirect=r.example.com exp=outer.example.com', zone))
  assert.equal(redirected.explanation, 'inner r.example.com')
  const included = await check(spf('v=spf1 include:r.example.com -all exp=outer.example.com', zone))
  assert.equal(included.explanation, 'outer example.com')
})

test('RFC 7208 §6.2: an explanation that cannot be had changes nothing', async () => {
  for (const more of ['', 'why TXT "one"\nwhy TXT "two"', 'why TXT "%{nonsense}"', 'why TXT "\\195\\188"']) {
    const { result, explanation } = await check(spf('v=spf1 -all exp=why.example.com', more))
    assert.deepEqual([result, explanation], ['fail', undefined], more)
  }
  const { result, explanation } = await check(spf('v=spf1 -all exp=why.example.com'), {}, ['why.example.com.'])
  assert.deepEqual([result, explanation], ['fail', undefined])
})

test('RFC 7208 §7.3: a name over 253 characters loses labels on the left', async () => {
  const dns = planted('@ TXT "v=spf1 exists:%{l}.example.com -all"')
  await checkHost({ ip: '192.0.2.1', sender: `${'abcdefghi.'.repeat(30)}z@example.com`, helo: 'h.example.com' }, dns)
  const name = dns.asked.find(text => text.endsWith(' A'))?.split(' ')[0] ?? ''
  assert.ok(name.length <= 254 && name.length > 240 && name.endsWith('.z.example.com.'), name)
})

test('RFC 8616 §4: a local part outside ASCII matches no term that holds it', async () => {
  const zone = spf('v=spf1 exists:%{l}.example.com -all')
  assert.equal((await check(zone, { sender: 'jörg@example.com' })).result, 'fail')
})

test('characters that mean something in names are asked for as they are', async () => {
  const dns = planted('@ TXT "v=spf1 exists:%{l}.example.com -all"')
  await checkHost({ ip: '192.0.2.1', sender: 'a(b)"c\\d@example.com', helo: 'h.example.com' }, dns)
  assert.ok(dns.asked.includes('a\\(b\\)\\"c\\\\d.example.com. A'), dns.asked.join('\n'))
})
