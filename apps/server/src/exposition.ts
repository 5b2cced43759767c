/** The text format of Prometheus, version 0.0.4. https://prometheus.io/docs/instrumenting/exposition_formats/ */

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export type Labels = Readonly<Record<string, string>>

/** A metric with all its samples, as it is written. */
interface Family {
  text(): string
}

/** Only ever rises; its rate is what is looked at. */
export interface Counter extends Family {
  add(labels: Labels): void
}

/** How many values fell below each bound, and their sum. */
export interface Histogram extends Family {
  observe(labels: Labels, value: number): void
}

export type Samples = readonly (readonly [labels: Labels, value: number])[]

const escapeHelp = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapeValue = (text: string) => escapeHelp(text).replaceAll('"', '\\"')

/** `{name="value",…}`, or nothing. */
function labelText(labels: Labels): string {
  const text = Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeValue(value)}"`)
    .join(',')
  return text && `{${text}}`
}

const number = (value: number) =>
  Number.isNaN(value) ? 'NaN' : Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : '-Inf'

const head = (name: string, type: string, help: string) =>
  `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`

/** Figures that are taken when they are asked for. */
export function family(name: string, type: 'counter' | 'gauge', help: string, samples: Samples): string {
  if (samples.length === 0) return ''
  return (
    head(name, type, help) + samples.map(([labels, value]) => `${name}${labelText(labels)} ${number(value)}\n`).join('')
  )
}

export function createCounter(name: string, help: string): Counter {
  const counts = new Map<string, number>()
  return {
    add(labels) {
      const key = labelText(labels)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },
    text: () =>
      head(name, 'counter', help) + [...counts].map(([labels, count]) => `${name}${labels} ${count}\n`).join(''),
  }
}

interface Distribution {
  labels: Labels
  /** Of values above the bound before and up to this one; the last is above all bounds. */
  counts: number[]
  sum: number
}

/** A histogram with these upper bounds, which rise. */
export function createHistogram(name: string, help: string, bounds: readonly number[]): Histogram {
  const distributions = new Map<string, Distribution>()
  const limits = [...bounds, Number.POSITIVE_INFINITY]
  const lines = ({ labels, counts, sum }: Distribution): string => {
    let below = 0
    const buckets = limits.map((limit, at) => {
      below += counts[at] ?? 0
      return `${name}_bucket${labelText({ ...labels, le: number(limit) })} ${below}\n`
    })
    const own = labelText(labels)
    return `${buckets.join('')}${name}_sum${own} ${sum}\n${name}_count${own} ${below}\n`
  }
  return {
    observe(labels, value) {
      const key = labelText(labels)
      const found = distributions.get(key) ?? { labels, counts: limits.map(() => 0), sum: 0 }
      distributions.set(key, found)
      const at = limits.findIndex(limit => value <= limit)
      found.counts[at] = (found.counts[at] ?? 0) + 1
      found.sum += value
    },
    text: () => head(name, 'histogram', help) + [...distributions.values()].map(lines).join(''),
  }
}
