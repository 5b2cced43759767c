import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { addresses } from '../../account/addresses.ts'
import { type Ask, textOf } from '../../account/ask.ts'
import { keepNotice, notify } from '../../account/notices.ts'
import { pairIn } from '../../account/session.ts'
import { createTokens, type Pair } from '../../account/tokens.ts'
import { FAILED, type Notice, refusal, UNSENT } from '../../account/words.ts'
import { root } from '../../root.ts'
import { AuthNote, type Note } from './auth-note.tsx'
import { type Mode, screens } from './modes.ts'
import { PasswordField } from './password-field.tsx'
import { StrengthLine } from './strength-line.tsx'

interface Props {
  mode: Mode
  token: string
  ask: Ask
  switchTo(mode: Mode): void
  /** Stands beside the label of the password. */
  forgot: ReactNode
}

const UNVERIFIED = 403

/**
 * The form of one mode. Its values live in the page, so that password managers and whoever types before this script
 * runs find them kept. `dialog` is the method that does nothing by itself: no password gets into an address. There are
 * no checks but the browser's own of the address (§5).
 */
export function AuthForm({ mode, token, ask, switchTo, forgot }: Props) {
  const { button, busy: busyText } = screens[mode]
  const form = useRef<HTMLFormElement>(null)
  const [password, setPassword] = useState('')
  const [note, setNote] = useState<Note>()
  const { busy, once } = useOnce()
  const isNew = mode === 'register' || mode === 'choose'

  useEffect(() => setPassword(typed(form.current, 'password')), [])

  async function submit(event: FormEvent) {
    event.preventDefault()
    await once(send)
  }

  async function send() {
    const email = typed(form.current, 'email')
    const password = typed(form.current, 'password')
    const { path, success } = screens[mode]
    // The first toast needs code of its own, which may come while the server thinks.
    void import('../toasts.tsx')
    const body = {
      login: { email, password },
      register: { email, password },
      reset: { email },
      choose: { token, password },
    }
    const answer = await ask(path, { method: 'POST', body: body[mode] })
    const pair = pairIn(answer)
    if (!answer.ok || (mode === 'login' && !pair)) {
      if (mode === 'login' && answer.status === UNVERIFIED) setNote({ kind: 'unverified', email })
      if (mode === 'choose' && answer.status) setNote({ kind: 'stale' })
      return notify({ kind: 'error', text: refusal(answer, mode === 'reset' ? UNSENT : FAILED) })
    }
    const notice = { kind: 'success', text: success } as const
    if (pair && mode === 'login') {
      if (!keep(pair, notice)) return location.replace(`${root}/auth/?error=storage`)
      notify(notice)
      return location.assign(`${root}/user/profile/`)
    }
    notify(notice)
    if (mode === 'choose') return switchTo('login')
    form.current?.reset()
    setPassword('')
    setNote({ kind: mode === 'reset' ? 'reset' : 'registered', email })
  }

  async function sendAgain(email: string) {
    const answer = await ask(addresses.verifyAgain, { method: 'POST', body: { email } })
    const text = answer.ok ? textOf(answer.body, 'detail') || 'A new link is on its way.' : refusal(answer, FAILED)
    notify({ kind: answer.ok ? 'success' : 'error', text })
  }

  return (
    <form ref={form} method="dialog" className="auth-form" aria-labelledby="auth-heading" onSubmit={submit}>
      {mode !== 'choose' && (
        <div className="field">
          <div className="field-head">
            <label htmlFor="email">Email</label>
          </div>
          <input
            id="email"
            name="email"
            className="input"
            type="email"
            autoComplete="email"
            autoCapitalize="off"
            spellCheck={false}
          />
        </div>
      )}
      {mode !== 'reset' && (
        <PasswordField
          label={mode === 'choose' ? 'New Password' : 'Password'}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          aside={forgot}
          {...(mode === 'register' && { describedBy: 'strength' })}
          onInput={setPassword}
        />
      )}
      {mode === 'register' && <StrengthLine password={password} />}
      <button type="submit" className="button primary" aria-disabled={busy} aria-busy={busy}>
        {busy ? busyText : button}
      </button>
      <AuthNote note={note} sendAgain={email => once(() => sendAgain(email))} askAnew={() => switchTo('reset')} />
    </form>
  )
}

/** False when the browser keeps nothing for this site. */
function keep(pair: Pair, notice: Notice): boolean {
  try {
    createTokens(localStorage).save(pair)
    keepNotice(notice)
    return true
  } catch {
    return false
  }
}

const typed = (form: HTMLFormElement | null, name: string): string => {
  const field = form?.elements.namedItem(name)
  return field instanceof HTMLInputElement ? field.value : ''
}

/** One thing at a time: what is asked for while something runs is not done. */
function useOnce() {
  const [busy, setBusy] = useState(false)
  const running = useRef(false)
  async function once(work: () => Promise<void>) {
    if (running.current) return
    running.current = true
    setBusy(true)
    try {
      await work()
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { busy, once }
}
