import { createNet, type Net } from '@assay/net/context'
import type { Kind, NetworkJob } from './runner.ts'
import type { Settings } from './settings.ts'

/** The live network: one cache for all jobs, and a name and an address for complaints in every request. */
export function createNetwork({
  brand,
  base,
  contact,
  abuse,
  testNetworks,
  optedOut,
  trustAnchors,
  limits,
}: Settings): {
  createJob(kind: Kind, signal: AbortSignal): NetworkJob
  isOwnRequest: Net['isOwnRequest']
} {
  const about = [base, abuse ?? contact].filter(Boolean).join('; ')
  const userAgent = `${brand.replace(/[^A-Za-z0-9-]+/g, '-')}/1${about && ` (+${about})`}`
  const net = createNet({
    userAgent,
    allowedTestNetworks: testNetworks,
    optedOutNetworks: optedOut.networks,
    ...(trustAnchors !== undefined && { trustAnchors }),
  })
  return {
    isOwnRequest: net.isOwnRequest,
    createJob: (kind, signal) =>
      net.createJob({
        kind: kind === 'scan' ? 'scan' : 'lookup',
        signal,
        limits: { wallMs: kind === 'scan' ? limits.scanMs : limits.lookupMs },
      }),
  }
}
