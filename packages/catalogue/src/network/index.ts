import { dotSupport } from './dot-support.ts'
import { ipLookup } from './ip-lookup.ts'
import { portScan } from './port-scan.ts'
import { reverseIp } from './reverse-ip.ts'
import { sslscan } from './sslscan.ts'
import { traceroute } from './traceroute.ts'

/** The tools that look at hosts and paths, in page order. */
export const network = [portScan, traceroute, sslscan, dotSupport, ipLookup, reverseIp]
