import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A file as it is served: held in memory, in the encodings there are. */
export interface StoredFile {
  type: string
  /** Part of the name is a hash of the content, so that it never changes. */
  immutable: boolean
  etag: string
  bodies: Readonly<Record<Encoding, Buffer | undefined>>
}

export type Encoding = 'br' | 'gzip' | 'identity'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
}

const HASHED = /^\/assets\/.*[.-][A-Za-z0-9_-]{8,}\.[a-z0-9]+$/
const IMMUTABLE = 'public, max-age=31536000, immutable'
/** Pages and unhashed files are asked for anew each time, and mostly answered 304. */
export const REVALIDATED = 'no-cache'

/** A file from its address and its bodies. */
export function storedFile(address: string, bodies: ReadonlyMap<Encoding, Buffer>): StoredFile | undefined {
  const identity = bodies.get('identity')
  if (!identity) return undefined
  return {
    type: types[extname(address)] ?? 'application/octet-stream',
    immutable: HASHED.test(address),
    etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    bodies: { identity, br: bodies.get('br'), gzip: bodies.get('gzip') },
  }
}

/** Makes 49 KB of the 369 that describe the API; the best makes 44 of them and takes fifty times as long. */
const QUICK = { [constants.BROTLI_PARAM_QUALITY]: 6 }

/** A text made by this server, compressed at once, while somebody waits for the start. */
export function generatedFile(address: string, text: string): StoredFile {
  const identity = Buffer.from(text)
  const bodies = new Map<Encoding, Buffer>([
    ['identity', identity],
    ['br', brotliCompressSync(identity, { params: QUICK })],
    ['gzip', gzipSync(identity)],
  ])
  return storedFile(address, bodies) as StoredFile
}

/** Below this the frame of a compressed file outweighs what it saves. */
const SMALLEST_BYTES = 256

/** A built text that was changed, compressed when it is first asked for: doing that to all would hold up the start. */
export function changedFile(address: string, text: string): StoredFile {
  const identity = Buffer.from(text)
  const file = storedFile(address, new Map([['identity', identity]])) as StoredFile
  if (identity.length < SMALLEST_BYTES) return file
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length }
  let br: Buffer | undefined
  let gzip: Buffer | undefined
  const bodies = {
    identity,
    get br() {
      br ??= brotliCompressSync(identity, { params })
      return br
    },
    get gzip() {
      gzip ??= gzipSync(identity, { level: 9 })
      return gzip
    },
  }
  return { ...file, bodies }
}

/** Sends a file in the best encoding, or 304 when the client has it. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: StoredFile, policy: string, status = 200) {
  const encoding = accepted(request.headers['accept-encoding'], file)
  const body = file.bodies[encoding] ?? Buffer.alloc(0)
  reply
    .code(status)
    .header('content-type', file.type)
    .header('cache-control', file.immutable ? IMMUTABLE : REVALIDATED)
    .header('vary', 'Accept-Encoding')
    .header('content-security-policy', policy)
  if (status === 200) reply.header('etag', file.etag)
  if (status === 200 && request.headers['if-none-match']?.includes(file.etag)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  if (request.method === 'HEAD') return reply.header('content-length', body.length).send()
  return reply.send(body)
}

/** The best encoding that is both at hand and asked for. */
function accepted(header: string | undefined, { bodies }: StoredFile): Encoding {
  const asked = new Set(
    (header ?? '')
      .toLowerCase()
      .split(',')
      .map(part => part.trim())
      .filter(part => !/;\s*q=0(?:\.0*)?$/.test(part))
      .map(part => part.split(';')[0]),
  )
  if (asked.has('br') && bodies.br) return 'br'
  if (asked.has('gzip') && bodies.gzip) return 'gzip'
  return 'identity'
}
