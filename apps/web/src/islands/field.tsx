import { type ChangeEvent, useState } from 'react'
import type { FieldModel } from '../page.ts'
import { FormatChoice, Generate, Reveal } from './field-tools.tsx'
import { FileDrop } from './file-drop.tsx'

export interface FieldProps {
  field: FieldModel
  values: Readonly<Record<string, string | File>>
  set(name: string, value: string | File): void
  error?: string | undefined
}

/** One input of a tool with its label, its help, and what is wrong with it. */
export function FieldControl(props: FieldProps) {
  const { field, error } = props
  if (field.kind === 'flag') return <Switch {...props} />
  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor={field.name}>
          {field.label}
          {field.unit && <span className="optional"> ({field.unit})</span>}
          {field.optional && <span className="optional"> optional</span>}
        </label>
        <FormatChoice {...props} />
      </div>
      <Widget {...props} />
      <Notes field={field} error={error} />
    </div>
  )
}

function Notes({ field, error }: Pick<FieldProps, 'field' | 'error'>) {
  return (
    <div className="field-notes">
      {field.help && (
        <p id={`${field.name}-help`} className="field-help">
          {field.help}
        </p>
      )}
      {error && (
        <p id={`${field.name}-error`} className="field-error">
          {error}
        </p>
      )}
    </div>
  )
}

function Widget(props: FieldProps) {
  const { field, values, set } = props
  const [hidden, setHidden] = useState(field.secret === true && field.type !== 'textarea')
  const raw = values[field.name] ?? ''
  const value = typeof raw === 'string' ? raw : ''
  const common = {
    id: field.name,
    name: field.name,
    value,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
      set(field.name, event.target.value),
    ...described(props),
  }
  if (field.type === 'file') return <FileDrop field={field} value={raw} set={set} {...described(props)} />
  if (field.type === 'select') {
    return (
      <select className="input select" {...common}>
        <option value="">Select an option</option>
        {field.options?.map(option => (
          <option key={option}>{option}</option>
        ))}
      </select>
    )
  }
  const writing = { placeholder: field.placeholder, spellCheck: false, autoCapitalize: 'off', autoComplete: 'off' }
  const tools = (
    <>
      {field.generate && <Generate {...props} />}
      {field.secret && <Reveal label={field.label} hidden={hidden} setHidden={setHidden} />}
    </>
  )
  if (field.type === 'textarea') {
    return (
      <div className="with-tools">
        <textarea className={`input ${hidden ? 'masked' : ''}`} rows={3} {...common} {...writing} />
        <div className="input-tools top">{tools}</div>
      </div>
    )
  }
  if (field.type === 'number') {
    const { min, max, step } = field
    return (
      <input className="input" type="number" inputMode="numeric" {...{ min, max, step }} {...common} {...writing} />
    )
  }
  return (
    <div className="with-tools">
      <input
        className="input"
        type={hidden ? 'password' : field.type === 'email' ? 'email' : 'text'}
        {...common}
        {...writing}
      />
      <div className="input-tools">{tools}</div>
    </div>
  )
}

function described({ field, error }: FieldProps) {
  const ids = [field.help && `${field.name}-help`, error && `${field.name}-error`].filter(Boolean).join(' ')
  return { 'aria-describedby': ids || undefined, 'aria-invalid': error ? true : undefined }
}

/** Yes or no. */
function Switch({ field, values, set, error }: FieldProps) {
  return (
    <div className="field">
      <label className="switch">
        <input
          id={field.name}
          type="checkbox"
          checked={values[field.name] === 'yes'}
          onChange={event => set(field.name, event.target.checked ? 'yes' : 'no')}
          {...described({ field, values, set, error })}
        />
        {field.label}
      </label>
      <Notes field={field} error={error} />
    </div>
  )
}
