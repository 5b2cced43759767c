import { address } from '@assay/lab/inventory'
import { compete } from './contest.ts'
import { createLabJob } from './job.ts'
import { run } from './program.ts'
import type { Row } from './table.ts'

/** The way through the four routers of the lab, three probes a hop, with the start of the program. */
export function measureTrace(): Promise<Row[]> {
  const { v4 } = address('www.good.test')
  return compete({
    what: 'five hops, three probes each',
    ours: () => follow(v4),
    peers: [{ name: 'traceroute -n', work: () => run('traceroute', ['-n', v4]), goal: 1 }],
    rounds: 9,
  })
}

async function follow(target: string): Promise<void> {
  const job = createLabJob()
  let arrived = false
  for await (const { reached } of job.context.trace.route(target)) arrived = reached
  job.dispose()
  if (!arrived) throw new Error('the way did not lead to its end')
}
