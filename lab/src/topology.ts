/**
 * The wiring of the lab: machines (one network namespace each), the links between them and the networks behind them.
 *
 *     app --- r1 --- r2 --- r3 --- r4 --- hosting
 *                    |      |      |\--- ports
 *                    |      bad    \~~~~ slow       40 ms each way
 *                    |\--- registry
 *                    \---- resolvers
 */
export const machines = [
  'app',
  'r1',
  'r2',
  'r3',
  'r4',
  'registry',
  'resolvers',
  'hosting',
  'bad',
  'ports',
  'slow',
] as const
export type Machine = (typeof machines)[number]

/** The first three octets of a /24 and the first four groups of a /64. */
export interface Network {
  readonly v4: string
  readonly v6: string
}

/**
 * The networks behind the machines. All of it is space that IANA's special-purpose registries do not list, so that
 * an address guard treats it as the public Internet. Nothing leaves the lab, so it does not matter whose it is outside.
 */
export const networks: Readonly<Partial<Record<Machine, readonly Network[]>>> = {
  app: [{ v4: '11.10.0', v6: '2a0f:1ab:a' }],
  registry: [{ v4: '21.1.0', v6: '2a0f:1ab:1' }],
  resolvers: [{ v4: '22.2.0', v6: '2a0f:1ab:2' }],
  hosting: [
    { v4: '26.3.0', v6: '2a0f:1ab:3' },
    { v4: '26.3.1', v6: '2a0f:1ab:31' },
  ],
  bad: [
    { v4: '28.4.0', v6: '2a0f:1ab:4' },
    { v4: '28.4.1', v6: '2a0f:1ab:41' },
    { v4: '28.4.2', v6: '2a0f:1ab:42' },
    { v4: '28.4.3', v6: '2a0f:1ab:43' },
  ],
  ports: [{ v4: '29.5.0', v6: '2a0f:1ab:5' }],
  slow: [{ v4: '30.6.0', v6: '2a0f:1ab:6' }],
}

/** A cable: `near` has the address ending in 1, `far` the one ending in 2. */
export interface Link {
  readonly near: Machine
  readonly far: Machine
  readonly network: Network
  /** Milliseconds each way, made by a program between two TUN devices. */
  readonly delayMs?: number
}

const transit = (number: number): Network => ({ v4: `11.254.${number}`, v6: `2a0f:1ab:ff:${number}` })

export const links: readonly Link[] = [
  { near: 'r1', far: 'app', network: { v4: '11.10.0', v6: '2a0f:1ab:a' } },
  { near: 'r1', far: 'r2', network: transit(1) },
  { near: 'r2', far: 'r3', network: transit(2) },
  { near: 'r3', far: 'r4', network: transit(3) },
  { near: 'r2', far: 'registry', network: transit(4) },
  { near: 'r2', far: 'resolvers', network: transit(5) },
  { near: 'r4', far: 'hosting', network: transit(6) },
  { near: 'r3', far: 'bad', network: transit(7) },
  { near: 'r4', far: 'ports', network: transit(8) },
  { near: 'r4', far: 'slow', network: transit(9), delayMs: 40 },
]

/** One machine's end of a link. */
export interface Interface {
  readonly machine: Machine
  readonly device: string
  readonly v4: string
  readonly v6: string
}

export function ends(link: Link): readonly [Interface, Interface] {
  const end = (machine: Machine, peer: Machine, number: 1 | 2): Interface => ({
    machine,
    device: `to-${peer}`,
    v4: `${link.network.v4}.${number}`,
    v6: `${link.network.v6}::${number}`,
  })
  return [end(link.near, link.far, 1), end(link.far, link.near, 2)]
}

/** Where `from` sends a packet for `to`: the far end of the first link on the shortest path. */
export function nextHop(from: Machine, to: Machine): Interface {
  const seen = new Set<Machine>([from])
  let front = neighbours(from).map(hop => ({ first: hop, at: hop.machine }))
  while (front.length > 0) {
    const arrived = front.find(path => path.at === to)
    if (arrived) return arrived.first
    front = front.flatMap(path => {
      if (seen.has(path.at)) return []
      seen.add(path.at)
      return neighbours(path.at).map(hop => ({ first: path.first, at: hop.machine }))
    })
  }
  throw new RangeError(`no path from ${from} to ${to}`)
}

function neighbours(machine: Machine): Interface[] {
  return links.flatMap(link => {
    const [near, far] = ends(link)
    return near.machine === machine ? [far] : far.machine === machine ? [near] : []
  })
}
