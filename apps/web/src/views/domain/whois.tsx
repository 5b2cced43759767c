import type { Panel } from '@assay/kit'
import type { Wording } from '../../page.ts'
import { cellText } from '../../panels/cell.tsx'
import { Facts } from '../../panels/facts.tsx'
import { Panels } from '../../panels/panel.tsx'
import { RegistrarMark } from '../../ui/registrar-mark.tsx'
import type { ViewProps } from '../view.ts'

/** The words of the WHOIS page (specification §2 and §5): its button stays pressable, and an empty field says what to type. */
export const wording: Partial<Wording> = {
  loading: 'Fetching WHOIS data…',
  missing: 'Please enter a domain or IP.',
  mismatch: 'Input must match: ',
  alwaysEnabled: true,
}

/** The cards, with a small sign beside the registrar. */
export function View({ panels }: ViewProps) {
  const at = panels.findIndex(panel => panel.kind === 'facts' && panel.title === 'Domain Information')
  const card = panels[at]
  const registrar = card && registrarOf(card)
  if (card?.kind !== 'facts' || registrar === undefined || registrar === 'N/A') return <Panels panels={panels} />
  return (
    <>
      <Panels panels={panels.slice(0, at)} />
      <Facts panel={card} marks={{ Registrar: <RegistrarMark name={registrar} /> }} />
      <Panels panels={panels.slice(at + 1)} />
    </>
  )
}

function registrarOf(panel: Panel): string | undefined {
  const found = panel.kind === 'facts' ? panel.facts.find(([label]) => label === 'Registrar') : undefined
  return found && cellText(found[1])
}
