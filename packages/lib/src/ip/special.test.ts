import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Address, contains, formatAddress, parseAddress, parsePrefix, rangeOf } from './address.ts'
import { embeddedIpv4 } from './embedded.ts'
import { type Block, classify, globalUnicast, ipv4Blocks, ipv6Blocks } from './special.ts'

const isPublic = (text: string) => classify(parseAddress(text)).public
const next = (address: Address, step: bigint): Address => ({ ...address, value: address.value + step })
const inRange = ({ version, value }: Address) => value >= 0n && value < 1n << (version === 4 ? 32n : 128n)

/** Written apart from the code under test: a plain walk over the rows. */
function expected(address: Address): boolean {
  const rows = address.version === 4 ? ipv4Blocks : ipv6Blocks
  if (rows.some(({ prefix }) => contains(parsePrefix(prefix), address))) return false
  if (address.version === 4) return true
  const isatap = /:0?200:5efe:|:0?0?0?0:5efe:/.test(
    Array.from({ length: 8 }, (_, i) => `:${((address.value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)}`)
      .slice(4, 6)
      .join('')
      .concat(':'),
  )
  return contains(parsePrefix(globalUnicast.prefix), address) && !isatap
}

for (const row of [...ipv4Blocks, ...ipv6Blocks]) {
  test(`${row.rfc}: ${row.prefix} (${row.name}) from its first to its last address, and its neighbours`, () => {
    const { first, last } = rangeOf(parsePrefix(row.prefix))
    for (const inside of [first, last, next(first, (last.value - first.value) / 2n)]) {
      const found = classify(inside)
      assert.equal(found.public, false, formatAddress(inside))
      assert.ok(found.block)
      assert.ok(contains(parsePrefix(row.prefix), parseAddress(found.block.prefix.split('/')[0] ?? '')))
    }
    for (const outside of [next(first, -1n), next(last, 1n)].filter(inRange)) {
      assert.equal(classify(outside).public, expected(outside), formatAddress(outside))
    }
  })
}

test('IANA registries of 2026-07-18: the neighbours of blocks in ordinary space are public', () => {
  for (const text of [
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '168.63.129.15',
    '168.63.129.17',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '191.255.255.255',
    '192.0.1.0',
    '192.0.3.0',
    '192.31.195.255',
    '192.31.197.0',
    '192.88.98.255',
    '192.88.100.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '198.51.99.255',
    '198.51.101.0',
    '203.0.112.255',
    '203.0.114.0',
    '223.255.255.255',
    '1.0.0.0',
    '2001:200::',
    '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db9::',
    '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2003::',
    '2000::',
    '2620:4f:7fff:ffff:ffff:ffff:ffff:ffff',
    '2620:4f:8001::',
    '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3fff:1000::',
    '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ]) {
    assert.ok(isPublic(text), text)
  }
})

test('RFC 4291 §2.4: nothing outside 2000::/3 is public', () => {
  for (const text of ['1::1', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '4000::', '4000::1', '6000::1', '8000::1']) {
    assert.equal(isPublic(text), false, text)
  }
  for (const text of ['a000::1', 'c000::1', 'e000::1', 'f000::1', 'fe00::1', '::ffff:0:808:808', '::1:0:0:1']) {
    assert.deepEqual(classify(parseAddress(text)).block?.name, 'Not assigned as global unicast', text)
  }
})

test('well-known public addresses are public', () => {
  for (const text of [
    '8.8.8.8',
    '1.1.1.1',
    '9.9.9.9',
    '198.41.0.4',
    '93.184.215.14',
    '100.0.0.1',
    '192.0.78.24',
    '2001:4860:4860::8888',
    '2606:4700:4700::1111',
    '2620:fe::fe',
    '2001:503:ba3e::2:30',
    '2801:1b8:10::b',
    '2a00:1450:4001:82a::200e',
  ]) {
    assert.deepEqual(classify(text), { public: true }, text)
  }
})

test('addresses that clouds answer on are not public', () => {
  for (const text of [
    '169.254.169.254',
    '169.254.170.2',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd20:ce::254',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
  ]) {
    assert.equal(isPublic(text), false, text)
  }
})

test('IPv4 inside IPv6 never makes an address public, whatever it carries', () => {
  const hex = (text: string) => {
    const { value } = parseAddress(text)
    return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`
  }
  const inverted = (text: string) => {
    const value = ~parseAddress(text).value & 0xffff_ffffn
    return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`
  }
  for (const [inner, innerPublic] of [
    ['127.0.0.1', false],
    ['10.0.0.1', false],
    ['169.254.169.254', false],
    ['168.63.129.16', false],
    ['8.8.8.8', true],
  ] as const) {
    for (const [form, text] of [
      ['mapped', `::ffff:${inner}`],
      ['compatible', `::${inner}`],
      ['translated', `::ffff:0:${inner}`],
      ['NAT64', `64:ff9b::${inner}`],
      ['NAT64', `64:ff9b:1::${inner}`],
      ['6to4', `2002:${hex(inner)}::1`],
      ['Teredo server', `2001:0:${hex(inner)}::1`],
      ['Teredo client', `2001:0:4136:e378:8000:63bf:${inverted(inner)}`],
      ['ISATAP', `2607:f8b0:4005:805:0:5efe:${hex(inner)}`],
      ['ISATAP', `2607:f8b0:4005:805:200:5efe:${hex(inner)}`],
      ['ISATAP', `fe80::5efe:${inner}`],
    ] as const) {
      const found = classify(text)
      assert.equal(found.public, false, text)
      const embedded = found.embedded?.find(candidate => candidate.form === form)
      assert.equal(embedded && formatAddress(embedded.address), inner, text)
      assert.equal(embedded?.public, innerPublic, text)
    }
  }
})

test('RFC 4380: the client address is found behind its inversion', () => {
  // The address that textbooks decode: it carries 192.0.2.45 behind the server 65.54.227.120.
  const found = embeddedIpv4(parseAddress('2001:0000:4136:e378:8000:63bf:3fff:fdd2'))
  assert.deepEqual(
    found.map(({ form, address }) => [form, formatAddress(address)]),
    [
      ['Teredo server', '65.54.227.120'],
      ['Teredo client', '192.0.2.45'],
    ],
  )
})

test('RFC 5214: only the interface identifier makes ISATAP', () => {
  assert.ok(isPublic('2607:f8b0:0:5efe:1:2:3:4'))
  assert.ok(isPublic('2607:f8b0::1:5efe:7f00:1'))
  assert.ok(isPublic('2607:f8b0::400:5efe:7f00:1'))
  assert.equal(classify('2607:f8b0::5efe:7f00:1').block?.name, 'ISATAP interface identifier')
})

test('the narrowest block names an address', () => {
  const name = (text: string) => classify(text).block?.name
  assert.equal(name('0.0.0.0'), 'This host on this network')
  assert.equal(name('0.0.0.1'), 'This network')
  assert.equal(name('192.0.0.8'), 'IPv4 dummy address')
  assert.equal(name('255.255.255.255'), 'Limited broadcast')
  assert.equal(name('::1'), 'Loopback address')
  assert.equal(name('2001:4:112::1'), 'AS112-v6')
})

test('a text that is no canonical address is not public', () => {
  for (const text of ['', 'example.com', '0x08080808', '8.8.8.8.', '134744072', '[2001:4860:4860::8888]']) {
    assert.deepEqual(classify(text), { public: false })
  }
})

test('any address agrees with a plain walk over the rows', () => {
  const rows: Block[] = [...ipv4Blocks, ...ipv6Blocks]
  const near = fc.tuple(fc.constantFrom(...rows), fc.bigInt(-3n, 3n), fc.boolean()).map(([row, step, atEnd]) => {
    const { first, last } = rangeOf(parsePrefix(row.prefix))
    return next(atEnd ? last : first, step)
  })
  const anywhere = fc.oneof(
    fc.bigInt(0n, (1n << 32n) - 1n).map((value): Address => ({ version: 4, value })),
    fc.bigInt(0n, (1n << 128n) - 1n).map((value): Address => ({ version: 6, value })),
    fc.bigInt(0n, (1n << 125n) - 1n).map((value): Address => ({ version: 6, value: value | (1n << 125n) })),
  )
  fc.assert(
    fc.property(fc.oneof(near, anywhere).filter(inRange), address => {
      assert.equal(classify(address).public, expected(address), formatAddress(address))
    }),
    { numRuns: 20_000 },
  )
})
