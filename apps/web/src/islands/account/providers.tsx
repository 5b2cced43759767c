import { signInWith } from '../../account/addresses.ts'

/** The services that one can sign in with. Their signs are drawn here: a letter, and a branch. */
const providers = [
  { id: 'google', name: 'Google', shape: 'M11.4 5.7A4.1 4.1 0 1 0 12.1 8.6H8.4', colour: '#2c50b8' },
  {
    id: 'github',
    name: 'GitHub',
    shape:
      'M5 6.2v4M5 10.6a1.3 1.3 0 1 0 .01 0M5 3.6a1.3 1.3 0 1 0 .01 0M11 3.6a1.3 1.3 0 1 0 .01 0M11 6.2c0 2.4-3 2.2-5.2 3.4',
    colour: '#3f444e',
  },
] as const

/** They leave the page: the server sends the browser on to the service (§7 Auth). */
export function ProviderButtons({ base }: { base: string }) {
  return (
    <>
      <p className="auth-or">or</p>
      <div className="auth-providers">
        {providers.map(({ id, name, shape, colour }) => (
          <button
            key={id}
            type="button"
            className="button ghost"
            onClick={() => location.assign(base + signInWith(id))}
          >
            <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
              <rect width="16" height="16" rx="4" fill={colour} />
              <path
                d={shape}
                fill="none"
                stroke="#fff"
                strokeWidth="1.4"
                strokeLinecap="round"
                strokeLinejoin="round"
              />
            </svg>
            Continue with {name}
          </button>
        ))}
      </div>
    </>
  )
}
