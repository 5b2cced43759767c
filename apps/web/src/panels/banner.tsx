import type { Panel } from '@assay/kit'

/** A verdict inside a result; the one at its top is drawn by the head. */
export function Banner({ panel: { tone, title, badge, detail } }: { panel: Extract<Panel, { kind: 'banner' }> }) {
  return (
    <div className={`banner ${tone}`}>
      <div className="min-w-0">
        <h3>{title}</h3>
        {detail && <p>{detail}</p>}
      </div>
      {badge && <span className={`badge ${tone}`}>{badge}</span>}
    </div>
  )
}
