import type { Panel } from '@assay/kit'

/** A remark on the result: what it means, or what to do about it. */
export function Note({ panel: { tone, title, text } }: { panel: Extract<Panel, { kind: 'note' }> }) {
  return (
    <div className={`note ${tone}`}>
      {title && <h3>{title}</h3>}
      <p>{text}</p>
    </div>
  )
}
