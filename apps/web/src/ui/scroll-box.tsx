import type { ReactNode } from 'react'

/** A part that scrolls by itself, sideways always, and above 24rem when it is tall; the keyboard can reach it. */
export function ScrollBox({ tall, label, children }: { tall: boolean; label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group with a name, but not one of form fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll here
    <div role="group" className={`scroll-box ${tall ? 'tall' : ''}`} tabIndex={0} aria-label={label}>
      {children}
    </div>
  )
}
