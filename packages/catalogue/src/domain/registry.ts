import { Problem, type ServerContext } from '@assay/kit'
import { addressService, autnumService, domainService, NUMBERS_FALLBACK } from '@assay/lib/rdap/bootstrap'
import {
  type Fetched,
  judgeRdap,
  MAX_RDAP_BYTES,
  MAX_RDAP_REDIRECTS,
  RDAP_HEADERS,
  RDAP_TIMEOUT_MS,
  type RdapOutcome,
  rdapUrl,
} from '@assay/lib/rdap/client'
import { type Entry, entriesIn, referralIn, type Verdict, verdictOf } from '@assay/lib/whois/answer'
import { decodeAnswer, IANA_WHOIS, questionFor, visibleText } from '@assay/lib/whois/server'

/** What is looked up, and where the registries keep it. */
export interface Subject {
  kind: 'domain' | 'ip' | 'autnum'
  /** As it is asked for: A-labels, the canonical address, or "AS64496". */
  name: string
}

/** One question that was put, and how it ended. */
export interface Asked {
  server: string
  protocol: 'rdap' | 'whois'
  /** What was asked for: the address of the question, or the line that was sent. */
  question: string
  outcome: Verdict | 'refused' | 'timeout' | 'unreachable'
  detail?: string
  milliseconds: number
}

export interface RawAnswer {
  server: string
  protocol: 'rdap' | 'whois'
  charset: string
  truncated: boolean
  text: string
}

/** What came of the questions so far. */
export interface Log {
  asked: Asked[]
  raw: RawAnswer[]
  /** When the first question was put, by the wall clock. */
  started: number
}

export const createLog = ({ now }: ServerContext): Log => ({ asked: [], raw: [], started: now().getTime() })

/** All questions together; no single server gets more than its part. */
const PATIENCE_MS = 10_000

/** What is left of it for the next question: never nothing, so that whoever comes last can still answer at once. */
const patience = ({ started }: Log, { now }: ServerContext): number =>
  Math.min(RDAP_TIMEOUT_MS, Math.max(500, started + PATIENCE_MS - now().getTime()))

/** From IANA to the registry, and from the registry to the registrar. */
export const MAX_REFERRALS = 2
/** Characters of an answer that are handed on word for word; the longest honest ones have some 60,000. */
const MAX_RAW_LENGTH = 262_144

/** A host name of a server as it stands in records: letters, digits, dots. */
const hostOf = (url: string): string => /^https?:\/\/([^/]+)/i.exec(url)?.[1]?.toLowerCase() ?? url

/** What ends the whole run rather than one question: the job's limits, and a visitor who left. */
function asFailure(error: unknown, { signal }: ServerContext): Exclude<Fetched, { url: string }> {
  signal.throwIfAborted()
  if (!(error instanceof Problem)) throw error
  const failure = [error.message.replace(/^Validation error: t/, 'T'), error.detail].filter(Boolean).join('. ')
  const outcome =
    error.code === 'refused' || error.code === 'invalid-input'
      ? 'refused'
      : error.code === 'timeout'
        ? 'timeout'
        : 'unreachable'
  return { failure: failure.replace(/\.?$/, '.'), outcome }
}

async function fetchRdap(url: string, context: ServerContext, timeoutMs: number): Promise<Fetched> {
  try {
    const limits = { bodyBytes: MAX_RDAP_BYTES, timeoutMs, redirects: MAX_RDAP_REDIRECTS }
    return await context.http.get(url, { headers: RDAP_HEADERS, ...limits })
  } catch (error) {
    return asFailure(error, context)
  }
}

/** The service that IANA's list names for the subject, if there is one. */
export async function rdapService({ kind, name }: Subject, { whois }: ServerContext): Promise<string | undefined> {
  if (kind === 'domain') return domainService((await whois.bootstrap('dns')).text, name)
  if (kind === 'autnum') {
    return autnumService((await whois.bootstrap('asn')).text, Number(name.slice(2))) ?? NUMBERS_FALLBACK
  }
  const file = await whois.bootstrap(name.includes(':') ? 'ipv6' : 'ipv4')
  return addressService(file.text, name) ?? NUMBERS_FALLBACK
}

export const subjectUrl = (service: string, { kind, name }: Subject): string =>
  rdapUrl(service, kind, kind === 'autnum' ? name.slice(2) : name)

/** Puts one question by RDAP and writes down how it ended. */
export async function askRdap(url: string, context: ServerContext, log: Log): Promise<RdapOutcome> {
  const start = context.now().getTime()
  const outcome = judgeRdap(url, await fetchRdap(url, context, patience(log, context)))
  const server = hostOf(outcome.url)
  log.asked.push({
    server,
    protocol: 'rdap',
    question: outcome.url,
    outcome: outcome.outcome,
    ...('detail' in outcome && outcome.detail && { detail: outcome.detail }),
    milliseconds: context.now().getTime() - start,
  })
  if (outcome.outcome === 'found') {
    const text = visibleText(JSON.stringify(outcome.answer, null, 2))
    const truncated = text.length > MAX_RAW_LENGTH
    log.raw.push({ server, protocol: 'rdap', charset: 'utf-8', truncated, text: text.slice(0, MAX_RAW_LENGTH) })
  }
  return outcome
}

export interface WhoisAnswer {
  server: string
  entries: Entry[]
  verdict: Asked['outcome']
}

/**
 * Follows port 43 from IANA's server down, at most two referrals, each server once. `registers` tells whether the fields
 * of an answer are a registration. The answers come in the order of the servers, the registry's first.
 */
export async function askWhois(
  subject: Subject,
  context: ServerContext,
  log: Log,
  registers: (entries: readonly Entry[]) => boolean,
): Promise<WhoisAnswer[]> {
  const answers: WhoisAnswer[] = []
  const seen = new Set<string>()
  let server: string | undefined = IANA_WHOIS
  for (let referrals = 0; server && referrals <= MAX_REFERRALS && !seen.has(server); referrals++) {
    seen.add(server)
    const answer: WhoisAnswer & { next: string | undefined } = await askServer(server, subject, context, log, registers)
    if (server !== IANA_WHOIS) answers.push(answer)
    server = answer.next
  }
  if (server && !seen.has(server)) {
    const detail = `Not asked: ${MAX_REFERRALS} referrals are followed.`
    log.asked.push({ server, protocol: 'whois', question: subject.name, outcome: 'refused', detail, milliseconds: 0 })
  }
  return answers
}

async function askServer(
  server: string,
  subject: Subject,
  context: ServerContext,
  log: Log,
  registers: (entries: readonly Entry[]) => boolean,
): Promise<WhoisAnswer & { next: string | undefined }> {
  const start = context.now().getTime()
  const question = questionFor(server, subject.name, subject.kind === 'domain' ? 'domain' : 'number')
  const written = (outcome: Asked['outcome'], detail?: string) => {
    const milliseconds = context.now().getTime() - start
    log.asked.push({ server, protocol: 'whois', question, outcome, ...(detail && { detail }), milliseconds })
    return outcome
  }
  try {
    const { bytes, end } = await context.whois.ask(server, question, { timeoutMs: patience(log, context) })
    const decoded = decodeAnswer(server, bytes)
    const text = visibleText(decoded.text)
    const entries = entriesIn(text)
    log.raw.push({ server, protocol: 'whois', charset: decoded.charset, truncated: end !== 'closed', text })
    const next = referralIn(entries)
    const cut =
      end === 'size'
        ? 'The answer was cut: it did not end.'
        : end === 'time'
          ? 'The answer was cut: it took too long.'
          : undefined
    if (server === IANA_WHOIS) {
      return { server, entries, verdict: written(next ? 'found' : verdictOf(text, subject.name), cut), next }
    }
    const verdict = registers(entries) ? 'found' : verdictOf(text, subject.name)
    return { server, entries, verdict: written(verdict, cut), next: verdict === 'found' ? next : undefined }
  } catch (error) {
    const { failure, outcome } = asFailure(error, context)
    return { server, entries: [], verdict: written(outcome, failure), next: undefined }
  }
}
