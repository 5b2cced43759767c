#!/usr/bin/env node
import { actions } from '@assay/catalogue/catalogue'
import { defaultPanels, perform, type Raw } from '@assay/kit'
import { createNet } from '@assay/net/context'
import { readTrustAnchors } from '@assay/net/trust-anchors'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createMcpServer, type Entry } from './server.ts'

/** The tools for an assistant on this machine, over standard input and output. Like the site it reaches public addresses only. */

const { ASSAY_TRUST_ANCHORS: trustAnchors } = process.env
const net = createNet({
  userAgent: 'Assay/1',
  ...(trustAnchors && { trustAnchors: readTrustAnchors(trustAnchors) }),
})

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
