import { createFindings, type RawDns } from './context-raw-dns.ts'
import { Problem } from './problem.ts'

/** A name server in a few lines. One that is not recorded stays silent. */
export interface RecordedServer {
  /** All it knows, as a zone file. */
  zone?: string
  /** Said instead of an answer: "SERVFAIL", "NXDOMAIN". */
  rcode?: 'SERVFAIL' | 'REFUSED' | 'NXDOMAIN'
  /** Extended errors (RFC 8914) beside the answer. */
  errors?: readonly { code: number; text: string }[]
  /** Does not know EDNS: answers FORMERR to it, as servers older than RFC 6891 do. */
  plain?: boolean
  milliseconds?: number
}

const RECURSIVE = { qr: true, ra: true, aa: false, tc: false, z: false, ad: false } as const

/** Servers that answer from a recording, sound but for what it says. */
export function recordedRawDns(servers: Readonly<Record<string, RecordedServer>> = {}): RawDns {
  return {
    findings: createFindings(),
    async exchange(address, bytes) {
      const server = servers[address]
      if (!server) throw new Problem('timeout', 'The server does not answer')
      const [{ decodeMessage, encodeMessage }, { extendedErrorOption }, { parseZone }, { equalNames }] =
        await Promise.all([
          import('@assay/lib/dns/message'),
          import('@assay/lib/dns/edns'),
          import('@assay/lib/dns/zone'),
          import('@assay/lib/dns/name'),
        ])
      const query = decodeMessage(bytes)
      const [question] = query.questions
      const { edns, ...plain } = query
      const answer = (rcode: typeof query.rcode, answers: typeof query.answers = []) => {
        const options = (server.errors ?? []).map(extendedErrorOption)
        const opt = edns && !server.plain && { edns: { ...edns, version: 0, z: 0, options } }
        const message = encodeMessage({ ...plain, ...RECURSIVE, rcode, answers, ...opt })
        return { message, milliseconds: server.milliseconds ?? 1 }
      }
      if (query.opcode !== 'QUERY' || !question) return answer('NOTIMP')
      if (edns && server.plain) return answer('FORMERR')
      if (edns && edns.version !== 0) return answer('BADVERS')
      if (server.rcode) return answer(server.rcode)
      const here = parseZone(server.zone ?? '', '.').filter(({ name }) => equalNames(name, question.name))
      const found = here.filter(({ type }) => type === question.type)
      return answer(here.length ? 'NOERROR' : 'NXDOMAIN', found)
    },
  }
}
