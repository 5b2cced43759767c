import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { Problem, type ServerContext } from '@assay/kit'
import { parseZone } from '@assay/lib/dns/zone'
import { anyPort, listenRaw } from '../test/loopback.ts'
import { createNetwork, respond, type Script } from '../test/resolver-servers.ts'
import { createNet } from './context.ts'
import { createResolver } from './resolver.ts'

/** One server is in charge of everything: 127.0.0.1 stands for a public host, 127.0.0.2 for one behind the wall. */
const ROOT = '198.51.100.1'
const reply = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhere'

/** Answers each name and type from a list of zones, one question after the other, the last one for ever. */
function changing(...zones: readonly string[]): Script {
  const turns = new Map<string, number>()
  return query => {
    const { name, type } = query.questions[0] ?? { name: '.', type: 'A' }
    const key = `${name} ${type}`
    const turn = turns.get(key) ?? 0
    turns.set(key, turn + 1)
    const records = parseZone(zones[Math.min(turn, zones.length - 1)] ?? '', '.')
    const here = records.filter(record => record.name.toLowerCase() === name.toLowerCase())
    const answers = here.filter(record => record.type === type || record.type === 'CNAME')
    if (answers.length > 0) return respond(query, { answers })
    return respond(query, { authorities: parseZone('. 0 SOA . . 1 1 1 1 0', '.') })
  }
}

async function world(
  t: TestContext,
  script: Script,
): Promise<{ context: ServerContext; port: number; reached: unknown[] }> {
  const server = await listenRaw(t, socket => socket.end(reply))
  const wall = createServer()
  const reached: unknown[] = []
  wall.on('connection', socket => {
    reached.push(socket)
    socket.destroy()
  })
  await new Promise<void>(resolve => wall.listen(server.port, '127.0.0.2', resolve))
  t.after(() => new Promise(resolve => wall.close(resolve)))
  const { transport } = await createNetwork(t, { [ROOT]: script })
  const settings = { userAgent: 'Assay-test/1.0', allowedTestNetworks: ['127.0.0.1/32'], ports: anyPort }
  const net = createNet(settings, ({ budget, random }) =>
    createResolver({ transport, random, signal: budget.signal, roots: [{ name: 'a.root.', addresses: [ROOT] }] }),
  )
  const job = net.createJob({ kind: 'lookup' })
  t.after(() => job.dispose())
  return { context: job.context, port: server.port, reached }
}

const refused = (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.message, 'Validation error: target address is not allowed')
  return true
}

const good = 'a.test. 0 A 127.0.0.1'
const bad = 'a.test. 0 A 127.0.0.2'
const badV6 = 'a.test. 0 AAAA ::1'

test('security E3: a name that turns private after the first answer is not followed there', async t => {
  for (const later of [bad, `${bad}\n${badV6}`, '', `${good}\n${bad}`]) {
    const { context, port, reached } = await world(t, changing(good, later))
    for (let i = 0; i < 20; i++) {
      assert.equal((await context.http.get(`http://a.test:${port}/${i}`)).address, '127.0.0.1')
      assert.deepEqual(await context.tcp.pin('a.test'), { address: '127.0.0.1', addresses: ['127.0.0.1'] })
    }
    assert.equal(reached.length, 0)
  }
})

test('security E3: a name that is private first stays refused for the job', async t => {
  const { context, port, reached } = await world(t, changing(bad, good))
  for (let i = 0; i < 5; i++) await assert.rejects(context.http.get(`http://a.test:${port}/`), refused)
  await assert.rejects(context.tcp.pin('a.test'), refused)
  assert.equal(reached.length, 0)
})

test('security E2: one forbidden address among many refuses the name, in either family', async t => {
  const many = Array.from({ length: 20 }, () => good).join('\n')
  for (const zone of [
    `${many}\n${bad}`,
    `${bad}\n${many}`,
    `${good}\n${badV6}`,
    `${good}\na.test. 0 AAAA ::ffff:8.8.8.8`,
  ]) {
    const { context, port, reached } = await world(t, changing(zone))
    await assert.rejects(context.http.get(`http://a.test:${port}/`), refused)
    assert.equal(reached.length, 0)
  }
})

test('security E2: aliases to a forbidden address refuse the name, aliases to an allowed one do not', async t => {
  const chain = (end: string) => `a.test. 0 CNAME b.test.\nb.test. 0 CNAME c.test.\nc.test. 0 A ${end}`
  for (const end of ['127.0.0.2', '10.0.0.1', '169.254.169.254', '192.168.0.1', '0.0.0.0']) {
    const { context, port, reached } = await world(t, changing(chain(end)))
    await assert.rejects(context.http.get(`http://a.test:${port}/`), refused)
    assert.equal(reached.length, 0)
  }
  const { context, port } = await world(t, changing(chain('127.0.0.1')))
  assert.equal((await context.http.get(`http://a.test:${port}/`)).status, 200)
})

test('a name that does not exist, or has no address, is told apart from a refusal', async t => {
  const { context } = await world(t, changing(good))
  await assert.rejects(
    context.http.get('http://b.test/'),
    (error: unknown) => error instanceof Problem && error.code === 'not-found',
  )
})
