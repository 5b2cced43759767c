import { type DnsAnswer, Problem, type ServerContext } from '@assay/kit'
import { isKnown, type MailAnswer, type MailDns, remembering } from '@assay/lib/mail/dns'

/** The question for the record itself has to be answered; what is behind it may fail beside the rest. */
export function refuseUnanswered(answer: DnsAnswer): void {
  if (isKnown(answer)) return
  const detail = answer.reason ?? `The question ended with ${answer.status}.`
  if (answer.status === 'timeout') throw new Problem('timeout', 'Request timeout', { detail })
  throw new Problem('unreachable', 'The name servers of this domain gave no usable answer.', { detail })
}

/** Time after which a lookup asks nothing new: a question takes at most ten seconds, and the whole run thirty. */
const PATIENCE_MS = 18_000

/**
 * Asks each question once. When a run has used up its questions or its time, the rest is unknown and what was found
 * stands.
 */
export function patient({ dns, now }: ServerContext, milliseconds = PATIENCE_MS): MailDns {
  const start = now().getTime()
  const unknown = (reason: string): MailAnswer => ({ status: 'timeout', records: [], reason })
  return remembering({
    async resolve(name, type) {
      if (now().getTime() - start > milliseconds) return unknown('There was no time left to ask.')
      try {
        return await dns.resolve(name, type)
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'limited') throw error
        return unknown(error.detail ?? error.message)
      }
    },
  })
}
