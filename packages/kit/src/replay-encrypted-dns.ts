import { createQuery, type Message } from '@assay/lib/dns/message'
import type { DohExchange, DohOptions, DohServer, EncryptedDns, HttpAnswer } from './context-encrypted-dns.ts'
import { Problem } from './problem.ts'

/** A resolver in a few lines. */
export interface RecordedResolver {
  /** What it answers from, as a zone file; a name that is not in it does not exist. */
  zone?: string
  milliseconds?: number
  tls?: Partial<HttpAnswer['tls']>
  /** Both unless given. */
  httpVersions?: readonly ('2' | '1.1')[]
  /** What it answers in HTTP whatever is asked; an answer of the DNS unless given. */
  response?: { status: number; contentType: string; body?: string }
  /** JSON is answered too. */
  json?: boolean
}

const MESSAGE_TYPE = 'application/dns-message'

/** Questions over TLS and HTTPS, answered from a recording. */
export function recordedEncryptedDns(resolvers: Readonly<Record<string, RecordedResolver>>): EncryptedDns {
  const find = (key: string): RecordedResolver => {
    const found = resolvers[key]
    if (!found) throw new Problem('unreachable', 'The server refuses the connection: nothing listens on that port')
    return found
  }
  const httpAnswer = (server: DohServer, { httpVersion }: DohOptions): { recorded: RecordedResolver } & HttpAnswer => {
    const recorded = find(server.url)
    const [preferred = '2'] = recorded.httpVersions ?? ['2', '1.1']
    const version = httpVersion ?? preferred
    if (!(recorded.httpVersions ?? ['2', '1.1']).includes(version)) {
      throw new Problem('unreachable', `The server does not offer HTTP/${version}`)
    }
    const { status = 200, contentType = MESSAGE_TYPE, body = '' } = recorded.response ?? {}
    return {
      recorded,
      ...connection(server.address ?? '', recorded, version === '2' ? 'h2' : 'http/1.1'),
      httpVersion: version,
      status,
      contentType,
      headers: [['content-type', contentType]],
      body: new TextEncoder().encode(body),
      truncated: false,
      milliseconds: recorded.milliseconds ?? 0,
    }
  }

  return {
    async overTls(server, query, { protocols = ['dot'] } = {}) {
      const recorded = find(`tls://${server.address}`)
      const message = await answerFrom(recorded, query)
      return {
        ...connection(server.address, recorded, protocols[0]),
        message,
        milliseconds: recorded.milliseconds ?? 0,
      }
    },
    async overHttps(server, query, options = {}): Promise<DohExchange> {
      const { recorded, ...answer } = httpAnswer(server, options)
      if (answer.status !== 200) return { ...answer, problem: `The server answered with status ${answer.status}.` }
      if (answer.contentType !== MESSAGE_TYPE) {
        return { ...answer, problem: `The content is ${answer.contentType}, not ${MESSAGE_TYPE}.` }
      }
      return { ...answer, message: await answerFrom(recorded, query) }
    },
    async json(server, { name, type }, options = {}) {
      const { recorded, ...answer } = httpAnswer(server, options)
      if (!recorded.json) return { ...answer, status: 400, problem: 'The server answered with status 400.' }
      const query = createQuery({ id: 0, name: name.endsWith('.') ? name : `${name}.`, type, rd: true })
      const { rcode } = await answerFrom(recorded, query)
      return {
        ...answer,
        contentType: 'application/dns-json',
        answer: { status: rcode === 'NOERROR' ? 0 : 3, records: [] },
      }
    },
    async request(server, { contentType }, options = {}) {
      const { recorded: _, ...answer } = httpAnswer(server, options)
      return { ...answer, status: contentType && contentType !== MESSAGE_TYPE ? 415 : 400, contentType: 'text/plain' }
    },
  }
}

function connection(address: string, { tls }: RecordedResolver, alpn: string | undefined) {
  return {
    address,
    reused: false,
    connectMs: 0,
    tlsMs: 0,
    tls: { protocol: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384', resumed: false, ...(alpn && { alpn }), ...tls },
  }
}

async function answerFrom({ zone = '' }: RecordedResolver, query: Message): Promise<Message> {
  const [{ parseZone }, { equalNames }] = await Promise.all([
    import('@assay/lib/dns/zone'),
    import('@assay/lib/dns/name'),
  ])
  const [question] = query.questions
  const here = parseZone(zone, '.').filter(({ name }) => question && equalNames(name, question.name))
  return {
    ...query,
    qr: true,
    ra: true,
    rcode: here.length ? 'NOERROR' : 'NXDOMAIN',
    answers: here.filter(({ type }) => type === question?.type),
  }
}
