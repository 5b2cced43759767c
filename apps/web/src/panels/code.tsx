import type { Panel } from '@assay/kit'
import { CopyButton } from '../ui/copy.tsx'

/** Text as it is, in fixed-width type. */
export function Code({ panel: { title, code } }: { panel: Extract<Panel, { kind: 'code' }> }) {
  return (
    <div className="panel flush">
      {title && <h3 className="panel-title">{title}</h3>}
      <div className="code-block">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <pre tabIndex={0}>{code}</pre>
        <CopyButton text={code} about={title ?? 'the text'} />
      </div>
    </div>
  )
}
