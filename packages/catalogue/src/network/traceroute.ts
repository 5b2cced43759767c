import {
  badge,
  type CellData,
  type Dns,
  field,
  mono,
  Problem,
  panel,
  sh,
  type Tone,
  type TraceHop,
  type TraceProbe,
  tool,
} from '@assay/kit'
import { reverseName } from '@assay/lib/ip/address'
import { classify } from '@assay/lib/ip/special'

export interface TracerouteHop {
  hop: number
  /** Who answered first; null when nobody did. */
  ip: string | null
  /** The shortest of the times, in seconds: what the way takes when no router is busy. */
  rtt: number | null
  /** The first name in the reverse DNS. */
  name: string | null
  /** What block the address is of, when it is not an ordinary public one. */
  network: string | null
  /** Why the way ends here, as traceroute marks it. */
  mark: string | null
  probes: { ip: string | null; rtt: number | null; mark: string | null }[]
}

export interface Traceroute {
  target: string
  address: string
  addresses: string[]
  hops: TracerouteHop[]
  /** 'silent': nobody answered any more. 'ended': a router said that there is no way on. */
  outcome: 'under way' | 'reached' | 'ended' | 'silent'
  average_rtt: number | null
  maximum_rtt: number | null
}

/** RFC 792 and RFC 4443 §3.1, as traceroute(8) abbreviates them. */
const markWords: Readonly<Record<string, string>> = {
  '!H': 'host unreachable',
  '!N': 'network unreachable',
  '!P': 'protocol unreachable',
  '!F': 'packet too large',
  '!S': 'source route failed',
  '!X': 'prohibited by a filter',
  '!V': 'precedence violated',
  '!C': 'precedence cut off',
}

/** The routers between the server and a host. RFC 792, RFC 4443 §3. */
export const traceroute = tool({
  id: 'traceroute',
  path: 'traceroute',
  title: 'Traceroute',
  category: 'network-tools',
  summary: 'The routers on the way from this server to a host, with their names and how long each takes to answer.',
  keywords: ['tracert', 'route', 'hops', 'latency', 'path', 'ttl', 'mtr', 'icmp'],
  specs: ['RFC 792', 'RFC 4443'],
  runs: 'server',
  weight: 'scan',
  lookups: ['traceroute/{target}'],
  button: ['Analyze', 'Analyzing...'],
  fields: { target: field.host('Domain or IP address') },

  async *run({ target }, { tcp, trace, dns }) {
    const { address, addresses } = await tcp.pin(target)
    const found: TraceHop[] = []
    const names = new Map<string, string>()
    const lookups = new Map<string, Promise<void>>()
    const summarise = (outcome: Traceroute['outcome']): Traceroute => {
      const hops = found.map(hop => rowOf(hop, names))
      const times = hops.flatMap(({ rtt }) => (rtt === null ? [] : [rtt]))
      return {
        target,
        address,
        addresses,
        hops,
        outcome,
        average_rtt: times.length ? times.reduce((sum, time) => sum + time, 0) / times.length : null,
        maximum_rtt: times.length ? Math.max(...times) : null,
      }
    }
    for await (const hop of trace.route(address)) {
      found.push(hop)
      for (const { address } of hop.probes) {
        if (address === null || lookups.has(address) || !classify(address).public) continue
        lookups.set(address, learnName(dns, address, names))
      }
      yield { label: `Hop ${hop.hop}`, partial: summarise('under way') }
    }
    if (!found.length) throw new Problem('unreachable', 'The way ended before its first hop.')
    yield { label: 'Waiting for names', partial: summarise('under way') }
    await Promise.all(lookups.values())
    return summarise(outcomeOf(found))
  },

  show({ target, address, addresses, hops, outcome, average_rtt, maximum_rtt }) {
    const [tone, word, words] = outcomes[outcome]
    const marks = [...new Set(hops.flatMap(({ mark }) => mark ?? []))]
    return [
      panel.banner(tone, target, {
        badge: word,
        ...(address !== target && {
          detail: addresses.length > 1 ? `${address}, one of ${addresses.length} addresses` : address,
        }),
      }),
      panel.tiles(
        { label: 'Hops', value: hops.length },
        { label: 'Average Latency', value: average_rtt === null ? 'N/A' : inMilliseconds(average_rtt) },
        { label: 'Maximum Latency', value: maximum_rtt === null ? 'N/A' : inMilliseconds(maximum_rtt) },
      ),
      panel.table(
        ['Hop', 'IP', 'Name', 'Latency', 'All answers'],
        hops.map(hop => [
          mono(hop.hop),
          addressCell(hop),
          hop.name ?? hop.network ?? '',
          latencyCell(hop, maximum_rtt ?? 0),
          mono(hop.probes.map(timeOf).join('  ')),
        ]),
        { scroll: true },
      ),
      ...(marks.length
        ? [panel.note('warn', `${marks.map(mark => `${mark} ${markWords[mark] ?? 'ICMP type or code'}`).join(', ')}.`)]
        : []),
      panel.note(
        'info',
        `${words} Routers answer such packets when they have time, or not at all: a slow or silent hop with quick ones behind it is no fault.`,
      ),
    ]
  },

  terminal: (_, { address }) => ({ command: sh`traceroute -q 3 ${address}` }),

  examples: [
    {
      from: 'RFC 792, "Time Exceeded Message" and "Destination Unreachable Message"',
      title: 'Four hops, one of them silent',
      input: { target: '8.8.8.8' },
      recording: {
        routes: { '8.8.8.8': [['192.168.1.1', 0.0012], ['5.6.7.8', 0.0098], null, ['8.8.8.8', 0.0143]] },
        zone: '8.7.6.5.in-addr.arpa. PTR core1.transit.example.\n8.8.8.8.in-addr.arpa. PTR dns.google.',
      },
      result: {
        target: '8.8.8.8',
        outcome: 'reached',
        hops: [
          { hop: 1, ip: '192.168.1.1', rtt: 0.0012 },
          { hop: 2, ip: '5.6.7.8', rtt: 0.0098, name: 'core1.transit.example' },
          { hop: 3, ip: null, rtt: null },
          { hop: 4, ip: '8.8.8.8', rtt: 0.0143, name: 'dns.google' },
        ],
      },
    },
  ],
})

const outcomes: Readonly<Record<Traceroute['outcome'], readonly [Tone, string, string]>> = {
  'under way': ['neutral', 'UNDER WAY', 'The way is still being followed.'],
  reached: ['good', 'REACHED', 'The last hop is the host itself.'],
  ended: ['bad', 'UNREACHABLE', 'The last hop says that there is no way on.'],
  silent: ['warn', 'NO ANSWER', 'Behind the last answer nobody said anything; a firewall may drop such packets.'],
}

function outcomeOf(hops: readonly TraceHop[]): Traceroute['outcome'] {
  const last = hops.at(-1)
  if (last?.reached) return 'reached'
  return last?.probes.some(({ mark }) => mark) ? 'ended' : 'silent'
}

/** A name that cannot be found out is no name; the hop is there all the same. */
async function learnName(dns: Dns, address: string, names: Map<string, string>): Promise<void> {
  const answer = await dns.resolve(`${reverseName(address)}.`, 'PTR').catch(() => undefined)
  const record = answer?.records.find(({ type }) => type === 'PTR')
  if (record?.type === 'PTR' && record.data) names.set(address, record.data.ptrdname.replace(/\.$/, ''))
}

function rowOf({ hop, address, probes }: TraceHop, names: ReadonlyMap<string, string>): TracerouteHop {
  const times = probes.flatMap(({ address: from, rttSeconds }) =>
    rttSeconds === null || from !== address ? [] : [rttSeconds],
  )
  const { public: ordinary = true, block } = address === null ? {} : classify(address)
  return {
    hop,
    ip: address,
    rtt: times.length ? Math.min(...times) : null,
    name: (address !== null && names.get(address)) || null,
    network: ordinary ? null : (block?.name ?? 'not a public address'),
    mark: probes.find(({ mark }) => mark)?.mark ?? null,
    probes: probes.map(probeOf),
  }
}

const probeOf = ({ address, rttSeconds, mark }: TraceProbe): TracerouteHop['probes'][number] => ({
  ip: address,
  rtt: rttSeconds,
  mark: mark ?? null,
})

/** BIZ-024: seconds are shown in ms with two decimals. */
const inMilliseconds = (seconds: number) => `${(seconds * 1000).toFixed(2)} ms`

function addressCell({ ip, mark, probes }: TracerouteHop): CellData {
  if (ip === null) return { ...mono('*', 'neutral'), title: 'Nobody answered.' }
  const others = [...new Set(probes.flatMap(probe => (probe.ip === null || probe.ip === ip ? [] : [probe.ip])))]
  return {
    ...mono([ip, ...others].join(', ') + (mark ? ` ${mark}` : '')),
    ...(mark && { tone: 'bad', title: markWords[mark] ?? mark }),
  }
}

function latencyCell({ rtt }: TracerouteHop, longest: number): CellData {
  if (rtt === null) return badge('No reply', 'neutral')
  return { ...mono(inMilliseconds(rtt)), bar: longest > 0 ? rtt / longest : 0 }
}

const timeOf = ({ rtt }: TracerouteHop['probes'][number]) => (rtt === null ? '*' : (rtt * 1000).toFixed(2))
