import fs from 'node:fs'
import path from 'node:path'
import type { StartDaemon } from './daemons.ts'
import { address, addressesOf, host, hosts } from './inventory.ts'
import { accepts, answersFor } from './ready.ts'
import { configuration } from './template.ts'
import type { Machine } from './topology.ts'
import { servedFile } from './zone-files.ts'
import { type NameServer, nameServers, zones } from './zones.ts'

const programs = path.join(import.meta.dirname, '../servers')

const rootServers = Object.keys(hosts).filter(name => name.endsWith('.root-servers.net'))

/** On which machine each name server process runs, and under which addresses. */
const nameServerSites: Readonly<
  Record<NameServer, { readonly machine: Machine; readonly addresses: readonly string[] }>
> = {
  root: { machine: 'registry', addresses: addressesOf(rootServers) },
  tld: { machine: 'registry', addresses: addressesOf(['a.nic.test', 'b.nic.test']) },
  ns1: { machine: 'hosting', addresses: addressesOf(['ns1.hosting.net']) },
  ns2: { machine: 'hosting', addresses: addressesOf(['ns2.hosting.net']) },
  ns3: { machine: 'hosting', addresses: addressesOf(['ns3.hosting.net']) },
  // dnsdist stands in front of this one and adds the faults.
  bad: { machine: 'bad', addresses: ['127.0.0.1'] },
}

/** Knot, one process per role. Needs the zones. */
export function startNameServers(lab: string, start: StartDaemon): void {
  for (const id of nameServers) {
    const { machine, addresses } = nameServerSites[id]
    fs.mkdirSync(path.join(lab, 'run', id), { recursive: true })
    const file = writeConfig(lab, `knot-${id}.conf`, 'knot.conf', {
      id,
      listen: addresses.map(text => `${text}@53`).join(', '),
      zones: zones
        .filter(zone => zone.servers.includes(id))
        .map(zone => {
          const acl = zone.transfers?.includes(id) ? '    acl: anyone\n' : ''
          return `  - domain: "${zone.name}"\n    file: "${servedFile(zone)}"\n${acl}`
        })
        .join(''),
    })
    start(machine, `knot-${id}`, 'knotd', ['-c', file])
  }
}

/** What a resolver offers on each of its addresses besides plain DNS. */
type Transport = 'dot' | 'doh'

/** Unbound, one process per behaviour; the operators of the first one's addresses all answer plainly. */
const unbounds: readonly {
  readonly id: string
  readonly modules: string
  readonly extra?: string
  readonly operators: Readonly<Record<string, readonly Transport[]>>
}[] = [
  {
    id: 'plain',
    modules: 'validator iterator',
    operators: {
      // JSON as well as wire format on port 443, by servers/doh.ts.
      'dns.google': ['dot'],
      'one.one.one.one': ['dot'],
      'dns.nextdns.io': ['dot'],
      'unfiltered.adguard-dns.com': ['dot', 'doh'],
      'p0.freedns.controld.com': ['dot'],
      'dot.sb': ['dot', 'doh'],
      'dns.mullvad.net': ['dot', 'doh'],
      'ordns.he.net': ['dot', 'doh'],
      'recursive.verisign.net': [],
      'rdns.ultradns.net': [],
      'common.dot.dns.yandex.net': ['dot', 'doh'],
      'private.canadianshield.cira.ca': ['dot', 'doh'],
      'odvr.nic.cz': ['dot'],
      'unfiltered.joindns4.eu': ['dot', 'doh'],
      'dns.twnic.tw': ['dot', 'doh'],
    },
  },
  {
    id: 'filter',
    modules: 'validator iterator',
    extra: 'unbound-filter.conf',
    operators: {
      'security.cloudflare-dns.com': ['dot', 'doh'],
      'dns.adguard-dns.com': ['dot'],
      'protective.joindns4.eu': ['dot', 'doh'],
      'dns.switch.ch': ['dot', 'doh'],
      'securedns.comodo.com': [],
      'dnsforge.de': ['dot', 'doh'],
    },
  },
  {
    id: 'stale',
    modules: 'iterator',
    extra: 'unbound-stale.conf',
    operators: { 'dns.alidns.com': ['dot'], 'dot.pub': ['dot'], 'public1.114dns.com': [] },
  },
]

const bindOperators = ['dns.quad9.net', 'dns10.quad9.net']
const dnsdistOperators = ['dns.opendns.com', 'familyshield.opendns.com', 'security-filter-dns.cleanbrowsing.org']

/** Port 443 of these is servers/doh.ts. */
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

/** The public resolvers. Need the trust anchor, the hints and the certificates. */
export function startResolvers(lab: string, start: StartDaemon): void {
  for (const { id, modules, extra, operators } of unbounds) {
    const sockets = Object.entries(operators).flatMap(([name, transports]) => {
      const ports = [53, ...(transports.includes('dot') ? [853] : []), ...(transports.includes('doh') ? [443] : [])]
      return addressesOf([name]).flatMap(text => ports.map(port => `${text}@${port}`))
    })
    // dnsdist and the bare name servers ask the plain one at its loopback.
    if (id === 'plain') sockets.push('127.0.0.1@53')
    const interfaces = sockets.map(socket => `  interface: ${socket}\n  interface-action: ${socket} allow\n`).join('')
    const file = writeConfig(lab, `unbound-${id}.conf`, 'unbound.conf', {
      modules,
      interfaces,
      extra: extra ? configuration(extra, {}) : '',
    })
    start('resolvers', `unbound-${id}`, 'unbound', ['-d', '-c', file])
  }

  fs.mkdirSync(path.join(lab, 'run/named'), { recursive: true })
  const [v4, v6] = [bindOperators.flatMap(name => host(name).v4), bindOperators.flatMap(name => host(name).v6)]
  const list = (addresses: readonly string[]) => addresses.map(text => `${text};`).join(' ')
  const named = writeConfig(lab, 'named.conf', 'named.conf', { v4: list(v4), v6: list(v6) })
  start('resolvers', 'named', 'named', ['-f', '-n', '1', '-c', named])

  const dnsdist = writeConfig(lab, 'dnsdist-resolvers.conf', 'dnsdist-resolvers.conf', {
    addresses: addressesOf(dnsdistOperators)
      .map(text => (text.includes(':') ? `"[${text}]"` : `"${text}"`))
      .join(', '),
  })
  start('resolvers', 'dnsdist-resolvers', 'dnsdist', ['--supervised', '--disable-syslog', '-C', dnsdist])
  startProgram('resolvers', 'doh', lab, start)
}

/** Web sites. Need the certificates. */
export function startWeb(lab: string, start: StartDaemon): void {
  fs.cpSync(path.join(import.meta.dirname, '../www'), path.join(lab, 'www'), { recursive: true })
  const file = writeConfig(lab, 'nginx.conf', 'nginx.conf', {})
  start('hosting', 'nginx', 'nginx', ['-p', lab, '-e', 'stderr', '-c', file])
  startProgram('hosting', 'web', lab, start)
}

/** Everything that needs nothing but the network. */
export function startOthers(lab: string, start: StartDaemon): void {
  const dnsdist = writeConfig(lab, 'dnsdist-bad.conf', 'dnsdist-bad.conf', {})
  start('bad', 'dnsdist-bad', 'dnsdist', ['--supervised', '--disable-syslog', '-C', dnsdist])
  startProgram('bad', 'dns', lab, start)
  startProgram('ports', 'ports', lab, start)
  startProgram('slow', 'far', lab, start)
}

/** Settles when every server answers. */
export async function allReady(): Promise<void> {
  await Promise.all([
    ...zones
      .filter(({ name }) => name !== 'late.test')
      .flatMap(({ name, servers }) =>
        servers
          // The bad servers answer badly; those that answer this question at all show that the others run.
          .flatMap(id =>
            id === 'bad' ? host(`${name.replace('.test', '')}.bad.test`).v4 : nameServerSites[id].addresses.slice(0, 2),
          )
          .map(text => answersFor(text, name)),
      ),
    answersFor(host('lyingcounts.bad.test').v4[0] ?? '', 'lyingcounts.test'),
    ...unbounds.flatMap(({ operators }) => Object.keys(operators).slice(0, 1)).map(resolves),
    ...[...bindOperators, ...dnsdistOperators].slice(0, 3).map(resolves),
    ...['dns.google', 'dns.opendns.com', 'www.good.test', 'status.good.test', 'good.tls.test'].map(name =>
      accepts(address(name).v4, 443),
    ),
    accepts(address('twelve.ports.test').v4, 80),
    accepts(address('far.slow.test').v4, 80),
  ])
}

function resolves(name: string): Promise<void> {
  return answersFor(host(name).v4[0] ?? '', 'good.test')
}

function startProgram(machine: Machine, name: string, lab: string, start: StartDaemon): void {
  start(machine, name, process.execPath, [path.join(programs, `${name}.ts`), lab])
}

function writeConfig(lab: string, name: string, template: string, values: Readonly<Record<string, string>>): string {
  const file = path.join(lab, 'run', name)
  fs.writeFileSync(file, configuration(template, { lab, ...values }))
  return file
}
