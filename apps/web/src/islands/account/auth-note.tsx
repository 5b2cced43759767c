/** What remains to be said when the toast is gone. */
export type Note =
  | { kind: 'registered' | 'unverified' | 'reset'; email: string }
  /** The link to choose a new password may be too old. */
  | { kind: 'stale' }

interface Props {
  note: Note | undefined
  sendAgain(email: string): void
  askAnew(): void
}

/** What happens next, and what to do when it does not. */
export function AuthNote({ note, sendAgain, askAnew }: Props) {
  return (
    <div role="status">
      {note && (
        <div className="auth-note">
          <Words note={note} />
          {note.kind === 'stale' && (
            <button type="button" className="button ghost small" onClick={askAnew}>
              Get a new link
            </button>
          )}
          {(note.kind === 'registered' || note.kind === 'unverified') && (
            <button type="button" className="button ghost small" onClick={() => sendAgain(note.email)}>
              Send the link again
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function Words({ note }: { note: Note }) {
  switch (note.kind) {
    case 'registered':
      return (
        <p>
          A link is on its way to <b>{note.email}</b>. Open it within 24 hours, then log in.
        </p>
      )
    case 'unverified':
      return (
        <p>
          Open the link that was sent to <b>{note.email}</b>, then log in. It works for 24 hours.
        </p>
      )
    case 'reset':
      return (
        <p>
          If there is an account for <b>{note.email}</b>, a link is on its way. It works once, within an hour.
        </p>
      )
    case 'stale':
      return <p>A link works once, within an hour of being sent.</p>
  }
}
