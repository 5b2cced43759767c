/** The sign of the site: a cut stone under a loupe, reduced to two strokes. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg className={className} viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
      <rect className="mark-ground" width="24" height="24" rx="6" />
      <path
        className="mark-sign"
        d="M6.5 17.5 12 6l5.5 11.5M8.8 13.6h6.4"
        fill="none"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
