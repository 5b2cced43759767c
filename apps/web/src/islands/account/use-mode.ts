import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { notify } from '../../account/notices.ts'
import { noticeOf } from '../../account/words.ts'
import { type Mode, modeOf, queryOf, screens } from './modes.ts'

export interface ModeState {
  mode: Mode
  /** The token of the mail that led here. */
  token: string
  switchTo(mode: Mode): void
}

/**
 * The mode of the screen, as the address says, which is at once freed of what should not stay in it: a token, and the
 * message of whoever sent the visitor here.
 */
export function useMode(brand: string): ModeState {
  const [mode, setMode] = useState<Mode>('login')
  const token = useRef('')

  function show(mode: Mode) {
    setMode(mode)
    document.title = `${screens[mode].title} | ${brand}`
  }
  // Before the browser paints, so that a link to another mode does not open with this one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is read when the page comes alive
  useLayoutEffect(() => {
    const query = new URLSearchParams(location.search)
    const mode = modeOf(query)
    token.current = query.get('token') ?? ''
    history.replaceState(history.state, '', location.pathname + queryOf(mode))
    show(mode)
    const notice = noticeOf(query)
    if (notice) notify(notice)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it calls is the same for the life of the page
  useEffect(() => {
    const onPop = () => show(modeOf(new URLSearchParams(location.search)))
    window.addEventListener('popstate', onPop)
    return () => window.removeEventListener('popstate', onPop)
  }, [])

  return {
    mode,
    token: token.current,
    switchTo(next) {
      if (next === mode) return
      history.pushState(null, '', location.pathname + queryOf(next))
      show(next)
    },
  }
}
