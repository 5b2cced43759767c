/** One line a request: what happened, and nothing of what was asked, by whom, or answered. */
export interface RequestLine {
  event: 'request'
  time: string
  request: string
  /** The address pattern, never the address. */
  route: string
  method: string
  tool?: string
  status: number
  ms: number
  bytes?: number
  /** 'ok', the code of the error, or 'gone' when the client left first. */
  outcome: string
}

/** A bug, without its message, which may hold input. */
export interface BugLine {
  event: 'bug'
  time: string
  request: string
  tool?: string
  name: string
  stack: string
}

export interface NoticeLine {
  event: 'start' | 'stop' | 'store' | 'mail' | 'redis' | 'usage' | 'provider'
  time: string
  text: string
}

export type LogLine = RequestLine | BugLine | NoticeLine
export type Log = (line: LogLine) => void

/** How answers ended that did not end well, for their line. */
export const outcomes = new WeakMap<object, string>()
/** What answers would have had for a status that failed as a stream, after it had begun with 200. */
export const lateStatuses = new WeakMap<object, number>()

const FLUSH_MS = 100
const FLUSH_CHARACTERS = 16_384

/** Writes lines in batches: one system call a line would cost more than a light request. */
export function batchedLog(write: (text: string) => void): Log & { flush(): void } {
  let pending = ''
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (pending) write(pending)
    pending = ''
  }
  const log = (line: LogLine) => {
    pending += `${JSON.stringify(line)}\n`
    if (pending.length > FLUSH_CHARACTERS) flush()
    else timer ??= setTimeout(flush, FLUSH_MS)
  }
  return Object.assign(log, { flush })
}
