import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultRoutes, reachableDevices } from './seal.ts'

const loopback = '1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN\\    link/loopback'
const ethernet = '2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP\\    link/ether'
const veth = '7: to-r1@if6: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 state UP\\    link/ether'
const idleTunnel = '3: sit0@NONE: <NOARP> mtu 1480 qdisc noop state DOWN\\    link/sit'

test('loopback and idle tunnels do not lead out', () => {
  assert.deepEqual(reachableDevices(`${loopback}\n${idleTunnel}\n`, []), [])
})

test('any other device does, unless it is the lab’s own', () => {
  assert.deepEqual(reachableDevices(`${loopback}\n${ethernet}\n${veth}\n`, []), ['eth0', 'to-r1'])
  assert.deepEqual(reachableDevices(`${loopback}\n${ethernet}\n${veth}\n`, ['to-r1']), ['eth0'])
  assert.deepEqual(reachableDevices(idleTunnel.replace('<NOARP>', '<NOARP,UP>'), []), ['sit0'])
})

test('a default route is one whatever its kind', () => {
  const routes = 'default via 192.0.2.1 dev eth0\n11.10.0.0/24 dev to-r1 proto kernel\ndefault dev tun0 scope link\n'
  assert.deepEqual(defaultRoutes(routes), ['default via 192.0.2.1 dev eth0', 'default dev tun0 scope link'])
  assert.deepEqual(defaultRoutes('11.10.0.0/24 dev to-r1 proto kernel\n'), [])
})
