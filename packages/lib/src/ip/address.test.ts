import assert from 'node:assert/strict'
import { isIPv4, isIPv6 } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addressOfBytes,
  bytesOf,
  contains,
  equalAddresses,
  findAddress,
  formatAddress,
  formatPrefix,
  parseAddress,
  parsePrefix,
  rangeOf,
  reverseName,
} from './address.ts'

const canonical = (text: string) => formatAddress(parseAddress(text))

test('RFC 4291 §2.2: the three forms of the examples mean the same', () => {
  for (const [long, short] of [
    ['ABCD:EF01:2345:6789:ABCD:EF01:2345:6789', 'abcd:ef01:2345:6789:abcd:ef01:2345:6789'],
    ['2001:DB8:0:0:8:800:200C:417A', '2001:db8::8:800:200c:417a'],
    ['FF01:0:0:0:0:0:0:101', 'ff01::101'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['0:0:0:0:0:0:13.1.68.3', '::d01:4403'],
    ['::13.1.68.3', '::d01:4403'],
    ['0:0:0:0:0:FFFF:129.144.52.38', '::ffff:129.144.52.38'],
    ['::FFFF:8190:3426', '::ffff:129.144.52.38'],
  ] as const) {
    assert.equal(canonical(long), short)
    assert.ok(equalAddresses(parseAddress(long), parseAddress(short)))
  }
})

test('RFC 5952 §4: zeros suppressed, longest run shortened, first of equals, never a single group, lower case', () => {
  for (const [written, expected] of [
    ['2001:0db8::0001', '2001:db8::1'],
    ['2001:db8:0:0:0:0:2:1', '2001:db8::2:1'],
    ['2001:db8::1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:DB8::AAAA', '2001:db8::aaaa'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8'],
    ['fe80::', 'fe80::'],
  ] as const) {
    assert.equal(canonical(written), expected)
  }
})

test('[VAL-006] [VAL-007] [OPEN-038] RFC 4291 §2.2: whole and compressed addresses are read', () => {
  for (const text of ['2001:4860:4860:0:0:0:0:8888', '2001:4860:4860::8888', '2001:db8::1', '::1', '::', '1::8']) {
    assert.ok(findAddress(text), text)
  }
})

test('RFC 4291 §2.2: what is no IPv6 address is refused', () => {
  for (const text of [
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8::',
    '::1:2:3:4:5:6:7:8',
    '1::2:3:4:5:6:7:8',
    '1::2::3',
    ':::',
    ':1',
    '1:',
    ':',
    ':1:2:3:4:5:6:7:8',
    '12345::',
    'g::',
    '0x1::',
    '+1::',
    ' ::1',
    '::1 ',
    '[::1]',
    'fe80::1%eth0',
    'fe80::1%1',
    '::1/128',
    '::1.2.3',
    '::1.2.3.4.5',
    '::01.2.3.4',
    '::256.1.1.1',
    '1.2.3.4::',
    '::1.2.3.4:5',
    '1:2:3:4:5:6:7:1.2.3.4',
    '::١',
    '１::',
    '::1\n',
  ]) {
    assert.equal(findAddress(text), undefined, JSON.stringify(text))
  }
})

test('[VAL-005] [OPEN-038] IPv4 is four decimal numbers up to 255', () => {
  assert.equal(canonical('8.8.8.8'), '8.8.8.8')
  assert.equal(canonical('255.255.255.255'), '255.255.255.255')
  assert.equal(parseAddress('1.2.3.4').value, 0x01020304n)
  for (const text of ['8.8.8', '8.8.8.8.8', '8888.1.1.1', '999.1.1.1', '256.0.0.1', '1.2.3.256']) {
    assert.equal(findAddress(text), undefined, text)
  }
})

test('RFC 6943 §3.1.1: looser spellings of IPv4 are refused, since readers disagree about them', () => {
  for (const text of [
    '127.1',
    '127.0.1',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0x7f.1',
    '0x7f.0x0.0x0.0x1',
    '0177.0.0.1',
    '0177.0.0.01',
    '127.0.0.01',
    '08.8.8.8',
    '00.0.0.0',
    '127.0.0.1.',
    '.127.0.0.1',
    '127..0.1',
    '127.0.0.0x1',
    '1e0.1.1.1',
    '-1.1.1.1',
    '+1.1.1.1',
    '1.1.1.1 ',
    '1.1.1.1\t',
    '１２７.0.0.1',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '127.0.0.1%00',
    '127.0.0.1/8',
    '',
    '.',
    '...',
  ]) {
    assert.equal(findAddress(text), undefined, JSON.stringify(text))
  }
})

test('a refusal says what was expected and does not repeat the text', () => {
  assert.throws(() => parseAddress('shop404.example'), {
    name: 'RangeError',
    message: 'expected an IPv4 address such as 192.0.2.1 or an IPv6 address such as 2001:db8::1',
  })
})

test('node:net and the library accept the same spellings', () => {
  const part = fc.oneof(
    fc.integer({ min: 0, max: 300 }).map(String),
    fc.integer({ min: 0, max: 0x1ffff }).map(n => n.toString(16)),
    fc.constantFrom('', '0', '00', '01', '0x1', '1e1', ' ', '1.2.3.4', 'ffff', '٣'),
  )
  const spelling = fc
    .tuple(
      fc.array(part, { minLength: 1, maxLength: 10 }),
      fc.constantFrom('.', ':', '::'),
      fc.constantFrom('', '::', ':'),
    )
    .map(([parts, separator, edge]) => edge + parts.join(separator) + edge)
  fc.assert(
    fc.property(fc.oneof(spelling, fc.ipV4(), fc.ipV6(), fc.ipV4Extended(), fc.string()), text => {
      if (text.includes('%')) return
      const found = findAddress(text)
      assert.equal(found?.version === 4, isIPv4(text), text)
      assert.equal(found?.version === 6, isIPv6(text), text)
    }),
    { numRuns: 20_000 },
  )
})

test('new URL and the library write IPv6 alike, IPv4-mapped addresses aside', () => {
  const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }))
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), groups => {
      const written = groups.map(part => part.toString(16)).join(':')
      const address = parseAddress(written)
      assert.deepEqual(parseAddress(formatAddress(address)), address)
      if (address.value >> 32n !== 0xffffn) {
        assert.equal(`[${formatAddress(address)}]`, new URL(`http://[${written}]/`).hostname)
      }
    }),
    { numRuns: 5_000 },
  )
})

test('bytes and addresses turn into each other', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(4, 16).chain(length => fc.uint8Array({ minLength: length, maxLength: length })),
      bytes => {
        assert.deepEqual(bytesOf(addressOfBytes(bytes)), Uint8Array.from(bytes))
      },
    ),
  )
  for (const length of [0, 3, 5, 15, 17]) assert.throws(() => addressOfBytes(new Uint8Array(length)), RangeError)
})

test('RFC 1035 §3.5: the reverse name of 10.2.0.52', () => {
  assert.equal(reverseName('10.2.0.52'), '52.0.2.10.in-addr.arpa')
})

test('RFC 3596 §2.5: the reverse name of 4321:0:1:2:3:4:567:89ab', () => {
  assert.equal(
    reverseName('4321:0:1:2:3:4:567:89ab'),
    'b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.0.0.0.0.1.2.3.4.ip6.arpa',
  )
  assert.equal(reverseName('::1'), `1.${'0.'.repeat(31)}ip6.arpa`)
})

test('RFC 4632 §3.1: a block holds its first and last address and none beside them', () => {
  for (const text of [
    '0.0.0.0/0',
    '10.0.0.0/8',
    '192.168.1.4/30',
    '203.0.113.7/32',
    '::/0',
    '2001:db8::/32',
    '::1/128',
  ]) {
    const block = parsePrefix(text)
    const { first, last } = rangeOf(block)
    assert.equal(formatPrefix(block), text)
    assert.ok(contains(block, first) && contains(block, last))
    assert.equal(last.value - first.value + 1n, 1n << BigInt((block.version === 4 ? 32 : 128) - block.length))
    if (first.value > 0n) assert.ok(!contains(block, { ...first, value: first.value - 1n }))
    if (block.length > 0) assert.ok(!contains(block, { ...last, value: last.value + 1n }) || text === '::/0')
  }
})

test('an IPv4 address lies in no IPv6 block', () => {
  assert.ok(!contains(parsePrefix('::/0'), parseAddress('1.2.3.4')))
  assert.ok(!contains(parsePrefix('::ffff:0:0/96'), parseAddress('1.2.3.4')))
  assert.ok(!contains(parsePrefix('0.0.0.0/0'), parseAddress('::ffff:1.2.3.4')))
})

test('what is no block is refused', () => {
  for (const text of [
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.1/8',
    '10/8',
    '2001:db8::/129',
    '2001:db8::1/64',
    '/8',
    'localhost/8',
    '10.0.0.0/255.0.0.0',
    ' 10.0.0.0/8',
  ]) {
    assert.throws(() => parsePrefix(text), RangeError, text)
  }
})
