import type { Cell, CellData } from '@assay/kit'
import { root } from '../root.ts'

export const cellData = (cell: Cell): CellData => (typeof cell === 'object' ? cell : { text: String(cell) })
export const cellText = (cell: Cell): string => cellData(cell).text

/** One value: a word in a badge, a link, or text, with its tone and a bar behind it. */
export function CellView({ cell }: { cell: Cell }) {
  const { text, tone = 'neutral', badge, mono, href, bar, instant, title } = cellData(cell)
  const classes = [badge ? 'badge' : '', mono && !badge ? 'mono' : '', tone].filter(Boolean).join(' ')
  const body = instant ? (
    <time className={classes} dateTime={instant} title={instant}>
      {localTime(instant) ?? text}
    </time>
  ) : href && isSafe(href) ? (
    <a
      className={`${classes} underline`}
      href={href.startsWith('/') ? root + href : href}
      title={title}
      {...elsewhere(href)}
    >
      {text}
    </a>
  ) : (
    <span className={classes} title={title}>
      {text}
    </span>
  )
  if (bar === undefined) return body
  return (
    <span className="bar-cell">
      {body}
      <svg className={tone} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect className="bar-ground" width="100" height="6" rx="1" />
        <rect className="bar-fill" width={Math.max(0, Math.min(1, bar)) * 100} height="6" rx="1" />
      </svg>
    </span>
  )
}

/** Results are drawn where the visitor is, so this is the visitor's time. */
function localTime(instant: string): string | undefined {
  const date = new Date(instant)
  return Number.isNaN(date.getTime()) ? undefined : date.toLocaleString()
}

/** Addresses come out of results, so only paths of this site and web pages with a host that can be become links. */
const isSafe = (href: string) => /^\/(?![/\\])/.test(href) || (/^https?:\/\//i.test(href) && URL.canParse(href))

const elsewhere = (href: string) =>
  href.startsWith('/') ? {} : { target: '_blank', rel: 'noopener noreferrer nofollow' }
