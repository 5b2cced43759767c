import { competeInAll } from './contest.ts'
import { createLabJob, createLabNet } from './job.ts'
import { run } from './program.ts'
import type { Row } from './table.ts'

const GOAL = 4
const HOSTS = ['intermediate.tls.test', 'old.tls.test']

/** Versions, suites, groups and certificates of two servers of the lab, with the start of the other programs. */
export const measureTls = (): Promise<Row[]> =>
  competeInAll(
    HOSTS.map(host => ({
      what: `what ${host} offers`,
      ours: () => scan(host),
      peers: [
        { name: 'sslscan', work: () => run('sslscan', ['--no-colour', host]), goal: GOAL },
        {
          name: 'nmap ssl-enum-ciphers',
          work: () => run('nmap', ['-Pn', '-p', '443', '--script', 'ssl-enum-ciphers', host]),
          goal: GOAL,
        },
      ],
    })),
  )

/** Authorities are read once, as in a server that goes on. */
const net = createLabNet()

async function scan(host: string): Promise<void> {
  const job = createLabJob(net)
  const steps = job.context.tls.scan(host, 443)
  for (let step = await steps.next(); ; step = await steps.next()) {
    if (!step.done) continue
    job.dispose()
    if (!step.value.chains.length) throw new Error(`${host} gave no certificate`)
    return
  }
}
