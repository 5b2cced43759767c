import type { ServerContext, Tool } from '@assay/kit'
import { createNet } from '@assay/net/context'
import { readTrustAnchors } from '@assay/net/trust-anchors'

/** Whoever types a command may reach whatever this machine may reach. */
const EVERYWHERE = ['0.0.0.0/0', '::/0']

/** The network of this machine, one job a run. `trustAnchors` as in ASSAY_TRUST_ANCHORS. */
export function createNetwork(
  trustAnchors: string | undefined,
): (tool: Tool, signal: AbortSignal) => { context: ServerContext; dispose(): void } {
  const net = createNet({
    userAgent: 'Assay/1',
    allowedTestNetworks: EVERYWHERE,
    ...(trustAnchors && { trustAnchors: readTrustAnchors(trustAnchors) }),
  })
  return ({ weight }, signal) => net.createJob({ kind: weight === 'scan' ? 'scan' : 'lookup', signal })
}
