import { spawnSync } from 'node:child_process'
import { createTestJob } from './job.ts'
import { best, type Row } from './table.ts'

const ports = Array.from({ length: 1000 }, (_, i) => i + 1)

/** Ports 1 to 1000 of the loopback address, nearly all closed, against nmap's connect scan. */
export async function measurePorts(): Promise<Row[]> {
  const ours = await best(5, async () => {
    const job = createTestJob()
    let seen = 0
    for await (const _ of job.context.tcp.scan('127.0.0.1', ports)) seen++
    job.dispose()
    if (seen !== ports.length) throw new Error(`the scan gave ${seen} answers`)
  })
  const theirs = await best(5, () => {
    const { status, error } = spawnSync('nmap', ['-sT', '-Pn', '-n', '-T5', '-p', '1-1000', '127.0.0.1'])
    if (status !== 0) throw error ?? new Error(`nmap ended with ${status}`)
  })
  const ratio = theirs / ours
  return [
    {
      what: 'TCP ports 1 to 1000 on loopback',
      ours: `${ours.toFixed(0)} ms`,
      against: 'nmap -sT, start included',
      theirs: `${theirs.toFixed(0)} ms`,
      ratio,
      goal: 'at least 1',
      holds: ratio >= 1,
    },
  ]
}
