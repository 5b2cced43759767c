import { competeInAll } from './contest.ts'
import { createTestJob } from './job.ts'
import { run } from './program.ts'
import type { Row } from './table.ts'

const ADDRESS = '127.0.0.1'

/** Ports of the loopback address, nearly all closed, against nmap's connect scan with its start. */
export const measurePorts = (): Promise<Row[]> =>
  competeInAll(
    [
      { last: 1000, goal: 1, rounds: 5 },
      { last: 65_535, goal: 1 / 1.5, rounds: 3 },
    ].map(({ last, goal, rounds }) => ({
      what: `TCP ports 1 to ${last} on loopback`,
      ours: () => scan(last),
      peers: [{ name: 'nmap -sT -T5', work: () => nmap(last), goal }],
      rounds,
    })),
  )

async function scan(last: number): Promise<void> {
  const job = createTestJob()
  let seen = 0
  const ports = Array.from({ length: last }, (_, i) => i + 1)
  for await (const _ of job.context.tcp.scan(ADDRESS, ports)) seen++
  job.dispose()
  if (seen !== last) throw new Error(`the scan gave ${seen} answers`)
}

const nmap = (last: number) => run('nmap', ['-sT', '-Pn', '-n', '-T5', '-p', `1-${last}`, ADDRESS])
