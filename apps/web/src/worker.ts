/// <reference lib="webworker" />
import {
  type Action,
  defaultPanels,
  localContext,
  type Panel,
  Problem,
  panel,
  performed,
  readInput,
  runAction,
  type ServerContext,
  type Tool,
} from '@assay/kit'
import { fileInput } from './file-input.ts'
import { matches } from './matches.ts'
import type { Answer, Case, ProblemData, Question, Shown } from './message.ts'

/**
 * Runs tools beside the page. A job ends by its answer or by the page ending the worker, which is what Cancel does:
 * nothing a tool computes can keep it from stopping.
 */
declare const self: DedicatedWorkerGlobalScope

self.onmessage = ({ data }: MessageEvent<Question>) => {
  answer(data).catch(error => send(data.job, { kind: 'failed', problem: problemData(error) }))
}

type Body = Answer extends infer A ? (A extends Answer ? Omit<A, 'job' | 'requests'> : never) : never

function send(job: number, body: Body): void {
  const requests = performance
    .getEntriesByType('resource')
    .map(({ name, startTime }) => ({ url: name, time: performance.timeOrigin + startTime }))
  self.postMessage({ job, requests, ...body })
}

async function answer(question: Question): Promise<void> {
  const tool = await load(question.chunk, question.tool)
  const { job } = question
  switch (question.kind) {
    case 'warm':
      return warm(tool)
    case 'run': {
      const raw = withFiles(question.raw)
      return send(job, { kind: 'shown', shown: await run(job, actionOf(tool, question.action), raw) })
    }
    case 'show': {
      const action = actionOf(tool, question.action)
      if (!isOwnResult(action, question.result)) {
        return send(job, {
          kind: 'shown',
          shown: { result: question.result, panels: panelsOf(question.result), milliseconds: 0 },
        })
      }
      const input = await readInput(action.fields, withFiles(question.raw))
      return send(job, { kind: 'shown', shown: shown(action, question.result, input, 0) })
    }
    case 'verify':
      return send(job, { kind: 'verified', cases: await verify(job, tool) })
  }
}

/** The definition of a tool, by the address of its chunk. */
async function load(chunk: string, id: string): Promise<Tool> {
  const { href, origin } = new URL(chunk, self.location.href)
  if (origin !== self.location.origin) throw new TypeError('a chunk of another origin was refused')
  const exported: Record<string, unknown> = await import(/* @vite-ignore */ href)
  const found = Object.values(exported)
    .flat()
    .find((value): value is Tool => isTool(value) && value.id === id)
  if (!found) throw new TypeError(`${chunk} does not define ${id}`)
  return found
}

const isTool = (value: unknown): value is Tool => typeof value === 'object' && value !== null && 'actions' in value

function actionOf(tool: Tool, name: string): Action {
  const found = tool.actions.find(action => action.name === name)
  if (!found) throw new TypeError(`${tool.id} has no action ${name}`)
  return found
}

/** Runs the first example unseen, so that what a tool loads on its first run is there before anything is typed. */
async function warm({ actions: [action] }: Tool): Promise<void> {
  const [example] = action?.examples ?? []
  if (action?.cost === 'light' && example) await performed(action, example.input, browserContext())
}

async function run(job: number, action: Action, raw: Record<string, unknown>): Promise<Shown> {
  const started = performance.now()
  const elapsed = () => performance.now() - started
  const input = await readInput(action.fields, raw)
  const updates = runAction(action, input, browserContext())
  for (;;) {
    const { done, value } = await updates.next()
    if (done) return shown(action, value.result, input, elapsed())
    const { progress, label, partial } = value
    const sofar = partial === undefined ? undefined : shown(action, partial, input, elapsed())
    send(job, { kind: 'update', progress, label, shown: sofar })
  }
}

function shown(action: Action, result: unknown, input: Record<string, unknown>, milliseconds: number): Shown {
  const panels = action.show?.(result, input) ?? panelsOf(result)
  const terminal = action.terminal?.(input, result)
  return { result, panels, terminal, milliseconds }
}

/** Whether an answer holds anything that the tool's own results hold; any other is drawn as it stands. */
function isOwnResult({ examples }: Action, result: unknown): boolean {
  if (typeof result !== 'object' || result === null) return false
  return examples.some(example => Object.keys(example.result).some(name => name in result))
}

/** A result without panels of its own; of a list, one card for each item. */
function panelsOf(result: unknown): Panel[] {
  if (!Array.isArray(result) || result.length === 0) return defaultPanels(result)
  return result.map((item, index) => panel.section(`${index + 1}`, defaultPanels(item)))
}

/** What a tool that needs no network has here. The signal never fires: the page ends the worker instead. */
function browserContext(): ServerContext {
  return localContext({ signal: new AbortController().signal, now: () => new Date(), random: randomBytes })
}

/** The most that crypto.getRandomValues gives at once (Web Cryptography §10.1.1). */
const RANDOM_LIMIT = 65_536

function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  for (let i = 0; i < length; i += RANDOM_LIMIT) crypto.getRandomValues(bytes.subarray(i, i + RANDOM_LIMIT))
  return bytes
}

/** Files of the form as the reader takes them: streams, however large. */
function withFiles(raw: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [name, value instanceof File ? fileInput(value) : value]),
  )
}

/** Runs every published example of the tool. */
async function verify(job: number, tool: Tool): Promise<Case[]> {
  const { replay } = await import('@assay/kit/replay')
  const examples = tool.actions.flatMap(action => action.examples.map(example => ({ action, example })))
  const cases: Case[] = []
  for (const { action, example } of examples) {
    try {
      const { result } = await performed(action, example.input, replay(example.recording))
      const difference = matches(result, example.result)
      cases.push({ from: example.from, passed: difference === undefined, detail: difference })
    } catch (error) {
      cases.push({ from: example.from, passed: false, detail: problemData(error)?.message ?? 'it failed' })
    }
    send(job, { kind: 'update', progress: cases.length / examples.length, label: example.from })
  }
  return cases
}

function problemData(error: unknown): ProblemData | undefined {
  if (error instanceof Problem) {
    const { code, message, field, detail } = error
    return { code, message, field, detail }
  }
  console.error(error)
  return undefined
}
