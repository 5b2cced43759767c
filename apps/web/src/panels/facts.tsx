import type { Panel } from '@assay/kit'
import { CopyButton } from '../ui/copy.tsx'
import { keyed } from '../ui/keyed.ts'
import { CellView, cellData } from './cell.tsx'

/** Names and values, each value with a button that copies it. */
export function Facts({ panel: { title, facts } }: { panel: Extract<Panel, { kind: 'facts' }> }) {
  return (
    <div className="panel">
      {title && <h3 className="panel-title">{title}</h3>}
      <dl className="facts">
        {keyed(facts).map(({ key, value: [label, value] }) => (
          <div key={key} className="fact">
            <dt>{label}</dt>
            <dd className={cellData(value).mono ? 'whitespace-pre-wrap' : undefined}>
              <CellView cell={value} />
            </dd>
            <dd>
              <CopyButton text={cellData(value).text} about={label} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
