import fs from 'node:fs'
import path from 'node:path'
import { type StartDaemon, startProgram } from './daemons.ts'
import { faultHost } from './faults.ts'
import { address, addressesOf, host, hosts } from './inventory.ts'
import { accepts, answersFor } from './ready.ts'
import { resolversReady } from './resolvers.ts'
import { writeConfiguration } from './template.ts'
import type { Machine } from './topology.ts'
import { servedFile } from './zone-files.ts'
import { type NameServer, nameServers, zones } from './zones.ts'

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
    const file = writeConfiguration(lab, `knot-${id}.conf`, 'knot.conf', {
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

/** Web sites. Need the certificates. */
export function startWeb(lab: string, start: StartDaemon): void {
  fs.cpSync(path.join(import.meta.dirname, '../www'), path.join(lab, 'www'), { recursive: true })
  const file = writeConfiguration(lab, 'nginx.conf', 'nginx.conf', {})
  start('hosting', 'nginx', 'nginx', ['-p', lab, '-e', 'stderr', '-c', file])
  startProgram(start, 'hosting', 'web', lab)
  startProgram(start, 'registry', 'registry', lab)
  const profiles = writeConfiguration(lab, 'nginx-tls.conf', 'nginx-tls.conf', {})
  start('hosting', 'nginx-tls', 'nginx', ['-p', lab, '-e', 'stderr', '-c', profiles])
  startProgram(start, 'hosting', 'encrypted', lab)
  startProgram(start, 'bad', 'faults', lab)
}

/** Everything that needs nothing but the network. */
export function startOthers(lab: string, start: StartDaemon): void {
  const dnsdist = writeConfiguration(lab, 'dnsdist-bad.conf', 'dnsdist-bad.conf', {})
  start('bad', 'dnsdist-bad', 'dnsdist', ['--supervised', '--disable-syslog', '-C', dnsdist])
  startProgram(start, 'bad', 'dns', lab)
  startProgram(start, 'ports', 'ports', lab)
  startProgram(start, 'slow', 'far', lab)
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
    resolversReady(),
    ...['www.good.test', 'status.good.test', 'good.tls.test', 'old.tls.test', 'page.tls.test'].map(name =>
      accepts(address(name).v4, 443),
    ),
    accepts(address('twelve.ports.test').v4, 80),
    accepts(address('far.slow.test').v4, 80),
    ...['mute', 'h2-bare-data'].map(name => accepts(host(faultHost(name)).v4[0] ?? '', 443)),
    accepts(address('rdap.denic.de').v4, 443),
    accepts(address('whois.denic.de').v4, 43),
  ])
}
