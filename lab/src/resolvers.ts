import fs from 'node:fs'
import path from 'node:path'
import { type StartDaemon, startProgram } from './daemons.ts'
import { address, addressesOf, host } from './inventory.ts'
import { accepts, answersFor } from './ready.ts'
import { configuration, writeConfiguration } from './template.ts'

/** The ports of plain DNS, DNS over TLS (RFC 7858) and DNS over HTTPS (RFC 8484). */
const plain = 53
const overTls = 853
const overHttps = 443
const all = [plain, overTls, overHttps]

/** A process of Unbound, and at which ports of whose addresses it answers. */
interface Unbound {
  readonly id: string
  readonly modules: string
  /** A template with what makes it different. */
  readonly extra?: string
  readonly operators: Readonly<Record<string, readonly number[]>>
}

const unbounds: readonly Unbound[] = [
  {
    id: 'plain',
    modules: 'validator iterator',
    extra: 'unbound-plain.conf',
    operators: {
      'dns.google': [plain, overTls],
      'one.one.one.one': [plain, overTls],
      'dns.nextdns.io': [plain, overTls],
      'unfiltered.adguard-dns.com': all,
      'p0.freedns.controld.com': [plain, overTls],
      'dot.sb': all,
      'dns.mullvad.net': [overTls, overHttps],
      'ordns.he.net': all,
      'common.dot.dns.yandex.net': all,
      'private.canadianshield.cira.ca': all,
      'odvr.nic.cz': [plain, overTls],
      'unfiltered.joindns4.eu': all,
      'dns.twnic.tw': all,
    },
  },
  {
    id: 'filter',
    modules: 'validator iterator',
    extra: 'unbound-filter.conf',
    operators: {
      'security.cloudflare-dns.com': all,
      'dns.adguard-dns.com': [plain, overTls],
      'protective.joindns4.eu': all,
      'dns.switch.ch': all,
      'securedns.comodo.com': [plain],
      'dnsforge.de': all,
    },
  },
  {
    id: 'stale',
    modules: 'iterator',
    extra: 'unbound-stale.conf',
    operators: {
      'dns.alidns.com': [plain, overTls],
      'dot.pub': [plain, overTls],
      'public1.114dns.com': [plain],
    },
  },
]

const bindOperators = ['dns.quad9.net', 'dns10.quad9.net']
const dnsdistOperators = ['dns.opendns.com', 'familyshield.opendns.com', 'security-filter-dns.cleanbrowsing.org']

/** Those that offer JSON or an unusual path: servers/doh.ts answers at port 443 for them. */
export const jsonOperators = [
  'dns.google',
  'one.one.one.one',
  'dns.nextdns.io',
  'dns.adguard-dns.com',
  'dns.alidns.com',
  'dot.pub',
  'p0.freedns.controld.com',
  'odvr.nic.cz',
]

/** servers/resolvers.ts stands in front of the plain resolver for these. */
export const oddOperators = { resetting: 'recursive.verisign.net', cutOff: 'rdns.ultradns.net' }

/** The public resolvers. Need the trust anchor, the hints and the certificates. */
export function startResolvers(lab: string, start: StartDaemon): void {
  for (const unbound of unbounds) startUnbound(unbound, lab, start)
  startBind(lab, start)
  startDnsdist(lab, start)
  startProgram(start, 'resolvers', 'doh', lab)
  startProgram(start, 'resolvers', 'resolvers', lab)
}

/** Settles when one address of each process answers. */
export async function resolversReady(): Promise<void> {
  const firsts = [
    ...unbounds.map(({ operators }) => Object.keys(operators)),
    bindOperators,
    dnsdistOperators,
    Object.values(oddOperators),
  ]
  await Promise.all([
    ...firsts.map(([name = '']) => answersFor(host(name).v4[0] ?? '', 'good.test')),
    ...['dns.google', 'dns.quad9.net', 'dns.opendns.com'].map(name => accepts(address(name).v4, overHttps)),
  ])
}

function startUnbound({ id, modules, extra, operators }: Unbound, lab: string, start: StartDaemon): void {
  const sockets = Object.entries(operators).flatMap(([name, ports]) =>
    addressesOf([name]).flatMap(text => ports.map(port => `${text}@${port}`)),
  )
  // dnsdist asks the plain one.
  if (id === 'plain') sockets.push('127.0.0.1@53')
  const file = writeConfiguration(lab, `unbound-${id}.conf`, 'unbound.conf', {
    modules,
    interfaces: sockets.map(socket => `  interface: ${socket}\n  interface-action: ${socket} allow\n`).join(''),
    extra: extra ? configuration(extra, {}) : '',
  })
  start('resolvers', `unbound-${id}`, 'unbound', ['-d', '-c', file])
}

function startBind(lab: string, start: StartDaemon): void {
  fs.mkdirSync(path.join(lab, 'run/named'), { recursive: true })
  const list = (family: 'v4' | 'v6') =>
    bindOperators
      .flatMap(name => host(name)[family])
      .map(text => `${text};`)
      .join(' ')
  const file = writeConfiguration(lab, 'named.conf', 'named.conf', { v4: list('v4'), v6: list('v6') })
  start('resolvers', 'named', 'named', ['-f', '-n', '1', '-c', file])
}

function startDnsdist(lab: string, start: StartDaemon): void {
  const file = writeConfiguration(lab, 'dnsdist-resolvers.conf', 'dnsdist-resolvers.conf', {
    addresses: addressesOf(dnsdistOperators)
      .map(text => (text.includes(':') ? `"[${text}]"` : `"${text}"`))
      .join(', '),
  })
  start('resolvers', 'dnsdist-resolvers', 'dnsdist', ['--supervised', '--disable-syslog', '-C', file])
}
