import { performed, type Raw, type Tool } from '@assay/kit'
import { createNet, type Job, type Net } from '@assay/net/context'

const MINUTE_MS = 60_000
/** Enough of everything for a measure. */
const limits = {
  wallMs: 5 * MINUTE_MS,
  packets: 10_000_000,
  wireBytes: 2 ** 34,
  connections: 1_000_000,
  questionsPerSecond: 1_000_000,
}

const onLoopback = createNet({
  userAgent: 'Assay-bench/1',
  allowedTestNetworks: ['127.0.0.0/8'],
  ports: { scan: 'any', dns: 'any', http: 'any' },
})

/** A job that may reach loopback. */
export const createTestJob = (): Job => onLoopback.createJob({ kind: 'scan', limits })

/** The network as the product would have it in the lab, with nothing remembered. */
export const createLabNet = (): Net => createNet({ userAgent: 'Assay-bench/1' })

export const createLabJob = (net = createLabNet()): Job => net.createJob({ kind: 'scan', limits })

/** What a tool says when the lab is its Internet. */
export async function runInLab({ id, actions: [action] }: Tool, raw: Raw): Promise<unknown> {
  if (!action) throw new Error(`${id} has no action`)
  const job = createLabJob()
  try {
    return (await performed(action, raw, job.context)).result
  } finally {
    job.dispose()
  }
}
