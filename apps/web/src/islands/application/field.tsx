import type { ReactNode } from 'react'
import { type FieldData, type FieldName, fields } from '../../application.ts'

interface Common {
  id: string
  name: string
  className: string
  required: boolean
  'aria-describedby': string | undefined
}

interface Props {
  name: FieldName
  help?: string
  /** Draws the widget with what every widget has. */
  children(common: Common): ReactNode
}

/** A field of the form to apply with: its label, its widget, its help. */
export function ApplicationField({ name, help, children }: Props) {
  const { label, optional }: FieldData = fields[name]
  const described = help ? `${name}-help` : undefined
  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor={name}>
          {label}
          {optional && <span className="optional"> optional</span>}
        </label>
      </div>
      {children({ id: name, name, className: 'input', required: !optional, 'aria-describedby': described })}
      <div className="field-notes">
        {help && (
          <p id={described} className="field-help">
            {help}
          </p>
        )}
      </div>
    </div>
  )
}

interface ChoiceProps extends Omit<Props, 'children'> {
  prompt: string
  /** What options are called, by their value. */
  names: Readonly<Record<string, string>>
}

/** One of a few, none at first. */
export const ApplicationChoice = ({ prompt, names, ...field }: ChoiceProps) => (
  <ApplicationField {...field}>
    {common => (
      <select {...common} className="input select">
        <option value="">{prompt}</option>
        {Object.entries(names).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    )}
  </ApplicationField>
)
