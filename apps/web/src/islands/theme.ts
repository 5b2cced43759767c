const themes = ['light', 'dark', 'system'] as const
type Theme = (typeof themes)[number]

const dark = matchMedia('(prefers-color-scheme: dark)')

/** The saved choice; without one, the operating system decides and nothing is written. */
function savedTheme(): Theme {
  try {
    const saved = localStorage.getItem('theme')
    return themes.find(theme => theme === saved) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Puts a theme on the page: the class `dark` when it is dark, and the choice as an attribute unless it is the system's. */
function apply(theme: Theme): void {
  const root = document.documentElement
  root.classList.toggle('dark', theme === 'dark' || (theme === 'system' && dark.matches))
  if (theme === 'system') delete root.dataset.theme
  else root.dataset.theme = theme
  for (const button of document.querySelectorAll<HTMLElement>('[data-theme-toggle]')) {
    button.setAttribute('aria-label', `Theme: ${theme}`)
    button.title = `Theme: ${theme}`
    button.dataset.themeToggle = theme
  }
}

/** Makes the toggle go light, dark, system, and follow other tabs and the operating system. */
export function enhanceTheme(): void {
  let theme = savedTheme()
  apply(theme)
  const set = (next: Theme) => {
    theme = next
    apply(theme)
  }
  for (const button of document.querySelectorAll('[data-theme-toggle]')) {
    button.addEventListener('click', () => {
      set(themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system')
      try {
        localStorage.setItem('theme', theme)
      } catch {
        // Storage may be forbidden; the choice then holds for this page only.
      }
    })
  }
  dark.addEventListener('change', () => apply(theme))
  window.addEventListener('storage', event => {
    if (event.key === 'theme' || event.key === null) set(savedTheme())
  })
}
