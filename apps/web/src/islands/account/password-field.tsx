import { type ReactNode, useState } from 'react'

interface Props {
  label: string
  autoComplete: 'current-password' | 'new-password'
  /** Stands at the end of the line of the label. */
  aside?: ReactNode
  describedBy?: string
  onInput?: ((value: string) => void) | undefined
}

/** A password, hidden until its owner wants to see it. */
export function PasswordField({ label, autoComplete, aside, describedBy, onInput }: Props) {
  const [shown, setShown] = useState(false)
  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor="password">{label}</label>
        {aside}
      </div>
      <div className="password">
        <input
          id="password"
          name="password"
          className="input"
          type={shown ? 'text' : 'password'}
          autoComplete={autoComplete}
          autoCapitalize="off"
          spellCheck={false}
          aria-describedby={describedBy}
          onInput={event => onInput?.(event.currentTarget.value)}
        />
        <button type="button" onClick={() => setShown(!shown)}>
          {shown ? 'Hide' : 'Show'}
          <span className="sr-only"> password</span>
        </button>
      </div>
    </div>
  )
}
