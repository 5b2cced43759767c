/**
 * Resolvers over TLS and HTTPS with a fault, or with less than others have: see the table. Port 853 is DNS over TLS.
 *
 * usage: encrypted.ts LAB
 */
import fs from 'node:fs'
import http2 from 'node:http2'
import https from 'node:https'
import net from 'node:net'
import path from 'node:path'
import tls from 'node:tls'
import { addressesOf } from '../src/inventory.ts'

const largestMessage = 65_535
const queryMs = 5000
const [lab = ''] = process.argv.slice(2)

interface Reply {
  readonly type: string
  readonly body: Buffer | string
}

interface Fault {
  /** Whose certificate it shows. */
  readonly certificate: 'web' | 'selfsigned'
  readonly http: '1.1' | '2'
  /** What becomes of the answer. */
  readonly answer: (message: Buffer) => Reply
}

const message = 'application/dns-message'
const plain = (body: Buffer): Reply => ({ type: message, body })

const faults: Readonly<Record<string, Fault>> = {
  'page.tls.test': { certificate: 'web', http: '2', answer: () => ({ type: 'text/html', body: '<p>Welcome</p>\n' }) },
  'wrongtype.tls.test': { certificate: 'web', http: '2', answer: body => ({ type: 'application/octet-stream', body }) },
  'http1.tls.test': { certificate: 'web', http: '1.1', answer: plain },
  'stranger.tls.test': { certificate: 'selfsigned', http: '2', answer: plain },
}

for (const [name, fault] of Object.entries(faults)) {
  const own = {
    key: fs.readFileSync(path.join(lab, `tls/${fault.certificate}.key`)),
    cert: fs.readFileSync(path.join(lab, `tls/${fault.certificate}.pem`)),
  }
  const respond = async (request: Request, response: Response) => {
    const question = await questionOf(request)
    if (!question) return response.writeHead(400).end('no question\n')
    const { type, body } = fault.answer(await ask(question))
    return response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=86400' }).end(body)
  }
  for (const local of addressesOf([name])) {
    const server = fault.http === '2' ? http2.createSecureServer(own) : https.createServer(own)
    server.on('request', (request: Request, response: Response) => {
      respond(request, response).catch(() => response.writeHead(502).end())
    })
    server.on('sessionError', () => {}).listen(443, local)
    tls
      .createServer(own, overTls)
      .on('tlsClientError', () => {})
      .listen(853, local)
  }
}

/** What the two versions of HTTP have in common. */
interface Request extends AsyncIterable<Buffer> {
  url?: string
  method?: string
}
interface Response {
  writeHead(status: number, headers?: Record<string, string>): Response
  end(body?: Buffer | string): unknown
}

async function questionOf(request: Request): Promise<Buffer | undefined> {
  const encoded = new URL(request.url ?? '/', 'https://resolver.test').searchParams.get('dns')
  if (encoded) return Buffer.from(encoded, 'base64url')
  if (request.method !== 'POST') return undefined
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).subarray(0, largestMessage)
}

/** Frames go to a resolver as they are, and its frames come back. */
function overTls(socket: tls.TLSSocket): void {
  const resolver = net.connect(53, addressesOf(['dns.google'])[0])
  const close = () => {
    socket.destroy()
    resolver.destroy()
  }
  for (const one of [socket, resolver]) one.on('error', () => {}).on('close', close)
  socket.pipe(resolver).pipe(socket)
}

/** One question over TCP, so that no answer is truncated. */
function ask(question: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const socket = net.connect(53, addressesOf(['dns.google'])[0])
  let received = Buffer.alloc(0)
  socket.setTimeout(queryMs, () => socket.destroy(new Error('the resolver does not answer')))
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('the resolver hung up')))
  socket.write(Buffer.concat([Buffer.from([question.length >> 8, question.length & 255]), question]))
  socket.on('data', part => {
    received = Buffer.concat([received, part])
    if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
    resolve(received.subarray(2))
    socket.destroy()
  })
  return promise
}
