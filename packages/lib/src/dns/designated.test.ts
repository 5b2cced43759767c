import assert from 'node:assert/strict'
import { test } from 'node:test'
import { designatedUrl, designationsOf, isDoh, isDot, publishedResolver, urlHost } from './designated.ts'
import { parseZone } from './zone.ts'

test('RFC 9461 §7 and RFC 9462 §4: services in the order of their priority, with port and path', () => {
  const found = designationsOf(
    parseZone(
      `_dns.resolver.arpa. 300 SVCB 2 dot.example. alpn=dot port=8530
_dns.resolver.arpa. 300 SVCB 1 Doh.example. alpn=h2,h3 dohpath=/q{?dns}
_dns.resolver.arpa. 300 SVCB 0 alias.example.
_dns.resolver.arpa. 300 SVCB 3 doh.example. alpn=h2 port=8443 dohpath=/dns-query{?dns}`,
      '.',
    ),
  )
  assert.deepEqual(
    found.map(({ name }) => name),
    ['doh.example', 'dot.example', 'doh.example'],
  )
  assert.deepEqual(found.filter(isDoh).map(designatedUrl), [
    'https://doh.example/q',
    'https://doh.example:8443/dns-query',
  ])
  assert.deepEqual(found.filter(isDot), [{ name: 'dot.example', protocols: ['dot'], port: 8530 }])
})

test('RFC 9461 §5: without a path it is no DNS over HTTPS, and the root is no name', () => {
  const zone =
    '_dns.resolver.arpa. 300 SVCB 1 . alpn=h2 dohpath=/q{?dns}\n_dns.resolver.arpa. 300 SVCB 1 a.example. alpn=h2'
  const found = designationsOf(parseZone(zone, '.'))
  assert.deepEqual(found, [{ name: 'a.example', protocols: ['h2'] }])
  assert.deepEqual(found.filter(isDoh), [])
})

test('what operators publish is found by address', () => {
  assert.equal(publishedResolver('9.9.9.9')?.doh, 'https://dns.quad9.net/dns-query')
  assert.equal(publishedResolver('2620:fe::fe')?.dot, 'dns.quad9.net')
  assert.equal(publishedResolver('192.0.2.1'), undefined)
  assert.deepEqual([urlHost('192.0.2.1'), urlHost('2001:db8::1')], ['192.0.2.1', '[2001:db8::1]'])
})
