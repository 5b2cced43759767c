import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'

export interface Tab {
  name: string
  content: ReactNode
}

/** Tabs by the pattern of the ARIA Authoring Practices: one stop in the tab order, arrows between tabs. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const [chosen, setChosen] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const index = Math.min(chosen, tabs.length - 1)
  const id = (name: string, part: string) => `${part}-${name.replaceAll(' ', '-')}`
  const current = tabs[index]
  if (!current) return null

  function press(event: KeyboardEvent) {
    const steps: Readonly<Record<string, number>> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (step + tabs.length) % tabs.length
    setChosen(next)
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }

  return (
    <div className="tabs">
      <div ref={list} role="tablist" aria-label={label} onKeyDown={press}>
        {tabs.map(({ name }, at) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={id(name, 'tab')}
            aria-selected={at === index}
            aria-controls={at === index ? id(name, 'panel') : undefined}
            tabIndex={at === index ? 0 : -1}
            onClick={() => setChosen(at)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={id(current.name, 'panel')} aria-labelledby={id(current.name, 'tab')}>
        {current.content}
      </div>
    </div>
  )
}
