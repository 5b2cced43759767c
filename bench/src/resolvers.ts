import { dnsBenchmarkTest } from '@assay/catalogue/dns/benchmark'
import { dnsPropagationCheck } from '@assay/catalogue/dns/propagation'
import { publicResolvers } from '@assay/lib/dns/resolvers'
import { competeInAll } from './contest.ts'
import { runInLab } from './job.ts'
import { run } from './program.ts'
import type { Row } from './table.ts'

/** It is down in the lab by itself. */
const DOWN = 'SafeDNS'

/** Tools that ask thirty resolvers, some of them dead: what they send does not get through. */
export const measureResolvers = (): Promise<Row[]> =>
  competeInAll([
    {
      what: 'propagation at 30 resolvers, 3 dead',
      ours: () => withDead(3, () => runInLab(dnsPropagationCheck, { domain: 'www.good.test', type: 'A' })),
      limitMs: 4_000,
      rounds: 1,
    },
    {
      what: 'benchmark of 30 resolvers, 9 dead',
      ours: () => withDead(9, () => runInLab(dnsBenchmarkTest, { domain: 'good.test' })),
      limitMs: 20_000,
      rounds: 1,
    },
  ])

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
