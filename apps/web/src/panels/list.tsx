import type { Panel } from '@assay/kit'
import { CopyButton } from '../ui/copy.tsx'
import { keyed } from '../ui/keyed.ts'
import { ScrollBox } from '../ui/scroll-box.tsx'
import { CellView, cellText } from './cell.tsx'

/** Things one under the other, with what is said of each. */
export function List({ panel }: { panel: Extract<Panel, { kind: 'list' }> }) {
  const { title, items, scroll, empty = 'Nothing to list.' } = panel
  const list = (
    <ul className="list">
      {keyed(items).map(({ key, value: { text, detail, badges = [] } }) => (
        <li key={key}>
          <div className="item">
            <CellView cell={text} />
            {detail && <p>{detail}</p>}
          </div>
          {badges.map(badge => (
            <CellView key={badge.text} cell={badge} />
          ))}
          <CopyButton text={cellText(text)} about={cellText(text)} />
        </li>
      ))}
    </ul>
  )
  return (
    <div className="panel">
      <div className="panel-bar">
        {title ? (
          <h3 className="panel-title">{title}</h3>
        ) : (
          items.length > 1 && <p className="row-count">{`${items.length} items`}</p>
        )}
        {items.length > 1 && (
          <CopyButton label="Copy all" text={() => items.map(({ text }) => cellText(text)).join('\n')} />
        )}
      </div>
      {items.length === 0 ? (
        <p className="empty">{empty}</p>
      ) : scroll ? (
        <ScrollBox tall label={title ?? 'List'}>
          {list}
        </ScrollBox>
      ) : (
        list
      )}
    </div>
  )
}
