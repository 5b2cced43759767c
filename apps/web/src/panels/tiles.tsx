import type { Panel } from '@assay/kit'
import { CellView } from './cell.tsx'

/** The few numbers and words that matter most. */
export function Tiles({ panel }: { panel: Extract<Panel, { kind: 'tiles' }> }) {
  return (
    <dl className="tiles">
      {panel.tiles.map(({ label, value, detail }) => (
        <div key={label} className="tile">
          <dt>{label}</dt>
          <dd>
            <CellView cell={value} />
            {detail && <small>{detail}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
