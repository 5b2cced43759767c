/**
 * For test runs, by `--import`: notices every connection, datagram and child process that does not start in the few
 * folders that may. Call stacks are read at the moment of the call; code of the platform and of node_modules is looked
 * through to the first file of this repository. Whatever is found is written out and fails the run.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { promisify } from 'node:util'
import { callerOf, mayReachOut } from './trap-rules.ts'

interface Escape {
  what: string
  /** The file that started it, from the root of the repository; undefined when there was none on the stack. */
  file: string | undefined
  stack: string
}

const escapes: Escape[] = []
/** What an allowed caller started may go on later, when the stack no longer shows who began it. */
const started = new AsyncLocalStorage<true>()

function watched<Arguments extends unknown[], Result>(
  what: string,
  original: (this: unknown, ...parameters: Arguments) => Result,
): (this: unknown, ...parameters: Arguments) => Result {
  return function (this: unknown, ...parameters) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 100
    const stack = new Error(what).stack ?? ''
    Error.stackTraceLimit = stackTraceLimit
    const file = callerOf(stack)
    const allowed = file === undefined ? started.getStore() === true : mayReachOut(file)
    if (!allowed) escapes.push({ what, file, stack })
    const run = () => Reflect.apply(original, this, parameters)
    return allowed ? started.run(true, run) : started.exit(run)
  }
}

/** Replaces a method by its watched self. */
function watch<Name extends string>(
  owner: { [key in Name]: (...parameters: never[]) => unknown },
  name: Name,
  what: string = name,
): void {
  const original: (this: unknown, ...parameters: never[]) => unknown = owner[name]
  const value = watched(what, original)
  // util.promisify has a form of its own for execFile and exec.
  const promised: unknown = Reflect.get(original, promisify.custom)
  if (typeof promised === 'function') {
    Object.defineProperty(value, promisify.custom, {
      value: watched(what, (...parameters: unknown[]) => Reflect.apply(promised, undefined, parameters)),
    })
  }
  Object.defineProperty(owner, name, { value, writable: true, configurable: true })
}

watch(net.Socket.prototype, 'connect', 'a TCP connection')
watch(dgram.Socket.prototype, 'send', 'a datagram')
watch(dgram.Socket.prototype, 'connect', 'a datagram socket')
watch(globalThis, 'fetch', 'fetch')
for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const) {
  watch(childProcess, name, `a child process (${name})`)
}
syncBuiltinESMExports()
// Sockets of the C library pass by all of these; whoever loads it must be one of the few, too.
const native = await import('koffi').catch(() => undefined)
if (native) watch(native.default, 'load', 'native code')

process.on('exit', () => {
  if (escapes.length === 0) return
  process.exitCode = 1
  for (const { what, file, stack } of escapes) {
    process.stderr.write(`\nNot through the door: ${what} from ${file ?? 'nowhere'}\n${stack}\n`)
  }
})
