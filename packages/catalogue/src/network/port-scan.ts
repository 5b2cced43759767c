import { badge, type CellData, field, mono, type PortAnswer, Problem, panel, sh, tool } from '@assay/kit'
import { listedPorts, portCategories } from '@assay/lib/ip/ports'

/** Above this share of open ports something between us and the target answers for it. */
const SUSPICIOUS_SHARE = 0.9

interface PortRow {
  port: number
  /** Two words by contract; a port that never answered counts as closed and says so in `reason`. */
  status: 'open' | 'closed'
  scanned_at: string
  service: string
  reason: string
}

const services = new Map(portCategories.flatMap(({ ports }) => ports))

const rowOf = ({ port, state, reason, scannedAt }: PortAnswer): PortRow => ({
  port,
  status: state === 'open' ? 'open' : 'closed',
  scanned_at: scannedAt.toISOString(),
  service: services.get(port) ?? '',
  reason: state === 'filtered' ? `filtered: ${reason}` : reason,
})

/** TCP ports by connection, category by category. RFC 9293 §3.5. */
export const portScan = tool({
  id: 'port-scan',
  path: 'port-scan',
  title: 'Port Scan',
  category: 'dns-tools',
  summary: 'Which of 111 common TCP ports of a host accept connections, by what they are used for.',
  keywords: ['nmap', 'open ports', 'tcp', 'services', 'firewall', 'listening'],
  specs: ['RFC 9293', 'RFC 6335'],
  runs: 'server',
  weight: 'scan',
  lookups: ['port-scan/{target}'],
  button: ['Analyze', 'Analyzing...'],
  fields: { target: field.host('Domain or IP address') },

  async *run({ target }, { tcp }) {
    const { address, addresses } = await tcp.pin(target)
    const answers = new Map<number, PortAnswer>()
    const summarise = () => ({
      target,
      address,
      addresses,
      results: Object.fromEntries(
        portCategories.map(({ category, ports }) => [
          category,
          ports.flatMap(([port]) => answers.get(port) ?? []).map(rowOf),
        ]),
      ),
      ports_scanned: answers.size,
      open_ports: [...answers.values()].filter(({ state }) => state === 'open').length,
      filtered_ports: [...answers.values()].filter(({ state }) => state === 'filtered').length,
    })
    for await (const answer of tcp.scan(address, listedPorts)) {
      answers.set(answer.port, answer)
      const done = portCategories.find(({ ports }) => ports.some(([port]) => port === answer.port))
      if (done?.ports.every(([port]) => answers.has(port))) {
        const label = `${answers.size} of ${listedPorts.length} ports answered or given up`
        yield { progress: answers.size / listedPorts.length, label, partial: summarise() }
      }
    }
    if (!answers.size) throw new Problem('unreachable', 'The scan ended before any port was tried.')
    return summarise()
  },

  show({ target, address, addresses, results, ports_scanned, open_ports, filtered_ports }) {
    const categories = Object.entries(results).map(([category, rows]) => ({
      category,
      open: rows.filter(({ status }) => status === 'open'),
      closed: rows.filter(({ status }) => status === 'closed'),
    }))
    return [
      panel.banner(open_ports ? 'warn' : 'good', target, {
        badge: open_ports ? 'OPEN PORTS' : 'SECURE',
        detail: addresses.length > 1 ? `${address}, one of ${addresses.length} addresses` : address,
      }),
      panel.tiles(
        { label: 'Open', value: { text: String(open_ports), tone: open_ports ? 'warn' : 'good' } },
        { label: 'Closed', value: ports_scanned - open_ports, detail: `${filtered_ports} of them never answered` },
        { label: 'All', value: ports_scanned },
      ),
      ...(ports_scanned && open_ports / ports_scanned > SUSPICIOUS_SHARE
        ? [
            panel.note(
              'warn',
              'Almost every port accepts connections: a firewall or proxy probably answers for the host.',
            ),
          ]
        : []),
      ...categories
        .toSorted((a, b) => b.open.length - a.open.length)
        .filter(({ open, closed }) => open.length || closed.length)
        .map(({ category, open, closed }) =>
          panel.section(
            category,
            [panel.table(['Port', 'Service', 'State', 'Scanned'], [...open, ...closed].map(cellsOf), { scroll: true })],
            {
              badge: open.length ? badge('Active', 'warn') : badge('Secure', 'good'),
              detail: `${open.length} open, ${closed.length} closed`,
            },
          ),
        ),
      panel.note(
        'info',
        'Scan only hosts that you own or may test. The tools are for educational and lawful use only.',
      ),
    ]
  },

  terminal: (_, { address }) => ({
    command: sh`nmap -sT -Pn -p ${listedPorts.toSorted((a, b) => a - b).join(',')} ${address}`,
  }),

  examples: [
    {
      from: 'IANA port number registry: domain, https, domain-s',
      title: 'A web server',
      input: { target: '8.8.8.8' },
      recording: { ports: { '8.8.8.8': [53, 443, 853] } },
      result: { target: '8.8.8.8', open_ports: 3, ports_scanned: 111 },
    },
  ],
})

/** The reason is said where it is not plain from the state. */
const cellsOf = ({ port, service, status, reason, scanned_at }: PortRow): (CellData | string)[] => [
  mono(port),
  service,
  {
    ...badge(reason.startsWith('filtered') ? 'closed, filtered' : status, status === 'open' ? 'warn' : 'neutral'),
    title: reason,
  },
  { text: scanned_at.slice(11, 19), title: scanned_at },
]
