import type { Panel } from '@assay/kit'
import type { ReactNode } from 'react'
import { CopyButton } from '../ui/copy.tsx'
import { keyed } from '../ui/keyed.ts'
import { CellView, cellData } from './cell.tsx'

interface Props {
  panel: Extract<Panel, { kind: 'facts' }>
  /** Signs before values, by their label. */
  marks?: Readonly<Record<string, ReactNode>>
}

/** Names and values, each value with a button that copies it. */
export function Facts({ panel: { title, facts }, marks }: Props) {
  return (
    <div className="panel">
      {title && <h3 className="panel-title">{title}</h3>}
      <dl className="facts">
        {keyed(facts).map(({ key, value: [label, value] }) => (
          <div key={key} className="fact">
            <dt>{label}</dt>
            <dd className={cellData(value).mono ? 'whitespace-pre-wrap' : undefined}>
              {marks?.[label]}
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
