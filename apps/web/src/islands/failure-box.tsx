import type { Failure } from '../errors.ts'
import { RegistrarMark } from '../ui/registrar-mark.tsx'

/** What went wrong. The runner's pages say "Error:"; lookups give each failure its own title. */
export function FailureBox({ failure, style }: { failure: Failure; style: 'box' | 'titled' }) {
  const { title, message, detail, links } = failure
  return (
    <div id="failure" className="failure" role="alert" tabIndex={-1}>
      {style === 'box' ? (
        <p>
          <strong>{title}</strong> {message}
        </p>
      ) : (
        <>
          <h2>{title}</h2>
          <p>{message}</p>
        </>
      )}
      {detail && detail !== message && <p className="mt-1 text-[13px]">{detail}</p>}
      {links && (
        <>
          <p className="mt-3 font-medium">This domain appears to be available for registration:</p>
          <ul className="mt-2 flex flex-wrap gap-2">
            {links.map(({ provider, url }) => (
              <li key={provider}>
                <a className="button ghost small" href={url} target="_blank" rel="noopener nofollow">
                  <RegistrarMark name={provider} />
                  Register on {provider}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
