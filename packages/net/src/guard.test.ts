import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { Problem } from '@assay/kit'
import { parseAddress, parsePrefix, rangeOf } from '@assay/lib/ip/address'
import { ipv4Blocks, ipv6Blocks } from '@assay/lib/ip/special'
import { createGuard, defaultPorts, type Purpose } from './guard.ts'

const refusal = (message: string) => (error: unknown) =>
  error instanceof Problem && error.code === 'refused' && error.message === message
const addressRefused = refusal('Validation error: target address is not allowed')
const portRefused = refusal('Validation error: target port is not allowed')

test('[OPEN-008] no special block is contacted, with the sentence of the API', () => {
  const guard = createGuard()
  for (const { prefix } of [...ipv4Blocks, ...ipv6Blocks]) {
    const { first, last } = rangeOf(parsePrefix(prefix))
    for (const address of [first, last]) {
      assert.equal(guard.allows(address), false)
      assert.throws(() => guard.check(address), addressRefused, prefix)
    }
  }
})

test('public addresses are contacted', () => {
  const guard = createGuard()
  for (const text of ['8.8.8.8', '198.41.0.4', '2001:4860:4860::8888', '2620:fe::fe']) {
    guard.check(parseAddress(text))
  }
})

test('[OPEN-008] a deployment may name test networks, and only those open', () => {
  const guard = createGuard({ allowedTestNetworks: ['127.0.0.0/8', 'fd00:1::/64'] })
  assert.ok(guard.allows(parseAddress('127.9.2.1')))
  assert.ok(guard.allows(parseAddress('fd00:1::5')))
  for (const text of ['10.0.0.1', '169.254.169.254', 'fd00:2::5', '::1', '::ffff:127.0.0.1']) {
    assert.equal(guard.allows(parseAddress(text)), false, text)
  }
})

test('a test network that is no address block is refused at the start', () => {
  for (const text of ['localhost', '127.0.0.1', '127.0.0.1/8', '0/0', '']) {
    assert.throws(() => createGuard({ allowedTestNetworks: [text] }), RangeError, text)
  }
})

test('our own networks and the addresses of this machine are refused', () => {
  const guard = createGuard({ ownNetworks: ['8.8.8.0/24', '2001:4860::/32'] })
  assert.throws(() => guard.check(parseAddress('8.8.8.8')), addressRefused)
  assert.throws(() => guard.check(parseAddress('2001:4860:4860::8888')), addressRefused)
  assert.ok(guard.allows(parseAddress('8.8.4.4')))
  for (const { address } of Object.values(networkInterfaces()).flatMap(list => list ?? [])) {
    assert.equal(guard.allows(parseAddress(address.replace(/%.*/, ''))), false, address)
  }
})

test('each purpose has its ports and no others', () => {
  const guard = createGuard()
  const purposes: Purpose[] = ['http', 'dns', 'whois', 'tls', 'scan']
  for (const purpose of purposes) {
    const ports = defaultPorts[purpose]
    assert.ok(ports !== 'any')
    const allowed = new Set(ports)
    for (let port = 0; port <= 65_536; port++) {
      if (allowed.has(port)) guard.checkPort(port, purpose)
      else if (port < 1024 || port % 97 === 0) assert.throws(() => guard.checkPort(port, purpose), portRefused)
    }
  }
  for (const port of [22, 25, 110, 3306, 6379, 11211]) assert.throws(() => guard.checkPort(port, 'http'), portRefused)
})

test('what is no port is refused even where any port goes', () => {
  const guard = createGuard({ ports: { http: 'any' } })
  for (const port of [0, -1, 65_536, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => guard.checkPort(port, 'http'), portRefused, String(port))
  }
})

test('A8: who asked not to be looked up is no target, though packets may pass by', () => {
  const guard = createGuard({ optedOutNetworks: ['8.8.4.0/24', '2606:4700::/32'] })
  for (const text of ['8.8.4.4', '2606:4700::1111']) {
    guard.check(parseAddress(text))
    assert.throws(() => guard.checkTarget(parseAddress(text)), {
      code: 'refused',
      message: /asked not to be looked up/,
    })
  }
  guard.checkTarget(parseAddress('8.8.8.8'))
  assert.throws(() => guard.checkTarget(parseAddress('127.0.0.1')), { code: 'refused', message: /not allowed/ })
})
