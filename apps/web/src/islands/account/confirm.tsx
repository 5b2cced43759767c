import { type ReactNode, useEffect, useRef, useState } from 'react'

interface Props {
  /** What the first press says, and for whom it is not clear from where it stands. */
  label: string
  about: string
  question: ReactNode
  /** What the second press says. */
  verb: string
  act(): Promise<void>
}

/** A button for what cannot be taken back: the first press asks, the second does. Escape and Keep go back. */
export function Confirm({ label, about, question, verb, act }: Props) {
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const first = useRef<HTMLButtonElement>(null)
  const second = useRef<HTMLButtonElement>(null)
  const wasAsked = useRef(false)
  useEffect(() => {
    if (asked) second.current?.focus()
    else if (wasAsked.current) first.current?.focus()
    wasAsked.current = asked
  }, [asked])

  async function confirm() {
    if (busy) return
    setBusy(true)
    await act()
    setBusy(false)
    setAsked(false)
  }
  if (!asked) {
    return (
      <button ref={first} type="button" className="button ghost small" onClick={() => setAsked(true)}>
        {label}
        <span className="sr-only"> {about}</span>
      </button>
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group with a name, but not one of form fields
    <div
      role="group"
      aria-label={label}
      className="confirm"
      onKeyDown={event => event.key === 'Escape' && setAsked(false)}
    >
      <p>{question}</p>
      <button
        ref={second}
        type="button"
        className="button danger small"
        aria-disabled={busy}
        onClick={() => void confirm()}
      >
        {verb}
      </button>
      <button type="button" className="button ghost small" onClick={() => setAsked(false)}>
        Keep
      </button>
    </div>
  )
}
