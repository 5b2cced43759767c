import type { FastifyInstance, FastifyRequest } from 'fastify'
import { forbidden } from '../errors.ts'
import { refuseCrossSite } from '../tools.ts'

const READING = ['GET', 'HEAD', 'OPTIONS']

/**
 * Pages of other sites cannot change anything here. Every answer that changes something asks for JSON or a token in a
 * header, neither of which such a page can send; this holds even where somebody forgets to ask. Browsers leave out
 * Sec-Fetch-Site where the site is served without TLS, and then Origin says the same.
 */
export function refuseForeignPages(app: FastifyInstance, base: string): void {
  const own = new URL(base).origin
  app.addHook('onRequest', async request => {
    if (READING.includes(request.method)) return
    refuseCrossSite(request)
    if (request.headers['sec-fetch-site'] === undefined && !isOwnOrigin(request, own)) throw forbidden()
  })
}

/** Programs send no Origin; a browser sends that of the page, and "null" where it hides it. */
function isOwnOrigin({ headers: { origin }, host }: FastifyRequest, own: string): boolean {
  if (origin === undefined || origin === own) return true
  const page = URL.parse(origin)
  return page !== null && page.host === host
}
