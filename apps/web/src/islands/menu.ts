/** Gives the dropdowns of the bar and the menu of small screens their buttons and keys. */
export function enhanceMenu(): void {
  const dropdowns = [...document.querySelectorAll<HTMLElement>('[data-dropdown]')]
  const closeAll = (except?: HTMLElement) => {
    for (const dropdown of dropdowns) if (dropdown !== except) setOpen(dropdown, false)
  }
  for (const dropdown of dropdowns) enhanceDropdown(dropdown, closeAll)
  document.addEventListener('pointerdown', event => {
    const inside = event.target instanceof Node ? dropdowns.find(one => one.contains(event.target as Node)) : undefined
    closeAll(inside)
  })
  enhanceAccordion()
}

const buttonOf = (dropdown: HTMLElement) => dropdown.querySelector('button')
const isOpen = (dropdown: HTMLElement) => buttonOf(dropdown)?.getAttribute('aria-expanded') === 'true'
const setOpen = (dropdown: HTMLElement, open: boolean) =>
  buttonOf(dropdown)?.setAttribute('aria-expanded', String(open))

function enhanceDropdown(dropdown: HTMLElement, closeAll: (except?: HTMLElement) => void): void {
  const links = [...dropdown.querySelectorAll<HTMLElement>('ul a')]
  buttonOf(dropdown)?.addEventListener('click', () => {
    const open = !isOpen(dropdown)
    closeAll()
    setOpen(dropdown, open)
  })
  dropdown.addEventListener('focusout', event => {
    if (!(event.relatedTarget instanceof Node && dropdown.contains(event.relatedTarget))) setOpen(dropdown, false)
  })
  dropdown.addEventListener('keydown', event => {
    if (event.key === 'Escape' && isOpen(dropdown)) {
      setOpen(dropdown, false)
      buttonOf(dropdown)?.focus()
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (!step) return
    event.preventDefault()
    if (!isOpen(dropdown)) setOpen(dropdown, true)
    const at = links.findIndex(link => link.matches(':focus'))
    links[(at + step + links.length) % links.length]?.focus()
  })
}

function enhanceAccordion(): void {
  const button = document.querySelector<HTMLElement>('[data-menu="toggle"]')
  const panel = document.getElementById('accordion')
  if (!button || !panel) return
  const set = (open: boolean) => {
    button.setAttribute('aria-expanded', String(open))
    panel.hidden = !open
    if (!open) for (const category of panel.querySelectorAll('details')) category.open = false
  }
  button.addEventListener('click', () => set(panel.hidden !== false))
  for (const area of [panel, button]) {
    area.addEventListener('keydown', event => {
      if (event.key !== 'Escape' || panel.hidden) return
      set(false)
      button.focus()
    })
  }
}
