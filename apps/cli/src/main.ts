#!/usr/bin/env node
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Problem } from '@assay/kit'
import { assay, FAILED } from './command.ts'
import { createNetwork } from './network.ts'

const DEFAULT_COLUMNS = 100
const INTERRUPTED = 130

const { stdout, stderr, stdin, env } = process
const interrupt = new AbortController()
const network = createNetwork(process.env.ASSAY_TRUST_ANCHORS)

process.once('SIGINT', () => {
  interrupt.abort(new Problem('busy', 'Interrupted.'))
  process.exitCode = INTERRUPTED
})
// A reader such as `head` may have seen enough.
stdout.on('error', () => process.exit())

// https://no-color.org
const colour = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'

const status = await assay(process.argv.slice(2), {
  screen: { columns: stdout.columns ?? (stdout.isTTY ? DEFAULT_COLUMNS : Number.POSITIVE_INFINITY), colour },
  out: text => void stdout.write(text),
  note: text => void stderr.write(`${text}\n`),
  progress: stderr.isTTY
    ? text => void stderr.write(`\r\u001b[K${text.slice(0, (stderr.columns ?? 80) - 1)}`)
    : undefined,
  save: (path, bytes) => writeFile(path, bytes, { flag: 'wx' }).catch(cannotUse),
  job: tool => network(tool, interrupt.signal),
  stdin: () => stdin,
  file: path => readable(path),
  secret: stdin.isTTY && stderr.isTTY ? askSecret : undefined,
})
process.exitCode ??= status

async function* readable(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path)
  } catch (error) {
    cannotUse(error)
  }
}

function cannotUse(error: unknown): never {
  if (!(error instanceof Error) || !('code' in error)) throw error
  throw new Problem('not-found', `The file cannot be used: ${error.message}.`)
}

/** Asks on the terminal; what is typed is not shown. */
function askSecret(label: string): Promise<string> {
  stderr.write(`${label}: `)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: silent, terminal: true })
  return new Promise((resolve, reject) => {
    lines.once('SIGINT', () => {
      lines.close()
      stderr.write('\n')
      reject(new Problem('busy', 'Interrupted.'))
      process.exitCode = FAILED
    })
    lines.question('', answer => {
      lines.close()
      stderr.write('\n')
      resolve(answer)
    })
  })
}
