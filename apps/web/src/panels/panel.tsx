import type { Cell, Panel } from '@assay/kit'
import { keyed } from '../ui/keyed.ts'
import { Banner } from './banner.tsx'
import { Checks } from './checks.tsx'
import { Code } from './code.tsx'
import { Facts } from './facts.tsx'
import { FilePanel } from './file.tsx'
import { ImagePanel } from './image.tsx'
import { List } from './list.tsx'
import { Note } from './note.tsx'
import { Steps } from './steps.tsx'
import { Table } from './table.tsx'
import { Tiles } from './tiles.tsx'

type Section = Extract<Panel, { kind: 'section' }>

/** Panels under each other. Sections that follow each other stand side by side when there is room. */
export function Panels({ panels }: { panels: readonly Panel[] }) {
  return keyed(grouped(panels)).map(({ key, value }) =>
    Array.isArray(value) ? (
      <div key={key} className={`sections ${value.some(isWide) ? 'wide' : ''}`}>
        {keyed(value).map(section => (
          <SectionCard key={section.key} panel={section.value} />
        ))}
      </div>
    ) : (
      <PanelView key={key} panel={value} />
    ),
  )
}

function grouped(panels: readonly Panel[]): (Exclude<Panel, Section> | Section[])[] {
  const groups: (Exclude<Panel, Section> | Section[])[] = []
  for (const panel of panels) {
    const last = groups.at(-1)
    if (panel.kind !== 'section') groups.push(panel)
    else if (Array.isArray(last)) last.push(panel)
    else groups.push([panel])
  }
  return groups
}

/** The most columns of a table that still reads well in half the width. */
const NARROW_COLUMNS = 3

/** The most characters of a fact that do. */
const NARROW_FACT = 48

const isWide = ({ panels }: Section): boolean =>
  panels.some(
    panel =>
      (panel.kind === 'table' && panel.columns.length > NARROW_COLUMNS) ||
      (panel.kind === 'facts' && panel.facts.some(([, value]) => textOf(value).length > NARROW_FACT)),
  )

const textOf = (cell: Cell): string => (typeof cell === 'object' ? cell.text : String(cell))

function PanelView({ panel }: { panel: Exclude<Panel, Section> }) {
  switch (panel.kind) {
    case 'banner':
      return <Banner panel={panel} />
    case 'tiles':
      return <Tiles panel={panel} />
    case 'facts':
      return <Facts panel={panel} />
    case 'table':
      return <Table panel={panel} />
    case 'list':
      return <List panel={panel} />
    case 'checks':
      return <Checks panel={panel} />
    case 'code':
      return <Code panel={panel} />
    case 'note':
      return <Note panel={panel} />
    case 'image':
      return <ImagePanel panel={panel} />
    case 'file':
      return <FilePanel panel={panel} />
    case 'steps':
      return <Steps panel={panel} />
  }
}

function SectionCard({ panel: { title, badge, detail, panels } }: { panel: Section }) {
  return (
    <section className="section">
      <div className="section-head">
        <h3>{title}</h3>
        {badge && <span className={`badge ${badge.tone ?? 'neutral'}`}>{badge.text}</span>}
        {detail && <p>{detail}</p>}
      </div>
      <Panels panels={panels} />
    </section>
  )
}
