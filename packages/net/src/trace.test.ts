import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Problem, type TraceHop } from '@assay/kit'
import { openLoopback, zoneOf } from '../test/loopback.ts'
import { createNet, type NetSettings } from './context.ts'
import { createTrace } from './trace.ts'
import { parseTraceOutput } from './trace-program.ts'

const door = (t: TestContext, settings: Partial<NetSettings> = {}, limits = {}) => {
  const net = createNet({ ...openLoopback, userAgent: 'Assay-test/1.0', ...settings }, () => zoneOf(''))
  const job = net.createJob({ kind: 'scan', limits })
  t.after(() => job.dispose())
  return job.door
}
const none = async () => undefined

async function follow(hops: AsyncIterable<TraceHop>): Promise<TraceHop[]> {
  const found: TraceHop[] = []
  for await (const hop of hops) found.push(hop)
  return found
}

/** A program that writes down its arguments and prints what it is told to. */
function stub(t: TestContext, prints: string): { path: string; argv(): string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'trace-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'traceroute')
  writeFileSync(join(folder, 'prints'), prints)
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > ${folder}/argv\ncat ${folder}/prints\n`)
  chmodSync(path, 0o755)
  return { path, argv: () => readFileSync(join(folder, 'argv'), 'utf8').trim().split('\n') }
}

test('this machine itself is one hop away', { skip: process.platform !== 'linux' }, async t => {
  for (const address of ['127.0.0.1', '::1']) {
    const hops = await follow(createTrace(door(t), { program: none }).route(address))
    assert.deepEqual(
      hops.map(({ hop, address, reached }) => ({ hop, address, reached })),
      [{ hop: 1, address, reached: true }],
    )
    assert.equal(hops[0]?.probes.length, 3)
    assert.ok(hops[0]?.probes.every(({ rttSeconds }) => rttSeconds !== null && rttSeconds > 0 && rttSeconds < 1))
  }
})

test('[OPEN-008] an address that no tool may contact is refused before a packet leaves', async t => {
  for (const address of ['127.0.0.1', '10.0.0.1', '::1', '169.254.169.254', '224.0.0.1']) {
    const closed = door(t, { allowedTestNetworks: [] })
    const before = closed.budget.left('packets')
    await assert.rejects(follow(createTrace(closed).route(address)), /target address is not allowed/)
    assert.equal(closed.budget.left('packets'), before)
  }
})

test('security A6: names, ranges, options and odd spellings never reach a socket or a program', async t => {
  const program = stub(t, '')
  for (const sockets of [undefined, none]) {
    for (const text of [
      'example.com',
      '8.8.8.0/24',
      '-j',
      '--help',
      '8.8.8.8 -i eth0',
      '0x7f.1',
      '127.1',
      '8.8.8.8;id',
      '',
    ]) {
      const trace = createTrace(door(t), { ...(sockets && { sockets }), program: async () => program.path })
      await assert.rejects(follow(trace.route(text)), /target address is not allowed/, text)
    }
  }
  assert.throws(program.argv, /ENOENT/)
})

test('security A6: the program gets fixed options, two hyphens and a canonical address', async t => {
  const program = stub(t, ' 1  127.0.0.1  0.031 ms\n')
  const hops = await follow(
    createTrace(door(t), { sockets: none, program: async () => program.path }).route('127.0.0.1'),
  )
  assert.deepEqual(program.argv(), ['-n', '-q', '1', '-w', '2', '-m', '30', '--', '127.0.0.1'])
  assert.deepEqual(hops, [
    { hop: 1, address: '127.0.0.1', reached: true, probes: [{ address: '127.0.0.1', rttSeconds: 0.000031 }] },
  ])
})

test('five silent hops of the program are enough', async t => {
  const program = stub(t, Array.from({ length: 30 }, (_, i) => `${i + 1}  *\n`).join(''))
  const hops = await follow(createTrace(door(t), { sockets: none, program: async () => program.path }).route('::1'))
  assert.equal(hops.length, 5)
})

test('a program that fails is no hop', async t => {
  const trace = createTrace(door(t), { sockets: none, program: async () => '/bin/false' })
  await assert.rejects(follow(trace.route('127.0.0.1')), /cannot be followed/)
})

test('[OPEN-065] without sockets and without a program the answer is that it is not possible', async t => {
  const trace = createTrace(door(t), { sockets: none, program: none })
  await assert.rejects(follow(trace.route('127.0.0.1')), (error: unknown) => {
    assert.ok(error instanceof Problem)
    assert.deepEqual([error.code, error.message], ['unsupported', 'traceroute is not possible on this server'])
    return true
  })
})

test('every datagram is charged to the job', { skip: process.platform !== 'linux' }, async t => {
  const used = door(t)
  const before = used.budget.left('packets')
  await follow(createTrace(used).route('127.0.0.1'))
  const spent = before - used.budget.left('packets')
  assert.ok(spent >= 3 && spent <= 8, String(spent))
  await assert.rejects(follow(createTrace(door(t, {}, { packets: 2 })).route('127.0.0.1')), /limit for one request/)
})

test('traceroute(8): lines with an answer, with none, with a mark, and lines that are no hop', () => {
  const output = `traceroute to 26.3.0.10 (26.3.0.10), 30 hops max, 60 byte packets
 1  11.10.0.1  0.043 ms
 2  *
 3  2a0f:1ab:ff:2::2  1.015 ms !X
 4  26.3.0.10  81.5 ms
`
  assert.deepEqual(parseTraceOutput(output, '26.3.0.10'), [
    { hop: 1, address: '11.10.0.1', reached: false, probes: [{ address: '11.10.0.1', rttSeconds: 0.000043 }] },
    { hop: 2, address: null, reached: false, probes: [{ address: null, rttSeconds: null }] },
    {
      hop: 3,
      address: '2a0f:1ab:ff:2::2',
      reached: false,
      probes: [{ address: '2a0f:1ab:ff:2::2', rttSeconds: 0.001015, mark: '!X' }],
    },
    { hop: 4, address: '26.3.0.10', reached: true, probes: [{ address: '26.3.0.10', rttSeconds: 0.0815 }] },
  ])
})
