import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { actions } from '@assay/catalogue/catalogue'
import { toolName } from '@assay/mcp/server'
import { lookupsOf } from '../src/addresses.ts'
import { marker } from './marker.ts'
import { postgresPrograms, startPostgres } from './postgres.ts'
import { noRedis, startRedis, type TestRedis } from './redis.ts'
import { unhurried } from './unhurried.ts'

/**
 * P1: what visitors type is in no log, table or file. The real program serves in the lab, where its lookups find
 * servers; a marker goes into every field of every tool, alone and with all others, by every door, and into whatever
 * else a request is made of. Then everything that the program wrote is searched.
 */
const MARK = marker('kanari4vogel7zwitschert')
/** Of what the site is asked to keep. */
const KEPT = marker('wellensittich9plaudert')

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
/** Of each action, in toolCalls. */
const MCP_CALLS = 2
const AT_ONCE = 16
const START_MS = 60_000
const WAIT_MS = 30_000
const JSON_TYPE = { 'content-type': 'application/json' }
const EVENTS = { accept: 'text/event-stream' }
const MCP = { ...JSON_TYPE, accept: 'application/json, text/event-stream' }
const DETAILED = { accept: 'application/vnd.assay+json' }

interface Call {
  method?: string
  path: string
  body?: string | Buffer
  headers?: IncomingHttpHeaders
}

/** On every call, beside what it has of its own. */
const headers: IncomingHttpHeaders = {
  'user-agent': MARK.text,
  referer: `https://${MARK.text}.example/?q=${MARK.text}`,
  cookie: `session=${MARK.text}`,
  'x-forwarded-for': MARK.text,
  'x-request-id': MARK.text,
  'accept-language': MARK.text,
  [`x-${MARK.text}`]: MARK.text,
  authorization: `Basic ${Buffer.from(`${MARK.text}:${MARK.text}`).toString('base64')}`,
}

/** What a field of a kind may be with the marker in it; the tools refuse some and take others. */
const marked: Record<string, string> = {
  domain: `${MARK.text}.good.test`,
  host: `${MARK.text}.good.test`,
  holding: `${MARK.text}.good.test`,
  url: `http://www.good.test/${MARK.text}`,
}
const markFor = (kind: string) => marked[kind] ?? MARK.text

const post = (path: string, body: unknown, more: IncomingHttpHeaders = {}): Call => ({
  method: 'POST',
  path,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { ...JSON_TYPE, ...more },
})

/** Every field of every tool: alone in an input that is good otherwise, and all at once, by every door. */
const toolCalls: readonly Call[] = actions.flatMap(({ action: { path, fields, examples } }) => {
  const good = examples[0]?.input ?? {}
  const url = `/api/${path}/`
  const alone = Object.entries(fields).map(([name, { kind }]) => post(url, { ...good, [name]: markFor(kind) }))
  const all = Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, markFor(kind)]))
  const arguments_ = (name: string, values: object) =>
    post('/mcp', { jsonrpc: '2.0', id: MARK.text, method: 'tools/call', params: { name, arguments: values } }, MCP)
  return [
    ...alone,
    post(url, { ...all, [MARK.text]: MARK.text }),
    post(url, { ...good, ...all }, EVENTS),
    post(url, all, DETAILED),
    post(`${url}?${MARK.text}=${MARK.text}`, { ...good, [MARK.text]: { [MARK.text]: [MARK.text] } }),
    arguments_(toolName(path), all),
    arguments_(toolName(path), { ...good, ...(alone.length > 0 && { [Object.keys(fields)[0] ?? '']: MARK.text }) }),
    ...(Object.values(fields).some(({ kind }) => kind === 'file') ? uploads(url) : []),
  ]
})

const lookupCalls: readonly Call[] = lookupsOf(actions).flatMap(({ template, action }) => {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(markFor(action.fields[name]?.kind ?? '')),
  )
  return [`/api/${filled}/`, `/api/${filled}/?${MARK.text}=${MARK.text}`].map(path => ({ path }))
})

function uploads(url: string): Call[] {
  const part = (name: string, more: string, content: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`
  const file = part(
    'file',
    `; filename="${MARK.text}.bin"\r\nContent-Type: text/${MARK.text}`,
    MARK.text.repeat(10_000),
  )
  const form = (body: string, boundary = 'b'): Call => ({
    method: 'POST',
    path: url,
    body,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  })
  return [
    form(`${file}--b--\r\n`),
    form(`${part('key', '', MARK.text)}${part(MARK.text, '', MARK.text)}${file}--b--\r\n`),
    form(`${part(MARK.text, `; filename="${MARK.text}"`, MARK.text)}--b--\r\n`),
    form(file),
    form(file, MARK.text),
    form(`${part('file', `; filename="${MARK.text}"`, MARK.text.repeat(100_000))}--b--\r\n`),
  ]
}

const person = { name: MARK.text, email: `${MARK.text}@${MARK.text}.example`, message: MARK.text }
const account = { email: `${MARK.text}@${MARK.text}.example`, password: MARK.text }

/** Whatever else a request is made of, most of it refused. */
const otherCalls: readonly Call[] = [
  ...['/', '/api/', '/dns-tools/', '/auth/', '/user/', '/assets/', '/mcp/', '/auth/verify-email/'].flatMap(path => [
    { path: `${path}${MARK.text}` },
    { path: `${path}${MARK.text}/?token=${MARK.text}&access=${MARK.text}&refresh=${MARK.text}` },
    { path: `${path}?token=${MARK.text}&state=${MARK.text}&code=${MARK.text}` },
    { method: 'DELETE', path: `${path}${MARK.text}` },
  ]),
  { path: `/${MARK.text}%zz` },
  { path: `/api/whois/${MARK.text}%c0%80/` },
  { path: `/api/whois/${MARK.text.repeat(200)}/` },
  { path: `/${'%6b'.repeat(500)}${MARK.text}` },
  post('/api/sha/', `{"${MARK.text}`),
  post('/api/sha/', `["${MARK.text}"]`),
  post('/api/sha/', `{"__proto__":{"${MARK.text}":"${MARK.text}"}}`),
  post('/api/sha/', { input_text: MARK.text.repeat(200_000) }),
  { method: 'POST', path: '/api/sha/', body: Buffer.from([0xff, ...Buffer.from(MARK.text)]), headers: JSON_TYPE },
  { ...post('/api/sha/', MARK.text), headers: { 'content-type': `text/${MARK.text}` } },
  { ...post('/api/sha/', MARK.text), headers: { ...JSON_TYPE, 'content-encoding': MARK.text } },
  post('/api/sha/', { input_text: MARK.text }, { 'sec-fetch-site': MARK.text }),
  post('/api/sha/', { input_text: MARK.text }, { authorization: `Bearer ${MARK.text}` }),
  post('/mcp', { jsonrpc: '2.0', id: MARK.text, method: MARK.text, params: { [MARK.text]: MARK.text } }, MCP),
  post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: MARK.text } }, MCP),
  post('/mcp', `{"${MARK.text}`, MCP),
  post('/api/contact/', { ...person, website: MARK.text }),
  post('/api/contact/', { ...person, email: MARK.text }),
  post('/api/contact/', { ...person, message: `${MARK.text}\u0000` }),
  post('/api/contact/', { ...person, name: `${MARK.text}\n${MARK.text}` }),
  post('/api/contact/', person, { 'sec-fetch-site': 'cross-site' }),
  post('/api/careers/', person),
  post('/auth/login/', account),
  post('/auth/login/', { ...account, [MARK.text]: MARK.text }),
  post('/auth/login/', { email: MARK.text, password: MARK.text }),
  post('/auth/register/', { email: MARK.text, password: MARK.text }),
  post('/auth/register/', { email: account.email, password: MARK.text.repeat(100) }),
  post('/auth/password-change/', { email: account.email }),
  post('/auth/verify-email/', { email: account.email }),
  post('/auth/refresh/', { refresh: MARK.text }),
  post('/auth/redeem/', { access: MARK.text, refresh: MARK.text }),
  post('/auth/password-reset/confirm/', { token: MARK.text, password: MARK.text }),
  post('/auth/logout/', {}, { authorization: `Bearer ${MARK.text}` }),
  ...['google', 'github'].flatMap(provider => [
    { path: `/auth/${provider}/login/?${MARK.text}=${MARK.text}` },
    {
      path: `/auth/${provider}/complete/?code=${MARK.text}&state=${MARK.text}&error=${MARK.text}`,
      headers: { cookie: `oauth=${MARK.text.padEnd(43, 'x')}` },
    },
    { path: `/auth/${provider}/callback/?access=${MARK.text}&refresh=${MARK.text}` },
  ]),
  ...['profile', 'sessions', 'keys', 'usage', 'export'].map(name => ({
    path: `/user/${name}/?${MARK.text}=${MARK.text}`,
    headers: { authorization: `Bearer ${MARK.text}` },
  })),
  { path: '/user/profile/', headers: { authorization: `Bearer ${MARK.text}` } },
]

/** Asked to be kept, with what must not be kept beside it. */
const keptCalls: readonly Call[] = [
  post('/api/contact/', { name: KEPT.text, email: `${KEPT.text}@example.org`, message: KEPT.text }),
  post('/auth/register/', { email: `${KEPT.text}@example.org`, password: MARK.text }),
]

/** What is no proper HTTP, as it goes over the wire. */
const rawCalls = [
  `${MARK.text}\r\n\r\n`,
  `GET /${MARK.text} HTTP/9.9\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: ${MARK.text}\r\n${MARK.text}\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\nX: ${MARK.text.repeat(2_000)}\r\n\r\n`,
  `POST /api/sha/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${MARK.text}\r\n`,
  `POST /api/sha/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{"input_text":"${MARK.text}`,
]

interface Server {
  process: ChildProcess
  port: number
  /** Where everything lies that the program could write. */
  folder: string
  output(): string
}

async function start(t: TestContext, folder: string, more: Record<string, string> = {}): Promise<Server> {
  const place = (name: string) => {
    mkdirSync(join(folder, name), { recursive: true })
    return join(folder, name)
  }
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ASSAY_'))),
    ...unhurried,
    TMPDIR: place('tmp'),
    HOME: place('home'),
    ASSAY_DATA: join(folder, 'data'),
    ASSAY_LISTEN: '127.0.0.1:0',
    ...Object.fromEntries(
      ['LIGHT_PER_MINUTE', 'LOOKUPS_PER_MINUTE', 'LOOKUPS_PER_DAY', 'SCANS_PER_MINUTE', 'TARGET_PER_MINUTE'].map(
        name => [`ASSAY_${name}`, '1000000'],
      ),
    ),
    ASSAY_MESSAGES_PER_QUARTER_HOUR: '1000',
    // On a busy machine a row of the usage log may wait for its turn, and is given up after that.
    ASSAY_STORE_MS: '30000',
    ASSAY_WORK_CHILDREN: '2',
    ASSAY_WORK_MS: '2000',
    ASSAY_LOOKUP_MS: '2000',
    ASSAY_SCAN_MS: '2000',
    ASSAY_UPLOAD_BYTES: '1000000',
    ASSAY_UPLOAD_STALL_MS: '300',
    ...more,
  }
  const child = spawn(process.execPath, [main], { cwd: place('cwd'), env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', chunk => {
      output += chunk
    })
  }
  const end = Date.now() + START_MS
  let port: number | undefined
  while (port === undefined) {
    assert.ok(Date.now() < end && child.exitCode === null, output)
    await new Promise(resolve => setTimeout(resolve, 20))
    port = Number(/listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1]) || undefined
  }
  return { process: child, port, folder, output: () => output }
}

const agent = new Agent({ keepAlive: true })

/** The status that came back, and 0 when none did. */
function ask({ port }: Server, { method = 'GET', path, body, headers: own }: Call): Promise<number> {
  return new Promise(resolve => {
    const call = request(
      { host: '127.0.0.1', port, method, path, headers: { ...headers, ...own }, agent, timeout: WAIT_MS },
      response => {
        response.resume()
        response.on('close', () => resolve(response.statusCode ?? 0))
      },
    )
    call.on('timeout', () => call.destroy())
    call.on('error', () => resolve(0))
    call.end(body)
  })
}

async function askAll(server: Server, calls: readonly Call[]): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  const queue = calls.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const call of queue) {
        const status = await ask(server, call)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }),
  )
  return statuses
}

async function askRaw({ port }: Server, text: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(text)
  socket.resume()
  setTimeout(() => socket.destroy(), 1_500)
  await once(socket, 'close')
}

const childrenOf = (pid: number | undefined) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

/** Compute children die with the marker in hand. */
async function killChildren(server: Server): Promise<void> {
  for (const signal of ['SIGKILL', 'SIGSEGV', 'SIGABRT'] as const) {
    const calls = Array.from({ length: 4 }, () =>
      ask(server, post('/api/pbkdf2/', { password: MARK.text, salt: MARK.text, iterations: 2_000_000 })),
    )
    await new Promise(resolve => setTimeout(resolve, 150))
    for (const pid of childrenOf(server.process.pid)) {
      try {
        process.kill(pid, signal)
      } catch {
        // It ended by itself.
      }
    }
    await Promise.all(calls)
  }
}

async function stop({ process: child }: Server, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal)
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

function assertSilent({ folder, output }: Server): void {
  assert.deepEqual(MARK.shapesIn(output()), [], 'in what it printed')
  assert.deepEqual(KEPT.shapesIn(output()), [], 'in what it printed')
  assert.deepEqual(MARK.filesIn(folder), [], 'in a file')
}

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-canary-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Every key of Redis, and what stands there, as it would be written to its disk. */
async function dumpOf(client: TestRedis['client']): Promise<Buffer[]> {
  const keys = await client.keysBuffer('*')
  const values = await Promise.all(keys.map(key => client.dumpBuffer(key)))
  return [...keys, ...values.filter(value => value !== null)]
}

test('P1: the search finds a marker in every shape', t => {
  const folder = folderFor(t)
  const { text } = MARK
  const shapes = [
    text.toUpperCase(),
    Buffer.from(`ab${text}`).toString('hex').toUpperCase(),
    Buffer.from(text).toString('hex').replace(/../g, '%$&'),
    [...text].reverse().join(''),
    Buffer.from(text, 'utf16le').toString('latin1'),
    Buffer.from(text, 'utf16le').swap16().toString('latin1'),
    ...['', 'a', 'ab', 'abc'].map(before => Buffer.from(`${before}${text}zz`).toString('base64')),
    ...['', 'a', 'ab'].map(before => Buffer.from(`${before}${text}`).toString('base64url')),
  ]
  for (const [index, shape] of shapes.entries()) {
    assert.equal(MARK.shapesIn(`before ${shape} after`).length, 1, shape)
    writeFileSync(join(folder, `${index}`), Buffer.from(`\u0000${shape}\u0000`, 'latin1'))
  }
  assert.equal(MARK.filesIn(folder).length, shapes.length)
  assert.deepEqual(KEPT.filesIn(folder), [])
})

test('P1: [OPEN-007] [OPEN-018] what is asked of any tool, by any door, is in no log, table or file', async t => {
  const folder = folderFor(t)
  const server = await start(t, folder)
  for (const call of keptCalls) assert.ok((await ask(server, call)) < 300, call.path)
  const statuses = await askAll(server, [...toolCalls, ...lookupCalls, ...otherCalls])
  for (const text of rawCalls) await askRaw(server, text)
  await killChildren(server)
  const asked = toolCalls.length + lookupCalls.length + otherCalls.length
  t.diagnostic(`${asked} calls: ${JSON.stringify(Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b)))}`)
  assert.ok((statuses.get(200) ?? 0) > asked / 6, 'too few were answered')
  assert.ok((statuses.get(400) ?? 0) > asked / 8, 'too few were refused')
  assertSilent(server)
  await stop(server, 'SIGTERM')
  assertSilent(server)
  // Where it was asked to be kept, and there only.
  const places = KEPT.filesIn(folder)
  assert.ok(
    places.every(place => /^data\/(?:assay\.db|mail\/[\w.-]+\.eml)/.test(place)),
    places.join(),
  )
  const store = new DatabaseSync(join(folder, 'data', 'assay.db'), { readOnly: true })
  const said = server
    .output()
    .split('\n')
    .filter(line => /"event":"(?:usage|bug)"/.test(line))
  assert.equal(
    store.prepare('select count(*) as n from usage').get()?.n,
    countUsed(server) + MCP_CALLS * actions.length,
    said.join('\n'),
  )
  store.close()
})

/** Requests in the log that have a row in the usage log; those of MCP name no tool. */
const countUsed = ({ output }: Server) =>
  output()
    .split('\n')
    .filter(line => line.includes('"tool":') && line.includes('"event":"request"')).length

test('P1: a process that dies in the midst of it leaves nothing, and neither does the next one', async t => {
  const folder = folderFor(t)
  const first = await start(t, folder)
  const calls = askAll(first, [...otherCalls, ...toolCalls.slice(0, 300)])
  await new Promise(resolve => setTimeout(resolve, 1_500))
  await stop(first, 'SIGKILL')
  await calls
  assertSilent(first)
  const second = await start(t, folder)
  await askAll(second, otherCalls)
  await stop(second, 'SIGTERM')
  assertSilent(second)
})

test('P1: nor is it in PostgreSQL or Redis', {
  skip: (!postgresPrograms && 'the package postgresql is not installed') || noRedis,
}, async t => {
  const programs = postgresPrograms ?? ''
  const postgres = await startPostgres(programs)
  t.after(() => postgres.stop())
  const address = await postgres.create()
  const redis = await startRedis(['--rdbcompression', 'no'])
  t.after(() => redis.stop())
  const server = await start(t, folderFor(t), { DATABASE_URL: address, REDIS_URL: redis.url })
  for (const call of keptCalls) assert.ok((await ask(server, call)) < 300, call.path)
  await askAll(server, [...otherCalls, ...lookupCalls, ...toolCalls.filter((_, index) => index % 5 === 0)])
  const kept = await dumpOf(redis.client)
  assert.ok(kept.length > 20, 'too little is in Redis')
  for (const bytes of kept) assert.deepEqual([...MARK.shapesIn(bytes), ...KEPT.shapesIn(bytes)], [])
  await stop(server, 'SIGTERM')
  assertSilent(server)
  const { status, stdout } = spawnSync(join(programs, 'pg_dump'), [address], { maxBuffer: 2 ** 28 })
  assert.equal(status, 0)
  assert.deepEqual(MARK.shapesIn(stdout), [])
  assert.deepEqual(KEPT.shapesIn(stdout), ['plain'])
})
