import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { createMcpServer, type McpOptions } from './server.ts'

/**
 * Answers one POST of the Streamable HTTP transport. Nothing is kept from one to the next: no session, no stream that
 * outlives its call.
 */
export async function answerMcp(options: McpOptions, request: Request, body: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({})
  await createMcpServer(options).connect(transport)
  return transport.handleRequest(request, { parsedBody: body })
}
