import { dohSupport } from './doh-support.ts'
import { dnsLookup, dnsRecords } from './records.ts'
import { reverseDns } from './reverse-dns.ts'

/** The tools that ask the DNS, in page order. */
export const dns = [dnsLookup, dnsRecords, reverseDns, dohSupport]
