import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Action, type FileInput, Problem, type Raw } from '@assay/kit'
import type { Answer, Step } from '../answer.ts'
import { type Channel, createChannel } from '../channel.ts'
import { Wait } from '../errors.ts'
import type { Limits } from '../limits.ts'
import type { FromChild, RunMessage, ToChild } from './message.ts'

export interface ComputeJob {
  action: Action
  /** Plain values and files. */
  raw: Raw
  now: Date
  detailed: boolean
  updates: boolean
}

/** Child processes that run tools. Time, memory and the queue are bounded; a child past its bounds is killed. */
export interface Pool {
  run(job: ComputeJob, signal: AbortSignal): AsyncGenerator<Step, Answer, void>
  /** Starts all children now rather than with the first jobs. */
  warm(): void
  /** Kills all children. */
  close(): void
  figures(): PoolFigures
}

export interface PoolFigures {
  queued: number
  running: number
  /** Children killed with a job in hand, and those that ended by themselves. */
  killed: number
  died: number
}

export interface PoolOptions {
  /** Address of a module that exports `actions`, as the catalogue does. */
  module: string
  children: number
  runMs: number
  limits: Limits
}

/** An error of ours inside a child. */
export class ChildBug extends Error {
  readonly bug: { name: string; stack: string }
  constructor(bug: { name: string; stack: string }) {
    super('A tool failed in a compute child.')
    this.bug = bug
  }
}

interface Task {
  channel: Channel<Step, Answer>
  files: ReadonlyMap<string, AsyncIterator<Uint8Array>>
  timer: NodeJS.Timeout
}

interface Worker {
  child: ChildProcess
  jobs: number
  ready: boolean
  /** Promised to a job, from before the job begins. */
  taken: boolean
  task?: Task | undefined
}

const WATCH_MS = 100
const RESPAWN_MS = 1_000
const PAGE_BYTES = 4096

const child = fileURLToPath(new URL('child.ts', import.meta.url))
/** Code, and nothing else: no settings, no site, no home. */
const readable = ['packages', 'node_modules', 'apps/server'].map(folder =>
  fileURLToPath(new URL(`../../../../${folder}/`, import.meta.url)),
)

export function createPool({ module, children, runMs, limits }: PoolOptions): Pool {
  const workers = new Set<Worker>()
  const queue: ((worker: Worker) => void)[] = []
  let closed = false
  let watch: NodeJS.Timeout | undefined
  let killed = 0
  let died = 0

  const execArgv = [
    '--permission',
    ...readable.map(folder => `--allow-fs-read=${folder}*`),
    `--max-old-space-size=${limits.heapMegabytes}`,
    '--disable-proto=delete',
    '--no-warnings',
  ]

  function spawn(): Worker {
    // Whatever a dying process prints may hold input, so nobody listens.
    const process = fork(child, [module], {
      execArgv,
      env: {},
      cwd: '/',
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const worker: Worker = { child: process, jobs: 0, ready: false, taken: false }
    workers.add(worker)
    process.on('message', (message: FromChild) => heard(worker, message))
    process.on('error', () => gone(worker))
    process.on('exit', () => gone(worker))
    idle(worker)
    return worker
  }

  function heard(worker: Worker, message: FromChild): void {
    const { task } = worker
    if (message.type === 'ready') {
      worker.ready = true
      offer(worker)
    } else if (!task) {
      // The job was given up a moment ago.
    } else if (message.type === 'step') {
      task.channel.push(message.step)
    } else if (message.type === 'pull') {
      void feed(worker, task, message.field)
    } else {
      release(worker)
      settle(task, message)
    }
  }

  /** Hands the next chunk of a file over. A client that stalls would hold the child, so its wait is bounded. */
  async function feed(worker: Worker, task: Task, field: string): Promise<void> {
    try {
      const next = task.files.get(field)?.next()
      const chunk = next && (await within(limits.uploadStallMs, next))
      const bytes = chunk?.done === false ? chunk.value : undefined
      if (worker.task === task) tell(worker, { type: 'chunk', field, ...(bytes && { bytes }) })
    } catch (error) {
      fail(worker, task, error)
    }
  }

  function tell(worker: Worker, message: ToChild): void {
    worker.child.send(message, error => {
      if (error) gone(worker)
    })
  }

  /** Ends a job whose child may be in any state: the child goes with it. */
  function fail(worker: Worker, task: Task, error: unknown): void {
    if (worker.task !== task) return
    clearTimeout(task.timer)
    worker.task = undefined
    killed++
    kill(worker)
    task.channel.fail(error)
  }

  function release(worker: Worker): void {
    if (worker.task) clearTimeout(worker.task.timer)
    worker.task = undefined
    if (worker.jobs >= limits.jobsPerChild) kill(worker)
    else offer(worker)
  }

  function kill(worker: Worker): void {
    workers.delete(worker)
    worker.child.kill('SIGKILL')
    if (!closed) replace()
  }

  function gone(worker: Worker): void {
    const { task } = worker
    if (!workers.delete(worker)) return
    worker.task = undefined
    if (task) {
      died++
      clearTimeout(task.timer)
      task.channel.fail(outOfMemory(limits))
    }
    if (closed) return
    // A child that never became ready will not do so the next moment either.
    if (worker.ready) replace()
    else setTimeout(replace, RESPAWN_MS).unref()
  }

  function replace(): void {
    if (!closed && workers.size < children) spawn()
  }

  function offer(worker: Worker): void {
    const take = queue.shift()
    worker.taken = take !== undefined
    if (take) take(worker)
    else idle(worker)
  }

  /** Idle children keep nobody's process alive. */
  function idle({ child }: Worker): void {
    child.unref()
    child.channel?.unref()
  }

  function acquire(signal: AbortSignal): Worker | Promise<Worker> {
    if (closed) throw new Problem('busy', 'the server is shutting down')
    for (const worker of workers) {
      if (!worker.ready || worker.taken) continue
      worker.taken = true
      return worker
    }
    if (queue.length >= limits.queuedJobs) throw overloaded(limits)
    if (workers.size < children) spawn()
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        const index = queue.indexOf(take)
        if (index >= 0) queue.splice(index, 1)
      }
      const take = (worker: Worker) => {
        settle()
        resolve(worker)
      }
      const abort = () => {
        settle()
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        settle()
        reject(overloaded(limits))
      }, limits.queuedMs)
      signal.addEventListener('abort', abort)
      queue.push(take)
    })
  }

  function begin(worker: Worker, { action, raw, ...rest }: ComputeJob): Task {
    const files = Object.entries(raw).filter((entry): entry is [string, FileInput] => isFile(entry[1]))
    const task: Task = {
      channel: createChannel<Step, Answer>(),
      files: new Map(files.map(([field, file]) => [field, file.stream()[Symbol.asyncIterator]()])),
      timer: setTimeout(() => fail(worker, task, tooLong(runMs)), runMs),
    }
    worker.task = task
    worker.jobs++
    worker.child.ref()
    worker.child.channel?.ref()
    watch ??= setInterval(watchMemory, WATCH_MS).unref()
    const message: RunMessage = {
      type: 'run',
      path: action.path,
      raw: Object.fromEntries(Object.entries(raw).filter(([, value]) => !isFile(value))),
      files: Object.fromEntries(
        files.map(([field, { name, size }]) => [field, { name, ...(size !== undefined && { size }) }]),
      ),
      now: rest.now.getTime(),
      detailed: rest.detailed,
      updates: rest.updates,
    }
    tell(worker, message)
    return task
  }

  function watchMemory(): void {
    for (const worker of workers) {
      if (worker.task && residentBytes(worker.child.pid) > limits.residentMegabytes * 1_048_576) {
        fail(worker, worker.task, outOfMemory(limits))
      }
    }
  }

  return {
    async *run(job, signal) {
      signal.throwIfAborted()
      let worker = await acquire(signal)
      // One may die between being promised and being used.
      while (!workers.has(worker)) worker = await acquire(signal)
      const task = begin(worker, job)
      const abort = () => fail(worker, task, signal.reason)
      signal.addEventListener('abort', abort)
      if (signal.aborted) abort()
      try {
        return yield* task.channel.read()
      } finally {
        signal.removeEventListener('abort', abort)
        // Still there when whoever reads has stopped reading.
        fail(worker, task, new Error('Nobody reads the answer.'))
        for (const file of task.files.values()) void file.return?.().catch(() => {})
      }
    },
    warm() {
      while (workers.size < children) spawn()
    },
    close() {
      closed = true
      clearInterval(watch)
      for (const worker of workers) {
        if (worker.task) fail(worker, worker.task, new Problem('busy', 'the server is shutting down'))
        else worker.child.kill('SIGKILL')
      }
      workers.clear()
    },
    figures: () => ({
      queued: queue.length,
      running: [...workers].filter(({ task }) => task).length,
      killed,
      died,
    }),
  }
}

export const isFile = (value: unknown): value is FileInput =>
  typeof value === 'object' && value !== null && 'stream' in value && typeof value.stream === 'function'

function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Problem('timeout', 'The upload stalled.')), milliseconds)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

function settle({ channel }: Task, message: Extract<FromChild, { type: 'answer' | 'problem' | 'bug' }>): void {
  if (message.type === 'answer') channel.end(message.answer)
  else if (message.type === 'bug') channel.fail(new ChildBug(message))
  else channel.fail(new Problem(message.problem.code, message.problem.message, message.problem))
}

/** Resident memory by /proc; 0 where there is none, and the heap limit alone holds. */
function residentBytes(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES
  } catch {
    return 0
  }
}

const tooLong = (runMs: number) =>
  new Problem('timeout', 'Request timeout', { detail: `One run has ${runMs / 1000} seconds on this server.` })
const outOfMemory = ({ residentMegabytes }: Limits) =>
  new Problem('invalid-input', `The run needs more memory than the ${residentMegabytes} MB it has on this server.`)
const overloaded = ({ queuedMs }: Limits) => new Wait('busy', queuedMs / 2, 'all workers are busy')
