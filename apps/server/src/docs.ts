import type { FastifyInstance } from 'fastify'
import { generatedFile, sendFile } from './file.ts'
import { pagePolicy } from './headers.ts'
import { type Documented, openApi } from './openapi.ts'
import type { Site } from './site.ts'

const DOCUMENT = '/api/openapi.json'
const PAGE = '/api/docs/'

export interface DocsOptions extends Documented {
  /** The page is one of the built ones; without them the document stands in for it. */
  site: Site | undefined
}

/** The API explained: a document for programs, and a page for people among the built ones. */
export function docsRoutes(app: FastifyInstance, { site, ...documented }: DocsOptions): void {
  const policy = pagePolicy({ scriptHashes: [] }, '')
  const file = generatedFile('openapi.json', JSON.stringify(openApi(documented)))
  app.get(DOCUMENT, (request, reply) => sendFile(request, reply.removeHeader('x-robots-tag'), file, policy))
  app.get(PAGE, (request, reply) =>
    site ? site.serve(request, reply.removeHeader('x-robots-tag')) : reply.redirect(DOCUMENT, 302),
  )
  app.get('/api/', (_, reply) => reply.redirect(PAGE, 301))
}
