import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { Machine } from './topology.ts'

const logTailCharacters = 2000

export interface Daemon {
  /** Settles when the daemon has written the word. */
  says(word: string): Promise<void>
}

export type StartDaemon = (machine: Machine, name: string, program: string, args: readonly string[]) => Daemon

/** The command line that runs a program on a machine. */
export function onMachine(machine: Machine, line: readonly [string, ...string[]]): [string, ...string[]] {
  return machine === 'app' ? [...line] : ['nsenter', `--net=/run/netns/${machine}`, ...line]
}

/**
 * Gives a function that starts servers and keeps their logs in `<lab>/log`. If one of them ever ends, the whole lab
 * ends with that log: half a lab would mislead.
 */
export function supervisor(lab: string): StartDaemon {
  const folder = path.join(lab, 'log')
  fs.mkdirSync(folder, { recursive: true })
  return (machine, name, program, args) => {
    const log = path.join(folder, `${name}.log`)
    const [file, ...rest] = onMachine(machine, [program, ...args])
    const child = spawn(file, rest, { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder })
    const listeners: (() => void)[] = []
    let tail = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => {
        fs.appendFileSync(log, part)
        tail = (tail + part).slice(-logTailCharacters)
        for (const listener of listeners) listener()
      })
    }
    const end = (why: string) => {
      console.log(`${name} on ${machine} ended: ${why}\n${tail}`)
      process.exit(1)
    }
    child.on('error', error => end(error.message))
    child.on('close', (code, signal) => end(signal ?? `exit code ${code}`))
    return {
      says(word) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const check = () => {
          if (tail.includes(word)) resolve()
        }
        listeners.push(check)
        check()
        return promise
      },
    }
  }
}

/** Starts one of the programs of lab/servers. */
export function startProgram(start: StartDaemon, machine: Machine, name: string, lab: string): void {
  start(machine, name, process.execPath, [path.join(import.meta.dirname, `../servers/${name}.ts`), lab])
}
