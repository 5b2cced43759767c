import { useEffect, useLayoutEffect, useState } from 'react'
import { type Mode, modeOf, queryOf, screens } from './modes.ts'

/** The mode of the screen and how it changes: by its controls, and by going back. */
export function useMode(first: Mode, brand: string): [mode: Mode, switchTo: (mode: Mode) => void] {
  // Every page is delivered in this mode; the one that was asked for follows before the browser paints.
  const [mode, setMode] = useState<Mode>('login')
  useLayoutEffect(() => setMode(first), [first])
  useEffect(() => {
    document.title = `${screens[mode].title} | ${brand}`
  }, [mode, brand])
  useEffect(() => {
    const onPop = () => setMode(modeOf(new URLSearchParams(location.search)))
    window.addEventListener('popstate', onPop)
    return () => window.removeEventListener('popstate', onPop)
  }, [])
  function switchTo(next: Mode) {
    if (next === mode) return
    history.pushState(null, '', location.pathname + queryOf(next))
    setMode(next)
  }
  return [mode, switchTo]
}
