import type { ServerContext } from './context.ts'
import { type Raw, readInput } from './read.ts'
import type { Action, Input, Update } from './tool.ts'

/** What a run leaves behind: the result, and the input it was made from, for panels and terminal. */
export interface Outcome {
  input: Input
  result: unknown
}

/** Reads the input and runs the action. Every door runs tools through here, or through `runAction` when it has read. */
export async function* perform(
  action: Action,
  raw: Raw,
  context: ServerContext,
): AsyncGenerator<Update, Outcome, void> {
  return yield* runAction(action, await readInput(action.fields, raw), context)
}

/** Runs an action on input that was read, and passes every update on. */
export async function* runAction(
  action: Action,
  input: Input,
  context: ServerContext,
): AsyncGenerator<Update, Outcome, void> {
  context.signal.throwIfAborted()
  const run = action.run(input, context)
  if (!isGenerator(run)) return { input, result: await run }
  const stop = () => void run.return(undefined)
  context.signal.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      const { done, value } = await run.next()
      context.signal.throwIfAborted()
      if (done) return { input, result: value }
      yield value
    }
  } finally {
    context.signal.removeEventListener('abort', stop)
    await run.return(undefined)
  }
}

/** The outcome alone, for callers that wait. */
export async function performed(action: Action, raw: Raw, context: ServerContext): Promise<Outcome> {
  const updates = perform(action, raw, context)
  for (;;) {
    const { done, value } = await updates.next()
    if (done) return value
  }
}

const isGenerator = (run: unknown): run is AsyncGenerator<Update, unknown, void> =>
  typeof run === 'object' && run !== null && Symbol.asyncIterator in run && 'next' in run
