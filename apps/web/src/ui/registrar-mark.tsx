/**
 * Small signs for registrars, drawn here and like nobody's trademark: a tile of one colour with a plain shape. By a part
 * of the name, whatever its case; a globe for all others.
 */
const marks = [
  { part: 'godaddy', colour: '#0f766e', shape: 'M11.5 5.6A4.2 4.2 0 1 0 12.2 9H8.6' },
  { part: 'namecheap', colour: '#c2410c', shape: 'M4.5 12V4.5l7 7V4' },
  { part: 'porkbun', colour: '#be185d', shape: 'M5.5 12.5v-8h3a2.4 2.4 0 0 1 0 4.8h-3' },
  {
    part: 'cloudflare',
    colour: '#b45309',
    shape: 'M3.5 11h8.2a2 2 0 0 0 .3-4 3.8 3.8 0 0 0-7-.6A2.4 2.4 0 0 0 3.5 11',
  },
  { part: 'gandi', colour: '#4d7c0f', shape: 'M8 3.5 12.5 8 8 12.5 3.5 8zM8 6.5v3' },
] as const
const globe = 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM2.5 8h11M8 2.5c-4 3.5-4 7.5 0 11M8 2.5c4 3.5 4 7.5 0 11'

export function RegistrarMark({ name, size = 16 }: { name: string; size?: number }) {
  const mark = marks.find(({ part }) => name.toLowerCase().includes(part))
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke={mark ? '#fff' : 'currentColor'}
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="mr-1.5 inline-block shrink-0 align-[-2px]"
      data-mark={mark?.part ?? 'globe'}
    >
      {mark && <rect width="16" height="16" rx="4" fill={mark.colour} stroke="none" />}
      <path d={mark?.shape ?? globe} />
    </svg>
  )
}
