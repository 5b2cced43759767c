import { createNet, type Job } from '@assay/net/context'

const MINUTE_MS = 60_000

const net = createNet({
  userAgent: 'Assay-bench/1',
  allowedTestNetworks: ['127.0.0.0/8'],
  ports: { scan: 'any', dns: 'any', http: 'any' },
})

/** A job that may reach loopback and has enough of everything for a measure. */
export function createTestJob(): Job {
  const limits = { wallMs: 5 * MINUTE_MS, packets: 10_000_000, wireBytes: 2 ** 34, connections: 1_000_000 }
  return net.createJob({ kind: 'scan', limits })
}
