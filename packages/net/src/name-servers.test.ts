import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createRecord, decodeMessage, encodeMessage, type Message, type ResourceRecord } from '@assay/lib/dns/message'
import type { TransferEnd } from '@assay/lib/dns/transfer'
import { parseZone } from '@assay/lib/dns/zone'
import { closedPort, listenWith, openDoor, type TestJob } from '../test/loopback.ts'
import type { DnsTransport } from './dns-transport.ts'
import { createDnsTransport } from './dns-transport.ts'
import type { Door } from './egress.ts'
import { createNameServers } from './name-servers.ts'
import { createPaces } from './pace.ts'

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))

/** The servers at invented addresses are ports of loopback. */
function create(t: TestContext, ports: Record<string, number>, job: TestJob = {}, pace = () => true) {
  const door = openDoor(t, job)
  const place = (address: string) => ({ address: '127.0.0.1', port: ports[address] ?? 1 })
  const base = createDnsTransport(door)
  const transport: DnsTransport = {
    ...base,
    stream: ({ address }, query, options) => base.stream(place(address), query, options),
  }
  const through: Door = {
    ...door,
    budget: door.budget,
    pin: door.pin,
    check: address => (ports[address] === undefined ? door.check(address) : undefined),
    channel: target => door.channel({ ...target, ...place(target.address) }),
  } as Door
  return createNameServers({ door: through, transport, random, paceOf: () => pace })
}

const framed = (message: Message) => {
  const bytes = encodeMessage(message)
  return Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 255), bytes])
}

/** A server over TCP that writes these messages for a query, and hangs up when told so. */
async function serveZone(
  t: TestContext,
  answer: (query: Message) => Message[],
  then: 'stay' | 'end' | 'reset' = 'stay',
) {
  const server = createServer(socket => {
    socket.once('data', chunk => {
      const query = decodeMessage(chunk.subarray(2))
      for (const message of answer(query)) socket.write(framed(message))
      if (then === 'end') socket.end()
      if (then === 'reset') socket.resetAndDestroy()
    })
  })
  return (await listenWith(t, server)).port
}

async function transfer(nameServers: ReturnType<typeof createNameServers>, server = '192.0.2.1') {
  const records: ResourceRecord[] = []
  const steps = nameServers.transfer(server, 'example.')
  for (let step = await steps.next(); ; step = await steps.next()) {
    if (step.done) return { records, end: step.value satisfies TransferEnd }
    records.push(...step.value)
  }
}

const [soa, ns] = parseZone('example. 60 SOA ns.example. host.example. 1 2 3 4 5\nexample. 60 NS ns.example.') as [
  ResourceRecord,
  ResourceRecord,
]
const host = (i: number) => createRecord('A', { name: `h${i}.example.`, ttl: 60 }, { address: '192.0.2.9' })
const answering = (query: Message, answers: ResourceRecord[], more: Partial<Message> = {}): Message => ({
  ...query,
  qr: true,
  aa: true,
  answers,
  ...more,
})

test('RFC 5936 §2.2: records come as they arrive, and the connection is left at the closing SOA', async t => {
  const port = await serveZone(t, query => [
    answering(query, [soa, ns]),
    answering(query, [host(1), host(2)], { questions: [] }),
    answering(query, [soa], { questions: [] }),
  ])
  const { records, end } = await transfer(create(t, { '192.0.2.1': port }))
  assert.equal(end.status, 'transferred')
  assert.equal(end.messages, 3)
  assert.equal(records.length, 4)
})

test('a zone of 100,000 records stops at 20,000', async t => {
  const hosts = Array.from({ length: 100 }, (_, i) => host(i))
  const port = await serveZone(t, query => [
    answering(query, [soa]),
    ...Array.from({ length: 1_000 }, () => answering(query, hosts, { questions: [] })),
    answering(query, [soa]),
  ])
  const { records, end } = await transfer(create(t, { '192.0.2.1': port }))
  assert.equal(end.status, 'limit')
  assert.equal(end.records, 20_000)
  assert.equal(records.length, 20_000)
})

test('a port and limits that are given take the place of the usual ones', async t => {
  const port = await serveZone(t, query => [answering(query, [soa, ns, host(1), host(2), soa])])
  const door = openDoor(t)
  const transport = createDnsTransport(door)
  const parts = { door, transport, random, paceOf: () => () => true, port }
  const whole = await transfer(createNameServers(parts), '127.0.0.1')
  assert.deepEqual([whole.end.status, whole.end.records], ['transferred', 5])
  const transferLimits = { records: 3, bytes: 1_000 }
  const cut = await transfer(createNameServers({ ...parts, transferLimits }), '127.0.0.1')
  assert.deepEqual([cut.end.status, cut.end.records], ['limit', 3])
})

test('RFC 5936 §2.2.1: refusal, another id, hanging up, a reset and nobody there are told apart', async t => {
  const statusOf = async (port: number) => (await transfer(create(t, { '192.0.2.1': port }))).end.status
  assert.equal(await statusOf(await serveZone(t, query => [answering(query, [], { rcode: 'REFUSED' })])), 'refused')
  assert.equal(await statusOf(await serveZone(t, query => [answering(query, [], { rcode: 'NOTAUTH' })])), 'notauth')
  assert.equal(
    await statusOf(await serveZone(t, query => [answering(query, [soa, ns, soa], { id: query.id ^ 1 })])),
    'closed',
  )
  assert.equal(await statusOf(await serveZone(t, () => [], 'end')), 'closed')
  assert.equal(await statusOf(await serveZone(t, () => [], 'reset')), 'closed')
  assert.equal(await statusOf(await serveZone(t, query => [answering(query, [soa])], 'end')), 'soa-only')
  assert.equal(await statusOf(await serveZone(t, query => [answering(query, [soa, ns, host(1)])], 'end')), 'cut')
  assert.equal(await statusOf(await closedPort()), 'unreachable')
})

test('[OPEN-008] servers at forbidden addresses are asked neither for zones nor for names', async t => {
  const nameServers = create(t, {}, { settings: {} })
  await assert.rejects(transfer(nameServers, '10.0.0.1'), { code: 'refused' })
  await assert.rejects(collect(nameServers.askAll(['10.0.0.1', '127.0.0.1'], questions(3))), { code: 'refused' })
})

/** A name server over UDP. */
async function serve(t: TestContext, answer: (query: Message, asked: number) => Message | undefined): Promise<number> {
  const socket = createSocket('udp4')
  let asked = 0
  socket.on('message', (bytes, { port, address }) => {
    const message = answer(decodeMessage(bytes), asked++)
    if (message) socket.send(encodeMessage(message), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return socket.address().port
}

const questions = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `n${i}.example.`, type: 'A' }))

async function collect<T>(batches: AsyncIterable<T[]>): Promise<T[]> {
  const all: T[] = []
  for await (const batch of batches) all.push(...batch)
  return all
}

test('questions are spread over the servers, each is answered once', async t => {
  const asked = [0, 0]
  const serveOne = (i: number) =>
    serve(t, query => {
      asked[i] = (asked[i] ?? 0) + 1
      return answering(query, [], { rcode: 'NXDOMAIN' })
    })
  const servers = { '192.0.2.1': await serveOne(0), '192.0.2.2': await serveOne(1) }
  const answers = await collect(create(t, servers).askAll(Object.keys(servers), questions(2_000)))
  assert.equal(new Set(answers.map(({ question }) => question.name)).size, 2_000)
  assert.equal(answers.length, 2_000)
  assert.ok(answers.every(({ message }) => message?.rcode === 'NXDOMAIN'))
  assert.ok(
    asked.every(count => count > 200),
    asked.join(),
  )
})

test('what one server refuses or leaves unanswered is asked of another', async t => {
  const good = await serve(t, query => answering(query, []))
  const bad = await serve(t, query => answering(query, [], { rcode: 'SERVFAIL' }))
  const silent = await serve(t, () => undefined)
  const servers = { '192.0.2.1': bad, '192.0.2.2': silent, '192.0.2.3': good, '192.0.2.4': await closedPort() }
  const answers = await collect(create(t, servers).askAll(Object.keys(servers), questions(500)))
  assert.equal(answers.length, 500)
  assert.ok(answers.every(({ message }) => message?.rcode === 'NOERROR'))
})

test('with nobody who answers every question comes back without a message', async t => {
  const servers = { '192.0.2.1': await serve(t, () => undefined), '192.0.2.2': await closedPort() }
  const answers = await collect(create(t, servers).askAll(Object.keys(servers), questions(300)))
  assert.equal(answers.length, 300)
  assert.ok(answers.every(({ message }) => message === undefined))
})

test('a server is asked no faster than its pace, and still for everything', async t => {
  const port = await serve(t, query => answering(query, []))
  let now = 0
  const pace = createPaces(() => now).of('192.0.2.1', 100)
  let allowed = 0
  let refused = 0
  const paced = () => {
    // The clock moves each time it is looked at.
    now += 5
    const may = pace()
    if (may) allowed++
    else refused++
    return may
  }
  const answers = await collect(create(t, { '192.0.2.1': port }, {}, paced).askAll(['192.0.2.1'], questions(30)))
  assert.equal(answers.length, 30)
  assert.ok(refused > 0)
  assert.ok(allowed <= 10 + now / 10)
})

test('security A1: the bucket of a server is one for all jobs, and fills with time', () => {
  let now = 0
  const paces = createPaces(() => now)
  const takes = (server: string, tries: number) => {
    const pace = paces.of(server, 200)
    return Array.from({ length: tries }, pace).filter(Boolean).length
  }
  assert.equal(takes('192.0.2.1', 100), 20)
  assert.equal(takes('192.0.2.1', 100), 0)
  assert.equal(takes('192.0.2.2', 100), 20)
  now = 50
  assert.equal(takes('192.0.2.1', 100), 10)
  now = 10_000
  assert.equal(takes('192.0.2.1', 100), 20)
})
