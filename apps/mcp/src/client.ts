import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { createMcpServer, type McpOptions } from './server.ts'

/** A client of a server of its own, in this process. */
export async function connectClient(options: McpOptions): Promise<Client> {
  const client = new Client({ name: options.name, version: '1' })
  const [here, there] = InMemoryTransport.createLinkedPair()
  await Promise.all([createMcpServer(options).connect(there), client.connect(here)])
  return client
}
