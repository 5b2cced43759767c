import { dnsPropagationCheck } from '@assay/catalogue/dns/propagation'
import { publicResolvers } from '@assay/lib/dns/resolvers'
import { compete } from './contest.ts'
import { runInLab } from './job.ts'
import { run } from './program.ts'
import type { Row } from './table.ts'

/** It is down in the lab by itself. */
const DOWN = 'SafeDNS'
const DEAD = 3
const LIMIT_MS = 4_000

/** A tool that asks thirty resolvers, some of them dead: what they say does not get through. */
export const measureResolvers = (): Promise<Row[]> =>
  compete({
    what: `propagation at 30 resolvers, ${DEAD} dead`,
    ours: () => withDead(DEAD, () => runInLab(dnsPropagationCheck, { domain: 'www.good.test', type: 'A' })),
    limitMs: LIMIT_MS,
  })

/** With the answers of so many resolvers dropped on their way back, the one that is down counted. */
async function withDead(count: number, work: () => Promise<unknown>): Promise<void> {
  const others = publicResolvers.filter(({ name }) => name !== DOWN).slice(0, count - 1)
  const addresses = others.map(({ ipv4: [address] }) => address).join(', ')
  const chain = 'add table inet bench; add chain inet bench input { type filter hook input priority 0; }'
  await run('nft', [`${chain}; add rule inet bench input ip saddr { ${addresses} } drop`])
  try {
    await work()
  } finally {
    await run('nft', ['delete table inet bench'])
  }
}
