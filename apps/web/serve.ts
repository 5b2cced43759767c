import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { dist } from './bundle.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

/**
 * Serves the built site on loopback under the strictest policy it is meant for, with nothing behind /api/. For
 * development of pages and for their tests; visitors are served by apps/server.
 */
export function serveSite(): Server {
  const { scriptHashes }: { scriptHashes: string[] } = JSON.parse(readFileSync(`${dist}csp.json`, 'utf8'))
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval' ${scriptHashes.map(hash => `'${hash}'`).join(' ')}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types assay',
  ].join('; ')
  return createServer((request, response) => answer(request, response, policy))
}

function answer({ url = '/' }: IncomingMessage, response: ServerResponse, policy: string): void {
  const { pathname, search } = new URL(url, 'http://localhost')
  const file = `${dist}${pathname.slice(1)}${pathname.endsWith('/') ? 'index.html' : ''}`
  if (!pathname.endsWith('/') && existsSync(`${file}/index.html`)) {
    response.writeHead(301, { location: `${pathname}/${search}` }).end()
    return
  }
  const found = !pathname.includes('..') && existsSync(file) && statSync(file).isFile()
  const body = found ? file : `${dist}404.html`
  response.writeHead(found ? 200 : 404, {
    'content-type': types[extname(body)] ?? 'application/octet-stream',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  })
  createReadStream(body).pipe(response)
}
