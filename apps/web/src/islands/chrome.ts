import { root } from '../root.ts'
import { trustedScript } from '../trusted.ts'
import { enhanceMenu } from './menu.ts'
import { enhanceTheme } from './theme.ts'

/** What every page does: the bar comes alive, and the heavy parts wait until they are called for. */
declare const __DEVELOPMENT__: boolean

addSlash()
enhanceTheme()
enhanceMenu()
enhancePalette()
enhanceToasts()
for (const year of document.querySelectorAll('[data-year]')) year.textContent = String(new Date().getFullYear())
if (__DEVELOPMENT__) reloadOnBuild()
else window.addEventListener('load', () => void registerWorker())

/** The server redirects already; this is for pages that come from a cache or another server (OPEN-012). */
function addSlash(): void {
  const { pathname, search, hash } = location
  if (!pathname.endsWith('/') && !pathname.endsWith('.html')) {
    history.replaceState(history.state, '', `${pathname}/${search}${hash}`)
  }
}

function enhancePalette(): void {
  const load = () => import('./palette.tsx')
  const open = async () => (await load()).openPalette()
  window.addEventListener('keydown', event => {
    // The chord begins with its modifier, so the palette is there by the time the letter follows.
    if (event.key === 'Control' || event.key === 'Meta') void load()
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    void open()
  })
  for (const button of document.querySelectorAll('[data-open="palette"]')) {
    button.addEventListener('click', () => void open())
  }
}

function enhanceToasts(): void {
  window.addEventListener('assay:toast', async event => {
    if (event instanceof CustomEvent) (await import('./toasts.tsx')).showToast(event.detail)
  })
}

async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    const registration = await navigator.serviceWorker.register(trustedScript(`${root}/sw.js`), { type: 'classic' })
    const installed = matchMedia('(display-mode: standalone)').matches
    if (installed) (await navigator.serviceWorker.ready).active?.postMessage('keep-everything')
    void registration
  } catch {
    // A browser that forbids service workers shows the same site, only not offline.
  }
}

/** The build leaves a stamp; when it changes the page is stale. */
function reloadOnBuild(): void {
  let first: string | undefined
  setInterval(async () => {
    const stamp = await fetch('/build.txt', { cache: 'no-store' }).then(
      response => response.text(),
      () => undefined,
    )
    if (first !== undefined && stamp !== undefined && stamp !== first) location.reload()
    first ??= stamp
  }, 1000)
}
