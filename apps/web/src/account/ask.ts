/** A question to the server that keeps the accounts. */
export interface Request {
  method?: 'GET' | 'POST' | 'DELETE'
  body?: Readonly<Record<string, unknown>>
  /** The token to send along. */
  access?: string
  /** The cookie goes along too, even to another origin. */
  withCookie?: boolean
}

export interface Answer {
  /** 0 when there was none. */
  status: number
  ok: boolean
  /** The JSON value; undefined where the body was none. */
  body: unknown
  /** The sentence of a failure, if the server gave one. */
  detail: string
  /** When to try again; 0 where nothing was said. */
  waitSeconds: number
}

export type Ask = (path: string, request?: Request) => Promise<Answer>

/** How long an answer may take. */
const PATIENCE_MS = 20_000

const silence: Answer = { status: 0, ok: false, body: undefined, detail: '', waitSeconds: 0 }

/** Asks the server at `base`, which is empty for this very origin (OPEN-002). It never throws. */
export const createAsk =
  (base: string, send: typeof fetch = (input, init) => fetch(input, init)): Ask =>
  async (path, { method = 'GET', body, access, withCookie = false } = {}) => {
    try {
      const response = await send(base + path, {
        method,
        // Pages have the same addresses as some answers, so neither may come out of the browser's cache.
        cache: 'no-store',
        credentials: withCookie ? 'include' : 'same-origin',
        signal: AbortSignal.timeout(PATIENCE_MS),
        headers: {
          Accept: 'application/json',
          ...(body && { 'Content-Type': 'application/json' }),
          ...(access && { Authorization: `Bearer ${access}` }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const answer: unknown = await response.json().catch(() => undefined)
      const { status, ok, headers } = response
      const waitSeconds = Number(headers.get('retry-after')) || 0
      return { status, ok, body: answer, detail: textOf(answer, 'detail'), waitSeconds }
    } catch {
      return silence
    }
  }

/** A text in an object that came from elsewhere; empty where it is none. */
export function textOf(value: unknown, name: string): string {
  const found = fieldOf(value, name)
  return typeof found === 'string' ? found : ''
}

/** A value in an object that came from elsewhere. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map<string, unknown>(Object.entries(value)).get(name) : undefined
