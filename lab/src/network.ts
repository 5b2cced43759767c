import fs from 'node:fs'
import path from 'node:path'
import { command } from './command.ts'
import { onMachine, type StartDaemon } from './daemons.ts'
import { type Host, hosts } from './inventory.ts'
import { configuration } from './template.ts'
import {
  ends,
  type Interface,
  type Link,
  links,
  type Machine,
  machines,
  type Network,
  networks,
  nextHop,
} from './topology.ts'

const here = import.meta.dirname

/** Which machines have a packet filter. */
const filters: Readonly<Partial<Record<Machine, string>>> = {
  bad: 'bad.nft',
  resolvers: 'resolvers.nft',
  ports: 'ports.nft',
}

/** Builds the machines, joins them and tells each its addresses and routes. The caller's own namespace becomes `app`. */
export async function buildNetwork(lab: string, start: StartDaemon): Promise<void> {
  const folder = path.join(lab, 'machines')
  fs.mkdirSync(folder)
  await ip([
    ...machines.filter(machine => machine !== 'app').map(machine => `netns add ${machine}`),
    ...links.filter(link => link.delayMs === undefined).map(cable),
  ])
  for (const link of links) if (link.delayMs !== undefined) await delayedCable(link, link.delayMs, start)
  await Promise.all(machines.map(machine => configure(machine, folder)))
}

function ip(lines: readonly string[]): Promise<string> {
  return command('ip', ['-batch', '-'], { input: `${lines.join('\n')}\n` })
}

function cable(link: Link): string {
  const [near, far] = ends(link).map(end => `${end.device}${end.machine === 'app' ? '' : ` netns ${end.machine}`}`)
  return `link add ${near} type veth peer name ${far}`
}

/**
 * Two TUN devices with a program between them, because not every kernel has tc netem. Where /dev/net/tun may not be
 * opened the link is an ordinary one: everything works, only nothing is slow.
 */
async function delayedCable(link: Link, delayMs: number, start: StartDaemon): Promise<void> {
  try {
    fs.accessSync('/dev/net/tun', fs.constants.R_OK | fs.constants.W_OK)
  } catch {
    console.log(`/dev/net/tun cannot be opened: the link to ${link.far} has no delay`)
    await ip([cable(link)])
    return
  }
  const [near, far] = ends(link)
  const names = { near: `tun-${near.machine}`, far: `tun-${far.machine}` }
  const program = start('app', `delay-${link.far}`, '/usr/bin/python3', [
    path.join(here, '../servers/delay.py'),
    names.near,
    names.far,
    String(delayMs),
  ])
  await program.says('ready')
  await ip([
    `link set ${names.near} netns ${near.machine} name ${near.device}`,
    `link set ${names.far} netns ${far.machine} name ${far.device}`,
  ])
}

async function configure(machine: Machine, folder: string): Promise<void> {
  const batch = path.join(folder, `${machine}.ip`)
  fs.writeFileSync(batch, `${[...addressLines(machine), ...routeLines(machine)].join('\n')}\n`)
  const filter = filters[machine]
  const rules = filter === undefined ? '' : path.join(folder, filter)
  if (filter !== undefined) fs.writeFileSync(rules, configuration(filter, {}))
  const [program, ...args] = onMachine(machine, ['sh', path.join(here, '../config/machine.sh'), batch, rules])
  await command(program, args)
}

function addressLines(machine: Machine): string[] {
  const own = Object.values(hosts).filter(host => host.machine === machine)
  const onLinks = new Set(interfaces(machine).flatMap(({ v4, v6 }) => [v4, v6]))
  return [
    'link set lo up',
    ...interfaces(machine).flatMap(({ device, v4, v6 }) => [
      `addr add ${v4}/24 dev ${device}`,
      `addr add ${v6}/64 dev ${device} nodad`,
      `link set ${device} up`,
    ]),
    ...new Set(
      own.flatMap(({ v4 }) => v4.filter(text => !onLinks.has(text)).map(text => `addr add ${text}/32 dev lo`)),
    ),
    ...new Set(
      own.flatMap(({ v6 }) => v6.filter(text => !onLinks.has(text)).map(text => `addr add ${text}/128 dev lo nodad`)),
    ),
  ]
}

/** One route for every network, and one for every address outside the networks. There is no default route. */
function routeLines(machine: Machine): string[] {
  const connected = interfaces(machine).map(({ v4 }) => prefixOf(v4))
  return destinations
    .filter(({ owner, v4 }) => owner !== machine && !v4.some(text => connected.includes(prefixOf(text))))
    .flatMap(({ owner, v4, v6 }) => {
      const via = nextHop(machine, owner)
      return [
        ...v4.map(text => `route replace ${text} via ${via.v4}`),
        ...v6.map(text => `route replace ${text} via ${via.v6}`),
      ]
    })
}

interface Destination {
  readonly owner: Machine
  readonly v4: readonly string[]
  readonly v6: readonly string[]
}

const block = (owner: Machine, { v4, v6 }: Network): Destination => ({ owner, v4: [`${v4}.0/24`], v6: [`${v6}::/64`] })

const destinations: readonly Destination[] = [
  ...links.map(({ far, network }) => block(far, network)),
  ...machines.flatMap(machine => (networks[machine] ?? []).map(network => block(machine, network))),
  ...Object.values(hosts)
    .filter(isAbroad)
    .map(({ machine, v4, v6 }) => ({ owner: machine, v4, v6 })),
]

/** Whether a host has addresses that are not of its machine's networks. */
function isAbroad({ machine, v4 }: Host): boolean {
  const own = networks[machine]?.map(network => network.v4)
  return own !== undefined && v4.some(text => !own.includes(prefixOf(text)))
}

function prefixOf(v4: string): string {
  return v4.split('.').slice(0, 3).join('.')
}

function interfaces(machine: Machine): Interface[] {
  return links.flatMap(ends).filter(end => end.machine === machine)
}
