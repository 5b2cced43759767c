import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { askInBulk } from '@assay/net/bulk'
import { createTestJob } from './job.ts'
import type { Row } from './table.ts'

const NAMES = 100_000
const RUNS = 3
const PORT = 15_353
const GOAL_PER_SECOND = 45_000

/** 100,000 names asked of one Knot on loopback, by our bulk client and by dnsperf. */
export async function measureDns(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-dns-'))
  const knot = await startKnot(folder)
  try {
    const runs = []
    for (let i = 0; i < RUNS; i++) runs.push(await askAll())
    const ours = runs.reduce((best, run) => (run.perSecond > best.perSecond ? run : best))
    const theirs = Math.max(...Array.from({ length: RUNS }, () => dnsperf(folder)))
    const answered = Math.min(...runs.map(run => run.answered))
    return [
      {
        what: `${NAMES} A questions to one Knot`,
        ours: `${ours.perSecond.toFixed(0)} q/s`,
        against: 'dnsperf -c 10 -q 128',
        theirs: `${theirs.toFixed(0)} q/s`,
        ratio: ours.perSecond / theirs,
        goal: `at least ${GOAL_PER_SECOND} q/s`,
        holds: ours.perSecond >= GOAL_PER_SECOND,
      },
      {
        what: 'answered, worst run',
        ours: `${answered}`,
        against: 'asked',
        theirs: `${NAMES}`,
        ratio: answered / NAMES,
        goal: 'all',
        holds: answered === NAMES,
      },
    ]
  } finally {
    knot.kill()
    await once(knot, 'exit')
    rmSync(folder, { recursive: true })
  }
}

async function askAll(): Promise<{ perSecond: number; answered: number }> {
  const job = createTestJob()
  const start = performance.now()
  let answered = 0
  for await (const batch of askInBulk(job.door, { address: '127.0.0.1', port: PORT }, questions())) {
    for (const { message } of batch) if (message?.answers.length === 1) answered++
  }
  const perSecond = NAMES / ((performance.now() - start) / 1000)
  job.dispose()
  return { perSecond, answered }
}

function* questions() {
  for (let i = 0; i < NAMES; i++) yield { name: `n${i}.bulk.test.`, type: 'A' }
}

function dnsperf(folder: string): number {
  const file = join(folder, 'questions')
  writeFileSync(file, Array.from({ length: NAMES }, (_, i) => `n${i}.bulk.test A\n`).join(''))
  const { stdout, status } = spawnSync(
    'dnsperf',
    ['-s', '127.0.0.1', '-p', `${PORT}`, '-d', file, '-c', '10', '-q', '128', '-n', '1'],
    {
      encoding: 'utf8',
    },
  )
  const perSecond = Number(/Queries per second:\s+([\d.]+)/.exec(stdout)?.[1])
  if (status !== 0 || !perSecond) throw new Error('dnsperf gave no figure')
  return perSecond
}

async function startKnot(folder: string): Promise<ChildProcess> {
  const records = Array.from({ length: NAMES }, (_, i) => `n${i} A 192.0.2.${(i % 254) + 1}\n`).join('')
  const apex =
    '$ORIGIN bulk.test.\n$TTL 300\n@ SOA ns.bulk.test. host.bulk.test. 1 3600 600 86400 300\n@ NS ns\nns A 192.0.2.1\n'
  writeFileSync(join(folder, 'bulk.zone'), apex + records)
  writeFileSync(
    join(folder, 'knot.conf'),
    `server:\n  rundir: ${folder}\n  listen: 127.0.0.1@${PORT}\n  udp-workers: 1\n  tcp-workers: 1\n  background-workers: 1\ndatabase:\n  storage: ${folder}\nlog:\n  - target: stderr\n    any: error\nzone:\n  - domain: bulk.test\n    file: ${folder}/bulk.zone\n    zonefile-sync: -1\n    journal-content: none\n`,
  )
  const knot = spawn('knotd', ['-c', join(folder, 'knot.conf')], { stdio: ['ignore', 'inherit', 'inherit'] })
  const probe = createTestJob()
  for (let i = 0; i < 100; i++) {
    await sleep(100)
    for await (const [answer] of askInBulk(
      probe.door,
      { address: '127.0.0.1', port: PORT },
      [{ name: 'n0.bulk.test.', type: 'A' }],
      { timeoutMs: 100 },
    )) {
      if (answer?.message?.answers.length) {
        probe.dispose()
        return knot
      }
    }
  }
  throw new Error('Knot did not answer')
}
