import type { Dnssec } from './context-dnssec.ts'

/** A recorded answer with signatures; the records as in a zone file. */
export interface RecordedAnswer {
  /** 'answer' unless said otherwise. */
  status?: Awaited<ReturnType<Dnssec['ask']>>['status']
  /** CNAME and DNAME records, and the name they lead to. */
  links?: string
  target?: string
  records?: string
  soa?: string
  /** RRSIG, NSEC and NSEC3 records. */
  proof?: string
}

export interface RecordedDnssec {
  /** DS records of the root's keys. */
  anchors: string
  /** By question: "www.example. A". For all others no server can be reached. */
  answers: Readonly<Record<string, RecordedAnswer>>
}

/** Where trust begins and what servers say, from a recording. Without one there is neither. */
export function recordedDnssec(recorded: RecordedDnssec | undefined): Dnssec {
  return {
    anchors: recorded?.anchors ?? '',
    async ask(name, type) {
      const answer = recorded?.answers[`${name} ${type}`]
      if (!answer) {
        const reason = 'The recording holds no answer to this question.'
        return { status: 'network', links: [], target: name, records: [], proof: [], reason }
      }
      const { parseZone } = await import('@assay/lib/dns/zone')
      const read = (text = '') => parseZone(text, '.')
      const [soa] = read(answer.soa)
      return {
        status: answer.status ?? 'answer',
        links: read(answer.links),
        target: answer.target ?? name,
        records: read(answer.records),
        proof: read(answer.proof),
        ...(soa && { soa }),
      }
    },
  }
}
