import type { ReactNode } from 'react'

/** A region that scrolls by itself, sideways always, and above 24rem when it is tall; the keyboard can reach it. */
export function ScrollBox({ tall, label, children }: { tall: boolean; label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll here
    <section className={`scroll-box ${tall ? 'tall' : ''}`} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
