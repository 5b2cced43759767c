import { useEffect, useState } from 'react'
import { copyText } from './clipboard.ts'
import { Icon } from './icon.tsx'

type Outcome = 'idle' | 'copied' | 'refused'
const words: Readonly<Record<Exclude<Outcome, 'idle'>, string>> = { copied: 'Copied', refused: 'Not copied' }
/** How long the button says what came of it. */
const SHOWN_MS = 2000

/** Copies a text and says whether the clipboard took it. */
export function CopyButton({
  text,
  label = 'Copy',
  about,
  title,
  className = 'copy',
}: {
  text: string | (() => string)
  label?: string
  /** What is copied, for those who hear the button without its surroundings. */
  about?: string
  title?: string
  className?: string
}) {
  const [outcome, setOutcome] = useState<Outcome>('idle')
  useEffect(() => {
    if (outcome === 'idle') return
    const timer = setTimeout(() => setOutcome('idle'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  async function press() {
    setOutcome((await copyText(typeof text === 'string' ? text : text())) ? 'copied' : 'refused')
  }
  return (
    <button type="button" className={className} title={title} onClick={() => void press()}>
      <Icon name={outcome === 'copied' ? 'check' : 'copy'} size={13} />
      <span aria-live="polite">{outcome === 'idle' ? label : words[outcome]}</span>
      {about && <span className="sr-only"> {about}</span>}
    </button>
  )
}
