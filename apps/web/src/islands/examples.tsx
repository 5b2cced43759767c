import type { ActionModel } from '../page.ts'

/** Fills the form with a published example; with several, a menu names them by their source. */
export function Examples({
  examples,
  fill,
}: {
  examples: ActionModel['examples']
  fill(values: Readonly<Record<string, string>>): void
}) {
  const [first] = examples
  if (!first) return null
  if (examples.length === 1) {
    return (
      <button type="button" className="button ghost" onClick={() => fill(first.input)}>
        Try an example
      </button>
    )
  }
  return (
    <select
      className="button ghost menu"
      aria-label="Try an example"
      value=""
      onChange={event => {
        const chosen = examples[Number(event.target.value)]
        if (chosen) fill(chosen.input)
      }}
    >
      <option value="" disabled hidden>
        Try an example
      </option>
      {examples.map(({ title, input }, index) => (
        <option key={`${title} ${JSON.stringify(input)}`} value={index}>
          {title}
          {preview(input)}
        </option>
      ))}
    </select>
  )
}

/** The longest preview of an example's first value. */
const PREVIEW = 32

function preview(input: Readonly<Record<string, string>>): string {
  const [value = ''] = Object.values(input)
  if (!value) return ': empty'
  const line = value.replace(/\s+/g, ' ').trim()
  return `: ${line.length > PREVIEW ? `${line.slice(0, PREVIEW)}…` : line}`
}
