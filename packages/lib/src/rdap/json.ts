/** Members of JSON from strangers: whatever is not of the wanted kind is not there. */

export type Json = Readonly<Record<string, unknown>>

/** More than any list in an answer needs. */
const MAX_ITEMS = 500

/** Answers nest some ten levels; what goes far deeper is meant to break whoever writes it out again. */
const MAX_DEPTH = 64

export function readJson(bytes: Uint8Array): Json | undefined {
  const source = new TextDecoder().decode(bytes)
  if (depthOf(source) > MAX_DEPTH) return undefined
  try {
    return object(JSON.parse(source))
  } catch {
    return undefined
  }
}

/** How many brackets are open at once, those in strings aside. Octet by octet: a pattern would look at quotes again and again. */
function depthOf(source: string): number {
  let [depth, deepest, quoted] = [0, 0, false]
  for (let at = 0; at < source.length; at++) {
    const sign = source[at]
    if (sign === '"') quoted = !quoted
    else if (quoted) at += sign === '\\' ? 1 : 0
    else if (sign === '[' || sign === '{') deepest = Math.max(deepest, ++depth)
    else if (sign === ']' || sign === '}') depth--
  }
  return deepest
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
