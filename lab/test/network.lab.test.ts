import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { address, hosts } from '../src/inventory.ts'
import { machines } from '../src/topology.ts'
import { folder, run } from './programs.ts'

const hops = (output: string) =>
  output
    .split('\n')
    .slice(1)
    .filter(Boolean)
    .map(line => line.split(/\s+/)[2])

test('traceroute shows the routers by name, IPv4 and IPv6', async () => {
  const routers = ['r1.transit.test', 'r2.transit.test', 'r3.transit.test', 'r4.transit.test']
  for (const family of ['-4', '-6']) {
    const { output } = await run('traceroute', family, '-q', '1', 'www.good.test')
    assert.deepEqual(hops(output), [...routers, 'www.good.test'], output)
  }
})

test('traceroute ends at a filter that says so, and finds nothing at a host that says nothing', async () => {
  const forbidden = await run('traceroute', '-n', '-q', '1', 'filtered.ports.test')
  assert.match(forbidden.output, /ms !X\n$/)
  const silent = await run('traceroute', '-n', '-q', '1', '-w', '1', '-m', '8', 'silent.ports.test')
  assert.match(silent.output, /\n 8 {2}\*\n$/)
})

test('traceroute reaches the far end of the slow link', async () => {
  const { output } = await run('traceroute', '-n', '-q', '1', 'far.slow.test')
  assert.equal(hops(output).length, 5)
  const page = await run('curl', '--silent', 'http://far.slow.test/')
  assert.equal(page.output, 'far away\n')
})

test('every host answers a ping, those with a dead reverse zone too', async () => {
  const addresses = Object.values(hosts).flatMap(({ v4, v6 }) => [...v4, ...v6])
  const mute = await Promise.all(
    addresses.map(async text => ({ text, code: (await run('ping', '-n', '-c', '1', '-W', '5', text)).code })),
  )
  assert.deepEqual(
    mute.filter(({ code }) => code !== 0),
    [],
  )
})

test('no machine has a default route', async () => {
  for (const machine of machines.filter(name => name !== 'app')) {
    const { output, code } = await run('nsenter', `--net=/run/netns/${machine}`, 'ip', 'route', 'show', 'default')
    assert.deepEqual({ machine, output, code }, { machine, output: '', code: 0 })
  }
  assert.equal((await run('ip', 'route', 'show', 'default')).output, '')
  assert.equal((await run('ip', '-6', 'route', 'show', 'default')).output, '')
})

test('an address that is not in the lab cannot be reached', async () => {
  const { code } = await run('ping', '-n', '-c', '1', '-W', '1', '93.184.215.14')
  assert.notEqual(code, 0)
})

test('the lab refuses to begin in a namespace that leads somewhere', async () => {
  const inside = path.join(import.meta.dirname, '../src/inside.ts')
  const script = 'ip link add out type veth peer name outer && ip link set out up && exec "$0" "$1" /nowhere'
  const { code, output } = await run('unshare', '--mount', '--net', 'sh', '-c', script, process.execPath, inside)
  assert.equal(code, 1)
  assert.match(output, /^refused: this network namespace is not empty, it has .*out/)
})

test('the system asks the resolvers of the lab and trusts its authorities alone', async () => {
  assert.match(fs.readFileSync('/etc/resolv.conf', 'utf8'), /^nameserver 8\.8\.8\.8$/m)
  const system = fs.readFileSync('/etc/ssl/certs/ca-certificates.crt', 'utf8')
  assert.equal(system, fs.readFileSync(path.join(folder, 'tls/ca.pem'), 'utf8'))
})

test('a Node program trusts the authority by its environment', async () => {
  const script = "fetch('https://www.good.test/').then(response => console.log(response.status))"
  assert.equal((await run(process.execPath, '--eval', script)).output, '200\n')
})

test('the environment names the anchor, the authority and the folder', () => {
  for (const name of ['LAB_TRUST_ANCHOR', 'LAB_CA', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE']) {
    assert.ok(fs.existsSync(process.env[name] ?? ''), name)
  }
  assert.match(fs.readFileSync(process.env.LAB_TRUST_ANCHOR ?? '', 'utf8'), /^\. IN DS \d+ 8 2 [0-9A-F]{64}\n$/)
  assert.equal(address('dns.google').v4, '8.8.8.8')
})
