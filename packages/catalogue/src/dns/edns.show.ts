import { badge, type Check, mono, type Panel, panel } from '@assay/kit'
import type { ProbeWord } from '@assay/lib/dns/edns-probes'
import { percentOf } from '@assay/lib/dns/response-times'
import type { EdnsResult, ProbeResult } from './edns.ts'

const MEANINGS: Readonly<Record<ProbeWord, string>> = {
  ok: 'as it should be',
  timeout: 'no answer',
  reset: 'the server cut the connection or refused it',
  malformed: 'the answer is not a whole DNS message',
  formerr: 'answered FORMERR',
  servfail: 'answered SERVFAIL',
  notimp: 'answered NOTIMP',
  refused: 'answered REFUSED',
  badvers: 'answered BADVERS',
  status: 'answered with another code than it should',
  soa: 'the SOA came where it was not asked for',
  nosoa: 'the SOA is missing',
  opt: 'an OPT record came though none was sent',
  noopt: 'the OPT record is missing',
  badversion: 'the EDNS version is not 0',
  echoed: 'the unknown option came back',
  mbz: 'the unknown flag came back',
  nodo: 'the DO bit is missing',
  noaa: 'the answer is not marked as authoritative',
  nord: 'the RD bit is missing',
  ad: 'the AD bit is set by a server that did not validate',
  z: 'the reserved bit came back',
  toobig: 'the answer is larger than what was offered',
}

const verdictBadge = (supports: string | null | undefined, words: readonly [yes: string, no: string]) => {
  if (supports === 'Yes') return badge(words[0], 'good')
  return supports === 'Unknown'
    ? { ...badge(words[1], 'neutral'), title: 'It did not answer, so this could not be told' }
    : badge(words[1], 'bad')
}

/** Tiles, the servers, the last checks, and how the server asked about took each probe. */
export function ednsPanels({ ip, results, recent_checks, probes, role }: EdnsResult): Panel[] {
  const supporting = results.filter(({ supports_edns }) => supports_edns === 'Yes').length
  const [server] = results
  const good = probes.filter(isGood).length
  return [
    panel.banner(server?.supports_edns === 'Yes' ? (good === probes.length ? 'good' : 'warn') : 'bad', ip, {
      ...(server && { badge: server.supports_edns === 'Yes' ? 'SUPPORTED' : 'NOT SUPPORTED' }),
      ...(server && server.dns_server_name !== ip && { detail: server.dns_server_name }),
    }),
    panel.tiles(
      { label: 'DNS Servers', value: results.length, detail: 'tested' },
      { label: 'EDNS Support', value: supporting, detail: `${percentOf(supporting, results.length)}% compatible` },
      { label: 'Recent Tests', value: recent_checks.length },
    ),
    panel.table(
      ['Server', 'Address', 'EDNS', 'Query Status', 'Response Flags', 'UDP size'],
      results.map(({ dns_server_name, dns_server, supports_edns, query_status, response_flags, udp_size }) => [
        dns_server_name,
        mono(dns_server),
        verdictBadge(supports_edns, ['SUPPORTED', 'NOT SUPPORTED']),
        query_status,
        mono(response_flags),
        udp_size === null ? '' : mono(udp_size),
      ]),
      { title: 'DNS Server EDNS Support' },
    ),
    panel.section('EDNS Support Analysis', [
      panel.facts([
        ['Probes passed', `${good} of ${probes.length}`],
        ['Asked as', ROLES[role]],
      ]),
      panel.checks(probes.map(checkOf)),
    ]),
    panel.table(
      ['Server', 'Time', 'EDNS', 'Status'],
      recent_checks.map(({ dns_server_name = '', timestamp = '', supports_edns, query_status, error }) => [
        dns_server_name ?? '',
        { text: timestamp ?? '', instant: timestamp ?? '' },
        verdictBadge(supports_edns, ['Supported', 'Not Supported']),
        { text: query_status ?? '', ...(error && { title: error }) },
      ]),
      { title: 'Recent EDNS Checks', empty: 'No server has been checked lately.' },
    ),
  ]
}

const ROLES: Readonly<Record<EdnsResult['role'], string>> = {
  resolver: 'a resolver, about the root zone',
  authority: 'the name server of the zone given',
  other: 'a server that refuses questions about the root zone; name a zone it serves for a full test',
}

const isGood = ({ words }: ProbeResult) => words.every(word => word === 'ok')

function checkOf({ section, name, words, rcode }: ProbeResult): Check {
  const clause = `RFC 8906 §${section}`
  if (words[0] === 'ok') return { name, verdict: 'pass', clause }
  const meanings = words.map(word => MEANINGS[word]).join(', ')
  const detail = rcode ? `${meanings} (${words.join(', ')})` : meanings
  return { name, verdict: words.includes('timeout') ? 'unknown' : 'fail', detail, clause }
}
