import type { Request } from './message.ts'
import { root } from './root.ts'

/**
 * Counts what this page and its worker fetched, as the browser itself recorded it, so that "0 requests since you
 * typed" is an observation and not a promise.
 */
const seen = new Map<string, Request>()
const listeners = new Set<() => void>()

/** Adds requests, each once, and tells whoever shows the count. */
export function addRequests(requests: readonly Request[]): void {
  const before = seen.size
  for (const request of requests) seen.set(`${request.url} ${Math.round(request.time)}`, request)
  if (seen.size !== before) for (const listener of listeners) listener()
}

/** Starts to watch; the returned function stops. */
export function watchRequests(listener: () => void): () => void {
  listeners.add(listener)
  if (typeof PerformanceObserver === 'undefined') return () => listeners.delete(listener)
  const observer = new PerformanceObserver(list =>
    addRequests(
      list.getEntries().map(({ name, startTime }) => ({ url: name, time: performance.timeOrigin + startTime })),
    ),
  )
  observer.observe({ type: 'resource' })
  return () => {
    observer.disconnect()
    listeners.delete(listener)
  }
}

/** The requests that began at or after a moment of the wall clock. */
export const requestsSince = (time: number): Request[] => [...seen.values()].filter(request => request.time >= time)

/** Now, on the clock that the requests are on. */
export const wallClock = (): number => performance.timeOrigin + performance.now()

/** A file of the built site: this origin, a name fixed when it was built, and no query. */
export function isOwnFile({ url }: Request): boolean {
  const { origin, pathname, search } = new URL(url)
  return (
    origin === location.origin &&
    !search &&
    pathname.startsWith(root) &&
    /^\/(?:assets\/[\w.-]+|search\.json|favicon\.svg|site\.webmanifest)$/.test(pathname.slice(root.length))
  )
}
