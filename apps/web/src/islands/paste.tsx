import { Finder } from './finder.tsx'

/** The box of the front page. */
export function Paste() {
  return (
    <div className="mx-auto max-w-180">
      <Finder id="paste" placeholder="A domain, an address, a hash, a token, a certificate, or the name of a tool" />
    </div>
  )
}
