import { type Action, inputSchema, type Panel, Problem, type Raw, type Tool, type Update } from '@assay/kit'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool as McpTool,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js'

export interface Entry {
  tool: Tool
  action: Action
}

/** Runs one action; how, and within which limits, is the business of whoever starts the server. */
export type RunAction = (
  entry: Entry,
  raw: Raw,
  signal: AbortSignal,
) => AsyncGenerator<Update, { result: unknown; panels?: Panel[] }, void>

export interface McpOptions {
  entries: readonly Entry[]
  run: RunAction
  /** The name the server gives itself. */
  name: string
  /** Told of errors that are nobody's but ours. */
  onBug?: (error: unknown, tool: Tool) => void
}

const VERSION = '1'
const INSTRUCTIONS =
  'Tools for DNS, networks, certificates, hashes, encodings and ciphers. Bytes are given as text with a format beside them: UTF-8, Hex, Base64 or Latin-1.'

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** `aes/encrypt` → `aes_encrypt`. */
export const toolName = (path: string): string => path.replace(/[^A-Za-z0-9]+/g, '_')

/** A Model Context Protocol server of all tools, connected to nothing yet. */
export function createMcpServer({ entries, run, name, onBug = () => {} }: McpOptions): Server {
  const byName = new Map(entries.map(entry => [toolName(entry.action.path), entry]))
  const server = new Server({ name, version: VERSION }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS })

  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: entries.map(described) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const entry = byName.get(params.name)
    if (!entry) throw new McpError(ErrorCode.InvalidParams, 'There is no tool of this name.')
    try {
      return answered(await lastOf(run(entry, params.arguments ?? {}, extra.signal), extra))
    } catch (error) {
      if (error instanceof Problem) return refused(error)
      onBug(error, entry.tool)
      throw new McpError(ErrorCode.InternalError, 'The tool failed through a fault of its own.')
    }
  })
  return server
}

function described({ tool, action }: Entry): McpTool {
  const { properties, ...schema } = inputSchema(action.fields)
  return {
    name: toolName(action.path),
    title: action.title,
    description: [action.summary, tool.caution].filter(Boolean).join(' '),
    inputSchema: { ...schema, type: 'object', properties: properties as Record<string, object> },
    annotations: {
      title: action.title,
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: tool.runs === 'server',
    },
  }
}

async function lastOf<T>(run: AsyncGenerator<Update, T, void>, extra: Extra): Promise<T> {
  const progressToken = extra._meta?.progressToken
  let last = 0
  for (;;) {
    const { done, value } = await run.next()
    if (done) return value
    if (progressToken === undefined || (value.progress === undefined && value.label === undefined)) continue
    // Each notification must be further than the one before, and some updates only say what is done now.
    last = Math.max(value.progress ?? 0, last + Number.EPSILON)
    const progress = { progressToken, progress: last, total: 1, ...(value.label && { message: value.label }) }
    await extra.sendNotification({ method: 'notifications/progress', params: progress })
  }
}

function answered({ result, panels = [] }: { result: unknown; panels?: Panel[] }): CallToolResult {
  const structured = typeof result === 'object' && result !== null && !Array.isArray(result)
  return {
    content: [{ type: 'text', text: JSON.stringify(result, null, 2) }, ...panels.flatMap(images)],
    ...(structured && { structuredContent: result as Record<string, unknown> }),
  }
}

/** Pictures in the formats that clients show. */
function images(panel: Panel): CallToolResult['content'] {
  if (panel.kind === 'section') return panel.panels.flatMap(images)
  if (panel.kind !== 'image') return []
  const [, mimeType, data] = /^data:(image\/(?:png|jpeg|webp));base64,(.+)$/s.exec(panel.source) ?? []
  return mimeType && data ? [{ type: 'image', mimeType, data }] : []
}

function refused({ message, detail, field }: Problem): CallToolResult {
  const lines = [message, detail, field && `Field: ${field}`].filter(Boolean)
  return { isError: true, content: [{ type: 'text', text: lines.join('\n') }] }
}
