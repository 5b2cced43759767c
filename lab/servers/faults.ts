/**
 * The servers of src/faults.ts, each on its own address.
 *
 * usage: faults.ts LAB
 */
import dgram from 'node:dgram'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import { decodeMessage, encodeMessage } from '@assay/lib/dns/message'
import { WireError } from '@assay/lib/dns/wire'
import { canary, faultHost } from '../src/faults.ts'
import { address, host } from '../src/inventory.ts'
import { dnsFaults, framed, soundAnswer, transferPiece } from './fault-dns.ts'
import { httpFaults } from './fault-http.ts'
import { http2Faults } from './fault-http2.ts'
import { pour, streamFaults } from './fault-stream.ts'
import { tlsFaults } from './fault-tls.ts'

const idleMs = 120_000
/** How long an honest server is given to say all of its part of a handshake. */
const handshakeMs = 100
const [lab = ''] = process.argv.slice(2)
const certificate = {
  key: fs.readFileSync(path.join(lab, 'tls/faults.key')),
  cert: fs.readFileSync(path.join(lab, 'tls/faults.pem')),
}

const addressOf = (name: string) => host(faultHost(name)).v4[0] ?? ''

function listen(name: string, port: number, connected: (socket: net.Socket) => void): void {
  const server = net.createServer(socket => {
    socket.on('error', () => {})
    socket.setTimeout(idleMs, () => socket.destroy())
    connected(socket)
  })
  server.listen(port, addressOf(name))
}

/** What the fault does comes when the client has said something. */
function onQuestion(socket: Duplex, isWhole: (bytes: Buffer) => boolean, answer: (question: Buffer) => void): void {
  let received = Buffer.alloc(0)
  const hear = (piece: Buffer) => {
    received = Buffer.concat([received, piece])
    if (!isWhole(received)) return
    socket.off('data', hear)
    socket.resume()
    answer(received)
  }
  socket.on('data', hear)
}
const something = () => true
const header = (bytes: Buffer) => bytes.includes('\r\n\r\n')
const message = (bytes: Buffer) => bytes.length >= 2 && bytes.length >= 2 + bytes.readUInt16BE(0)

/** TLS with a certificate that holds, and the fault inside. */
function secured(
  name: string,
  port: number,
  protocols: readonly string[],
  connected: (socket: Duplex, plain: net.Socket) => void,
) {
  const context = tls.createSecureContext(certificate)
  listen(name, port, plain => {
    const socket = new tls.TLSSocket(plain, { isServer: true, secureContext: context, ALPNProtocols: [...protocols] })
    socket.on('error', () => {})
    connected(socket, plain)
  })
}

/** A message without a question, or none at all, cannot be answered wrongly, and gets no answer. */
function spoiled(answer: () => readonly Uint8Array[]): readonly Uint8Array[] {
  try {
    return answer()
  } catch (error) {
    if (error instanceof RangeError || error instanceof WireError) return []
    throw error
  }
}

const soundMessages = (query: Buffer) => spoiled(() => [encodeMessage(soundAnswer(decodeMessage(query)))])

const page = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: application/rdap+json\r\nX-Text: ${canary}\r\nContent-Length: 400\r\n\r\n${JSON.stringify({ objectClassName: 'domain', ldhName: 'x.test', remarks: canary.repeat(28) }).padEnd(400)}`,
)
const registration = Buffer.from(
  `Domain Name: X.TEST\r\nRegistrar: ${canary}\r\nCreation Date: 2001-02-03T04:05:06Z\r\n`,
)

/** What an honest server says to the first message of a handshake. */
function soundHandshake(hello: Buffer, heard: (flight: Buffer) => void): void {
  const honest = net.connect(443, address('www.good.test').v4, () => honest.write(hello))
  const flight: Buffer[] = []
  honest.on('error', () => {})
  honest.on('data', piece => flight.push(piece))
  setTimeout(() => {
    honest.destroy()
    heard(Buffer.concat(flight))
  }, handshakeMs)
}

for (const [name, fault] of Object.entries(streamFaults)) {
  const reset = (socket: net.Socket) => () => void socket.resetAndDestroy()
  listen(name, 43, socket => onQuestion(socket, something, () => fault(socket, registration, reset(socket))))
  listen(name, 80, socket => onQuestion(socket, header, () => fault(socket, page, reset(socket))))
  listen(name, 53, socket =>
    onQuestion(socket, message, question => {
      for (const sound of soundMessages(question.subarray(2))) fault(socket, framed(sound), reset(socket))
    }),
  )
  listen(name, 8443, socket =>
    onQuestion(socket, something, hello => soundHandshake(hello, flight => fault(socket, flight, reset(socket)))),
  )
  secured(name, 443, ['http/1.1'], (socket, plain) =>
    onQuestion(socket, header, () => fault(socket, page, reset(plain))),
  )
  secured(name, 853, ['dot'], (socket, plain) =>
    onQuestion(socket, message, question => {
      for (const sound of soundMessages(question.subarray(2))) fault(socket, framed(sound), reset(plain))
    }),
  )
  overUdp(name, bytes => {
    const query = decodeMessage(bytes)
    return [encodeMessage({ ...query, qr: true, aa: true, tc: true, additionals: [] })]
  })
}

for (const [name, fault] of Object.entries(dnsFaults)) {
  overUdp(name, bytes => fault(decodeMessage(bytes), 'udp'))
  listen(name, 53, socket =>
    onQuestion(socket, message, question => {
      const query = question.subarray(2)
      let piece = 0
      if (name === 'dns-transfer') return pour(socket, () => transferPiece(query, piece++))
      for (const answer of spoiled(() => fault(decodeMessage(query), 'tcp'))) socket.write(framed(answer))
    }),
  )
}

for (const [name, fault] of Object.entries(tlsFaults)) {
  for (const port of [443, 853, 8443]) {
    listen(name, port, socket => onQuestion(socket, something, () => fault(socket)))
  }
}

for (const [name, fault] of Object.entries(httpFaults)) {
  const connected = (socket: Duplex) => onQuestion(socket, header, request => fault(socket, request.toString('latin1')))
  listen(name, 80, connected)
  secured(name, 443, ['http/1.1'], connected)
}

for (const [name, fault] of Object.entries(http2Faults)) {
  // RFC 9113 §3.4: the preface, and behind it the frames of the first request.
  secured(name, 443, ['h2'], socket => onQuestion(socket, something, () => fault(socket)))
}

function overUdp(name: string, answer: (message: Buffer) => readonly Uint8Array[]): void {
  const socket = dgram.createSocket('udp4')
  socket.on('error', () => {})
  socket.on('message', (query, peer) => {
    for (const reply of spoiled(() => answer(query))) socket.send(reply, peer.port, peer.address, () => {})
  })
  socket.bind(53, addressOf(name))
}
