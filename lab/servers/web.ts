/**
 * Web sites that misbehave in ways nginx will not: see the four tables below. Each listens on ports 80 and 443.
 *
 * usage: web.ts LAB
 */
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import path from 'node:path'
import { pipeline, Readable } from 'node:stream'
import tls from 'node:tls'
import zlib from 'node:zlib'
import { address } from '../src/inventory.ts'

const mebibyte = 2 ** 20
const slowMs = 3000
const dripMs = 200
const idleMs = 60_000
const [lab = ''] = process.argv.slice(2)

const certificate = {
  key: fs.readFileSync(path.join(lab, 'tls/web.key')),
  cert: fs.readFileSync(path.join(lab, 'tls/web.pem')),
}

/** The TCP sockets by the peer's address and port. */
const connections = new Map<string, net.Socket>()

type Page = (response: http.ServerResponse, request: http.IncomingMessage) => void

/** Header fields that are unusual but legal, or illegal but seen. `/` has them all. */
const oddHeaders: readonly (readonly [string, string])[] = [
  ['Content-Security-Policy', "default-src 'self'"],
  ['Content-Security-Policy', "script-src 'none'"],
  ['Content-Security-Policy-Report-Only', "default-src 'none'"],
  ['Strict-Transport-Security', 'max-age=300'],
  ['Strict-Transport-Security', 'max-age=63072000'],
  ['X-Frame-Options', 'DENY'],
  ['X-Frame-Options', 'ALLOW-FROM https://good.test'],
  ['x-lower-case', 'yes'],
  ['X-UPPER-CASE', 'YES'],
  ['X-Empty', ''],
  ['X-Latin', 'caf\u00e9'],
  ['X-Long', 'x'.repeat(4000)],
  ['X-Markup', '<script>alert(1)</script>'],
  ['Set-Cookie', 'one=1; Secure; HttpOnly; SameSite=Strict'],
  ['Set-Cookie', 'two=2'],
  ['Set-Cookie', '__Host-three=3; Path=/; Secure'],
  ['Server', 'odd/1.0 (lab)'],
  ['__proto__', 'polluted'],
  ['constructor', 'polluted'],
  ['domain', 'not.the.domain.test'],
  ['headers_chain', 'not the chain'],
]

const odd: Readonly<Record<string, Page>> = {
  '/': response => {
    response.writeHead(200, 'Quite Odd', oddHeaders.flat())
    response.end('odd\n')
  },
  '/echo': (response, request) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.rawHeaders }))
  },
}

const status: Readonly<Record<string, Page>> = {
  '/': response => response.end('up\n'),
  '/slow': response => void setTimeout(() => response.end('at last\n'), slowMs),
  '/hang': () => {},
  '/drip': response => {
    const drops = setInterval(() => response.write('.'), dripMs)
    response.on('close', () => clearInterval(drops))
  },
  '/reset': response => reset(response.socket),
  '/empty': response => response.socket?.end(),
  '/cut': response => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('only the beginning')
    setTimeout(() => response.socket?.destroy(), dripMs)
  },
}

function peerOf({ remoteAddress, remotePort }: net.Socket): string {
  return `${remoteAddress} ${remotePort}`
}

function remember(socket: net.Socket): void {
  const peer = peerOf(socket)
  connections.set(peer, socket)
  socket.on('close', () => connections.delete(peer))
}

/** A TLS socket would say goodbye first; only the TCP socket below it can be reset. */
function reset(socket: net.Socket | null): void {
  if (socket) connections.get(peerOf(socket))?.resetAndDestroy()
}

/** What is sent is small, what comes out of it is not. */
const bomb: Readonly<Record<string, Page>> = {
  '/': response => response.end('choose one\n'),
  '/gzip': response => inflating(response, 'gzip', [zlib.createGzip({ level: 9 })]),
  '/deflate': response => inflating(response, 'deflate', [zlib.createDeflate({ level: 9 })]),
  '/brotli': response => inflating(response, 'br', [brotli()]),
  '/gzip-twice': response =>
    inflating(response, 'gzip, gzip', [zlib.createGzip({ level: 9 }), zlib.createGzip({ level: 9 })]),
  '/endless': response => endlessly(response),
  '/large': response => {
    response.writeHead(200, { 'content-length': String(200 * mebibyte) })
    pipeline(zeros(200), response, () => {})
  },
}

function brotli(): zlib.BrotliCompress {
  return zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } })
}

function inflating(
  response: http.ServerResponse,
  encoding: string,
  stages: readonly (zlib.Gzip | zlib.Deflate | zlib.BrotliCompress)[],
): void {
  response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': encoding })
  pipeline([zeros(200), ...stages, response], () => {})
}

function zeros(mebibytes: number): Readable {
  const block = Buffer.alloc(mebibyte)
  return Readable.from(
    (function* () {
      for (let sent = 0; sent < mebibytes; sent++) yield block
    })(),
  )
}

function endlessly(response: http.ServerResponse): void {
  const block = Buffer.alloc(64 * 1024, 'x')
  pipeline(
    Readable.from(
      (function* () {
        for (;;) yield block
      })(),
    ),
    response,
    () => {},
  )
}

/** Answers that no HTTP library would write. The path chooses one. */
const raw: Readonly<Record<string, string>> = {
  '/': 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nraw\n',
  '/http09': 'just text, no status line\n',
  '/http10': 'HTTP/1.0 200 OK\r\n\r\nold\n',
  '/bad-status': 'HTTP/1.1 abc OK\r\n\r\n',
  '/status-999': 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n',
  '/no-reason': 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n',
  '/bare-lf': 'HTTP/1.1 200 OK\nContent-Length: 3\n\nlf\n',
  '/folded': 'HTTP/1.1 200 OK\r\nX-Folded: one\r\n two\r\nContent-Length: 0\r\n\r\n',
  '/nul': 'HTTP/1.1 200 OK\r\nX-Nul: a\u0000b\r\nContent-Length: 0\r\n\r\n',
  '/escape': 'HTTP/1.1 200 OK\r\nX-Escape: \u001b[31mred\u001b[0m\r\nContent-Length: 0\r\n\r\n',
  '/space-in-name': 'HTTP/1.1 200 OK\r\nBad Name: 1\r\nContent-Length: 0\r\n\r\n',
  '/two-lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde',
  '/length-and-chunked': 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  '/bad-chunk': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nnot a chunk\r\n',
  '/bad-gzip': 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip',
  '/huge-header': `HTTP/1.1 200 OK\r\nX-Huge: ${'x'.repeat(mebibyte)}\r\nContent-Length: 0\r\n\r\n`,
  '/many-headers': `HTTP/1.1 200 OK\r\n${Array.from({ length: 5000 }, (_, index) => `X-${index}: ${index}\r\n`).join('')}Content-Length: 0\r\n\r\n`,
  '/informational': `${'HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n'.repeat(1000)}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`,
  '/banner': 'SSH-2.0-OpenSSH_9.2p1\r\n',
}

site('odd.good.test', odd)
site('status.good.test', status)
site('bomb.good.test', bomb)
rawSite('raw.good.test')

function site(name: string, pages: Readonly<Record<string, Page>>): void {
  const handler: http.RequestListener = (request, response) => {
    response.on('error', () => {})
    const [pathname = '/'] = (request.url ?? '/').split('?')
    const page = pages[pathname]
    const code = Number(pathname.slice(1))
    if (page) page(response, request)
    else response.writeHead(code >= 200 && code < 600 ? code : 404).end(`${code || 'not found'}\n`)
  }
  const { v4, v6 } = address(name)
  for (const local of [v4, v6]) {
    for (const [server, port] of [
      [http.createServer(handler), 80],
      [https.createServer(certificate, handler), 443],
    ] as const) {
      server.on('connection', remember)
      server.listen(port, local)
    }
  }
}

function rawSite(name: string): void {
  const serve = (socket: net.Socket) => {
    socket.on('error', () => {})
    socket.setTimeout(idleMs, () => socket.destroy())
    let received = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text
      if (!received.includes('\r\n\r\n')) return
      const [, pathname = '/'] = received.split(' ')
      socket.end(raw[pathname] ?? 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n', 'latin1')
      received = ''
    })
  }
  const { v4, v6 } = address(name)
  for (const local of [v4, v6]) {
    net.createServer(serve).listen(80, local)
    tls
      .createServer(certificate, serve)
      .on('tlsClientError', () => {})
      .listen(443, local)
  }
}
