import type { Panel } from '@assay/kit'
import { keyed } from '../ui/keyed.ts'

/** What happened, or what to do, in order. */
export function Steps({ panel: { title, steps } }: { panel: Extract<Panel, { kind: 'steps' }> }) {
  return (
    <div className="panel">
      {title && <h3 className="panel-title">{title}</h3>}
      <ol className="steps">
        {keyed(steps).map(({ key, value: step }) => (
          <li key={key}>
            <b>{step.title}</b>
            <p>{step.detail}</p>
            {step.code !== undefined && <code>{step.code}</code>}
          </li>
        ))}
      </ol>
    </div>
  )
}
