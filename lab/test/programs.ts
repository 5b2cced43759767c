import { execFile } from 'node:child_process'

const limitMs = 20_000
const outputLimit = 2 ** 24

if (process.env.LAB !== '1') throw new Error('these tests run inside the lab: npm run lab -- run COMMAND')

/** The lab's folder. */
export const folder = process.env.LAB_DIR ?? ''

export interface Outcome {
  readonly code: number
  readonly output: string
  readonly complaints: string
}

/** Runs one of the programs people have, for a bounded time, and gives whatever it says. */
export function run(program: string, ...args: string[]): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  execFile(
    program,
    args,
    { timeout: limitMs, maxBuffer: outputLimit, encoding: 'utf8' },
    (error, output, complaints) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, output, complaints })
    },
  )
  return promise
}

export interface Answer {
  readonly status: string
  readonly flags: readonly string[]
  /** The answer section, one record per line: type and data. */
  readonly records: readonly string[]
  readonly text: string
}

/** What dig prints for a question, e.g. `dig('8.8.8.8', 'good.test', 'MX', '+dnssec')`. */
export async function dig(server: string, name: string, type: string, ...options: string[]): Promise<Answer> {
  const { output } = await run('dig', `@${server}`, '+time=4', '+tries=1', '-t', type, '-q', name, ...options)
  const section = /;; ANSWER SECTION:\n(.*?)\n\n/s.exec(output)?.[1] ?? ''
  return {
    status: /status: (\w+)/.exec(output)?.[1] ?? 'no answer',
    flags: /flags: ([a-z ]*)/.exec(output)?.[1]?.split(' ') ?? [],
    records: section
      .split('\n')
      .filter(Boolean)
      .map(line => line.split(/\s+/).slice(3).join(' ')),
    text: output,
  }
}
