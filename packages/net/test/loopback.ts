/** For tests: jobs that may reach this machine, servers on it that end with the test, and certificates for them. */

import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Dns, DnsAnswer } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { createBudget, jobLimits, type Limits } from '../src/budget.ts'
import { createEgress, type Door } from '../src/egress.ts'
import { type AllowedPorts, createGuard, type GuardSettings } from '../src/guard.ts'

export const anyPort: Partial<AllowedPorts> = { http: 'any', dns: 'any', scan: 'any', tls: 'any', whois: 'any' }

/** Loopback open on every port. */
export const openLoopback: GuardSettings = { allowedTestNetworks: ['127.0.0.0/8', '::1/128'], ports: anyPort }

export interface TestJob {
  settings?: GuardSettings
  zone?: string
  dns?: Pick<Dns, 'resolve'>
  limits?: Partial<Limits>
  signal?: AbortSignal
}

/** A door that ends with the test; names come from a zone in text form. */
export function openDoor(t: TestContext, job: TestJob = {}): Door {
  const budget = createBudget({ ...jobLimits.scan, ...job.limits }, job.signal)
  const door = createEgress(createGuard(job.settings ?? openLoopback)).door(budget, job.dns ?? zoneOf(job.zone ?? ''))
  t.after(() => {
    door.close()
    budget.end()
  })
  return door
}

export const zoneOf = (zone: string): Dns => replay({ zone }).dns

/** Answers one after the other, for each type apart, and the last one for ever: a name server that changes its mind. */
export function changingDns(answers: readonly string[]): Pick<Dns, 'resolve'> & { questions: string[] } {
  const asked = new Map<string, number>()
  const questions: string[] = []
  return {
    questions,
    resolve(name, type): Promise<DnsAnswer> {
      const turn = asked.get(type) ?? 0
      asked.set(type, turn + 1)
      questions.push(`${name} ${type}`)
      return zoneOf(answers[Math.min(turn, answers.length - 1)] ?? '').resolve(name, type)
    },
  }
}

export interface Listening {
  port: number
  address: string
  /** Sockets accepted so far. */
  accepted: Socket[]
}

/** A TCP server that ends with the test, with everything connected to it. */
export async function listen(
  t: TestContext,
  onConnection: (socket: Socket) => void,
  address = '127.0.0.1',
): Promise<Listening> {
  return listenWith(t, createServer(onConnection), address)
}

export async function listenWith(t: TestContext, server: Server, address = '127.0.0.1'): Promise<Listening> {
  const accepted: Socket[] = []
  server.on('connection', socket => {
    accepted.push(socket)
    socket.on('error', () => {})
  })
  server.listen(0, address)
  await once(server, 'listening')
  t.after(async () => {
    for (const socket of accepted) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return { port: (server.address() as AddressInfo).port, address, accepted }
}

/** A raw HTTP server: `answer` gets the header of each request and writes what it likes. */
export function listenRaw(t: TestContext, answer: (socket: Socket, request: string) => void): Promise<Listening> {
  return listen(t, socket => {
    let request = ''
    socket.setEncoding('latin1')
    socket.on('data', piece => {
      request += piece
      if (!request.includes('\r\n\r\n')) return
      answer(socket, request)
      request = ''
    })
  })
}

/** A UDP server that ends with the test. */
export async function listenUdp(
  t: TestContext,
  answer: (message: Buffer, reply: (bytes: Uint8Array) => void, from: { address: string; port: number }) => void,
  address = '127.0.0.1',
): Promise<{ port: number; address: string }> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  socket.on('message', (message, from) => answer(message, bytes => socket.send(bytes, from.port, from.address), from))
  socket.bind(0, address)
  await once(socket, 'listening')
  t.after(() => socket.close())
  return { port: socket.address().port, address }
}

/** A port of loopback on which nothing listens. */
export async function closedPort(address = '127.0.0.1'): Promise<number> {
  const server = createServer()
  server.listen(0, address)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

export interface Certificates {
  authority: string
  key: string
  /** For good.test and 127.0.0.1. */
  good: string
  expired: string
  selfSigned: string
  /** Good, by an authority that nobody knows. */
  stranger: string
}

/** Certificates made by OpenSSL for this run. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'assay-'))
  const path = (name: string) => join(folder, name)
  const openssl = (...options: string[]) => execFileSync('openssl', options, { cwd: folder, stdio: 'pipe' })
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const authority = (name: string) =>
    openssl(
      'req',
      '-x509',
      ...ec,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
      '-subj',
      `/CN=${name}`,
      '-days',
      '2',
    )
  const issue = (by: string, days: string, out: string) => {
    const from = ['-CA', `${by}.pem`, '-CAkey', `${by}.key`, '-CAcreateserial', '-extfile', 'names']
    openssl('x509', '-req', '-in', 'leaf.csr', ...from, '-days', days, '-out', `${out}.pem`)
  }
  try {
    authority('authority')
    authority('unknown')
    writeFileSync(path('names'), 'subjectAltName=DNS:good.test,IP:127.0.0.1')
    openssl('req', ...ec, '-keyout', 'leaf.key', '-out', 'leaf.csr', '-subj', '/CN=good.test')
    issue('authority', '2', 'good')
    issue('authority', '-1', 'expired')
    issue('unknown', '2', 'stranger')
    openssl(
      'x509',
      '-req',
      '-in',
      'leaf.csr',
      '-signkey',
      'leaf.key',
      '-extfile',
      'names',
      '-days',
      '2',
      '-out',
      'self.pem',
    )
    const read = (name: string) => readFileSync(path(name), 'utf8')
    return {
      authority: read('authority.pem'),
      key: read('leaf.key'),
      good: read('good.pem'),
      expired: read('expired.pem'),
      selfSigned: read('self.pem'),
      stranger: read('stranger.pem'),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
