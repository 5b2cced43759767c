import type { Wording } from '../page.ts'
import type { Run } from './use-tool.ts'

/** A run under way: what it does now, how far it is, and the way to end it. */
export function Progress({
  run,
  words,
  onCancel,
}: {
  run: Extract<Run, { kind: 'running' }>
  words: Wording
  onCancel(): void
}) {
  const { progress, label } = run
  const percent = progress === undefined ? undefined : Math.round(progress * 100)
  return (
    <div className="running">
      <span className="spinner" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p role="status" className="flex justify-between gap-4 text-sm">
          <span className="truncate">{label ?? words.loading}</span>
          {percent !== undefined && <span className="tabular-nums text-soft">{percent} %</span>}
        </p>
        {percent !== undefined && <progress aria-label="Progress" max={100} value={percent} />}
      </div>
      <button type="button" className="button ghost small" onClick={onCancel}>
        Cancel
      </button>
    </div>
  )
}
