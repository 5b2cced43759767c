import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from './program.ts'

export const PORT = 15_353
const ADDRESS = '127.0.0.1'
const ATTEMPTS = 100

const apex =
  '$TTL 300\n@ SOA ns.bulk.test. host.bulk.test. 1 3600 600 86400 300\n@ NS ns.bulk.test.\nns.bulk.test. A 192.0.2.1\n'

/** Does the work beside a Knot on loopback that serves bulk.test with these lines, in one thread, to anybody. */
export async function withKnot<Result>(
  lines: readonly string[],
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-knot-'))
  writeFileSync(join(folder, 'bulk.zone'), `$ORIGIN bulk.test.\n${apex}${lines.join('\n')}\n`)
  writeFileSync(
    join(folder, 'knot.conf'),
    `server:\n  rundir: ${folder}\n  listen: ${ADDRESS}@${PORT}\n  udp-workers: 1\n  tcp-workers: 1\n  background-workers: 1\ndatabase:\n  storage: ${folder}\nlog:\n  - target: stderr\n    any: error\nacl:\n  - id: anyone\n    address: ${ADDRESS}\n    action: transfer\nzone:\n  - domain: bulk.test\n    file: ${folder}/bulk.zone\n    zonefile-sync: -1\n    journal-content: none\n    acl: anyone\n`,
  )
  const knot = spawn('knotd', ['-c', join(folder, 'knot.conf')], { stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = new Promise(resolve => knot.once('exit', resolve))
  try {
    // Rejects with why it could not be started.
    await once(knot, 'spawn').catch(error => {
      throw new Error('knotd is not installed', { cause: error })
    })
    await answers()
    return await work(folder)
  } finally {
    if (knot.kill()) await ended
    rmSync(folder, { recursive: true })
  }
}

/** Nothing listens at first, which the system says of a closed port. */
async function answers(): Promise<void> {
  for (let i = 0; i < ATTEMPTS; i++) {
    await sleep(100)
    const said = await run(
      'kdig',
      [`@${ADDRESS}`, '-p', `${PORT}`, '+short', '+timeout=1', '+retry=0', 'ns.bulk.test'],
      true,
    )
    if (said.startsWith('192.0.2.1')) return
  }
  throw new Error('Knot did not answer')
}
