import { notify } from '../../account/notices.ts'
import { noticeOf } from '../../account/words.ts'
import { type Mode, modeOf, queryOf } from './modes.ts'

/** What the address asked for when the page was opened. */
export interface Arrival {
  mode: Mode
  /** The token of the mail that led here. */
  token: string
}

/**
 * Reads the address and at once frees it of what should not stay in it: a token, and the message of whoever sent the
 * visitor here, which becomes a toast.
 */
export function takeArrival(): Arrival {
  const query = new URLSearchParams(location.search)
  const mode = modeOf(query)
  history.replaceState(history.state, '', location.pathname + queryOf(mode))
  const notice = noticeOf(query)
  if (notice) notify(notice)
  return { mode, token: query.get('token') ?? '' }
}
