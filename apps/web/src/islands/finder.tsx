import { type ClipboardEvent, type KeyboardEvent, type RefObject, useState } from 'react'
import { type Entry, findTools, loadEntries, type Match, recognise } from '../search.ts'

/** How many tools each heading shows. */
const SHOWN = 6
/** How many of those that take any text, when the words also name a tool. */
const AS_TEXT = 3

interface Group {
  title: string
  matches: readonly Match[]
}

/** Reads what stands in the box both ways: as words to find a tool by, and as a value to put into one. */
function groupsOf(entries: readonly Entry[], query: string): Group[] {
  const found = query.length <= 60 ? findTools(entries, query, SHOWN) : []
  const [first, ...others] = recognise(entries, query, SHOWN)
  const asValue = (kind: typeof first) => (kind ? [{ title: kind.words, matches: kind.matches }] : [])
  const specific = first && first.kind !== 'text'
  return [
    ...(specific ? asValue(first) : []),
    ...(found.length ? [{ title: 'Tools', matches: found }] : []),
    ...(specific
      ? others.slice(0, 2).flatMap(asValue)
      : asValue(first && { ...first, matches: first.matches.slice(0, found.length ? AS_TEXT : SHOWN) })),
  ]
}

/** A box to type or paste into, and under it what fits. It leads somewhere only when something is chosen. */
export function Finder({
  placeholder,
  id,
  inputRef,
}: {
  placeholder: string
  id: string
  inputRef?: RefObject<HTMLInputElement | null>
}) {
  const [query, setQuery] = useState('')
  const [entries, setEntries] = useState<readonly Entry[]>([])
  const [active, setActive] = useState(0)
  const groups = query.trim() ? groupsOf(entries, query) : []
  const matches = groups.flatMap((group, at) =>
    group.matches.map(match => ({ ...match, key: `${id}-${at}-${match.entry.href}` })),
  )
  const chosen = matches[Math.min(active, matches.length - 1)]

  const load = () => void loadEntries().then(setEntries, () => setEntries([]))
  /** A box of one line would drop the line breaks that a certificate needs, so they are kept beside what it shows. */
  function paste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text/plain')
    const { selectionStart, selectionEnd, value } = event.currentTarget
    if (!text.includes('\n') || selectionEnd !== value.length || selectionStart !== 0) return
    event.preventDefault()
    setQuery(text)
    setActive(0)
  }
  function press(event: KeyboardEvent) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive(before => (before + step + matches.length) % Math.max(matches.length, 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (chosen) location.assign(chosen.href)
    }
  }

  let at = -1
  return (
    <div className="finder-box">
      <input
        ref={inputRef}
        id={id}
        className="finder-input"
        type="text"
        placeholder={placeholder}
        aria-label={placeholder}
        role="combobox"
        aria-expanded={matches.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen?.key}
        aria-autocomplete="list"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={query.replace(/\s*\n\s*/g, ' ')}
        onPaste={paste}
        onFocus={load}
        onChange={event => {
          setQuery(event.target.value)
          setActive(0)
        }}
        onKeyDown={press}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Matches" className="finder-list" hidden={!matches.length}>
        {groups.map(({ title, matches: own }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is what the listbox pattern asks for
          <div key={title} role="group" aria-label={title}>
            <p aria-hidden="true">{title}</p>
            {own.map(match => {
              at += 1
              const option = matches[at]
              return (
                <a
                  key={option?.key}
                  id={option?.key}
                  role="option"
                  aria-selected={option === chosen}
                  tabIndex={-1}
                  href={match.href}
                >
                  <b>{match.entry.title}</b>
                  <span>{match.note}</span>
                </a>
              )
            })}
          </div>
        ))}
      </div>
      {query.trim() && entries.length > 0 && matches.length === 0 && (
        <p className="finder-empty" role="status">
          No tool fits this. Try another word.
        </p>
      )}
    </div>
  )
}
