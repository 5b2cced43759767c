import type { ServerContext, Tool } from '@assay/kit'
import { createNet } from '@assay/net/context'
import { createResolver } from '@assay/net/resolver'
import { createResolverCache } from '@assay/net/resolver-cache'

/** Whoever types a command may reach whatever this machine may reach. */
const EVERYWHERE = ['0.0.0.0/0', '::/0']

/** The network of this machine, one job a run. */
export function createNetwork(): (tool: Tool, signal: AbortSignal) => { context: ServerContext; dispose(): void } {
  const cache = createResolverCache()
  const net = createNet({ userAgent: 'Assay/1', allowedTestNetworks: EVERYWHERE }, ({ transport, budget, random }) =>
    createResolver({ transport, random, cache, signal: budget.signal, maxQueries: budget.left('packets') }),
  )
  return ({ weight }, signal) => net.createJob({ kind: weight === 'scan' ? 'scan' : 'lookup', signal })
}
