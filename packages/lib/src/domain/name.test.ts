import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { findAddress, formatAddress } from '../ip/address.ts'
import { parseDomain, parseHost, parseUrl } from './name.ts'

const refused = (read: (typed: string) => unknown, typed: string, message?: RegExp) =>
  assert.throws(
    () => read(typed),
    (error: unknown) => {
      assert.ok(error instanceof RangeError, `${JSON.stringify(typed)}: ${error}`)
      assert.match(error.message, /^expected /)
      if (message) assert.match(error.message, message)
      return true
    },
    JSON.stringify(typed),
  )

test('[VAL-001] the name is trimmed first', () => {
  assert.equal(parseDomain(' example.com ').ascii, 'example.com')
  assert.equal(parseDomain('\texample.com\r\n').ascii, 'example.com')
  assert.equal(parseDomain('\u00a0example.com').ascii, 'example.com')
})

test('[VAL-002] letters, digits, hyphens, dots, and a top-level part of two or more letters', () => {
  for (const name of ['a-1.com', 'sub.example.co', 'a.b.c.d.example.museum', '500px.com', '1.1.1.1.in-addr.arpa']) {
    assert.equal(parseDomain(name).ascii, name)
  }
  for (const typed of ['example', 'example.c', 'exa mple.com', 'example.c0', 'abc', '', ' ', '.', '..', 'com']) {
    refused(parseDomain, typed)
  }
})

test('[VAL-003] [VAL-004] no scheme, no path, no user, no port', () => {
  refused(parseDomain, 'https://example.com', /without a scheme/)
  refused(parseDomain, 'example.com/a', /without a path/)
  refused(parseDomain, 'someone@example.com', /without a user name/)
  refused(parseDomain, 'example.com:80', /without a port/)
  refused(parseDomain, 'example.com?a')
  refused(parseDomain, 'example.com#a')
})

test('[OPEN-037] names of other scripts are mapped by UTS 46 and come in both forms', () => {
  for (const [typed, ascii, unicode] of [
    ['münchen.example', 'xn--mnchen-3ya.example', 'münchen.example'],
    ['MÜNCHEN.EXAMPLE', 'xn--mnchen-3ya.example', 'münchen.example'],
    ['mu\u0308nchen.example', 'xn--mnchen-3ya.example', 'münchen.example'],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example', 'münchen.example'],
    ['XN--MNCHEN-3YA.example', 'xn--mnchen-3ya.example', 'münchen.example'],
    ['кремль.рф', 'xn--e1ajeds9e.xn--p1ai', 'кремль.рф'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah', '例え.テスト'],
    ['Ｅｘａｍｐｌｅ．ｃｏｍ', 'example.com', 'example.com'],
    ['example。com', 'example.com', 'example.com'],
    ['example｡com。', 'example.com', 'example.com'],
    ['Kelvin.example', 'kelvin.example', 'kelvin.example'],
  ] as const) {
    const name = parseDomain(typed)
    assert.deepEqual([name.ascii, name.unicode], [ascii, unicode], typed)
    assert.deepEqual(parseDomain(name.unicode), name)
  }
})

test('UTS 46 §2.3: sharp s, final sigma and joiners keep their meaning (non-transitional)', () => {
  assert.equal(parseDomain('faß.de').ascii, 'xn--fa-hia.de')
  assert.equal(parseDomain('βόλος.com').ascii, 'xn--nxasmm1c.com')
  assert.equal(parseDomain('نامه\u200cای.com').ascii, 'xn--mgba3gch31f060k.com')
  assert.equal(parseDomain('ශ්\u200dරී.com').ascii, 'xn--10cl1a0b660p.com')
})

test('RFC 5892 §A.1: a joiner without its context is refused', () => {
  refused(parseDomain, 'exa\u200cmple.com')
  refused(parseDomain, 'exa\u200dmple.com')
  refused(parseDomain, '\u200cexample.com')
})

test('RFC 5893 §2: a label that mixes directions is refused', () => {
  refused(parseDomain, 'abcא.com')
  refused(parseDomain, '0א.com')
})

test('UTS 46 §4: A-labels that are not the form of their U-label are refused', () => {
  for (const label of ['xn--', 'xn--a', 'xn--example-', 'xn--99999999', 'xn--fa-hia\u00e9', 'xn--www-hia-']) {
    refused(parseDomain, `${label}.com`)
  }
})

test('[OPEN-037] xn-- top-level parts are names; RFC 8552: so are underscore labels', () => {
  assert.equal(parseDomain('example.xn--p1ai').ascii, 'example.xn--p1ai')
  assert.equal(parseDomain('_dmarc.example.com').ascii, '_dmarc.example.com')
  assert.equal(parseDomain('s1._domainkey.example.com').ascii, 's1._domainkey.example.com')
  assert.equal(parseDomain('_443._tcp.example.com').ascii, '_443._tcp.example.com')
  refused(parseDomain, 'example._com')
})

test('[OPEN-037] RFC 1035 §2.3.4: 63 for a label, 253 for the name, with the reason', () => {
  const label = 'a'.repeat(63)
  assert.equal(parseDomain(`${label}.com`).labels[0], label)
  refused(parseDomain, `${label}a.com`, /at most 63 characters, not 64/)
  refused(parseDomain, `${'ü'.repeat(60)}.com`, /at most 63 characters/)
  const longest = `${label}.${label}.${label}.${'b'.repeat(57)}.com`
  assert.equal(longest.length, 253)
  assert.equal(parseDomain(longest).ascii, longest)
  assert.equal(parseDomain(`${longest}.`).ascii, longest)
  refused(parseDomain, `b${longest}`, /at most 6?2?5?3/)
  refused(parseDomain, `${label}.${label}.${label}.${'b'.repeat(58)}.com`, /at most 253 characters/)
})

test('RFC 1034 §3.1: one final dot, and no other empty label', () => {
  assert.equal(parseDomain('example.com.').ascii, 'example.com')
  for (const typed of ['example.com..', '.example.com', 'a..b.com', '。example.com', 'example。。com']) {
    refused(parseDomain, typed, /between its dots/)
  }
})

test('RFC 1123 §2.1: hyphens only inside a label, so that no name looks like an option', () => {
  for (const typed of ['--help.com', '-a.com', 'a-.com', 'a.-b.com', 'example.com-', '--help']) {
    refused(parseDomain, typed, /hyphen/)
  }
  assert.equal(parseDomain('r3---sn-a.example').ascii, 'r3---sn-a.example')
})

test('a single label is a name only where a top-level name may be asked for', () => {
  assert.equal(parseDomain('com', { topLevel: true }).ascii, 'com')
  assert.equal(parseDomain('рф.', { topLevel: true }).ascii, 'xn--p1ai')
  refused(typed => parseDomain(typed, { topLevel: true }), 'c')
  refused(typed => parseDomain(typed, { topLevel: true }), '127')
})

const spellingsOfLoopback = [
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0x7f.0.0.1',
  '0X7F.0X0.0X0.0X1',
  '017700000001',
  '0177.0.0.1',
  '0177.0.0.01',
  '127.0.0.01',
  '127.0.0.1.',
  '127.0.0.1..',
  '1２7.0.0.1',
  '１２７.０.０.１',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '127．0．0．1',
  '127｡0｡0｡1',
  '①②⑦。⓪。⓪。①',
  '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
  '127%2e0%2e0%2e1',
  '%31%32%37.0.0.1',
  '127.0.0.1%00.example.com',
  '127.0.0.1\u0000.example.com',
  '12\u00ad7.0.0.1',
  '127.0.0.1\u200b',
  '127.0.\n0.1',
  '127.0\t.0.1',
  '12 7.0.0.1',
  '4294967297',
  '256.0.0.1',
  '999.1.1.1',
  '127.0.0.1.0x1',
  'example.0x7f',
  'example.0x',
  '0',
  '0.',
  '00',
  '127',
  '٣٢.1.1.1',
]

test('odd spellings of an IPv4 address are neither a name nor a host nor part of a web address', () => {
  for (const typed of spellingsOfLoopback) {
    refused(parseHost, typed)
    refused(parseUrl, `http://${typed}/`)
    refused(parseUrl, typed)
    refused(text => parseDomain(text, { topLevel: true }), typed)
  }
  refused(parseDomain, '127.0.0.1', /not an IP address/)
})

const invisible = [
  ...Array.from({ length: 32 }, (_, i) => i),
  ...Array.from({ length: 33 }, (_, i) => 0x7f + i),
  ...[0x00ad, 0x034f, 0x061c, 0x115f, 0x17b4, 0x180e, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029],
  ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2061, 0x2066, 0x2067, 0x2068, 0x2069],
  ...[0x3164, 0xd800, 0xdfff, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xe0001, 0xe0061],
].map(code => (code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code)))

test('controls, bidirectional controls and invisible characters are refused, which new URL would drop or map away', () => {
  for (const character of invisible) {
    for (const read of [parseDomain, parseHost, parseUrl]) refused(read, `exam${character}ple.com`)
    refused(parseUrl, `https://exam${character}ple.com/`)
    refused(parseUrl, `ht${character}tps://example.com/`)
    refused(typed => parseUrl(typed, { query: true }), `https://example.com/a${character}b?${character}`)
  }
})

test('backslash, percent sign, space and user information are refused in any host', () => {
  for (const typed of [
    'example.com\\@127.0.0.1',
    'example.com\\.internal',
    '\\\\example.com',
    'example%2ecom',
    'example.com%2f.internal',
    'example.com%00',
    'user@example.com',
    'user:password@example.com',
    '@example.com',
    'example.com@',
    'exa mple.com',
    'example.com\u3000.internal',
    'example.com#@127.0.0.1',
    'exa$mple.com',
    'exa!mple.com',
    'exa*mple.com',
    '*.example.com',
    'exa,mple.com',
    "exa'mple.com",
    'exa"mple.com',
    'exa`mple.com',
    'exa<mple.com',
    '(example.com)',
    '[example.com]',
    '{example.com}',
    '℀.com',
    '﹪2e.com',
    'a／b.com',
    'a＠b.com',
    'a：80.com',
  ]) {
    refused(parseDomain, typed)
    refused(parseHost, typed)
    refused(parseUrl, `https://${typed}/`)
  }
})

test('[VAL-008] [VAL-009] [VAL-010] a host is a name or an address', () => {
  assert.deepEqual(parseHost('8.8.8.8').ascii, '8.8.8.8')
  assert.equal(parseHost('8.8.8.8').kind, 'address')
  assert.equal(parseHost(' example.com ').ascii, 'example.com')
  assert.equal(parseHost('2001:DB8:0:0:0:0:0:1').ascii, '2001:db8::1')
  for (const typed of [
    'x y',
    'localhost',
    'fe80::1%eth0',
    '[::1]',
    '1.2.3.4/24',
    '1.2.3.4-5',
    '10.0.0.0/8',
    '8.8.8.8:53',
  ]) {
    refused(parseHost, typed)
  }
  refused(parseHost, '999.1.1.1', /four decimal numbers/)
  refused(parseHost, '2001:db8::g', /IPv6/)
})

test('[VAL-011] an optional http or https scheme, and no other', () => {
  for (const [typed, href, schemeGiven] of [
    ['example.com', 'https://example.com/', false],
    ['http://example.com', 'http://example.com/', true],
    ['https://example.com', 'https://example.com/', true],
    ['HTTPS://EXAMPLE.COM/Path', 'https://example.com/Path', true],
    ['example.com:8080/x', 'https://example.com:8080/x', false],
    ['http://example.com:80/', 'http://example.com/', true],
    ['https://example.com.', 'https://example.com/', true],
    ['https://münchen.example/ok', 'https://xn--mnchen-3ya.example/ok', true],
    ['http://192.0.2.1:8080', 'http://192.0.2.1:8080/', true],
    ['http://[2001:DB8:0::1]:8443/', 'http://[2001:db8::1]:8443/', true],
  ] as const) {
    const url = parseUrl(typed)
    assert.deepEqual([url.href, url.schemeGiven], [href, schemeGiven], typed)
  }
  for (const scheme of [
    'ftp',
    'file',
    'gopher',
    'dict',
    'ws',
    'wss',
    'data',
    'javascript',
    'blob',
    'ldap',
    'jar',
    'httpss',
  ]) {
    refused(parseUrl, `${scheme}://example.com/`)
  }
  for (const typed of [
    'javascript:alert(1)',
    'data:text/html,x',
    'mailto:a@example.com',
    '//example.com/',
    '/path',
    '?q',
  ]) {
    refused(parseUrl, typed)
  }
  for (const typed of ['http:/example.com', 'http:example.com', 'http:///example.com', 'http://', 'https://:443/']) {
    refused(parseUrl, typed)
  }
})

test('[VAL-012] the host has a dot', () => {
  refused(parseUrl, 'http://localhost')
  refused(parseUrl, 'http://intranet/')
  refused(parseUrl, 'localhost:8080')
})

test('[VAL-013] [OPEN-039] a simple path; a query only where asked for', () => {
  assert.equal(parseUrl('https://example.com/a/b').path, '/a/b')
  assert.equal(parseUrl('https://example.com/a-b/c.html').path, '/a-b/c.html')
  assert.equal(parseUrl('https://example.com/a%2Fb/~c_d').path, '/a%2Fb/~c_d')
  for (const tail of ['?q=1', '/?q=1', '/#a', '#', '/a b', '/%', '/%2', '/%zz', '/a;b', '/é', "/'", '/"', '/<', '/|']) {
    refused(parseUrl, `https://example.com${tail}`)
  }
  const url = parseUrl('https://example.com/dns-query?dns=AAAB&x=é#part', { query: true })
  assert.deepEqual(
    [url.href, url.path],
    ['https://example.com/dns-query?dns=AAAB&x=%C3%A9', '/dns-query?dns=AAAB&x=%C3%A9'],
  )
})

test('a port is a number from 1 to 65535 and nothing else', () => {
  assert.equal(parseUrl('https://example.com').port, 443)
  assert.equal(parseUrl('http://example.com').port, 80)
  assert.equal(parseUrl('http://example.com:65535').port, 65535)
  for (const port of [
    '',
    '0',
    '65536',
    '99999',
    '080',
    '-1',
    '+80',
    '8 0',
    '0x50',
    '1e2',
    '８０',
    '80:80',
    '80a',
    '443@a',
  ]) {
    refused(parseUrl, `http://example.com:${port}/`)
  }
})

test('brackets hold an IPv6 address and nothing else', () => {
  for (const host of [
    '[127.0.0.1]',
    '[example.com]',
    '[]',
    '[::1',
    '::1]',
    '::1',
    '[::1]a',
    '[[::1]]',
    '[fe80::1%25eth0]',
    '[::1%25]',
    '[v1.x]',
    '[::ffff:127.1]',
    '[::ffff:0x7f.0.0.1]',
  ]) {
    refused(parseUrl, `http://${host}/`)
  }
})

test('a text without end is refused by its length alone', () => {
  for (const unit of ['a', 'a.', '-', '.', 'ü', 'xn--', '①', '\u200c', '[', ':', '@', '/', '%2f', ' a']) {
    const typed = unit.repeat(1_000_000 / unit.length)
    for (const read of [parseDomain, parseHost, parseUrl]) refused(read, typed)
  }
  refused(parseDomain, ' '.repeat(1_000_000))
})

test('RFC 9110 §4.1: 8000 characters where a query may stand, 2048 where somebody types', () => {
  const url = (length: number) => 'https://example.com/'.padEnd(length, 'a')
  assert.equal(parseUrl(url(2048)).href.length, 2048)
  refused(parseUrl, url(2049), /2048/)
  assert.equal(parseUrl(url(8000), { query: true }).href.length, 8000)
  refused(typed => parseUrl(typed, { query: true }), url(8001), /8000/)
})

test('a refusal never repeats what was typed', () => {
  for (const typed of ['shop404.', 'timeout_dev', 'x500 y.com', 'https://forbidden@a.com', 'refused/..']) {
    for (const read of [parseDomain, parseHost, parseUrl]) {
      assert.throws(
        () => read(typed),
        (error: unknown) => error instanceof RangeError && !/404|timeout|500|forbidden|refused/.test(error.message),
      )
    }
  }
})

/** Texts from the pieces that parsers disagree about. */
const piece = fc.constantFrom(
  ...['http://', 'https://', 'HTTP:', '//', '/', '\\', '@', ':', '?', '#', '.', '。', '%2e', '%', '[', ']', '\t', '\n'],
  ...['example', 'com', 'münchen', 'xn--', 'xn--p1ai', '127.0.0.1', '127.1', '0x7f', '①②⑦', '::1', '::ffff:10.0.0.1'],
  ...[
    '2130706433',
    'localhost',
    'a',
    '-',
    '_',
    ' ',
    '\u00ad',
    '\u200c',
    '\u202e',
    '80',
    '8080',
    'user',
    '～',
    'ß',
    'İ',
  ],
)
const anyUrl = fc.oneof(
  fc.array(piece, { maxLength: 9 }).map(parts => parts.join('')),
  fc.array(piece, { maxLength: 7 }).map(parts => `http://${parts.join('')}`),
  fc.webUrl(),
  fc.string({ unit: 'binary', maxLength: 40 }).map(text => `http://${text}`),
  fc.ipV6().map(text => `http://[${text}]/`),
  fc.ipV4Extended().map(text => `http://${text}/`),
)

test('any text: refused, or new URL finds the same host in it', () => {
  // As below: its tables are of another Unicode version.
  let onlyOurs = 0
  fc.assert(
    fc.property(anyUrl, fc.boolean(), (typed, query) => {
      let parsed: ReturnType<typeof parseUrl>
      try {
        parsed = parseUrl(typed, { query })
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error))
        return
      }
      const whole = parsed.schemeGiven ? typed.trim() : `https://${typed.trim()}`
      if (!URL.canParse(whole)) {
        onlyOurs++
        return
      }
      const url = new URL(whole)
      const hostname = url.hostname.replace(/^\[|\]$|\.$/g, '')
      const address = findAddress(hostname)
      assert.equal(parsed.host.ascii, address ? formatAddress(address) : hostname, JSON.stringify(typed))
      assert.equal(parsed.host.kind, address ? 'address' : 'domain')
      assert.equal(parsed.port, Number(url.port || (url.protocol === 'http:' ? 80 : 443)))
      assert.equal(`${parsed.scheme}:`, url.protocol)
      assert.deepEqual(parseUrl(parsed.href, { query: true }).href, parsed.href)
    }),
    { numRuns: 20_000 },
  )
  assert.ok(onlyOurs <= 10, `${onlyOurs} addresses that Node refuses`)
})

test('any name: refused, or node:url maps it alike and reading it again changes nothing', () => {
  const label = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...'abcxyz019-_Üßœдאا中日ｅ①'), minLength: 1, maxLength: 70 }),
  )
  // Node's tables are of another Unicode version: the bidirectional class of U+2E53, say, is not the same in both.
  let onlyOurs = 0
  fc.assert(
    fc.property(
      fc.array(label, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('com', 'рф', 'museum', 'c'),
      (parts, top) => {
        const typed = [...parts, top].join('.')
        let name: ReturnType<typeof parseDomain>
        try {
          name = parseDomain(typed)
        } catch (error) {
          assert.ok(error instanceof RangeError, String(error))
          return
        }
        const theirs = domainToASCII(typed.trim()).replace(/\.$/, '')
        if (theirs) assert.equal(name.ascii, theirs)
        else onlyOurs++
        assert.deepEqual(parseDomain(name.ascii), name)
        assert.deepEqual(parseDomain(name.unicode), name)
      },
    ),
    { numRuns: 5_000 },
  )
  assert.ok(onlyOurs <= 10, `${onlyOurs} names that Node refuses`)
})
