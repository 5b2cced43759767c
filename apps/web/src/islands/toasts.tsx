import { CircleCheck, CircleX, Info, LoaderCircle } from 'lucide-react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { resolveValue, toast, useToaster } from 'react-hot-toast/headless'
import type { Notice } from '../ui/notify.ts'

/** Durations and the limit of 20 are the library's own, which are those of the specification (§9). */
const icons = { success: CircleCheck, error: CircleX, blank: Info, custom: Info, loading: LoaderCircle }

function Toasts() {
  const { toasts, handlers } = useToaster()
  return (
    <section
      className="toasts"
      aria-label="Messages"
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
    >
      {toasts
        .filter(({ visible }) => visible)
        .map(item => {
          const Icon = icons[item.type]
          return (
            <div key={item.id} className={`toast ${item.type}`} {...item.ariaProps}>
              <Icon size={17} aria-hidden="true" />
              <span>{resolveValue(item.message, item)}</span>
            </div>
          )
        })}
    </section>
  )
}

/** What went wrong is said at once, also while something else is being read out. */
const urgent = { role: 'alert', 'aria-live': 'assertive' } as const

let mounted = false

function mount(): void {
  if (mounted) return
  mounted = true
  const place = document.createElement('div')
  document.body.append(place)
  flushSync(() => createRoot(place).render(<Toasts />))
}

/** Shows one toast. */
export function showToast({ kind, text }: { kind: Notice; text: string }): void {
  mount()
  if (kind === 'blank') toast(text)
  else toast[kind](text, kind === 'error' ? { ariaProps: urgent } : {})
}
