import type { FormEvent, KeyboardEvent, RefObject } from 'react'
import { shownFields } from '../form.ts'
import { mainField } from '../link.ts'
import type { FieldModel, ToolModel } from '../page.ts'
import { Examples } from './examples.tsx'
import { FieldControl } from './field.tsx'
import { PlaceSwitch } from './place-switch.tsx'
import { RequestCount } from './request-count.tsx'
import { ShareButton } from './share.tsx'
import type { ToolState } from './use-tool.ts'

interface Props {
  model: ToolModel
  state: ToolState
  formRef: RefObject<HTMLFormElement | null>
}

/** The form of an action: one input for each field, and what can be done with them. */
export function ToolForm({ model, state, formRef }: Props) {
  const { action, values, run } = state
  const fields = shownFields(action, values).filter(({ name }) => name !== model.preset?.field)
  const busy = run.kind === 'running'
  const main = mainField(action.fields)
  const value = main && values[main.name]
  const blank = !main?.optional && typeof value === 'string' && !value.trim()
  const disabled = busy || (!model.words.alwaysEnabled && blank)
  const failure = run.kind === 'failed' ? run.failure : undefined

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!busy) state.start()
  }
  function press(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement && disabled) submit(event)
  }

  const control = (field: FieldModel) => (
    <FieldControl
      key={field.name}
      field={field}
      values={values}
      set={state.set}
      error={failure?.field === field.name ? (failure.detail ?? failure.message) : undefined}
    />
  )
  const [only] = fields
  const inline = fields.length === 1 && only && only.type === 'text' && model.words.errors === 'titled'
  const button = (
    <button type="submit" className="button primary" disabled={disabled} aria-busy={busy}>
      {busy ? model.words.busy : model.words.idle}
    </button>
  )
  return (
    <form
      ref={formRef}
      className="tool-form"
      noValidate
      onSubmit={submit}
      onKeyDown={press}
      onFocus={() => model.runs === 'anywhere' && state.warm()}
    >
      <fieldset className="contents" disabled={busy && model.words.locked === true}>
        {inline ? (
          <div className="inline-form">
            {control(only)}
            {button}
          </div>
        ) : (
          groups(fields).map(group => (
            <div
              key={group.map(({ name }) => name).join(' ')}
              className={group.length > 1 || isShort(group[0]) ? 'field-row' : undefined}
            >
              {group.map(control)}
            </div>
          ))
        )}
      </fieldset>
      <div className="form-actions">
        {!inline && button}
        <Examples examples={action.examples} fill={state.fill} />
        <ShareButton model={model} state={state} />
        <PlaceSwitch model={model} state={state} />
      </div>
      {model.runs === 'anywhere' && <RequestCount values={values} />}
    </form>
  )
}

const isShort = (field: FieldModel | undefined) =>
  field !== undefined && field.type !== 'textarea' && field.type !== 'file'

/** Short fields that follow each other stand side by side; the others have a row each. */
function groups(fields: readonly FieldModel[]): FieldModel[][] {
  const rows: FieldModel[][] = []
  for (const field of fields) {
    const last = rows.at(-1)
    if (last && isShort(field) && isShort(last[0])) last.push(field)
    else rows.push([field])
  }
  return rows
}
