import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAddress, formatAddress } from '../ip/address.ts'
import { browserResolverOrigins, browserResolvers } from './browser-resolvers.ts'
import { blockAddresses, publicResolvers } from './resolvers.ts'

test('[OPEN-059] thirty public resolvers, each with an address that no other has', () => {
  assert.equal(publicResolvers.length, 30)
  const all = publicResolvers.flatMap(({ ipv4, ipv6 }) => [...ipv4, ...ipv6])
  assert.equal(new Set(all).size, all.length)
  assert.equal(new Set(publicResolvers.map(({ name }) => name)).size, 30)
  assert.ok(publicResolvers.filter(({ doh }) => doh).length >= 22)
})

test('RFC 5952: every address is in its canonical spelling', () => {
  for (const text of publicResolvers.flatMap(({ ipv4, ipv6 }) => [...ipv4, ...ipv6])) {
    const address = findAddress(text)
    assert.ok(address, text)
    assert.equal(formatAddress(address), text)
  }
  for (const { ipv4, ipv6 } of publicResolvers) {
    assert.ok(ipv4.every(text => !text.includes(':')))
    assert.ok(ipv6.every(text => text.includes(':')))
  }
})

test('RFC 8484 §3: every address of DNS over HTTPS is an https URL without a query', () => {
  for (const url of [...publicResolvers.flatMap(({ doh }) => doh ?? []), ...browserResolvers.map(({ url }) => url)]) {
    const { protocol, search, hash, port } = new URL(url)
    assert.deepEqual([protocol, search, hash, port], ['https:', '', '', ''], url)
  }
})

test('RFC 4291 §2.5.5.2: a block page is known over IPv6 too', () => {
  for (const text of ['0.0.0.0', '::', '146.112.61.104', '146.112.61.110', '::ffff:146.112.61.110']) {
    assert.ok(blockAddresses.has(text), text)
  }
  for (const text of ['146.112.61.103', '146.112.61.111', '8.8.8.8']) assert.ok(!blockAddresses.has(text), text)
})

test('[BIZ-026] [BEN-040] [BEN-041] [BEN-042] [BEN-043] [BEN-044] [BEN-045] [OPEN-058] fifteen, four readable', () => {
  assert.equal(browserResolvers.length, 15)
  const readable = browserResolvers.filter(({ allowCors }) => allowCors)
  assert.deepEqual(
    readable.map(({ name }) => name),
    ['Google', 'Cloudflare', 'Quad9', 'NextDNS'],
  )
  assert.deepEqual(browserResolvers.slice(0, 4), readable)
  assert.equal(browserResolvers.filter(({ allowCors }) => !allowCors).length, 11)
})

test('[BEN-039] [BEN-057] a provider is a whole record, and none is asked by POST', () => {
  for (const { name, url, type, ips, color } of browserResolvers) {
    assert.ok(name && url)
    assert.equal(type, 'get')
    assert.match(color, /^#[0-9A-F]{6}$/i)
    assert.ok(ips.length > 0)
    const known = publicResolvers.find(({ ipv4 }) => ipv4.some(text => ips.includes(text)))
    assert.ok(known, `${name} is one of the public resolvers`)
    if (known.doh) assert.equal(new URL(known.doh).origin, new URL(url).origin)
  }
  assert.equal(browserResolverOrigins.length, 15)
})
