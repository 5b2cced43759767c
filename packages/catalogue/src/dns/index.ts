import { dnsBenchmarkTest } from './benchmark.ts'
import { dnsCachingCheck } from './caching.ts'
import { dnssec } from './dnssec.ts'
import { dohSupport } from './doh-support.ts'
import { ednsSupportCheck } from './edns.ts'
import { dnsPropagationCheck } from './propagation.ts'
import { dnsLookup, dnsRecords } from './records.ts'
import { reverseDns } from './reverse-dns.ts'
import { dnsSpeedTest } from './speed-test.ts'
import { subdomainFinder } from './subdomain-finder.ts'
import { zoneTransferCheck } from './zone-transfer-check.ts'

/** The tools that ask the DNS, in page order. */
export const dns = [
  dnsLookup,
  dnsRecords,
  reverseDns,
  dnssec,
  zoneTransferCheck,
  dohSupport,
  dnsCachingCheck,
  dnsPropagationCheck,
  dnsSpeedTest,
  dnsBenchmarkTest,
  ednsSupportCheck,
  subdomainFinder,
]
