import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { Session } from '../../account/session.ts'
import { refusal } from '../../account/words.ts'
import { root } from '../../root.ts'

type Loaded<T> = { kind: 'loading' } | { kind: 'failed'; sentence: string } | { kind: 'ready'; value: T }

interface Loading<T> {
  loaded: Loaded<T>
  reload(): Promise<void>
}

const UNAUTHORIZED = 401
const ENDED = 'Your session has ended. Log in again.'

/** What one address of the account answers, read by `read`. What was there stays until its successor has come. */
export function useLoaded<T>(session: Session, path: string, read: (body: unknown) => T | undefined): Loading<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ kind: 'loading' })
  const reload = useCallback(async () => {
    const answer = await session.call(path)
    const value = answer.ok ? read(answer.body) : undefined
    if (value !== undefined) return setLoaded({ kind: 'ready', value })
    const sentence = answer.status === UNAUTHORIZED ? ENDED : refusal(answer, 'This part could not be loaded.')
    setLoaded({ kind: 'failed', sentence })
  }, [session, path, read])
  useEffect(() => void reload(), [reload])
  return {
    loaded,
    reload: useCallback(() => {
      setLoaded(before => (before.kind === 'failed' ? { kind: 'loading' } : before))
      return reload()
    }, [reload]),
  }
}

interface Props {
  id: string
  title: string
  about: string
  children: ReactNode
}

/** A part of the account, with its heading and a sentence of what it is. */
export function Section({ id, title, about, children }: Props) {
  return (
    <section className="card account-section" aria-labelledby={id}>
      <div className="account-section-head">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        <p>{about}</p>
      </div>
      {children}
    </section>
  )
}

/** What was loaded, or why it was not. */
export function Content<T>({
  loading: { loaded, reload },
  children,
}: {
  loading: Loading<T>
  children(value: T): ReactNode
}) {
  if (loaded.kind === 'loading') return <p className="empty">Loading…</p>
  if (loaded.kind === 'ready') return children(loaded.value)
  return (
    <div className="account-failure" role="status">
      <p>{loaded.sentence}</p>
      {loaded.sentence === ENDED ? (
        <a className="button ghost small" href={`${root}/auth/`}>
          Log in
        </a>
      ) : (
        <button type="button" className="button ghost small" onClick={() => void reload()}>
          Try again
        </button>
      )}
    </div>
  )
}
