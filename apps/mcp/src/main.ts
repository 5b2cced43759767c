#!/usr/bin/env node
import { actions } from '@assay/catalogue/catalogue'
import { defaultPanels, perform, type Raw } from '@assay/kit'
import { createNet } from '@assay/net/context'
import { createResolver } from '@assay/net/resolver'
import { createResolverCache } from '@assay/net/resolver-cache'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createMcpServer, type Entry } from './server.ts'

/** The tools for an assistant on this machine, over standard input and output. Like the site it reaches public addresses only. */

const cache = createResolverCache()
const net = createNet({ userAgent: 'Assay/1' }, ({ transport, budget, random }) =>
  createResolver({ transport, random, cache, signal: budget.signal, maxQueries: budget.left('packets') }),
)

async function* run({ tool, action }: Entry, raw: Raw, signal: AbortSignal) {
  const { context, dispose } = net.createJob({ kind: tool.weight === 'scan' ? 'scan' : 'lookup', signal })
  try {
    const { input, result } = yield* perform(action, raw, context)
    return { result, panels: action.show?.(result, input) ?? defaultPanels(result) }
  } finally {
    dispose()
  }
}

const server = createMcpServer({
  entries: actions,
  name: 'assay',
  run,
  onBug: (error, { id }) => console.error(`${id}:`, error),
})
await server.connect(new StdioServerTransport())
