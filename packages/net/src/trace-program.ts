/** The program traceroute(8), for machines without the sockets: what it is given and what it prints. */

import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { Problem, type TraceHop } from '@assay/kit'
import type { Door } from './egress.ts'

/** Where Linux and macOS keep it. Absolute, so that nothing else of that name is ever started. */
const PATHS = ['/usr/sbin/traceroute', '/usr/bin/traceroute', '/bin/traceroute']
const WAIT_SECONDS = 2
const TIMEOUT_MS = 60_000
const MAX_OUTPUT_BYTES = 65_536

export async function findTraceProgram(): Promise<string | undefined> {
  for (const path of PATHS) {
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return path
  }
  return undefined
}

export interface ProgramLimits {
  maxHops: number
  maxSilentHops: number
}

/** Runs the program for an address that the door has judged: one probe a hop, no names, nothing of the visitor's. */
export async function* runTraceProgram(
  door: Door,
  path: string,
  address: string,
  { maxHops, maxSilentHops }: ProgramLimits,
): AsyncGenerator<TraceHop> {
  door.check(address)
  door.budget.spend('packets', maxHops)
  const output = await run(
    path,
    ['-n', '-q', '1', '-w', String(WAIT_SECONDS), '-m', String(maxHops), '--', address],
    door.budget.signal,
  )
  let silent = 0
  for (const hop of parseTraceOutput(output, address)) {
    yield hop
    silent = hop.address === null ? silent + 1 : 0
    if (silent === maxSilentHops) return
  }
}

function run(path: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const options = {
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
    env: { LC_ALL: 'C' },
    encoding: 'utf8',
    signal,
  } as const
  execFile(path, args, options, (error, output) => {
    if (!error) return resolve(output)
    if (signal.aborted) return reject(signal.reason)
    if (error.killed) return reject(new Problem('timeout', 'The way could not be followed in time', { cause: error }))
    reject(new Problem('unreachable', 'The way to the address cannot be followed from here', { cause: error }))
  })
  return promise
}

/** Lines such as " 3  11.254.2.2  0.513 ms !X" and " 4  *". Anything else on them is passed over. */
export function parseTraceOutput(output: string, target: string): TraceHop[] {
  return output.split('\n').flatMap(line => {
    const [, hop, rest = ''] = /^\s*(\d{1,3})\s+(.+)$/.exec(line) ?? []
    if (!hop) return []
    const [, address = null, milliseconds, mark] = /^([\da-f.:]+)\s+(\d+(?:\.\d+)?) ms(?:\s+(!\S*))?/i.exec(rest) ?? []
    const rttSeconds = milliseconds === undefined ? null : Number(`${milliseconds}e-3`)
    const probe = { address, rttSeconds, ...(mark && { mark }) }
    return [{ hop: Number(hop), address, reached: address === target && !mark, probes: [probe] }]
  })
}
