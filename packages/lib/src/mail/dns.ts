/** What the mail documents ask of the DNS: text records, and names put together from whatever a message holds. */
import { fromUtf8 } from '../bytes.ts'
import type { ResourceRecord } from '../dns/message.ts'
import { labelText, MAX_LABEL_BYTES, MAX_NAME_BYTES } from '../dns/name.ts'

export interface MailAnswer {
  status: 'answer' | 'nodata' | 'nxdomain' | 'servfail' | 'refused' | 'lame' | 'cname-loop' | 'timeout' | 'network'
  records: readonly ResourceRecord[]
  reason?: string | undefined
}

/** The one question that all of this asks. Never throws for what a server says. */
export interface MailDns {
  resolve(name: string, type: string): Promise<MailAnswer>
}

/** Whether the DNS said something: records, or with authority that there are none. */
export const isKnown = ({ status }: MailAnswer): boolean =>
  status === 'answer' || status === 'nodata' || status === 'nxdomain'

/** No records, said with authority: RFC 7208 §4.6.4 calls such a lookup void. */
export const isVoid = ({ status }: MailAnswer): boolean => status === 'nodata' || status === 'nxdomain'

/** The text records of an answer, the strings of each joined without anything between (RFC 7208 §3.3, RFC 6376 §3.6.2.2). */
export const textsOf = ({ records }: MailAnswer): string[] =>
  records.flatMap(record => (record.type === 'TXT' && record.data ? [record.data.strings.join('')] : []))

export const addressesOf = ({ records }: MailAnswer): string[] =>
  records.flatMap(record =>
    (record.type === 'A' || record.type === 'AAAA') && record.data ? [record.data.address] : [],
  )

/**
 * The presentation form of a name whose labels may hold any character but a dot; undefined for what no question can
 * hold: an empty label, one over 63 bytes, or over 255 in all.
 */
export function nameOfText(text: string): string | undefined {
  const labels = text.replace(/\.$/, '').split('.').map(fromUtf8)
  const length = labels.reduce((sum, label) => sum + label.length + 1, 1)
  if (length > MAX_NAME_BYTES || labels.some(({ length }) => length === 0 || length > MAX_LABEL_BYTES)) return undefined
  return labels.map(label => `${labelText(label, 0, label.length)}.`).join('')
}

/** Remembers answers, so that what several parts of a check want to know is asked once. */
export function remembering(dns: MailDns): MailDns {
  const answers = new Map<string, Promise<MailAnswer>>()
  return {
    resolve(name, type) {
      const key = `${type} ${name.toLowerCase()}`
      const known = answers.get(key) ?? dns.resolve(name, type)
      answers.set(key, known)
      return known
    },
  }
}
