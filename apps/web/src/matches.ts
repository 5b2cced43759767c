/** Where a value departs from what is expected of it, as a path; undefined when every expected part is there. */
export function matches(actual: unknown, expected: unknown, path = 'result'): string | undefined {
  if (Object.is(actual, expected)) return undefined
  if (typeof expected !== 'object' || expected === null) return `${path} differs`
  if (typeof actual !== 'object' || actual === null) return `${path} is missing`
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length < expected.length) return `${path} is shorter`
    return first(expected.map((item, index) => matches(actual[index], item, `${path}[${index}]`)))
  }
  const values = new Map<string, unknown>(Object.entries(actual))
  return first(Object.entries(expected).map(([name, value]) => matches(values.get(name), value, `${path}.${name}`)))
}

const first = (found: readonly (string | undefined)[]) => found.find(item => item !== undefined)
