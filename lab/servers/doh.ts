/**
 * DNS over HTTPS for the operators that also offer JSON: RFC 8484 messages are passed to the resolver at the same
 * address; JSON questions are answered from what dig prints.
 *
 * usage: doh.ts LAB
 */
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import http2 from 'node:http2'
import net from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { addressesOf } from '../src/inventory.ts'
import { jsonOperators } from '../src/resolvers.ts'

const queryMs = 5000
const largestMessage = 65_535
const messageType = 'application/dns-message'
const jsonType = 'application/dns-json'
const run = promisify(execFile)
const [lab = ''] = process.argv.slice(2)

const tls = {
  key: fs.readFileSync(path.join(lab, 'tls/resolvers.key')),
  cert: fs.readFileSync(path.join(lab, 'tls/resolvers.pem')),
}

for (const local of addressesOf(jsonOperators)) {
  http2
    .createSecureServer({ ...tls, allowHTTP1: true }, (request, response) => {
      answer(request, response, local).catch(error => {
        if (!response.headersSent) response.writeHead(502)
        response.end(String(error))
      })
    })
    .on('sessionError', () => {})
    .listen(443, local)
}

async function answer(
  request: http2.Http2ServerRequest,
  response: http2.Http2ServerResponse,
  resolver: string,
): Promise<void> {
  const { searchParams } = new URL(request.url, 'https://resolver.test')
  const cors = { 'access-control-allow-origin': '*' }
  const message = await wireQuestion(request, searchParams)
  if (message) {
    const reply = await ask(message, resolver)
    response.writeHead(200, { ...cors, 'content-type': messageType, 'cache-control': 'max-age=0' }).end(reply)
    return
  }
  const name = searchParams.get('name')
  if (!name) {
    response.writeHead(400, cors).end('no question\n')
    return
  }
  const body = await jsonAnswer(name, searchParams.get('type') ?? 'A', resolver)
  response.writeHead(200, { ...cors, 'content-type': jsonType }).end(JSON.stringify(body))
}

async function wireQuestion(request: http2.Http2ServerRequest, search: URLSearchParams): Promise<Buffer | undefined> {
  const encoded = search.get('dns')
  if (encoded) return Buffer.from(encoded, 'base64url')
  if (request.method !== 'POST' || request.headers['content-type'] !== messageType) return undefined
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    parts.push(part)
    length += part.length
    if (length > largestMessage) throw new RangeError('the message is too long')
  }
  return Buffer.concat(parts)
}

/** One question over TCP, so that no answer is truncated. */
function ask(message: Buffer, resolver: string): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const socket = net.connect({ host: resolver, port: 53 })
  let received = Buffer.alloc(0)
  socket.setTimeout(queryMs, () => socket.destroy(new Error('the resolver does not answer')))
  socket.on('error', reject)
  socket.on('connect', () =>
    socket.write(Buffer.concat([Buffer.from([message.length >> 8, message.length & 255]), message])),
  )
  socket.on('data', part => {
    received = Buffer.concat([received, part])
    if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
    resolve(received.subarray(2))
    socket.destroy()
  })
  return promise
}

const rcodes = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED']

async function jsonAnswer(name: string, type: string, resolver: string): Promise<object> {
  const line = [
    `@${resolver}`,
    '+nocmd',
    '+nostats',
    '+noall',
    '+comments',
    '+answer',
    '+adflag',
    '+time=4',
    '+tries=1',
  ]
  const { stdout } = await run('dig', [...line, '-t', type, '-q', name])
  const flags = /flags: ([a-z ]*)/.exec(stdout)?.[1]?.split(' ') ?? []
  return {
    Status: rcodes.indexOf(/status: (\w+)/.exec(stdout)?.[1] ?? ''),
    TC: flags.includes('tc'),
    RD: flags.includes('rd'),
    RA: flags.includes('ra'),
    AD: flags.includes('ad'),
    CD: flags.includes('cd'),
    Question: [{ name: `${name.replace(/\.$/, '')}.`, type: typeNumber(type) }],
    Answer: stdout
      .split('\n')
      .filter(text => text && !text.startsWith(';'))
      .map(text => {
        const [owner, ttl, , recordType = '', ...data] = text.split(/\s+/)
        return { name: owner, type: typeNumber(recordType), TTL: Number(ttl), data: data.join(' ') }
      }),
  }
}

/** IANA, Resource Record (RR) TYPEs: the ones a browser asks for. */
const typeNumbers: Readonly<Record<string, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  DS: 43,
  RRSIG: 46,
  DNSKEY: 48,
  SVCB: 64,
  HTTPS: 65,
  CAA: 257,
}

function typeNumber(type: string): number {
  return typeNumbers[type.toUpperCase()] ?? Number(type.replace(/^TYPE/i, ''))
}
