import type { Panel } from '@assay/kit'
import { toCsv } from '../csv.ts'
import { CopyButton } from '../ui/copy.tsx'
import { keyed } from '../ui/keyed.ts'
import { ScrollBox } from '../ui/scroll-box.tsx'
import { CellView, cellText } from './cell.tsx'

/** Longer texts may be broken anywhere; shorter ones keep the width of their longest word. */
const LONG_CHARACTERS = 24

/** Rows under columns. It scrolls inside itself where it is too wide, or too long. */
export function Table({ panel }: { panel: Extract<Panel, { kind: 'table' }> }) {
  const { title, columns, rows, scroll = false, cards = false, empty = 'Nothing to list.' } = panel
  const csv = () =>
    toCsv(
      columns,
      rows.map(row => row.map(cellText)),
    )
  return (
    <div className="panel">
      <div className="panel-bar">
        {title ? (
          <h3 className="panel-title">{title}</h3>
        ) : (
          <p className="row-count">{`${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`}</p>
        )}
        {rows.length > 0 && <CopyButton label="Copy as CSV" text={csv} {...(title && { about: title })} />}
      </div>
      {rows.length === 0 && <p className="empty">{empty}</p>}
      {rows.length > 0 && (
        <ScrollBox tall={scroll} label={title ?? 'Table'}>
          <table className={cards ? 'cards' : undefined}>
            <thead>
              <tr>
                {keyed(columns).map(({ key, value }) => (
                  <th key={key} scope="col">
                    {value}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {keyed(rows).map(({ key, value: row }) => (
                <tr key={key}>
                  {keyed(row).map((cell, i) => (
                    <td
                      key={cell.key}
                      data-column={cards ? columns[i] : undefined}
                      className={cellText(cell.value).length > LONG_CHARACTERS ? 'long' : undefined}
                    >
                      <CellView cell={cell.value} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </div>
  )
}
