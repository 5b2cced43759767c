import { type MouseEvent, useEffect, useMemo, useRef } from 'react'
import { createAsk } from '../../account/ask.ts'
import type { AccountModel } from '../../page.ts'
import { root } from '../../root.ts'
import type { Arrival } from './arrival.ts'
import { AuthForm } from './auth-form.tsx'
import { type Mode, queryOf, screens } from './modes.ts'
import { ProviderButtons } from './providers.tsx'
import { useMode } from './use-mode.ts'

/** Logging in, registering, and getting back in without the password. */
export function AuthScreen({ model, arrival }: { model: AccountModel; arrival?: Arrival }) {
  const [mode, switchTo] = useMode(arrival?.mode ?? 'login', model.brand)
  const base = model.base || root
  const ask = useMemo(() => createAsk(base), [base])
  const { heading, lead } = screens[mode]
  const card = useRef<HTMLElement>(null)
  const switched = useRef(false)

  // The control that was pressed may be gone, and the first field comes next anyway.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another mode is on the page
  useEffect(() => {
    if (switched.current) card.current?.querySelector<HTMLElement>('input')?.focus()
    switched.current = false
  }, [mode])

  function turnTo(next: Mode) {
    switched.current = true
    switchTo(next)
  }
  const link = (next: Mode, text: string) => (
    <a
      href={`${root}/auth/${queryOf(next)}`}
      onClick={event => {
        if (opensElsewhere(event)) return
        event.preventDefault()
        turnTo(next)
      }}
    >
      {text}
    </a>
  )
  return (
    <section ref={card} className="auth-card" aria-labelledby="auth-heading">
      <h1 id="auth-heading" className="title">
        {heading}
      </h1>
      <p className="lead">{lead}</p>
      <AuthForm
        key={mode}
        mode={mode}
        token={arrival?.token ?? ''}
        ask={ask}
        switchTo={turnTo}
        forgot={mode === 'login' ? link('reset', 'Forgot password?') : undefined}
      />
      {mode === 'login' || mode === 'register' ? (
        <>
          <ProviderButtons base={base} />
          <Toggle mode={mode} switchTo={turnTo} />
        </>
      ) : (
        <p className="auth-foot">{link('login', 'Back to Login')}</p>
      )}
    </section>
  )
}

const opensElsewhere = ({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) => ctrlKey || metaKey || shiftKey || altKey

function Toggle({ mode, switchTo }: { mode: 'login' | 'register'; switchTo(mode: Mode): void }) {
  const other = mode === 'login' ? 'register' : 'login'
  return (
    <p className="auth-foot">
      <button type="button" onClick={() => switchTo(other)}>
        {mode === 'login' ? "Don't have an account?" : 'Already have an account?'} <b>{screens[other].button}</b>
      </button>
    </p>
  )
}
