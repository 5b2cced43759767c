import type { Cell, CellData, Check, ListItem, Panel, Tone } from '@assay/kit'
import { bold, dim, padded, type Screen, safe, safeLines, toned, width } from './screen.ts'

/** Panels as text for a terminal: a line or a block each, values unchanged but for what could harm a terminal. */
export function printPanels(panels: readonly Panel[], screen: Screen): string {
  return panels
    .map(panel => printPanel(panel, screen))
    .filter(text => text !== '')
    .join('\n\n')
}

function printPanel(panel: Panel, screen: Screen): string {
  switch (panel.kind) {
    case 'banner':
      return lines(
        `${toned(screen, panel.tone, bold(screen, safe(panel.title)))}${panel.badge ? `  [${toned(screen, panel.tone, safe(panel.badge))}]` : ''}`,
        panel.detail && safe(panel.detail),
      )
    case 'tiles':
      return pairs(
        panel.tiles.map(({ label, value, detail }) => [
          label,
          cellText(value, screen) + (detail ? `  ${dim(screen, safe(detail))}` : ''),
        ]),
        screen,
      )
    case 'facts':
      return titled(
        panel.title,
        pairs(
          panel.facts.map(([label, value]) => [label, cellText(value, screen)]),
          screen,
        ),
        screen,
      )
    case 'table':
      return titled(
        panel.title,
        panel.rows.length ? table(panel.columns, panel.rows, screen) : empty(panel.empty, screen),
        screen,
      )
    case 'list':
      return titled(
        panel.title,
        panel.items.length ? panel.items.map(item => listLine(item, screen)).join('\n') : empty(panel.empty, screen),
        screen,
      )
    case 'checks':
      return titled(panel.title, panel.checks.map(check => checkLines(check, screen)).join('\n'), screen)
    case 'code':
      return titled(panel.title, safeLines(panel.code), screen)
    case 'note':
      return lines(panel.title && bold(screen, safe(panel.title)), toned(screen, panel.tone, safe(panel.text)))
    case 'section': {
      const badge = panel.badge ? `  ${cellText(panel.badge, screen)}` : ''
      const head = lines(bold(screen, safe(panel.title)) + badge, panel.detail && dim(screen, safe(panel.detail)))
      return lines(head, indented(printPanels(panel.panels, screen)))
    }
    case 'image':
      return `${safe(panel.name)}: ${safe(panel.alt)} (save it with --output)`
    case 'file':
      return `${safe(panel.name)}: ${safe(panel.mediaType)} (save it with --output)`
    case 'steps':
      return titled(panel.title, panel.steps.map((step, index) => stepLines(step, index, screen)).join('\n'), screen)
  }
}

const lines = (...parts: readonly (string | undefined)[]) => parts.filter(Boolean).join('\n')
const indented = (text: string) => text.replace(/^(?=.)/gm, '  ')
const titled = (title: string | undefined, body: string, screen: Screen) =>
  title ? lines(bold(screen, safe(title)), indented(body)) : body
const empty = (text: string | undefined, screen: Screen) => dim(screen, safe(text ?? 'Nothing.'))

const dataOf = (cell: Cell): CellData => (typeof cell === 'object' ? cell : { text: String(cell) })

/** The bare text of a cell, whose width counts. */
function plainText(cell: Cell): string {
  const { text, badge } = dataOf(cell)
  return badge ? `[${safe(text)}]` : safe(text)
}

const cellText = (cell: Cell, screen: Screen) => toned(screen, dataOf(cell).tone, plainText(cell))

function pairs(rows: readonly (readonly [label: string, value: string])[], screen: Screen): string {
  const column = Math.max(0, ...rows.map(([label]) => width(safe(label))))
  return rows.map(([label, value]) => `${dim(screen, padded(safe(label), column))}  ${value}`).join('\n')
}

/** Columns side by side; where they do not fit, every row as a block of its own. */
function table(columns: readonly string[], rows: readonly (readonly Cell[])[], screen: Screen): string {
  const widths = columns.map((name, index) =>
    Math.max(width(safe(name)), ...rows.map(row => width(plainText(row[index] ?? '')))),
  )
  const total = widths.reduce((sum, column) => sum + column + 2, 0)
  if (total > screen.columns) {
    return rows
      .map(row =>
        pairs(
          columns.map((name, index) => [name, cellText(row[index] ?? '', screen)]),
          screen,
        ),
      )
      .join('\n\n')
  }
  const head = columns.map((name, index) => dim(screen, padded(safe(name), widths[index] ?? 0)))
  const body = rows.map(row =>
    columns.map((_, index) => {
      const cell = row[index] ?? ''
      return padded(plainText(cell), widths[index] ?? 0, cellText(cell, screen))
    }),
  )
  return [head, ...body].map(cells => cells.join('  ').trimEnd()).join('\n')
}

function listLine({ text, detail, badges = [] }: ListItem, screen: Screen): string {
  const marks = badges.map(badge => `  ${cellText({ ...badge, badge: true }, screen)}`).join('')
  return `- ${cellText(text, screen)}${marks}${detail ? `  ${dim(screen, safe(detail))}` : ''}`
}

const verdicts: Record<Check['verdict'], { word: string; tone: Tone }> = {
  pass: { word: 'pass', tone: 'good' },
  fail: { word: 'FAIL', tone: 'bad' },
  warn: { word: 'warn', tone: 'warn' },
  'not-applicable': { word: 'n/a', tone: 'neutral' },
  unknown: { word: '?', tone: 'warn' },
  skipped: { word: 'skip', tone: 'neutral' },
}
const VERDICT_COLUMNS = 4

function checkLines({ name, verdict, detail, clause }: Check, screen: Screen): string {
  const { word, tone } = verdicts[verdict]
  const head = `${padded(word, VERDICT_COLUMNS, toned(screen, tone, word))}  ${safe(name)}${clause ? dim(screen, `  (${safe(clause)})`) : ''}`
  return detail ? `${head}\n${' '.repeat(VERDICT_COLUMNS + 2)}${dim(screen, safe(detail))}` : head
}

function stepLines(step: { title: string; detail: string; code?: string }, index: number, screen: Screen): string {
  const number = `${index + 1}. `
  return lines(
    `${number}${bold(screen, safe(step.title))}  ${safe(step.detail)}`,
    step.code && indented(safeLines(step.code)),
  )
}

/** Whether a result says, in any of its panels, that something does not hold. */
export const hasFailure = (panels: readonly Panel[]): boolean =>
  panels.some(panel => {
    if (panel.kind === 'banner') return panel.tone === 'bad'
    if (panel.kind === 'checks') return panel.checks.some(({ verdict }) => verdict === 'fail')
    return panel.kind === 'section' && hasFailure(panel.panels)
  })

/** The first picture or file of a result, as bytes. */
export function firstFile(panels: readonly Panel[]): Uint8Array | undefined {
  for (const panel of panels) {
    if (panel.kind === 'file') return Buffer.from(panel.base64, 'base64')
    if (panel.kind === 'image') return imageBytes(panel.source)
    const inner = panel.kind === 'section' ? firstFile(panel.panels) : undefined
    if (inner) return inner
  }
  return undefined
}

function imageBytes(source: string): Uint8Array {
  const [, base64, data = ''] = /^data:[^,;]*(?:;[^,;]*)*?(;base64)?,(.*)$/s.exec(source) ?? []
  if (!source.startsWith('data:')) return Buffer.from(source)
  return base64 ? Buffer.from(data, 'base64') : Buffer.from(decodeURIComponent(data))
}
