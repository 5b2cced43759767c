import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, noRedis, startRedis, type TestRedis } from '../../test/redis.ts'
import { parseRedisAddress, type RedisAddress } from './address.ts'
import { createRedisLink, type RedisLink, type RedisLinkOptions } from './link.ts'
import { createNames } from './names.ts'
import { redisRates } from './rates.ts'

/** Other tests share the machine: what takes 50 ms may take so much longer. */
const SLACK_MS = 2_000
const RECOVERY_MS = 5_000

interface Watched extends RedisLink {
  reports: string[]
  /** Takes one token of a limit that is never reached, and says how long that took. */
  takeMs(): Promise<number>
  /** Whether counters in Redis move. */
  counts(): Promise<boolean>
}

let used = 0

function linkTo(
  t: Pick<TestContext, 'after'>,
  address: RedisAddress,
  options: Partial<RedisLinkOptions> = {},
): Watched {
  const reports: string[] = []
  const link = createRedisLink({
    address,
    timeoutMs: 50,
    retryMs: 200,
    staleMs: 600,
    processesKey: `processes ${used++}`,
    report: text => reports.push(text),
    ...options,
  })
  t.after(() => link.close())
  const rates = redisRates({ link, names: createNames(`link ${used++}`), keys: 100 })
  const rule = { key: 'a', limit: 1_000_000, windowMs: 60_000 }
  return {
    ...link,
    reports,
    async takeMs() {
      const started = performance.now()
      assert.equal(await rates.take([rule], 1), 0)
      return performance.now() - started
    },
    // A limit of one is given a second time only by who does not remember the first.
    async counts() {
      const once = { key: `b${used++}`, limit: 1, windowMs: 60_000 }
      const other = redisRates({ link, names: createNames('other'), keys: 100 })
      const same = redisRates({ link, names: createNames('other'), keys: 100 })
      assert.equal(await other.take([once], 1), 0)
      return (await same.take([once], 1)) > 0
    },
  }
}

async function recovered(link: Watched): Promise<void> {
  const started = Date.now()
  while (!(await link.counts())) {
    assert.ok(Date.now() - started < RECOVERY_MS, `still away: ${link.reports}`)
    await sleep(20)
  }
}

async function quick(link: Watched): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < 30; i++) times.push(await link.takeMs())
  times.sort((a, b) => a - b)
  const [half = 0, most = 0] = [times[15], times[29]]
  // Only the first waits at all.
  assert.ok(half < 25 && most < 50 + SLACK_MS, `${half} ms, at most ${most} ms`)
}

describe('X2: the link to Redis', { skip: noRedis }, () => {
  let server: TestRedis
  before(async () => {
    server = await startRedis()
  })
  after(() => server.stop())

  const upTo = async (t: TestContext, address = server.address, options: Partial<RedisLinkOptions> = {}) => {
    const link = linkTo(t, address, options)
    await link.ready
    // On a busy machine the very first look may be late.
    await recovered(link)
    link.reports.length = 0
    return link
  }

  test('a frozen server is left at once, and found again', async t => {
    const link = await upTo(t)
    server.freeze()
    try {
      await quick(link)
      await sleep(1_500)
      await quick(link)
    } finally {
      server.thaw()
    }
    await recovered(link)
    assert.deepEqual(link.reports, ['down: no answer in time', 'back'])
  })

  test('a paused server is left at once, and found again', async t => {
    const link = await upTo(t)
    await server.client.client('PAUSE', 2_000)
    await quick(link)
    await recovered(link)
    assert.deepEqual(link.reports, ['down: no answer in time', 'back'])
  })

  test('a server that answers after two seconds is away all the time, and that is said once', async t => {
    const path = await slowPath(t, server.address.port)
    const link = await upTo(t, { ...server.address, port: path.port }, { staleMs: 5_000 })
    path.delayMs = 2_000
    await quick(link)
    await sleep(3_000)
    await quick(link)
    assert.deepEqual(link.reports, ['down: no answer in time'])
    path.delayMs = 0
    await recovered(link)
    assert.deepEqual(link.reports, ['down: no answer in time', 'back'])
  })

  test('a connection that died without a word is made anew', async t => {
    const path = await slowPath(t, server.address.port)
    const link = await upTo(t, { ...server.address, port: path.port })
    path.loseAll()
    await quick(link)
    await recovered(link)
    assert.deepEqual(link.reports, ['down: no answer in time', 'back'])
  })

  test('a server that is killed and comes back empty', async t => {
    const link = await upTo(t)
    await server.kill()
    await quick(link)
    await sleep(700)
    assert.equal(link.reports.length, 1)
    await server.restart()
    await recovered(link)
    assert.match(link.reports.join(), /^down: (?:connection lost|ECONNRESET|ECONNREFUSED|EPIPE),back$/)
  })

  test('connections that are cut, and scripts that are forgotten', async t => {
    const link = await upTo(t)
    await server.client.script('FLUSH')
    await quick(link)
    assert.deepEqual(link.reports, [])
    await server.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await sleep(20)
    await quick(link)
    await recovered(link)
    assert.equal(link.reports.length, 2)
  })

  test('an end while the server is frozen is quick and quiet', async t => {
    const link = await upTo(t)
    server.freeze()
    const started = performance.now()
    await link.close().finally(() => server.thaw())
    assert.ok(performance.now() - started < 50 + SLACK_MS)
    await sleep(300)
    assert.deepEqual(link.reports, [])
  })

  test('a full server is away as long as it is full', async t => {
    const link = await upTo(t)
    await server.client.config('SET', 'maxmemory', '1')
    await quick(link)
    await sleep(700)
    await quick(link)
    assert.deepEqual(link.reports, ['down: OOM'])
    await server.client.config('SET', 'maxmemory', '0')
    await recovered(link)
    assert.deepEqual(link.reports, ['down: OOM', 'back'])
  })

  test('a server that may only be read is away as long as that is so', async t => {
    const link = await upTo(t)
    await server.client.call('REPLICAOF', '127.0.0.1', '1')
    await quick(link)
    await sleep(700)
    assert.deepEqual(link.reports, ['down: READONLY'])
    await server.client.call('REPLICAOF', 'NO', 'ONE')
    await recovered(link)
    assert.deepEqual(link.reports, ['down: READONLY', 'back'])
  })

  test('a server that is not there at the start is said once and found later', async t => {
    const other = await startRedis()
    t.after(() => other.stop())
    await other.kill()
    const link = linkTo(t, other.address)
    await link.ready
    await quick(link)
    await sleep(700)
    assert.deepEqual(link.reports, ['down: ECONNREFUSED'])
    await other.restart()
    await recovered(link)
    assert.deepEqual(link.reports, ['down: ECONNREFUSED', 'back'])
  })

  test('a wrong password, a database that does not exist and a user who may not write are said once', async t => {
    await server.client.call('ACL', 'SETUSER', 'reader', 'on', '>secret', '~*', '+@read', '+eval', '+evalsha')
    const { address } = server
    for (const [wrong, said] of [
      [{ ...address, user: 'reader', password: 'other' }, /^down: WRONGPASS$/],
      [{ ...address, db: 99 }, /^down: ERR$/],
      [{ ...address, user: 'reader', password: 'secret' }, /^down: (?:NOPERM|ERR)$/],
    ] as const) {
      const link = linkTo(t, wrong, { timeoutMs: 1_000 })
      await link.ready
      await quick(link)
      await sleep(500)
      assert.match(link.reports.join(), said)
    }
  })

  test('C10: while Redis is away each process gives its part of a limit, counting what it gave before', async t => {
    const processesKey = 'three processes'
    const links = [1, 2, 3].map(() => linkTo(t, server.address, { processesKey, timeoutMs: 1_000 }))
    await Promise.all(links.map(({ ready }) => ready))
    await sleep(500)
    for (const link of links) assert.equal(link.processes(), 3)
    const names = createNames('shares')
    const rates = links.map(link => redisRates({ link, names, keys: 100 }))
    const rule = { key: 'a', limit: 60, windowMs: 3_600_000 }
    let given = 0
    const drain = async () => {
      for (let i = 0; i < 100; i++) for (const each of rates) if ((await each.take([rule], 1)) === 0) given++
    }
    for (let i = 0; i < 30; i++) assert.equal(await rates[0]?.take([rule], 1), 0)
    await server.kill()
    await drain()
    await server.restart()
    assert.equal(given, 40)
  })

  test('two processes and fifty count together', async t => {
    const names = createNames('fifty')
    const links = Array.from({ length: 50 }, () => linkTo(t, server.address, { timeoutMs: 5_000 }))
    await Promise.all(links.map(({ ready }) => ready))
    const rates = links.map(link => redisRates({ link, names, keys: 100 }))
    const rule = { key: 'a', limit: 100, windowMs: 3_600_000 }
    const waits = await Promise.all(rates.flatMap(each => Array.from({ length: 20 }, () => each.take([rule], 1))))
    assert.equal(waits.filter(wait => wait === 0).length, 100)
  })
})

describe('rediss://', { skip: noRedis }, () => {
  test('over TLS a certificate that nobody vouches for is refused', async t => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-tls-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    const made = spawnSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
        .concat(['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'])
        .concat(['-keyout', key, '-out', certificate]),
    )
    assert.equal(made.status, 0)
    const plain = await startRedis(['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-auth-clients', 'no'])
    t.after(() => plain.stop())
    const port = await freePort()
    await plain.client.config('SET', 'tls-port', `${port}`)
    const url = `rediss://localhost:${port}`
    const link = linkTo(t, parseRedisAddress(url))
    await link.ready
    await sleep(500)
    assert.deepEqual(link.reports, ['down: DEPTH_ZERO_SELF_SIGNED_CERT'])
    const trusted = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', countingProgram(url)], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate },
      encoding: 'utf8',
      timeout: 30_000,
    })
    assert.equal(trusted.stdout, 'PONG', trusted.stderr)
  })
})

/** A program that says what a script on the other side answers. */
const countingProgram = (url: string) => `
  import { createRedisLink, script } from ${JSON.stringify(import.meta.resolve('./link.ts'))}
  import { parseRedisAddress } from ${JSON.stringify(import.meta.resolve('./address.ts'))}
  const address = parseRedisAddress(${JSON.stringify(url)})
  const link = createRedisLink({ address, timeoutMs: 5_000, retryMs: 500, staleMs: 5_000, processesKey: 'p' })
  await link.ready
  process.stdout.write(String(await link.run(script("return 'PONG'"), [], [])))
  await link.close()
`

/** A way to a port on which answers can take their time, or never come. */
async function slowPath(t: TestContext, to: number) {
  const sockets = new Set<Socket>()
  const lost = new WeakSet<Socket>()
  const path = {
    port: 0,
    delayMs: 0,
    /** What stands now carries nothing any more. */
    loseAll() {
      for (const socket of sockets) lost.add(socket)
    },
  }
  const server = createServer(near => {
    const far = connect(to, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.on('data', async chunk => {
        if (socket === far && path.delayMs) await sleep(path.delayMs)
        if (!lost.has(socket)) other.write(chunk)
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  path.port = (server.address() as AddressInfo).port
  return path
}
