/**
 * Panels: what a result looks like, as plain data in a closed vocabulary. Page, CLI and API draw the same panels. A
 * screen that needs a thirteenth kind is a view of its own in apps/web/src/views.
 */

/** Green, yellow, orange and red from good to bad; `info` is blue. Never told by colour alone. */
export type Tone = 'neutral' | 'good' | 'warn' | 'serious' | 'bad' | 'info'

/** One value in a table, a list or among facts. A bare string or number is a neutral cell. */
export interface CellData {
  text: string
  tone?: Tone
  /** Drawn as a badge: a word in a box, such as SUPPORTED. */
  badge?: boolean
  /** Fixed-width type, for values rather than words. */
  mono?: boolean
  /** Where the value leads. Paths of the site or http(s); anything else is drawn as text. */
  href?: string
  /** A bar behind the text, from 0 to 1. */
  bar?: number
  /** A moment, ISO 8601: a page writes it in the visitor's own time and language in place of the text. */
  instant?: string
  title?: string
}
export type Cell = string | number | CellData

export interface ListItem {
  text: Cell
  /** Small text under or beside it. */
  detail?: string
  badges?: readonly CellData[]
}

export type Panel =
  | { kind: 'banner'; tone: Tone; title: string; badge?: string; detail?: string }
  | { kind: 'tiles'; tiles: readonly { label: string; value: Cell; detail?: string }[] }
  | { kind: 'facts'; title?: string; facts: readonly (readonly [label: string, value: Cell])[] }
  | {
      kind: 'table'
      title?: string
      columns: readonly string[]
      rows: readonly (readonly Cell[])[]
      /** Scrolls by itself above 24rem. */
      scroll?: boolean
      /** Where the page is narrow, each row is a card with the names of the columns before its values. */
      cards?: boolean
      /** Said in place of rows when there are none. */
      empty?: string
    }
  | { kind: 'list'; title?: string; items: readonly ListItem[]; scroll?: boolean; empty?: string }
  | { kind: 'checks'; title?: string; checks: readonly Check[] }
  | { kind: 'code'; title?: string; code: string; language?: string }
  | { kind: 'note'; tone: Tone; text: string; title?: string }
  | { kind: 'section'; title: string; badge?: CellData; detail?: string; panels: readonly Panel[] }
  | { kind: 'image'; source: string; alt: string; name: string; width?: number; height?: number }
  | { kind: 'file'; name: string; mediaType: string; base64: string }
  | { kind: 'steps'; title?: string; steps: readonly { title: string; detail: string; code?: string }[] }

/** A finding with its evidence. `unknown` is "could not tell", `skipped` "not tried"; neither is ever "no". */
export interface Check {
  name: string
  verdict: 'pass' | 'fail' | 'warn' | 'not-applicable' | 'unknown' | 'skipped'
  detail?: string
  /** The clause that asks for it, such as "RFC 9989 §4.7". */
  clause?: string
}

type Of<K extends Panel['kind']> = Extract<Panel, { kind: K }>

export const panel = {
  /** The head of a result: what was asked, and the verdict in a badge. */
  banner: (tone: Tone, title: string, more: { badge?: string; detail?: string } = {}): Of<'banner'> => ({
    kind: 'banner',
    tone,
    title,
    ...more,
  }),
  tiles: (...tiles: Of<'tiles'>['tiles']): Of<'tiles'> => ({ kind: 'tiles', tiles }),
  facts: (facts: Of<'facts'>['facts'], title?: string): Of<'facts'> => ({
    kind: 'facts',
    ...(title && { title }),
    facts,
  }),
  table: (
    columns: readonly string[],
    rows: readonly (readonly Cell[])[],
    more: { title?: string; scroll?: boolean; cards?: boolean; empty?: string } = {},
  ): Of<'table'> => ({ kind: 'table', columns, rows, ...more }),
  list: (items: readonly ListItem[], more: { title?: string; scroll?: boolean; empty?: string } = {}): Of<'list'> => ({
    kind: 'list',
    items,
    ...more,
  }),
  checks: (checks: readonly Check[], title?: string): Of<'checks'> => ({
    kind: 'checks',
    ...(title && { title }),
    checks,
  }),
  code: (code: string, more: { title?: string; language?: string } = {}): Of<'code'> => ({
    kind: 'code',
    code,
    ...more,
  }),
  note: (tone: Tone, text: string, title?: string): Of<'note'> => ({
    kind: 'note',
    tone,
    text,
    ...(title && { title }),
  }),
  section: (
    title: string,
    panels: readonly Panel[],
    more: { badge?: CellData; detail?: string } = {},
  ): Of<'section'> => ({ kind: 'section', title, panels, ...more }),
  /** `source` is a data: URL or the text of an SVG; it is shown as an image and can be saved under `name`. */
  image: (image: Omit<Of<'image'>, 'kind'>): Of<'image'> => ({ kind: 'image', ...image }),
  /** A file to save. */
  file: (file: Omit<Of<'file'>, 'kind'>): Of<'file'> => ({ kind: 'file', ...file }),
  steps: (steps: Of<'steps'>['steps'], title?: string): Of<'steps'> => ({
    kind: 'steps',
    ...(title && { title }),
    steps,
  }),
}

/** Shorthands for the cells that most tables need. */
export const mono = (text: string | number, tone?: Tone): CellData => ({
  text: String(text),
  mono: true,
  ...(tone && { tone }),
})
export const badge = (text: string, tone: Tone): CellData => ({ text, tone, badge: true })

/** The panels of a result that has none of its own: scalars as facts, lists of records as tables, the rest as JSON. */
export function defaultPanels(result: unknown): Panel[] {
  if (Array.isArray(result)) return [arrayPanel('Result', result)]
  if (typeof result !== 'object' || result === null) return [panel.code(String(result))]
  const entries = Object.entries(result).filter(([, value]) => value !== undefined)
  const facts = entries
    .filter(([, value]) => isScalar(value))
    .map(([name, value]) => [title(name), mono(plain(value))] as const)
  const rest = entries.filter(([, value]) => !isScalar(value))
  return [
    ...(facts.length ? [panel.facts(facts)] : []),
    ...rest.map(([name, value]) =>
      Array.isArray(value)
        ? arrayPanel(title(name), value)
        : panel.code(JSON.stringify(value, null, 2), { title: title(name), language: 'json' }),
    ),
  ]
}

function arrayPanel(name: string, values: readonly unknown[]): Panel {
  if (values.every(isScalar))
    return panel.list(
      values.map(value => ({ text: mono(plain(value)) })),
      { title: name },
    )
  if (!values.every(isFlatRecord)) return panel.code(JSON.stringify(values, null, 2), { title: name, language: 'json' })
  const columns = [...new Set(values.flatMap(value => Object.keys(value)))]
  const rows = values.map(value => columns.map(column => mono(plain(value[column]))))
  return panel.table(columns.map(title), rows, { title: name })
}

const isScalar = (value: unknown) => value === null || typeof value !== 'object'
const isFlatRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isScalar)
const plain = (value: unknown) => (value === null || value === undefined ? '' : String(value))

/** A result's field name as a label: `input_format` → "Input format", `keySize` → "Key size". */
export function title(name: string): string {
  const words = name
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
