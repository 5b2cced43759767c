/** What a tool can ask of a server, with budgets made short, and what of it may stay open: nothing. */
import { type PortAnswer, Problem, type ServerContext } from '@assay/kit'
import { type Faults, faultHost, faults, type Layer } from '@assay/lab/faults'
import { host } from '@assay/lab/inventory'
import { createQuery, encodeMessage } from '@assay/lib/dns/message'
import { judgeRdap, MAX_RDAP_BYTES, RDAP_HEADERS } from '@assay/lib/rdap/client'
import { registrationOf } from '@assay/lib/rdap/domain'
import { entriesIn, verdictOf } from '@assay/lib/whois/answer'
import { registrationIn } from '@assay/lib/whois/domain'
import { decodeAnswer } from '@assay/lib/whois/server'
import type { Net } from '../src/context.ts'

/** For a whole job, and for one exchange where the operation has an option for it. */
export const WALL_MS = 700
export const TIMEOUT_MS = 400
/** security.md X4: what an answer may take beyond its budget. */
export const SLACK_MS = 250

interface Place {
  host: string
  address: string
}

interface Operation {
  layers: readonly Layer[]
  /** The operation has a timeout of its own. */
  timed: boolean
  run(context: ServerContext, place: Place): Promise<unknown>
}

/** What it was, how long it took and how it ended. */
export interface Outcome {
  fault: string
  operation: string
  milliseconds: number
  budgetMs: number
  end: 'result' | 'problem' | 'exception'
  /** The sentences of a problem, or the stack of an exception. */
  words: string
}

/** What visitors type; it must not come back in a message. */
export const typed = 'typed-by-a-visitor'
const nameIn = ({ host }: Place) => `${typed}.zone.${host}.`
const question = (place: Place, type = 'TXT') => createQuery({ id: 4711, name: nameIn(place), type, rd: true })
const timeoutMs = TIMEOUT_MS

async function collected<T, R>(steps: AsyncGenerator<T, R, void>): Promise<{ steps: T[]; result: R }> {
  const all: T[] = []
  for (;;) {
    const { done, value } = await steps.next()
    if (done) return { steps: all, result: value }
    all.push(value)
  }
}

/** As the WHOIS tool does it, up to what a visitor gets. */
async function rdap({ http }: ServerContext, url: string): Promise<string> {
  const exchange = await http.get(url, { headers: RDAP_HEADERS, bodyBytes: MAX_RDAP_BYTES, timeoutMs })
  const judged = judgeRdap(url, exchange)
  return JSON.stringify(judged.outcome === 'found' ? [judged.answer, registrationOf(judged.answer)] : judged)
}

const operations: Readonly<Record<string, Operation>> = {
  'resolve a name': {
    layers: ['stream', 'dns'],
    timed: false,
    run: ({ dns }, place) => dns.resolve(nameIn(place), 'TXT'),
  },
  'resolve a name with its signatures': {
    layers: ['stream', 'dns'],
    timed: false,
    run: ({ dnssec }, place) => dnssec.ask(nameIn(place), 'TXT'),
  },
  'ask a server over UDP': {
    layers: ['stream', 'dns'],
    timed: false,
    run: ({ dns }, place) => dns.ask(place.address, nameIn(place), 'TXT', { timeoutMs: 200 }),
  },
  'ask a server over TCP': {
    layers: ['stream', 'dns'],
    timed: true,
    run: ({ dns }, place) => dns.ask(place.address, nameIn(place), 'TXT', { timeoutMs, transport: 'tcp' }),
  },
  'send a message over UDP': {
    layers: ['stream', 'dns'],
    timed: true,
    run: ({ rawDns }, place) => rawDns.exchange(place.address, encodeMessage(question(place)), { timeoutMs }),
  },
  'send a message over TCP': {
    layers: ['stream', 'dns'],
    timed: true,
    run: ({ rawDns }, place) =>
      rawDns.exchange(place.address, encodeMessage(question(place)), { timeoutMs, transport: 'tcp' }),
  },
  'transfer a zone': {
    layers: ['stream', 'dns'],
    timed: false,
    run: ({ nameServers }, place) => collected(nameServers.transfer(place.address, `zone.${place.host}.`)),
  },
  'ask for a list of names': {
    layers: ['stream', 'dns'],
    timed: false,
    run: ({ nameServers }, place) =>
      collected(
        nameServers.askAll(
          [place.address],
          Array.from({ length: 20 }, (_, i) => ({ name: `${i}.${nameIn(place)}`, type: 'A' })),
        ),
      ),
  },
  'ask over TLS': {
    layers: ['stream', 'tls'],
    timed: true,
    run: ({ encryptedDns }, place) =>
      encryptedDns.overTls({ address: place.address, name: place.host }, question(place), { timeoutMs }),
  },
  'ask over HTTPS': {
    layers: ['stream', 'tls', 'http', 'http2'],
    timed: true,
    run: ({ encryptedDns }, place) =>
      encryptedDns.overHttps({ url: `https://${place.host}/dns-query` }, question(place), { timeoutMs }),
  },
  'send a question over HTTPS': {
    layers: ['http2'],
    timed: true,
    run: ({ encryptedDns }, place) =>
      encryptedDns.overHttps({ url: `https://${place.host}/dns-query` }, question(place), {
        timeoutMs,
        method: 'POST',
      }),
  },
  'ask over HTTPS for JSON': {
    layers: ['stream', 'http', 'http2'],
    timed: true,
    run: ({ encryptedDns }, place) =>
      encryptedDns.json({ url: `https://${place.host}/resolve` }, { name: nameIn(place), type: 'A' }, { timeoutMs }),
  },
  'fetch over HTTP': {
    layers: ['stream', 'http'],
    timed: true,
    run: ({ http }, place) => http.get(`http://${place.host}/${typed}`, { timeoutMs }),
  },
  'fetch over HTTPS': {
    layers: ['stream', 'tls', 'http', 'http2'],
    timed: true,
    run: ({ http }, place) => http.get(`https://${place.host}/${typed}`, { timeoutMs }),
  },
  'fetch over HTTPS whatever the certificate': {
    layers: ['tls'],
    timed: true,
    run: ({ http }, place) => http.get(`https://${place.host}/${typed}`, { timeoutMs, acceptBadCertificate: true }),
  },
  'fetch where there is no TLS': {
    layers: ['stream'],
    timed: true,
    run: ({ http }, place) => http.get(`https://${place.host}:8443/${typed}`, { timeoutMs }),
  },
  'fetch from a name that does not resolve': {
    layers: ['dns'],
    timed: true,
    run: ({ http }, place) => http.get(`http://${nameIn(place)}/${typed}`, { timeoutMs }),
  },
  'ask WHOIS of a name that does not resolve': {
    layers: ['stream', 'dns'],
    timed: true,
    run: ({ whois }, place) => whois.ask(nameIn(place), 'x.test', { timeoutMs }),
  },
  'ask RDAP': {
    layers: ['stream', 'http'],
    timed: true,
    run: (context, place) => rdap(context, `https://${place.host}/domain/${typed}.test`),
  },
  'ask WHOIS': {
    layers: ['stream'],
    timed: true,
    async run({ whois }, place) {
      const { bytes } = await whois.ask(place.host, 'x.test', { timeoutMs })
      const { text } = decodeAnswer(place.host, bytes)
      const entries = entriesIn(text)
      return JSON.stringify([registrationIn(entries, 'x.test'), verdictOf(text, 'x.test')])
    },
  },
  'scan TLS': {
    layers: ['tls', 'http2'],
    timed: false,
    run: ({ tls }, place) => collected(tls.scan(place.host, 443)),
  },
  'scan TLS where there is none': {
    layers: ['stream'],
    timed: false,
    run: ({ tls }, place) => collected(tls.scan(place.host, 8443)),
  },
  'scan ports': {
    layers: ['stream'],
    timed: false,
    async run({ tcp }, place) {
      const answers: PortAnswer[] = []
      for await (const answer of tcp.scan(place.address, [43, 53, 80, 443])) answers.push(answer)
      return answers
    },
  },
}

export interface Task {
  fault: string
  operation: string
}

/** Each fault with every operation that can meet it. */
export const tasks: readonly Task[] = Object.entries(faults).flatMap(([layer, names]) =>
  Object.keys(names).flatMap(fault =>
    Object.entries(operations).flatMap(([operation, { layers }]) =>
      layers.includes(layer as keyof Faults) ? [{ fault, operation }] : [],
    ),
  ),
)

const placeOf = (name: string): Place => ({ host: name, address: host(name).v4[0] ?? '' })

/** Where everything can be asked that has an honest answer. */
export const honestPlaces: readonly Place[] = ['www.good.test', 'dns.google', 'whois.nic.test', 'rdap.nic.test'].map(
  placeOf,
)

/** Does one, in a job of its own. */
export async function attempt(
  net: Net,
  { fault, operation }: Task,
  place: Place = placeOf(faultHost(fault)),
): Promise<Outcome> {
  const { run, timed } = operations[operation] ?? { run: () => Promise.reject(new RangeError(operation)), timed: false }
  const job = net.createJob({ kind: 'lookup', limits: { wallMs: WALL_MS } })
  const start = performance.now()
  const told = (end: Outcome['end'], words: string): Outcome => ({
    fault,
    operation,
    milliseconds: performance.now() - start,
    budgetMs: timed ? TIMEOUT_MS : WALL_MS,
    end,
    words,
  })
  try {
    const result = await run(job.context, place)
    return told('result', typeof result)
  } catch (error) {
    if (error instanceof Problem) return told('problem', [error.message, error.detail].filter(Boolean).join(' | '))
    return told('exception', error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    job.dispose()
  }
}
