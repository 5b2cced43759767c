import type { Panel } from '@assay/kit'
import { keyed } from '../ui/keyed.ts'

/** Each verdict by its word and its tone, never by colour alone. */
const verdicts = {
  pass: { word: 'PASS', tone: 'good' },
  fail: { word: 'FAIL', tone: 'bad' },
  warn: { word: 'WARN', tone: 'warn' },
  'not-applicable': { word: 'N/A', tone: 'neutral' },
  unknown: { word: 'UNKNOWN', tone: 'info' },
  skipped: { word: 'SKIPPED', tone: 'neutral' },
} as const

/** Findings with their evidence and the clause that asks for them. */
export function Checks({ panel: { title, checks } }: { panel: Extract<Panel, { kind: 'checks' }> }) {
  return (
    <div className="panel">
      {title && <h3 className="panel-title">{title}</h3>}
      <ul className="list">
        {keyed(checks).map(({ key, value: { name, verdict, detail, clause } }) => (
          <li key={key}>
            <span className={`badge ${verdicts[verdict].tone} verdict`}>{verdicts[verdict].word}</span>
            <div className="item">
              {name}
              {detail && <p>{detail}</p>}
            </div>
            {clause && <span className="clause">{clause}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
