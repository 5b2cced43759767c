import type { ReactNode } from 'react'

interface Common {
  id: string
  name: string
  className: string
  'aria-describedby': string | undefined
}

interface Props {
  name: string
  label: string
  optional?: boolean
  help?: string
  /** Draws the widget with what every widget has. */
  children(common: Common): ReactNode
}

/** A field of the form to apply with: its label, its widget, its help. */
export function ApplicationField({ name, label, optional, help, children }: Props) {
  const described = help ? `${name}-help` : undefined
  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor={name}>
          {label}
          {optional && <span className="optional"> optional</span>}
        </label>
      </div>
      {children({ id: name, name, className: 'input', 'aria-describedby': described })}
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
      <select {...common} className="input select" required>
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
