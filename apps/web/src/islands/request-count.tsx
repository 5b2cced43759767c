import { useEffect, useRef, useState } from 'react'
import type { FormValues } from '../form.ts'
import type { Request } from '../message.ts'
import { isOwnFile, requestsSince, wallClock, watchRequests } from '../requests.ts'

/**
 * How many requests this page and its worker made since the first key was pressed, as the browser recorded them. Files
 * of the site's own code, whose addresses hold nothing that was typed, are listed apart.
 */
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
  const files = requests.filter(isOwnFile).length
  const others = requests.length - files
  const count = `${others} ${others === 1 ? 'request' : 'requests'} since you typed`
  const tone = others ? '' : 'good'
  if (!requests.length) return <p className={`request-count ${tone}`}>{count}</p>
  return (
    <details className="request-count">
      <summary>
        <span className={tone}>{count}</span>
        {files > 0 && `, ${files} ${files === 1 ? 'file' : 'files'} of this site's code loaded`}
      </summary>
      <ul>
        {requests.map(({ url, time }) => (
          <li key={`${url} ${time}`}>{url}</li>
        ))}
      </ul>
    </details>
  )
}
