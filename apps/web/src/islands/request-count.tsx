import { useEffect, useRef, useState } from 'react'
import type { Request } from '../message.ts'
import { requestsSince, wallClock, watchRequests } from '../requests.ts'
import type { FormValues } from './use-tool.ts'

/** How many requests this page and its worker made since the first key was pressed, as the browser recorded them. */
export function RequestCount({ values }: { values: FormValues }) {
  const opened = useRef(values)
  const [since, setSince] = useState<number>()
  const [requests, setRequests] = useState<readonly Request[]>([])

  useEffect(() => {
    if (values !== opened.current) setSince(before => before ?? wallClock())
  }, [values])

  useEffect(() => {
    if (since === undefined) return
    return watchRequests(() => setRequests(requestsSince(since)))
  }, [since])

  if (since === undefined) return null
  const count = `${requests.length} ${requests.length === 1 ? 'request' : 'requests'} since you typed`
  if (!requests.length) return <p className="request-count good">{count}</p>
  return (
    <details className="request-count">
      <summary>{count}</summary>
      <ul>
        {requests.map(({ url, time }) => (
          <li key={`${url} ${time}`}>{url}</li>
        ))}
      </ul>
    </details>
  )
}
