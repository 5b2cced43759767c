import { addresses, oneOf } from '../../account/addresses.ts'
import { notify } from '../../account/notices.ts'
import { readSessions, type SessionRecord } from '../../account/records.ts'
import type { Session } from '../../account/session.ts'
import { FAILED, refusal } from '../../account/words.ts'
import { Confirm } from './confirm.tsx'
import { Instant } from './instant.tsx'
import { Content, Section, useLoaded } from './section.tsx'

/** Where the account is logged in. */
export function SessionsSection({ session }: { session: Session }) {
  const loading = useLoaded(session, addresses.sessions, readSessions)

  async function end({ id }: SessionRecord) {
    const answer = await session.call(oneOf(addresses.sessions, id), { method: 'DELETE' })
    if (answer.ok) notify({ kind: 'success', text: 'Session ended.' })
    else notify({ kind: 'error', text: refusal(answer, FAILED) })
    await loading.reload()
    // The button that was pressed is gone with its row.
    document.getElementById('sessions')?.focus()
  }
  return (
    <Section id="sessions" title="Sessions" about="Where you are logged in. End what you do not know.">
      <Content loading={loading}>
        {sessions => (
          <ul className="rows">
            {sessions.map(one => (
              <li key={one.id}>
                <div>
                  <h3>
                    {one.client || 'Unknown client'} {one.current && <span className="chip good">This session</span>}
                  </h3>
                  <p>
                    Since <Instant at={one.created_at} never="an unknown time" />, last used{' '}
                    <Instant at={one.last_used_at} />
                  </p>
                </div>
                {!one.current && (
                  <Confirm
                    label="End"
                    about={`session of ${one.client}`}
                    question="Log this session out?"
                    verb="End session"
                    act={() => end(one)}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </Content>
    </Section>
  )
}
