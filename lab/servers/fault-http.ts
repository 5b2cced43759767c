/** What a web server may answer that no HTTP library writes. See src/faults.ts. */
import type { Duplex } from 'node:stream'
import zlib from 'node:zlib'
import { canary, type Faults, faultHost } from '../src/faults.ts'
import { drip, pour } from './fault-stream.ts'

const mebibyte = 2 ** 20
const bombMebibytes = 1_024

type Answer = (socket: Duplex, request: string) => void

const head = (...fields: readonly string[]) => ['HTTP/1.1 200 OK', ...fields, '', ''].join('\r\n')
const says =
  (...pieces: readonly string[]): Answer =>
  socket =>
    void socket.end(pieces.join(''), 'latin1')
/** A beginning, and then the same without an end. */
const endless =
  (beginning: string, rest: string, times = 1_000): Answer =>
  socket => {
    socket.write(beginning)
    const piece = Buffer.from(rest.repeat(times))
    pour(socket, () => piece)
  }
const rdap = 'Content-Type: application/rdap+json'
const chunked = 'Transfer-Encoding: chunked'
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const json = (body: string): Answer => says(head(rdap, `Content-Length: ${body.length}`), body)

const pathOf = (request: string) => request.split(' ', 2)[1] ?? '/'
const moved = (location: string): Answer =>
  says(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)

/** Zeros through a compressor, which gives a thousandth of them or less. */
const bomb =
  (coding: string, compressor: () => zlib.Gzip | zlib.Deflate | zlib.BrotliCompress): Answer =>
  socket => {
    socket.write(head(rdap, `Content-Encoding: ${coding}`))
    const block = Buffer.alloc(mebibyte)
    const stage = compressor()
    let left = bombMebibytes
    const feed = () => {
      while (left-- > 0 && !socket.destroyed) if (!stage.write(block)) return
      stage.end()
    }
    stage.on('drain', feed).pipe(socket)
    socket.once('close', () => stage.destroy())
    feed()
  }

const wrongTypes = JSON.stringify({
  objectClassName: 'domain',
  ldhName: { [canary]: 1 },
  status: 'active',
  events: [null, 1, [], { eventAction: { toString: 1 }, eventDate: [] }],
  entities: [{ roles: { registrar: 1 }, vcardArray: [['vcard'], 7] }, 'x', null],
  nameservers: { 0: 'x' },
  links: [{ rel: 'related', type: 'application/rdap+json', href: { a: 1 } }],
  secureDNS: [],
  Status: 0,
  Answer: [null, 1, { data: 1 }, { name: { toString: 1 }, type: { toString: 1 }, TTL: [], data: canary }],
})

export const httpFaults: Record<keyof Faults['http'], Answer> = {
  'http-gzip': bomb('gzip', () => zlib.createGzip({ level: 1 })),
  'http-brotli': bomb('br', () => zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })),
  'http-deflate': bomb('deflate', () => zlib.createDeflate({ level: 1 })),
  'http-nested': socket => {
    let body = Buffer.alloc(10 * mebibyte)
    for (let times = 5; times > 0; times--) body = zlib.gzipSync(body)
    socket.write(head(rdap, 'Content-Encoding: gzip, gzip, gzip, gzip, gzip', `Content-Length: ${body.length}`))
    socket.end(body)
  },
  'http-members': socket => {
    socket.write(head(rdap, 'Content-Encoding: gzip'))
    const empty = zlib.gzipSync('')
    const piece = Buffer.concat(Array.from({ length: 1_000 }, () => empty))
    pour(socket, () => piece)
  },
  'http-tiny-chunks': endless(head(rdap, chunked), chunk('x')),
  'http-extensions': endless(`${head(rdap, chunked)}1;`, canary),
  'http-trailers': endless(`${head(rdap, chunked) + chunk('x')}0\r\n`, `X-Trailer: ${canary}\r\n`),
  'http-headers': endless('HTTP/1.1 200 OK\r\n', `X-Header: ${canary}\r\n`),
  'http-header': endless('HTTP/1.1 200 OK\r\nX-Header: ', canary),
  'http-slow-header': socket => drip(socket, Buffer.from(`${head(rdap, 'Content-Length: 2')}{}`)),
  'http-interim': endless('', `HTTP/1.1 103 Early Hints\r\nLink: ${canary}\r\n\r\n`),
  'http-body': endless(head(rdap), canary),
  'http-two-lengths': says(head(rdap, 'Content-Length: 3', 'Content-Length: 5'), canary),
  'http-length-and-chunked': says(head(rdap, 'Content-Length: 3', chunked), `0\r\n\r\n${head()}${canary}`),
  'http-chunked-twice': says(head(rdap, chunked, 'Transfer-Encoding: gzip, chunked'), chunk(canary), '0\r\n\r\n'),
  'http-huge-length': says(head(rdap, `Content-Length: ${'9'.repeat(400)}`), canary),
  'http-short': says(head(rdap, 'Content-Length: 100000'), canary),
  'http-second-response': says(head(rdap, 'Content-Length: 2'), '{}', head(rdap, 'Content-Length: 12'), canary),
  'http-upgrade': says('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', canary),
  'http-loop': (socket, request) => moved(pathOf(request))(socket, request),
  'http-growing': (socket, request) => moved(`${pathOf(request)}${canary.repeat(150)}/`)(socket, request),
  'http-inward': moved('http://169.254.169.254/latest/meta-data/'),
  'http-bad-location': moved(`http://\u0001${canary}\u007f\u00ff@${faultHost('mute')}:99999/`),
  'http-deep-json': json('['.repeat(500_000)),
  'http-long-json': endless(`${head(rdap)}{"objectClassName":"domain","ldhName":"x.test","status":[`, '"active",'),
  'http-wrong-json': json(wrongTypes),
  'http-quotes': json(`"${'\\"'.repeat(400_000)}`),
}
