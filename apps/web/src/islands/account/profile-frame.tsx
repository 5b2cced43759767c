import type { ReactNode } from 'react'

interface Props {
  /** The profile as the server gave it, once it is there. */
  profile?: { value: unknown } | undefined
  leaving?: boolean
  onLeave?: () => void
  children?: ReactNode
}

/** The page of the account as it stands before anything was fetched, and around what was. */
export function ProfileFrame({ profile, leaving = false, onLeave, children }: Props) {
  return (
    <>
      <header className="profile-head">
        <h1 className="title">User Profile</h1>
        <button type="button" className="button ghost" aria-disabled={leaving} onClick={onLeave}>
          Logout
        </button>
      </header>
      <div className="card profile-data" aria-busy={!profile}>
        {profile ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          <pre tabIndex={0}>{JSON.stringify(profile.value, null, 2)}</pre>
        ) : (
          <p className="empty">Loading your profile…</p>
        )}
      </div>
      {children}
    </>
  )
}
