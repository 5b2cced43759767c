import { PassThrough } from 'node:stream'
import type { Answer, Step } from './answer.ts'
import { type Failure, Gone } from './errors.ts'

/** Proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 15_000

/**
 * A run as server-sent events: `progress` and `partial`, both with the update as data, and in the end `result` with
 * the answer or `error` with the status and the body of an error.
 */
export function eventStream(
  run: AsyncGenerator<Step, Answer, void>,
  say: { answer(answer: Answer): unknown; failure(error: unknown): Failure },
): PassThrough {
  const stream = new PassThrough()
  const send = (event: string, data: unknown) => stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  const heartbeat = setInterval(() => stream.write(': still running\n\n'), HEARTBEAT_MS)

  async function pump(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await run.next()
        if (done) {
          send('result', say.answer(value))
          break
        }
        send(value.partial === undefined ? 'progress' : 'partial', value)
      }
    } catch (error) {
      if (!(error instanceof Gone)) {
        const { status, body } = say.failure(error)
        send('error', { status, ...body })
      }
    } finally {
      clearInterval(heartbeat)
      stream.end()
    }
  }

  stream.once('close', () => void run.return({ result: undefined }).catch(() => {}))
  stream.write(': running\n\n')
  void pump()
  return stream
}
