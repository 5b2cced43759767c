import { randomBytes } from 'node:crypto'
import { createNameServers } from '@assay/net/name-servers'
import { compete } from './contest.ts'
import { createTestJob } from './job.ts'
import { PORT, withKnot } from './knot.ts'
import { run } from './program.ts'
import type { Row } from './table.ts'

const RECORDS = 100_000
const ADDRESS = '127.0.0.1'
const ZONE = 'bulk.test.'
/** Far above the product's own. */
const limits = { records: 2 * RECORDS, bytes: 2 ** 27 }

/** A whole zone over TCP: dig writes it down, ours has every record decoded. */
export function measureTransfer(): Promise<Row[]> {
  const lines = Array.from({ length: RECORDS - 4 }, (_, i) => `n${i} A 192.0.2.${(i % 254) + 1}`)
  return withKnot(lines, () =>
    compete({
      what: `transfer of ${RECORDS} records`,
      ours: transfer,
      peers: [{ name: 'dig AXFR', work: dig, goal: 1 / 1.5 }],
      rounds: 5,
    }),
  )
}

async function transfer(): Promise<void> {
  const { door, transport, dispose } = createTestJob()
  const random = (length: number) => new Uint8Array(randomBytes(length))
  const parts = { door, transport, random, paceOf: () => () => true, port: PORT, transferLimits: limits }
  const steps = createNameServers(parts).transfer(ADDRESS, ZONE)
  for (let step = await steps.next(); ; step = await steps.next()) {
    if (!step.done) continue
    dispose()
    const { status, records } = step.value
    if (status !== 'transferred' || records < RECORDS) throw new Error(`${status} after ${records} records`)
    return
  }
}

async function dig(): Promise<void> {
  const output = await run('dig', [`@${ADDRESS}`, '-p', `${PORT}`, '+nocookie', 'AXFR', ZONE])
  if (!output.includes('XFR size')) throw new Error('dig did not get the zone')
}
