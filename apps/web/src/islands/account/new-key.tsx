import { type FormEvent, useEffect, useRef, useState } from 'react'
import { addresses } from '../../account/addresses.ts'
import { notify } from '../../account/notices.ts'
import { readNewKey, type Scope, scopes } from '../../account/records.ts'
import type { Session } from '../../account/session.ts'
import { FAILED, refusal } from '../../account/words.ts'

/** What a key may be used for. */
const scopeWords: Readonly<Record<Scope, string>> = {
  light: 'Compute: hashes, encodings, ciphers, certificates',
  lookup: 'Look up: DNS, WHOIS, web servers',
  scan: 'Scan: ports, routes, subdomains',
}

const lives = [30, 90, 365] as const
const FIRST_LIFE = 90

interface Props {
  session: Session
  /** A key more is on the list. */
  onMade(): void
  /** Its owner has it, and may make another. */
  onDone(): void
}

/** Makes a key, and shows it once. */
export function NewKey({ session, onMade, onDone }: Props) {
  const [key, setKey] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const form = new FormData(event.currentTarget)
    const life = form.get('life')
    setBusy(true)
    const answer = await session.call(addresses.keys, {
      method: 'POST',
      body: {
        name: String(form.get('name') ?? '').trim(),
        scopes: form.getAll('scope').map(String),
        expires_in_days: life === 'never' ? null : Number(life),
      },
    })
    setBusy(false)
    const made = answer.ok ? readNewKey(answer.body) : undefined
    if (!made) return notify({ kind: 'error', text: refusal(answer, FAILED) })
    setKey(made)
    onMade()
  }

  if (key) return <MadeKey text={key} onDone={onDone} />
  return (
    <form method="dialog" className="new-key" onSubmit={submit} aria-labelledby="new-key">
      <h3 id="new-key">Make a key</h3>
      <div className="new-key-fields">
        <div className="field">
          <div className="field-head">
            <label htmlFor="key-name">Name</label>
          </div>
          <input id="key-name" name="name" className="input" placeholder="What it is for" required autoComplete="off" />
        </div>
        <div className="field">
          <div className="field-head">
            <label htmlFor="key-life">Expires</label>
          </div>
          <select id="key-life" name="life" className="input select" defaultValue={FIRST_LIFE}>
            {lives.map(days => (
              <option key={days} value={days}>
                in {days} days
              </option>
            ))}
            <option value="never">Never</option>
          </select>
        </div>
      </div>
      <fieldset>
        <legend>May</legend>
        {scopes.map(scope => (
          <label key={scope} className="consent">
            <input type="checkbox" name="scope" value={scope} defaultChecked={scope !== 'scan'} />
            {scopeWords[scope]}
          </label>
        ))}
      </fieldset>
      <button type="submit" className="button primary" aria-disabled={busy} aria-busy={busy}>
        {busy ? 'Making…' : 'Make Key'}
      </button>
    </form>
  )
}

/** It copies by itself: sharing ui/copy.tsx would cost every tool page one more request. */
function MadeKey({ text, onDone }: { text: string; onDone(): void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [copied, setCopied] = useState('Copy')
  useEffect(() => heading.current?.focus(), [])
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setCopied('Copied')
    } catch {
      setCopied('Not copied')
      notify({ kind: 'error', text: 'The browser refused the clipboard. Select the key and copy it yourself.' })
    }
  }
  return (
    <div className="made-key">
      <h3 ref={heading} tabIndex={-1}>
        Your new key
      </h3>
      <p>
        Copy it now: it is not shown again. Programs send it as <code>Authorization: Bearer</code>, and whoever has it
        calls tools in your name.
      </p>
      <div className="made-key-line">
        <code>{text}</code>
        <button type="button" className="copy" onClick={() => void copy()}>
          <span aria-live="polite">{copied}</span>
          <span className="sr-only"> key</span>
        </button>
      </div>
      <button type="button" className="button ghost small" onClick={onDone}>
        I have copied it
      </button>
    </div>
  )
}
