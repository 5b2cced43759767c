import { useState } from 'react'
import { addresses, oneOf } from '../../account/addresses.ts'
import { notify } from '../../account/notices.ts'
import { type KeyRecord, readKeys } from '../../account/records.ts'
import type { Session } from '../../account/session.ts'
import { FAILED, refusal } from '../../account/words.ts'
import { Confirm } from './confirm.tsx'
import { Instant } from './instant.tsx'
import { NewKey } from './new-key.tsx'
import { Content, Section, useLoaded } from './section.tsx'

/** The keys that programs use in the name of the account. */
export function KeysSection({ session }: { session: Session }) {
  const loading = useLoaded(session, addresses.keys, readKeys)
  const [made, setMade] = useState(0)

  async function revoke({ id }: KeyRecord) {
    const answer = await session.call(oneOf(addresses.keys, id), { method: 'DELETE' })
    if (answer.ok) notify({ kind: 'success', text: 'Key revoked.' })
    else notify({ kind: 'error', text: refusal(answer, FAILED) })
    await loading.reload()
    // The button that was pressed is gone with its row.
    document.getElementById('keys')?.focus()
  }
  return (
    <Section
      id="keys"
      title="API Keys"
      about="With a key a program calls tools in your name, within higher limits than without one."
    >
      <Content loading={loading}>
        {keys => (
          <>
            {keys.length === 0 && <p className="empty">You have no keys yet.</p>}
            <ul className="rows">
              {keys.map(key => (
                <li key={key.id}>
                  <div>
                    <h3>
                      {key.name} <code>…{key.last_four}</code>
                    </h3>
                    <p>
                      {key.scopes.join(', ')} · made <Instant at={key.created_at} day /> · last used{' '}
                      <Instant at={key.last_used_at} /> · <Expiry at={key.expires_at} />
                    </p>
                  </div>
                  <Confirm
                    label="Revoke"
                    about={`key ${key.name}`}
                    question="Programs that use it stop working at once."
                    verb="Revoke key"
                    act={() => revoke(key)}
                  />
                </li>
              ))}
            </ul>
            <NewKey
              key={made}
              session={session}
              onMade={() => void loading.reload()}
              onDone={() => setMade(made + 1)}
            />
          </>
        )}
      </Content>
    </Section>
  )
}

const Expiry = ({ at }: { at: string }) =>
  at ? (
    <>
      expires <Instant at={at} day />
    </>
  ) : (
    'does not expire'
  )
