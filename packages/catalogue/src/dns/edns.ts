import { type Finding, field, Problem, type ServerContext, sh, tool } from '@assay/kit'
import { toHex } from '@assay/lib/bytes'
import { nsidOf } from '@assay/lib/dns/edns'
import {
  ednsProbes,
  judgeProbe,
  type Probe,
  type ProbeTarget,
  type ProbeWord,
  probeQuery,
  resolverTarget,
  supportsEdns,
} from '@assay/lib/dns/edns-probes'
import { decodeAnswer, type Message } from '@assay/lib/dns/message'
import { publicResolvers } from '@assay/lib/dns/resolvers'
import { WireError } from '@assay/lib/dns/wire'
import { reverseName } from '@assay/lib/ip/address'
import { ednsPanels } from './edns.show.ts'
import { inLanes } from './resolver-question.ts'

const TOPIC = 'edns-support-check'
const PROBE_TIMEOUT_MS = 1_500
/** Probes under way at once to the one server. */
const LANES = 6
/** Well-known resolvers to compare with, each asked one question. */
const COMPARED = ['8.8.8.8', '1.1.1.1', '9.9.9.9', '208.67.222.222', '94.140.14.14']

/** How one probe ended. */
export interface ProbeResult {
  section: string
  name: string
  test: string
  /** ISC's words; `ok` alone when all is as it should be. */
  words: ProbeWord[]
  rcode: string | null
  response_time_ms: number | null
}

export interface EdnsServer {
  dns_server_name: string
  dns_server: string
  supports_edns: 'Yes' | 'No' | 'Unknown'
  query_status: string
  response_flags: string
  udp_size: number | null
  nsid: string | null
  response_time_ms: number | null
}

export interface EdnsResult {
  ip: string
  results: EdnsServer[]
  recent_checks: Finding[]
  /** The probes of RFC 8906 §8, for the server asked about. */
  probes: ProbeResult[]
  role: ProbeTarget['role']
  zone: string
}

/** Whether a DNS server takes EDNS as it should. RFC 6891, RFC 8906. */
export const ednsSupportCheck = tool({
  id: 'edns-support-check',
  path: 'edns-support-check',
  title: 'EDNS Support Check',
  category: 'dns-tools',
  summary: 'Whether a DNS server understands EDNS, and what it does with what it does not know.',
  keywords: ['edns0', 'opt record', 'dns flag day', 'udp size', 'ednscomp', 'badvers', 'compliance', 'rfc 8906'],
  specs: ['RFC 6891', 'RFC 8906', 'RFC 9715'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['edns-support-check/{ip}'],
  button: ['Analyze', 'Analyzing...'],
  fields: {
    ip: field.ip('DNS server'),
    zone: field.domain('Zone it serves', {
      optional: true,
      help: 'For a name server that is no resolver: it refuses questions about anything else.',
    }),
  },

  async *run({ ip, zone }, context) {
    const asked = zone ? { zone: `${zone}.`, role: 'authority' as const, rcode: 'NOERROR' } : resolverTarget
    const compared = COMPARED.filter(address => address !== ip).map(address => compare(context, address))
    // Awaited below; the job may end before.
    for (const each of compared) each.catch(() => {})
    const name = await nameOf(context, ip)
    const [plainProbe, ednsProbe] = [find('8.1.1'), find('8.2.1')]
    const plain = await probeOnce(context, ip, plainProbe, asked)
    const target = targetOf(asked, plain.message)
    const basic = await probeOnce(context, ip, ednsProbe, target)
    const server = serverOf(name, ip, basic, plain)
    const settled = [plainProbe, ednsProbe]
    const done = new Map([
      ['8.1.1', resultOf(plainProbe, target, plain)],
      ['8.2.1', resultOf(ednsProbe, target, basic)],
    ])
    const result = (results: EdnsServer[]): EdnsResult => ({
      ip,
      results,
      recent_checks: [...context.rawDns.findings.last(TOPIC)],
      probes: ednsProbes.flatMap(({ section }) => done.get(section) ?? []),
      role: target.role,
      zone: target.zone,
    })
    yield { progress: 2 / ednsProbes.length, label: 'Probing', partial: result([server]) }
    const silent = plain.failure === 'timeout' && basic.failure === 'timeout'
    // Who is silent to EDNS twice will be so again; one more datagram each is enough.
    const tries = ({ query }: Probe) => (query.edns && basic.failure === 'timeout' ? 1 : 2)
    const lane = inLanes(LANES)
    const rest = ednsProbes.filter(probe => !settled.includes(probe))
    await Promise.all(
      rest.map(probe =>
        lane(async () => {
          const reply = silent ? plain : await probeOnce(context, ip, probe, target, tries(probe))
          done.set(probe.section, resultOf(probe, target, reply))
        }),
      ),
    )
    const results = [server, ...(await Promise.all(compared))]
    context.rawDns.findings.add(TOPIC, findingOf(server, context.now(), basic))
    return result(results)
  },

  show: ednsPanels,

  terminal: ({ ip }, { zone, role }) => ({
    command: sh`dig +noall +comments +edns=0 ${role === 'authority' ? '+norecurse' : '+recurse'} @${ip} ${zone} SOA`,
  }),

  examples: [
    {
      from: 'RFC 8906 §8.2',
      title: 'A resolver that takes EDNS as it should',
      input: { ip: '192.0.2.53' },
      recording: {
        servers: {
          '192.0.2.53': {
            zone: '. 86400 SOA a.root-servers.net. nstld.verisign-grs.com. 2026112100 1800 900 604800 86400',
          },
        },
      },
      result: {
        results: [
          { dns_server: '192.0.2.53', supports_edns: 'Yes', query_status: 'NOERROR', response_flags: 'QR RD RA' },
          { dns_server: '8.8.8.8', supports_edns: 'Unknown', query_status: 'TIMEOUT' },
        ],
        recent_checks: [{ dns_server_name: '192.0.2.53', supports_edns: 'Yes', query_status: 'NOERROR', error: null }],
      },
    },
    {
      from: 'RFC 6891 §7',
      title: 'A server from before EDNS',
      input: { ip: '192.0.2.54' },
      recording: { servers: { '192.0.2.54': { zone: '. 60 SOA a. b. 1 2 3 4 5', plain: true } } },
      result: { results: [{ dns_server: '192.0.2.54', supports_edns: 'No', query_status: 'FORMERR' }] },
    },
  ],
})

type Reply =
  | { message: Message; bytes: number; milliseconds: number; failure?: undefined }
  | { message?: undefined; failure: 'timeout' | 'reset' | 'malformed'; reason: string }

const find = (section: string): Probe => {
  const probe = ednsProbes.find(each => each.section === section)
  if (!probe) throw new TypeError(`there is no probe ${section}`)
  return probe
}

/** One probe, sent a second time when there is no answer, since a datagram may be lost on the way. */
async function probeOnce(
  context: ServerContext,
  ip: string,
  probe: Probe,
  target: ProbeTarget,
  tries = 2,
): Promise<Reply> {
  for (let attempt = 1; ; attempt++) {
    const query = probeQuery(probe, target, context.random)
    try {
      const options = { transport: probe.transport, timeoutMs: PROBE_TIMEOUT_MS }
      const { message, milliseconds } = await context.rawDns.exchange(ip, query, options)
      return { message: decodeAnswer(message), bytes: message.length, milliseconds }
    } catch (error) {
      context.signal.throwIfAborted()
      if (error instanceof WireError) return { failure: 'malformed', reason: error.message }
      if (!(error instanceof Problem)) throw error
      if (error.code === 'unreachable') return { failure: 'reset', reason: `${error.message}.` }
      if (error.code !== 'timeout') throw error
      if (attempt >= tries) return { failure: 'timeout', reason: `${error.message}.` }
    }
  }
}

/** A server that is neither resolver nor in charge of the zone is held to the code it gives a sound question. */
function targetOf(asked: ProbeTarget, message: Message | undefined): ProbeTarget {
  if (!message || message.rcode === 'NOERROR') return asked
  return { ...asked, role: 'other', rcode: message.rcode }
}

function resultOf(probe: Probe, target: ProbeTarget, reply: Reply): ProbeResult {
  const { section, name, test } = probe
  const head = { section, name, test }
  if (reply.failure) return { ...head, words: [reply.failure], rcode: null, response_time_ms: null }
  const { message, bytes, milliseconds } = reply
  return {
    ...head,
    words: judgeProbe(probe, target, message, bytes),
    rcode: message.rcode,
    response_time_ms: Math.round(milliseconds * 1000) / 1000,
  }
}

/** `plain` tells silence to EDNS from silence to everything. */
function serverOf(name: string, ip: string, reply: Reply, plain?: Reply): EdnsServer {
  const head = { dns_server_name: name, dns_server: ip }
  if (reply.failure) {
    return {
      ...head,
      supports_edns: plain?.message ? 'No' : 'Unknown',
      query_status: reply.failure.toUpperCase(),
      response_flags: '',
      udp_size: null,
      nsid: null,
      response_time_ms: null,
    }
  }
  const { message, milliseconds } = reply
  const nsid = nsidOf(message.edns)
  return {
    ...head,
    supports_edns: supportsEdns(message) ? 'Yes' : 'No',
    query_status: message.rcode,
    response_flags: flagsOf(message),
    udp_size: message.edns?.udpSize ?? null,
    nsid: nsid?.length ? toHex(nsid) : null,
    response_time_ms: Math.round(milliseconds * 1000) / 1000,
  }
}

function flagsOf(message: Message): string {
  const flags = (['qr', 'aa', 'tc', 'rd', 'ra', 'ad', 'cd'] as const).filter(flag => message[flag])
  return flags.join(' ').toUpperCase()
}

const findingOf = (server: EdnsServer, now: Date, reply: Reply): Finding => ({
  dns_server_name: server.dns_server_name,
  dns_server: server.dns_server,
  timestamp: now.toISOString(),
  supports_edns: server.supports_edns,
  query_status: server.query_status,
  error: reply.failure ? reply.reason : null,
})

const known = new Map(
  publicResolvers.flatMap(({ name, ipv4, ipv6 }) => [...ipv4, ...ipv6].map(ip => [ip, name] as const)),
)

async function compare(context: ServerContext, ip: string): Promise<EdnsServer> {
  return serverOf(known.get(ip) ?? ip, ip, await probeOnce(context, ip, find('8.2.1'), resolverTarget))
}

/** The name under which a resolver is known, else the one its address has. */
async function nameOf({ dns }: ServerContext, ip: string): Promise<string> {
  const name = known.get(ip)
  if (name) return name
  const { records } = await dns.resolve(`${reverseName(ip)}.`, 'PTR')
  const [first] = records.flatMap(record => (record.type === 'PTR' && record.data ? [record.data.ptrdname] : []))
  return first?.replace(/\.$/, '') || ip
}
