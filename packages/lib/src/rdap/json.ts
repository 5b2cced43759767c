/** Members of JSON from strangers: whatever is not of the wanted kind is not there. */

export type Json = Readonly<Record<string, unknown>>

/** More than any list in an answer needs. */
const MAX_ITEMS = 500

export function readJson(bytes: Uint8Array): Json | undefined {
  try {
    return object(JSON.parse(new TextDecoder('utf-8', { fatal: false }).decode(bytes)))
  } catch {
    return undefined
  }
}

export const object = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [])

export const objects = (value: unknown): Json[] =>
  list(value)
    .map(object)
    .filter(each => each !== undefined)

export const text = (value: unknown): string | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  return String(value).trim() || undefined
}

export const texts = (value: unknown): string[] => list(value).flatMap(each => text(each) ?? [])
