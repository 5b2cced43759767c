/** A moment in the words and the time of the visitor; `never` where there is none. */
export function Instant({ at, never = 'never', day = false }: { at: string; never?: string; day?: boolean }) {
  const date = new Date(at)
  if (!at || Number.isNaN(date.getTime())) return never
  return (
    <time dateTime={at} title={date.toLocaleString()}>
      {day
        ? date.toLocaleDateString(undefined, { dateStyle: 'medium' })
        : date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
    </time>
  )
}
