import { strengthOf } from '../../account/strength.ts'

const tones = { strong: 'good', medium: 'warn', weak: 'bad' } as const
const bars = { strong: 3, medium: 2, weak: 1 } as const

/** How good a new password is, said while it is typed. The line keeps its place while there is nothing to say. */
export function StrengthLine({ password }: { password: string }) {
  const strength = strengthOf(password)
  return (
    <div className={`strength ${password ? tones[strength] : ''}`}>
      {password && (
        <svg viewBox="0 0 42 4" width="42" height="4" aria-hidden="true">
          {[0, 1, 2].map(bar => (
            <rect
              key={bar}
              className={bar < bars[strength] ? 'bar-fill' : 'bar-ground'}
              x={bar * 15}
              width="12"
              height="4"
              rx="2"
            />
          ))}
        </svg>
      )}
      <p id="strength" aria-live="polite">
        {password && `Password strength: ${strength}`}
      </p>
    </div>
  )
}
