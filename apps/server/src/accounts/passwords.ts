import { Worker } from 'node:worker_threads'
import { Wait } from '../errors.ts'
import type { PasswordTask } from './phc.ts'

/** Hashing of passwords in a lane of its own: floods of tools do not hold up signing in, nor the other way round. */
export interface Passwords {
  /** Argon2id as a PHC string. */
  hash(password: string): Promise<string>
  /** Whether a password belongs to a hash; without a hash it never does, and that takes as long to find out. */
  matches(password: string, phc: string | undefined): Promise<boolean>
  close(): Promise<void>
}

type Waiting = Pick<PromiseWithResolvers<string | boolean>, 'resolve' | 'reject'>

const module = new URL('password-worker.ts', import.meta.url)

/** One thread, started with the first question. More than `queued` at a time are turned away. */
export function createPasswords(queued: number): Passwords {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let last = 0

  function start(): Worker {
    const started = new Worker(module)
    started.unref()
    started.on('message', ({ id, result }: { id: number; result: string | boolean }) => {
      waiting.get(id)?.resolve(result)
      waiting.delete(id)
    })
    const gone = (error: unknown) => {
      if (worker === started) worker = undefined
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    started.on('error', gone)
    started.on('exit', () => gone(new Wait('busy', 1_000, 'the server is shutting down')))
    return started
  }

  function ask(task: Omit<PasswordTask, 'id'>): Promise<string | boolean> {
    if (waiting.size >= queued) throw new Wait('busy', 1_000, 'too many people are signing in')
    worker ??= start()
    const id = ++last
    const { promise, resolve, reject } = Promise.withResolvers<string | boolean>()
    waiting.set(id, { resolve, reject })
    worker.postMessage({ ...task, id })
    return promise
  }

  return {
    hash: async password => String(await ask({ wanted: 'hash', password: prepared(password), phc: undefined })),
    matches: async (password, phc) => (await ask({ wanted: 'match', password: prepared(password), phc })) === true,
    async close() {
      await worker?.terminate()
    },
  }
}

/** RFC 8265 §4.2.2: the same password typed on another keyboard may come in other code points, NFC makes them one. */
const prepared = (password: string) => password.normalize('NFC')
