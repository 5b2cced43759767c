import { ChevronDown, CircleUser, Menu, Monitor, Moon, Search, Sun, X } from 'lucide-react'
import type { MenuEntry, Site } from '../page.ts'
import { Mark } from '../ui/mark.tsx'

/** The fixed bar. It works as plain links; islands/chrome.ts adds opening, closing and the keyboard. */
export function Header({ site }: { site: Site }) {
  return (
    <header className="bar">
      <div className="mx-auto flex h-14 max-w-330 items-center gap-1 px-4 md:px-6">
        <a href="/" className="mr-4 flex items-center gap-2.5 text-lg font-bold tracking-tight">
          <Mark />
          {site.brand}
        </a>
        <nav aria-label="Main" className="hidden items-center md:flex">
          {site.menu.map(entry => (
            <Dropdown key={entry.title} entry={entry} />
          ))}
          <a className="bar-link px-3" href="/api/docs/">
            API
          </a>
        </nav>
        <div className="ml-auto flex items-center gap-2">
          <button type="button" data-open="palette" className="finder" aria-keyshortcuts="Control+K Meta+K">
            <Search size={15} aria-hidden="true" />
            <span className="hidden lg:inline">Find a tool, or paste anything</span>
            <span className="sr-only lg:hidden">Find a tool, or paste anything</span>
            <kbd className="ml-auto hidden lg:inline">Ctrl K</kbd>
          </button>
          <ThemeToggle />
          <a className="icon-button" href="/user/profile/" title="Account">
            <CircleUser size={17} aria-hidden="true" />
            <span className="sr-only">Account</span>
          </a>
          <button
            type="button"
            className="icon-button md:hidden"
            data-menu="toggle"
            aria-expanded="false"
            aria-controls="accordion"
          >
            <Menu size={18} aria-hidden="true" className="when-closed" />
            <X size={18} aria-hidden="true" className="when-open" />
            <span className="sr-only">Menu</span>
          </button>
        </div>
      </div>
      <Accordion entries={site.accordion} />
    </header>
  )
}

function Dropdown({ entry }: { entry: MenuEntry }) {
  const id = `menu-${entry.title.toLowerCase().replaceAll(' ', '-')}`
  return (
    <div className="dropdown" data-dropdown="">
      <a className="bar-link pl-3" href={entry.href}>
        {entry.title}
      </a>
      <button type="button" className="bar-link px-1.5" aria-expanded="false" aria-controls={id}>
        <ChevronDown size={14} aria-hidden="true" />
        <span className="sr-only">{entry.title} menu</span>
      </button>
      <ul id={id} className="dropdown-list">
        {entry.links.map(({ title, href }) => (
          <li key={href}>
            <a href={href}>{title}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** One category open at a time: details of one name close each other. */
function Accordion({ entries }: { entries: readonly MenuEntry[] }) {
  return (
    <nav id="accordion" aria-label="Menu" className="accordion md:hidden" hidden>
      {entries.map(({ title, href, links }) => (
        <details key={href} name="menu">
          <summary>
            {title}
            <ChevronDown size={16} aria-hidden="true" />
          </summary>
          <ul>
            <li>
              <a href={href} className="font-medium">
                All of {title}
              </a>
            </li>
            {links.map(link => (
              <li key={link.href}>
                <a href={link.href}>{link.title}</a>
              </li>
            ))}
          </ul>
        </details>
      ))}
      <a className="accordion-link" href="/tools/">
        All tools
      </a>
      <a className="accordion-link" href="/api/docs/">
        API
      </a>
    </nav>
  )
}

/** Shows the theme that is on; a press goes to the next. The words follow in islands/theme.ts. */
function ThemeToggle() {
  return (
    <button type="button" className="icon-button" data-theme-toggle="" aria-label="Theme: system">
      <Sun size={17} aria-hidden="true" data-when="light" />
      <Moon size={17} aria-hidden="true" data-when="dark" />
      <Monitor size={17} aria-hidden="true" data-when="system" />
    </button>
  )
}
