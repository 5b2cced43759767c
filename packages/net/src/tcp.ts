/** Which TCP ports of a host answer, by connecting to them (RFC 9293 §3.5). */

import type { PortAnswer, Tcp } from '@assay/kit'
import type { Door } from './egress.ts'

/** Connections of one scan at once, and the most a caller may ask for. */
export const DEFAULT_CONCURRENCY = 50
export const MAX_CONCURRENCY = 100
/** Longer than a lost SYN's first repetition after 1 s (RFC 6298 §2.1), so that one loss does not hide a port. */
export const PROBE_TIMEOUT_MS = 1_200
/** A port that stays silent is asked once more. */
const PROBES_PER_PORT = 2

export interface TcpOptions {
  now: () => Date
  concurrency?: number
  timeoutMs?: number
}

/** What the system's errors say about a port. Anything else means that nothing came back. */
const refusals: Readonly<Record<string, Pick<PortAnswer, 'state' | 'reason'>>> = {
  ECONNREFUSED: { state: 'closed', reason: 'connection refused' },
  ECONNRESET: { state: 'closed', reason: 'connection reset' },
  EHOSTUNREACH: { state: 'filtered', reason: 'host unreachable' },
  EHOSTDOWN: { state: 'filtered', reason: 'host unreachable' },
  ENETUNREACH: { state: 'filtered', reason: 'network unreachable' },
  EACCES: { state: 'filtered', reason: 'prohibited on the way' },
  EPERM: { state: 'filtered', reason: 'prohibited on the way' },
}

export function createTcp(door: Door, { now, concurrency = DEFAULT_CONCURRENCY, timeoutMs }: TcpOptions): Tcp {
  const patience = timeoutMs ?? PROBE_TIMEOUT_MS

  const probe = async (address: string, port: number): Promise<PortAnswer> => {
    const start = performance.now()
    for (let left = PROBES_PER_PORT; ; left--) {
      const { socket, code } = await door.attempt({ address, port, purpose: 'scan' }, patience)
      if (code === 'TIMEOUT' && left > 1) continue
      // Nothing was said, so there is nothing to say goodbye to: a reset frees both ends at once.
      socket?.resetAndDestroy()
      const outcome = socket
        ? ({ state: 'open', reason: 'connected' } as const)
        : (refusals[code ?? ''] ?? ({ state: 'filtered', reason: `no answer in ${patience} ms` } as const))
      return { port, ...outcome, milliseconds: performance.now() - start, scannedAt: now() }
    }
  }

  return {
    async pin(target) {
      const { addresses } = await door.pin(target)
      const [address = ''] = addresses
      return { address, addresses: [...addresses] }
    },
    scan: (address, ports) =>
      asTheyArrive([...new Set(ports)], Math.min(concurrency, MAX_CONCURRENCY), port => probe(address, port)),
  }
}

/** Works through a list with bounded concurrency and yields each result when it is there, whatever its place. */
async function* asTheyArrive<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const rest = items.values()
  const done: R[] = []
  let change = Promise.withResolvers<void>()
  let failure: { error: unknown } | undefined
  let stopped = false
  let running = 0
  let telling = false

  // Once for all that is there by the end of a turn of the event loop.
  const tell = () => {
    if (telling) return
    telling = true
    setImmediate(() => {
      telling = false
      change.resolve()
    })
  }

  const worker = async () => {
    running++
    try {
      for (const item of rest) {
        if (stopped) break
        done.push(await work(item))
        tell()
      }
    } catch (error) {
      stopped = true
      failure ??= { error }
    } finally {
      running--
      tell()
    }
  }

  const workers = Array.from({ length: Math.min(width, items.length) }, worker)
  try {
    while (running > 0 || done.length > 0) {
      if (done.length === 0) await change.promise
      change = Promise.withResolvers()
      // Not yield*, which would take each of them through three more promises.
      for (const result of done.splice(0)) yield result
    }
    if (failure) throw failure.error
  } finally {
    stopped = true
    await Promise.all(workers)
  }
}
