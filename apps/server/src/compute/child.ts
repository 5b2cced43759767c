import { type Action, type FileInput, Problem, readInput, runAction } from '@assay/kit'
import { answerOf, stepOf } from '../answer.ts'
import { bugOf } from '../bug.ts'
import { computeContext } from './context.ts'
import type { ChunkMessage, FromChild, RunMessage, ToChild } from './message.ts'

/**
 * A process that runs tools and may be killed at any moment. It has no files, no network, no environment and no
 * children of its own; it takes one job at a time.
 */

/** Steps are for eyes: more than twenty a second are not seen. */
const STEP_MS = 50

// The permission model of Node 24 knows files, children and threads, but not the network.
for (const name of ['fetch', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name)

const [module = '@assay/catalogue/catalogue'] = process.argv.slice(2)
const { actions }: { actions: readonly { action: Action }[] } = await import(module)
const byPath = new Map(actions.map(({ action }) => [action.path, action]))
const waiting = new Map<string, (message: ChunkMessage) => void>()

const send = (message: FromChild) => process.send?.(message)

process.on('message', (message: ToChild) => {
  if (message.type === 'chunk') waiting.get(message.field)?.(message)
  else void run(message).then(send)
})
process.on('disconnect', () => process.exit())
send({ type: 'ready' })

async function run({ path, raw, files, now, detailed, updates }: RunMessage): Promise<FromChild> {
  try {
    const action = byPath.get(path)
    if (!action) throw new Error('The catalogue of the child lacks an action of the server.')
    const started = performance.now()
    const context = computeContext(new AbortController().signal, () => new Date(now + performance.now() - started))
    const uploads = Object.entries(files).map(([field, file]) => [field, pulled(field, file)] as const)
    const all = { ...raw, ...Object.fromEntries(uploads) }
    const input = await readInput(action.fields, all)
    const work = runAction(action, input, context)
    let sent = 0
    for (;;) {
      const { done, value } = await work.next()
      if (done) return { type: 'answer', answer: answerOf(action, value, detailed) }
      if (!updates || performance.now() - sent < STEP_MS) continue
      sent = performance.now()
      send({ type: 'step', step: stepOf(action, value, input, detailed) })
    }
  } catch (error) {
    return told(error)
  }
}

function told(error: unknown): FromChild {
  if (!(error instanceof Problem)) return { type: 'bug', ...bugOf(error) }
  const { code, message, field, detail } = error
  return { type: 'problem', problem: { code, message, ...(field && { field }), ...(detail && { detail }) } }
}

/** A file whose bytes the server hands over one chunk at a time. */
function pulled(field: string, file: { name: string; size?: number }): FileInput {
  return {
    ...file,
    async *stream() {
      for (;;) {
        const { bytes } = await new Promise<ChunkMessage>(resolve => {
          waiting.set(field, resolve)
          send({ type: 'pull', field })
        })
        if (!bytes) return
        yield bytes
      }
    },
  }
}
