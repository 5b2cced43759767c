import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const TIMEOUT_MS = 60_000
const MAX_OUTPUT_BYTES = 2 ** 28

/** What a program printed. Says which it is when it is not there, and what it complained of when it failed. */
export async function run(program: string, args: readonly string[], mayFail = false): Promise<string> {
  const options = { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, encoding: 'utf8' } as const
  try {
    const { stdout } = await promisify(execFile)(program, args, options)
    return stdout
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string }
    if (code === 'ENOENT') throw new Error(`${program} is not installed`, { cause: error })
    if (mayFail) return stdout
    throw new Error(`${program} ended with ${code}: ${stderr.trim().split('\n')[0]}`, { cause: error })
  }
}
