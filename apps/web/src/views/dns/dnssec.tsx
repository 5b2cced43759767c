import type { ChainZone, DnssecResult } from '@assay/catalogue/dns/dnssec'
import { Panels } from '../../panels/panel.tsx'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import type { ViewProps } from '../view.ts'

type Verdict = ChainZone['verdict']

const EDGES: Readonly<Record<Verdict, string>> = {
  secure: 'border-good',
  insecure: 'border-warn border-dashed',
  bogus: 'border-bad',
  indeterminate: 'border-warn border-dotted',
}
const INKS: Readonly<Record<Verdict, string>> = {
  secure: 'text-good',
  insecure: 'text-warn',
  bogus: 'text-bad',
  indeterminate: 'text-warn',
}
/** What stands on the arrow to a zone. */
const LINKS: Readonly<Record<Verdict, string>> = {
  secure: 'DS ✓',
  insecure: 'no DS',
  bogus: 'DS ✗',
  indeterminate: 'DS ?',
}

/** The chain of trust drawn from the root to the right; the steps among the panels say the same in words. */
export function View({ shown, panels }: ViewProps) {
  // The worker made it with the tool whose type this is.
  const { domain, chain } = shown.result as DnssecResult
  const above = panels.findIndex(({ kind }) => kind === 'steps')
  return (
    <>
      <Panels panels={panels.slice(0, above)} />
      {chain.length > 0 && (
        <section className="panel" aria-label="Drawing of the chain of trust">
          <ScrollBox tall={false} label="Chain of trust, from the root to the right">
            {lineages(chain).map(({ zones, aliased }) => (
              <div key={zones.at(-1)?.zone} className="w-max px-2.5 py-2">
                {aliased && <p className="pb-1 text-[13px] text-soft">{`${domain} is an alias that leads here:`}</p>}
                <ol className="flex items-center">
                  {zones.map(zone => (
                    <li key={zone.zone} className="flex items-center">
                      {zone.parent !== null && <Arrow zone={zone} />}
                      <Box zone={zone} />
                    </li>
                  ))}
                </ol>
              </div>
            ))}
          </ScrollBox>
        </section>
      )}
      <Panels panels={panels.slice(above)} />
    </>
  )
}

function Box({ zone: { zone, verdict, keys, parent } }: { zone: ChainZone }) {
  return (
    <div className={`min-w-36 rounded-xl border bg-ground px-3.5 py-2.5 ${EDGES[verdict]}`}>
      <p className="mono font-semibold">{parent === null ? '. (root)' : zone}</p>
      <p className={`text-[12px] font-semibold ${INKS[verdict]}`}>{verdict}</p>
      <ul className="mt-1">
        {keys.map(({ key_tag, role, algorithm_text, bits, anchored }) => (
          <li
            key={`${key_tag} ${role}`}
            className={`mono whitespace-nowrap text-[12px]! ${anchored ? '' : 'text-soft'}`}
            title={bits === null ? undefined : `${bits} bits`}
          >
            {`${role} ${key_tag} ${algorithm_text.replace(/ \/ SHA-\d+$/, '')}`}
          </li>
        ))}
        {keys.length === 0 && <li className="text-[12px] text-soft">no keys that count</li>}
      </ul>
    </div>
  )
}

function Arrow({ zone: { verdict, ds } }: { zone: ChainZone }) {
  const unsupported = verdict === 'insecure' && ds.length > 0
  return (
    <span className={`w-18 text-center text-[11.5px] ${INKS[verdict]}`}>
      {unsupported ? 'DS not usable' : LINKS[verdict]}
      <svg viewBox="0 0 48 10" className="mx-auto w-12" aria-hidden="true">
        <path d="M2 5H40" stroke="currentColor" strokeWidth="1.5" strokeDasharray={verdict === 'secure' ? '' : '4 3'} />
        <path d="M39 1l7 4-7 4z" fill="currentColor" />
      </svg>
    </span>
  )
}

interface Lineage {
  zones: ChainZone[]
  /** It ends where an alias leads. */
  aliased: boolean
}

/** From the root to the domain, and to each zone that only an alias leads to. */
function lineages(chain: readonly ChainZone[]): Lineage[] {
  const parents = new Set(chain.map(({ parent }) => parent))
  const ends = chain.filter(({ zone, on_path }) => !on_path && !parents.has(zone))
  const own = chain.filter(({ on_path }) => on_path)
  return [{ zones: own, aliased: false }, ...ends.map(end => ({ zones: ancestry(end, chain), aliased: true }))]
}

function ancestry(end: ChainZone, chain: readonly ChainZone[]): ChainZone[] {
  const above = chain.find(({ zone }) => zone === end.parent)
  return above ? [...ancestry(above, chain), end] : [end]
}
