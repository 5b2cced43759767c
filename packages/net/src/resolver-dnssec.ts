/**
 * The resolver as a validator needs it: it asks for signatures and proofs and hands on what servers sent, without
 * following aliases from zone to zone, since each zone is judged by its own keys.
 */
import { type Dnssec, Problem } from '@assay/kit'
import type { SignedAnswer } from '@assay/lib/dns/dnssec-chain'
import { ROOT } from '@assay/lib/dns/name'
import { Effort, Walker, type WalkParts } from './resolver-walk.ts'
import { rootHints } from './root-hints.ts'

export interface DnssecOptions extends Omit<WalkParts, 'roots' | 'dnssec' | 'spend'> {
  anchors: Dnssec['anchors']
  roots?: readonly { name: string; addresses: readonly string[] }[]
  /** Packets for all questions of the job. */
  maxQueries: number
}

export function createDnssec({ anchors, maxQueries, roots = rootHints, ...parts }: DnssecOptions): Dnssec {
  let queries = 0
  const spend = () => {
    parts.signal.throwIfAborted()
    if (queries >= maxQueries) throw new Problem('limited', `One request may send ${maxQueries} questions`)
    queries++
  }
  const nameservers = roots.map(({ name, addresses }) => ({ name, addresses: [...addresses] }))
  const walker = new Walker({ ...parts, dnssec: true, spend, roots: { zone: ROOT, nameservers, proof: [] } })
  return {
    anchors,
    async ask(name, type): Promise<SignedAnswer> {
      const nothing = { links: [], target: name, records: [], proof: [] }
      try {
        const found = await walker.find({ name, type }, new Effort(parts.now))
        if (found.kind === 'unknown') {
          const { status, reason, server } = found
          return { ...nothing, status, reason, ...(server !== undefined && { server }) }
        }
        const { kind: status, links, target, proof, server } = found
        const records = found.kind === 'answer' ? found.records : []
        const soa = 'soa' in found ? found.soa : undefined
        return { status, links, target, records, proof, server, ...(soa && { soa }) }
      } catch (error) {
        // The other questions of the run may still be judged by what is known.
        if (!(error instanceof Problem && error.code === 'limited')) throw error
        return { ...nothing, status: 'servfail', reason: `${error.message}.` }
      }
    },
  }
}
