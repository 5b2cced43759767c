import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { askInBulk } from '@assay/net/bulk'
import { compete } from './contest.ts'
import { createTestJob } from './job.ts'
import { PORT, withKnot } from './knot.ts'
import { run } from './program.ts'
import type { Row } from './table.ts'

const NAMES = 100_000
const ADDRESS = '127.0.0.1'
const GOAL_PER_SECOND = 45_000
const amount = { count: NAMES, unit: 'q' }

/** 100,000 names asked of one Knot on loopback, by our bulk client and by the programs made for that. */
export function measureDns(): Promise<Row[]> {
  const lines = Array.from({ length: NAMES }, (_, i) => `n${i} A 192.0.2.${(i % 254) + 1}`)
  return withKnot(lines, async folder => {
    let fewest = NAMES
    const rows = await compete({
      what: `${NAMES} A questions to one Knot`,
      ours: async () => {
        fewest = Math.min(fewest, await askAll())
      },
      peers: [
        { name: 'dnsperf -c 10 -q 128', work: () => dnsperf(folder) },
        { name: 'massdns', work: () => massdns(folder) },
      ],
      limitMs: (NAMES / GOAL_PER_SECOND) * 1000,
      amount,
    })
    const answered = { against: 'asked', theirs: `${NAMES}`, ratio: fewest / NAMES, goal: 'all' }
    return [...rows, { what: 'answered, worst run', ours: `${fewest}`, ...answered, holds: fewest === NAMES }]
  })
}

async function askAll(): Promise<number> {
  const job = createTestJob()
  let answered = 0
  for await (const batch of askInBulk(job.door, { address: ADDRESS, port: PORT }, questions())) {
    for (const { message } of batch) if (message?.answers.length === 1) answered++
  }
  job.dispose()
  return answered
}

function* questions() {
  for (let i = 0; i < NAMES; i++) yield { name: `n${i}.bulk.test.`, type: 'A' }
}

/** Milliseconds by its own count. */
async function dnsperf(folder: string): Promise<number> {
  const file = join(folder, 'questions')
  writeFileSync(file, Array.from({ length: NAMES }, (_, i) => `n${i}.bulk.test A\n`).join(''))
  const to = ['-s', ADDRESS, '-p', `${PORT}`, '-d', file]
  const output = await run('dnsperf', [...to, '-c', '10', '-q', '128', '-n', '1'])
  const perSecond = Number(/Queries per second:\s+([\d.]+)/.exec(output)?.[1])
  if (!perSecond) throw new Error('dnsperf gave no figure')
  return (NAMES / perSecond) * 1000
}

/** Its answers are decoded and written down as one line each, as ours are decoded. */
async function massdns(folder: string): Promise<void> {
  const [names, resolvers, results] = ['names', 'resolvers', 'results'].map(name => join(folder, name))
  writeFileSync(names ?? '', Array.from({ length: NAMES }, (_, i) => `n${i}.bulk.test\n`).join(''))
  writeFileSync(resolvers ?? '', `${ADDRESS}:${PORT}\n`)
  const quiet = ['--quiet', '--output', 'S', '--outfile', results ?? '']
  await run('massdns', ['--resolvers', resolvers ?? '', '--norecurse', '--type', 'A', ...quiet, names ?? ''])
}
