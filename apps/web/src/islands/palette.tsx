import { createRef } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { Finder } from './finder.tsx'

let dialog: HTMLDialogElement | undefined
const input = createRef<HTMLInputElement>()

function build(): HTMLDialogElement {
  const made = document.createElement('dialog')
  made.className = 'palette'
  made.setAttribute('aria-label', 'Find a tool')
  document.body.append(made)
  made.addEventListener('click', event => {
    if (event.target === made) made.close()
  })
  const place = document.createElement('div')
  made.append(place)
  flushSync(() =>
    createRoot(place).render(<Finder id="palette" placeholder="Find a tool, or paste anything" inputRef={input} />),
  )
  return made
}

/** Opens the palette; Escape and a press beside it close it, and the focus returns to where it was. */
export function openPalette(): void {
  dialog ??= build()
  if (!dialog.open) dialog.showModal()
  input.current?.focus()
  input.current?.select()
}
