import { badge, type CellData, mono, type Panel, panel } from '@assay/kit'
import type { DohServerResult, DohSupport, EndpointDetails } from './doh-support.ts'

/** What a response may lack; then the page says so. */
type Loose<T> = T extends readonly unknown[]
  ? T | undefined
  : T extends object
    ? { [K in keyof T]?: Loose<T[K]> | null | undefined }
    : T | undefined

/** The address alone, out of a link in Markdown or with brackets around it. */
export function plainEndpoint(text: string): string {
  const [, linked] = /^\[([^\]]*)\]\(.*\)$/.exec(text.trim()) ?? []
  return (linked ?? text).replace(/[[\]()]/g, '').trim()
}

/** A literal IPv6 address keeps its brackets: without them it is no address. */
const endpointLink = (text: string): string =>
  /^https:\/\/\[[0-9a-f:]+\][/:]/i.test(text) ? text : plainEndpoint(text)

/** The page of the tool; also of a response that lacks parts. */
export function showDohSupport(result: Loose<DohSupport> | null | undefined): Panel[] {
  const servers = Object.entries(result?.server_results ?? {}).flatMap(([name, server]) =>
    server ? [{ name, server }] : [],
  )
  if (!result || (!servers.length && !result.summary && !result.conclusion)) {
    return [panel.note('info', 'No DoH support data available', 'No DoH Support Results')]
  }
  const { conclusion = '', input_servers = [], summary, tested_domains = [] } = result
  const supported = summary?.servers_with_doh_support ?? 0
  const unknown = servers.length > 0 && servers.every(({ server }) => server.status === 'Could Not Tell')
  return [
    panel.banner(supported ? 'good' : unknown ? 'neutral' : 'bad', conclusion || 'DNS over HTTPS', {
      badge: supported ? 'SUPPORTED' : unknown ? 'COULD NOT TELL' : 'NOT SUPPORTED',
      detail: (input_servers ?? []).join(', '),
    }),
    panel.tiles(
      { label: 'DoH Servers', value: summary?.total_servers_tested ?? 0 },
      { label: 'DoH Support', value: supported, detail: summary?.success_rate ?? '0%' },
      { label: 'Endpoints Tested', value: summary?.total_endpoint_tests ?? 0 },
    ),
    ...servers.map(({ name, server }) => serverSection(name, server)),
    panel.note('info', INSIGHTS[supported ? 'supported' : unknown ? 'unknown' : 'not'], 'Insights'),
    panel.list(
      (tested_domains ?? []).map(domain => ({ text: mono(domain) })),
      { title: 'Tested Domains', empty: 'None.' },
    ),
  ]
}

const INSIGHTS = {
  supported:
    'A browser or system that is given the working endpoint encrypts its questions on their way to this server.',
  unknown: 'No answer came that would tell, so the server may offer DNS over HTTPS or not.',
  not: 'Questions to this server can be read on their way, unless it offers DNS over TLS.',
}

function serverSection(name: string, server: Loose<DohServerResult>): Panel {
  const { status = '', working_endpoint, recommendation = '', domain_tests, endpoint_test_details, checks } = server
  const good = status === 'DoH Supported'
  const link = working_endpoint ? endpointLink(working_endpoint) : undefined
  const endpoints = Object.entries(endpoint_test_details ?? {})
  return panel.section(
    name,
    [
      panel.facts([
        ['Working Endpoint', link ? { ...mono(link), href: link } : 'No endpoint available'],
        ['Recommendation', recommendation ?? ''],
        ...(server.operator ? ([['Operator', server.operator]] as const) : []),
        ...(server.json_api
          ? ([
              ['JSON (no standard)', server.json_api.supported ? mono(server.json_api.endpoint ?? '') : 'not found'],
            ] as const)
          : []),
      ]),
      panel.tiles(
        { label: 'Total Tests', value: domain_tests?.total_tests ?? 0 },
        { label: 'Successful', value: domain_tests?.successful_tests ?? 0 },
        { label: 'Success Rate', value: domain_tests?.success_rate ?? '0%' },
      ),
      panel.table(
        ['Endpoint', 'Status', 'Error'],
        endpoints.map(([url, details]) => endpointRow(url, details ?? {})),
        { title: 'Endpoint Details', empty: 'No endpoint available' },
      ),
      panel.list([{ text: 'Security Features', badges: featuresOf(server) }]),
      ...(checks?.length ? [panel.checks([...checks], 'How well it keeps to the standard')] : []),
    ],
    { badge: badge(status ?? '', good ? 'good' : status === 'Could Not Tell' ? 'neutral' : 'bad') },
  )
}

const endpointRow = (url: string, { status, error, content_type }: Loose<EndpointDetails>): CellData[] => [
  mono(endpointLink(url)),
  badge(status ?? 'Unreachable', status === 'DoH Supported' ? 'good' : 'bad'),
  { text: error ?? '', ...(content_type && { title: content_type }) },
]

/** Derived from the data, as no field carries them. */
function featuresOf({ supports_doh, working_endpoint, domain_tests }: Loose<DohServerResult>): CellData[] {
  const full = domain_tests?.success_rate === '100%'
  const features = [
    ...(supports_doh ? ['Encrypted DNS (HTTPS)'] : []),
    ...(working_endpoint ? ['Endpoint verified'] : []),
    ...(full ? ['All domains resolved'] : []),
  ]
  return features.length ? features.map(text => badge(text, 'good')) : [badge('None detected', 'neutral')]
}
