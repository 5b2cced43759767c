/** Whose token or key came with a request. */
export interface Principal {
  account: string
  /** Id of the API key; undefined for a session. */
  key: string | undefined
  /** The kinds of tools that the key may call; undefined for all. */
  scopes: readonly string[] | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    principal?: Principal | undefined
  }
}
