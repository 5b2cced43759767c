import { type FormEvent, useEffect, useRef, useState } from 'react'
import { addresses } from '../../account/addresses.ts'
import { goToLogin, notify } from '../../account/notices.ts'
import { readProviders } from '../../account/records.ts'
import type { Session } from '../../account/session.ts'
import type { Tokens } from '../../account/tokens.ts'
import { FAILED, refusal } from '../../account/words.ts'
import { PasswordField } from './password-field.tsx'
import { Section } from './section.tsx'

interface Props {
  session: Session
  tokens: Tokens
  profile: unknown
}

/** The end of the account, in two steps. */
export function DeleteSection({ session, tokens, profile }: Props) {
  const [asked, setAsked] = useState(false)
  return (
    <Section
      id="delete"
      title="Delete Account"
      about="Deletes your address, your password, your keys, your sessions and your usage. It cannot be taken back."
    >
      <div className="account-action">
        {asked ? (
          <DeleteForm session={session} tokens={tokens} profile={profile} onKeep={() => setAsked(false)} />
        ) : (
          <button type="button" className="button ghost" onClick={() => setAsked(true)}>
            Delete Account…
          </button>
        )}
      </div>
    </Section>
  )
}

function DeleteForm({ session, tokens, profile, onKeep }: Props & { onKeep(): void }) {
  const form = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const providers = readProviders(profile)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const password = String(new FormData(event.currentTarget).get('password') ?? '')
    setBusy(true)
    const answer = await session.call(addresses.profile, { method: 'DELETE', body: password ? { password } : {} })
    setBusy(false)
    if (!answer.ok) return notify({ kind: 'error', text: refusal(answer, FAILED) })
    tokens.clear()
    goToLogin({ kind: 'success', text: 'Your account was deleted.' })
  }
  return (
    <form ref={form} method="dialog" className="delete-form" onSubmit={submit} aria-labelledby="delete">
      <PasswordField label="Password" autoComplete="current-password" describedBy="delete-help" />
      <p id="delete-help" className="field-help">
        {providers.length > 0
          ? 'Without a password, log out, sign in with the service again, and delete within ten minutes.'
          : 'The password of this account, so that nobody else deletes it.'}
      </p>
      <div className="form-actions">
        <button type="submit" className="button danger" aria-disabled={busy} aria-busy={busy}>
          {busy ? 'Deleting…' : 'Delete my account'}
        </button>
        <button type="button" className="button ghost" onClick={onKeep}>
          Keep it
        </button>
      </div>
    </form>
  )
}
