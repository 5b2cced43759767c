/** What a record says, in words, where its presentation alone does not. */
import { algorithmTitle, digestTitle, keyBits, keyRole, keyTag } from './dnskey.ts'
import type { ResourceRecord } from './message.ts'

/** A few words on what the record means, or undefined when its value speaks for itself. */
export function meaningOf(record: ResourceRecord): string | undefined {
  if (!record.data) return undefined
  switch (record.type) {
    case 'MX':
      return record.data.exchange === '.' ? 'null MX: this name takes no mail (RFC 7505)' : undefined
    case 'SRV':
      return record.data.target === '.' ? 'the service is not offered here (RFC 2782)' : undefined
    case 'TXT':
      return record.data.strings.length > 1 ? `${record.data.strings.length} strings, joined by readers` : undefined
    case 'DNSKEY': {
      const bits = keyBits(record.data)
      const size = bits ? `, ${bits} bits` : ''
      return `${keyRole(record.data)}, key tag ${keyTag(record.rdata)}, ${algorithmTitle(record.data.algorithm)}${size}`
    }
    case 'DS':
      return `for key tag ${record.data.keyTag}, ${algorithmTitle(record.data.algorithm)}, ${digestTitle(record.data.digestType)}`
    case 'CAA':
      return caaMeaning(record.data)
    case 'SOA':
      return `serial ${record.data.serial}, mail to ${mailbox(record.data.rname)}`
    default:
      return undefined
  }
}

/** RFC 8659 §4: issue and issuewild; iodef for reports; RFC 9495 for issuemail. */
function caaMeaning({ tag, value, flags }: { tag: string; value: string; flags: number }): string | undefined {
  const issuer = value.split(';')[0]?.trim()
  const who = issuer ? `${issuer} may issue` : 'nobody may issue'
  const critical = flags & 128 ? ' (critical)' : ''
  switch (tag.toLowerCase()) {
    case 'issue':
      return `${who} certificates${critical}`
    case 'issuewild':
      return `${who} wildcard certificates${critical}`
    case 'issuemail':
      return `${who} S/MIME certificates${critical}`
    case 'iodef':
      return `violations are reported to ${value}`
    default:
      return critical ? 'an unknown critical tag: nobody may issue (RFC 8659 §4.1)' : undefined
  }
}

/** The mail address in an SOA: the first dot that is not escaped stands for the at sign. RFC 1035 §8. */
export function mailbox(rname: string): string {
  const dot = /^((?:[^.\\]|\\.)+)\.(.+?)\.?$/.exec(rname)
  return dot ? `${(dot[1] ?? '').replace(/\\(.)/g, '$1')}@${dot[2]}` : rname
}
