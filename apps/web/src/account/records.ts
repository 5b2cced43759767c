import { fieldOf, textOf } from './ask.ts'

/** What the pages of the account read in the answers of the server; undefined where an answer is something else. */
export interface SessionRecord {
  id: string
  client: string
  created_at: string
  last_used_at: string
  current: boolean
}

export const scopes = ['light', 'lookup', 'scan'] as const
export type Scope = (typeof scopes)[number]

export interface KeyRecord {
  id: string
  name: string
  last_four: string
  scopes: readonly string[]
  created_at: string
  /** Empty for a key that does not expire, and for one that was never used. */
  expires_at: string
  last_used_at: string
}

export interface UsageDay {
  day: string
  requests: number
  failures: number
}

export const readSessions = (body: unknown): SessionRecord[] | undefined =>
  listOf(body, 'sessions', item => ({
    id: idOf(item),
    client: textOf(item, 'client'),
    created_at: textOf(item, 'created_at'),
    last_used_at: textOf(item, 'last_used_at'),
    current: fieldOf(item, 'current') === true,
  }))

export const readKeys = (body: unknown): KeyRecord[] | undefined => listOf(body, 'keys', readKey)

const readKey = (item: unknown): KeyRecord => ({
  id: idOf(item),
  name: textOf(item, 'name'),
  last_four: textOf(item, 'last_four'),
  scopes: arrayIn(item, 'scopes')?.map(String) ?? [],
  created_at: textOf(item, 'created_at'),
  expires_at: textOf(item, 'expires_at'),
  last_used_at: textOf(item, 'last_used_at'),
})

export const readUsage = (body: unknown): UsageDay[] | undefined =>
  listOf(body, 'days', item => ({
    day: textOf(item, 'day'),
    requests: Number(fieldOf(item, 'requests')) || 0,
    failures: Number(fieldOf(item, 'failures')) || 0,
  }))

/** The key itself, which is in the answer to its making and nowhere else. */
export const readNewKey = (body: unknown): string | undefined => textOf(body, 'key') || undefined

/** The services an account signs in with. */
export const readProviders = (body: unknown): string[] => arrayIn(body, 'providers')?.map(String) ?? []

function listOf<T>(body: unknown, name: string, read: (item: unknown) => T): T[] | undefined {
  return arrayIn(body, name)?.map(read)
}

function arrayIn(body: unknown, name: string): unknown[] | undefined {
  const list = fieldOf(body, name)
  return Array.isArray(list) ? list : undefined
}

/** An id may be a number or a text. */
const idOf = (item: unknown): string => String(fieldOf(item, 'id') ?? '')
