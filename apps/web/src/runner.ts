import { callOf, type Raw, send } from './api.ts'
import { ToolProblem } from './errors.ts'
import type { Answer, Case, Question, Shown } from './message.ts'
import type { ActionModel, ToolModel } from './page.ts'
import { addRequests } from './requests.ts'
import { trustedScript } from './trusted.ts'
import type { RunHere } from './views/view.ts'

const views = import.meta.glob<{ runHere?: RunHere }>('./views/*/*.tsx')

export interface Update {
  progress?: number | undefined
  label?: string | undefined
  shown?: Shown | undefined
}

export type Place = 'browser' | 'server'

/** Runs one tool, in a worker of the page or on the server. */
export interface Runner {
  /** Loads the worker and the tool ahead of the first run. */
  warm(): void
  run(place: Place, action: ActionModel, raw: Raw, onUpdate: (update: Update) => void): Promise<Shown>
  verify(onUpdate: (update: Update) => void): Promise<readonly Case[]>
  /** Ends whatever is under way; it fails as cancelled. */
  cancel(): void
}

interface Job {
  resolve(answer: Answer): void
  reject(error: unknown): void
  onUpdate(update: Update): void
}

/** The visitor ended it; nothing went wrong. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled')
    this.name = 'Cancelled'
  }
}

export function createRunner(tool: ToolModel): Runner {
  const jobs = new Map<number, Job>()
  let worker: Worker | undefined
  let abort: AbortController | undefined
  let last = 0

  function start(): Worker {
    if (worker) return worker
    worker = new Worker(trustedScript(tool.worker), { type: 'module', name: tool.id })
    worker.onmessage = ({ data }: MessageEvent<Answer>) => receive(data)
    worker.onerror = event => {
      for (const job of jobs.values()) job.reject(new Error(event.message))
      stop()
    }
    return worker
  }

  function stop(): void {
    worker?.terminate()
    worker = undefined
    jobs.clear()
  }

  function receive(answer: Answer): void {
    addRequests(answer.requests)
    const job = jobs.get(answer.job)
    if (!job) return
    if (answer.kind === 'update') job.onUpdate({ progress: answer.progress, label: answer.label, shown: answer.shown })
    else settle(job, answer)
  }

  function settle(job: Job, answer: Answer): void {
    jobs.delete(answer.job)
    if (answer.kind !== 'failed') job.resolve(answer)
    else job.reject(answer.problem ? new ToolProblem(answer.problem) : new Error('the tool failed'))
  }

  type Ask = Question extends infer Q ? (Q extends Question ? Omit<Q, 'job' | 'chunk' | 'tool'> : never) : never

  function ask(question: Ask, onUpdate: (update: Update) => void = () => {}): Promise<Answer> {
    last += 1
    const whole = { ...question, job: last, chunk: tool.chunk, tool: tool.id }
    return new Promise((resolve, reject) => {
      jobs.set(whole.job, { resolve, reject, onUpdate })
      start().postMessage(whole)
    })
  }

  async function shown(question: Ask, onUpdate?: (update: Update) => void): Promise<Shown> {
    const answer = await ask(question, onUpdate)
    if (answer.kind !== 'shown') throw new TypeError(`unexpected answer ${answer.kind}`)
    return answer.shown
  }

  async function onServer(action: ActionModel, raw: Raw, onUpdate: (update: Update) => void): Promise<Shown> {
    abort = new AbortController()
    const started = performance.now()
    const elapsed = () => performance.now() - started
    const answer = await send(callOf(tool, action, raw), abort.signal, ({ progress, label, partial, panels }) =>
      onUpdate({ progress, label, ...(panels && { shown: { result: partial, panels, milliseconds: elapsed() } }) }),
    )
    const { result, panels, terminal } = answer
    const milliseconds = elapsed()
    if (panels) return { result, panels, terminal, milliseconds }
    return { ...(await shown({ kind: 'show', action: action.name, raw, result })), milliseconds }
  }

  /** The view measures from the page, and the tool draws what it found. */
  async function inPage(action: ActionModel, raw: Raw, onUpdate: (update: Update) => void): Promise<Shown> {
    const ending = new AbortController()
    abort = ending
    const { signal } = ending
    const started = performance.now()
    const draw = async (result: unknown) => {
      const drawn = await shown({ kind: 'show', action: action.name, raw, result })
      return { ...drawn, milliseconds: performance.now() - started }
    }
    const { runHere } = (await views[`./views/${tool.view}.tsx`]?.()) ?? {}
    if (!runHere) throw new TypeError(`${tool.id} cannot run in the page`)
    const result = await runHere(raw, {
      signal,
      onUpdate({ progress, label, partial }) {
        onUpdate({ progress, label })
        if (partial === undefined) return
        draw(partial).then(
          drawn => signal.aborted || onUpdate({ progress, label, shown: drawn }),
          () => {},
        )
      },
    })
    const drawn = await draw(result)
    // What is still being drawn of the way there comes too late.
    ending.abort()
    return drawn
  }

  return {
    warm: () => {
      start().postMessage({ kind: 'warm', job: 0, chunk: tool.chunk, tool: tool.id } satisfies Question)
    },
    run(place, action, raw, onUpdate) {
      if (place === 'server') return onServer(action, raw, onUpdate)
      if (tool.here) return inPage(action, raw, onUpdate)
      return shown({ kind: 'run', action: action.name, raw }, onUpdate)
    },
    async verify(onUpdate) {
      const answer = await ask({ kind: 'verify' }, onUpdate)
      if (answer.kind !== 'verified') throw new TypeError(`unexpected answer ${answer.kind}`)
      return answer.cases
    },
    cancel() {
      abort?.abort()
      for (const job of jobs.values()) job.reject(new Cancelled())
      stop()
    },
  }
}
