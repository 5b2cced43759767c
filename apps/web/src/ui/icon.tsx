/**
 * The few signs that the islands need, drawn on a grid of 16. The library's component is as heavy as the whole form
 * in what it adds to a page; pages and lazily loaded parts use the library.
 */
const shapes = {
  check: 'M3 8.5 6.5 12 13 4.5',
  copy: 'M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2',
  warning: 'M8 2.2 14.3 13.4H1.7zM8 6.6v3M8 11.4v.1',
  show: 'M1.5 8C3.2 5 5.4 3.6 8 3.6S12.8 5 14.5 8c-1.7 3-3.9 4.4-6.5 4.4S3.2 11 1.5 8zM6.2 8a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0',
  hide: 'M1.5 8C3.2 5 5.4 3.6 8 3.6S12.8 5 14.5 8c-1.7 3-3.9 4.4-6.5 4.4S3.2 11 1.5 8zM3 13.5l10-11',
  again: 'M13.2 6.6A5.4 5.4 0 1 0 13.4 9M13.4 2.8v3.8H9.6',
  upload: 'M8 10.5V2.8M5 5.6 8 2.6l3 3M2.6 10.4v3h10.8v-3',
} as const

export type IconName = keyof typeof shapes

/** A sign beside words that say the same. */
export function Icon({ name, size = 14 }: { name: IconName; size?: number }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="shrink-0"
    >
      <path d={shapes[name]} />
    </svg>
  )
}
