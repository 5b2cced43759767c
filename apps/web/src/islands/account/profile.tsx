import { lazy, Suspense, useEffect, useState } from 'react'
import { addresses } from '../../account/addresses.ts'
import { goToLogin } from '../../account/notices.ts'
import type { Session } from '../../account/session.ts'
import type { Tokens } from '../../account/tokens.ts'
import { UNAUTHORIZED } from '../../account/words.ts'
import { root } from '../../root.ts'
import { ProfileFrame } from './profile-frame.tsx'

/** A part that cannot be fetched takes nothing else down with it. */
const Sections = lazy(() =>
  import('./sections.tsx').then(
    ({ Sections }) => ({ default: Sections }),
    () => ({ default: Missing }),
  ),
)
const Missing = () => <p className="caution">The rest of this page did not load. Reload it to try again.</p>

const REFUSED = 401

/** What the server knows of whoever is logged in, and what they can do with it. */
export function ProfileScreen({ session, tokens }: { session: Session; tokens: Tokens }) {
  const [profile, setProfile] = useState<{ value: unknown }>()
  const [leaving, setLeaving] = useState(false)

  useEffect(() => {
    void open()
    async function open() {
      if (tokens.isReturned() && !(await session.redeem())) {
        tokens.clear()
        return refuse()
      }
      const { ok, status, body } = await session.call(addresses.profile)
      if (ok) return setProfile({ value: body })
      // Whatever failed leads to the login (§8); tokens that were not refused are there for the next visit.
      if (status === REFUSED) tokens.forget()
      refuse()
    }
  }, [session, tokens])

  async function logOut() {
    if (leaving) return
    setLeaving(true)
    // Whatever comes of it, this browser forgets (§4, §7).
    await session.call(addresses.logout, { method: 'POST' })
    tokens.clear()
    location.replace(`${root}/auth/`)
  }

  return (
    <ProfileFrame profile={profile} leaving={leaving} onLeave={() => void logOut()}>
      {profile && (
        <Suspense fallback={null}>
          <Sections session={session} tokens={tokens} profile={profile.value} />
        </Suspense>
      )}
    </ProfileFrame>
  )
}

function refuse(): void {
  goToLogin({ kind: 'error', text: UNAUTHORIZED })
}
