import { dkim } from './dkim.ts'
import { dmarc } from './dmarc.ts'
import { dnsbl } from './dnsbl.ts'
import { domainBlacklistCheck } from './domain-blacklist-check.ts'
import { spf } from './spf.ts'

/** The tools for mail and its reputation, in page order. */
export const email = [dnsbl, dmarc, spf, dkim, domainBlacklistCheck]
