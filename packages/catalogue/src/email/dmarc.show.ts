import { badge, type CellData, mono, type Panel, panel, type Tone } from '@assay/kit'
import type { DmarcBody } from './dmarc.ts'
import { tagTable, toneOf, validationTable } from './validation.ts'

const tones: Readonly<Record<string, Tone>> = { reject: 'good', quarantine: 'good', none: 'warn' }

/** Head, the record with its tags, the rows, and how it was found. */
export function showDmarc(body: DmarcBody): Panel[] {
  const { domain, message, DMARC, policy, applied_policy, policy_domain, organizational_domain, walk, reports } = body
  const [found] = DMARC ?? []
  if (!found) {
    return [
      panel.banner('bad', domain, { badge: 'NO DMARC', ...(message && { detail: message }) }),
      panel.note('warn', 'No DMARC data available'),
      ...walkTable(walk),
    ]
  }
  const tone = toneOf(found.validation)
  const tags = Object.entries(found.parsed).map(([tag, { value, description }]) => ({ tag, value, description }))
  return [
    panel.banner(tone, domain, {
      badge: tone === 'good' ? 'PROTECTED' : policy === 'none' || tone === 'warn' ? 'WARNINGS' : 'ERRORS',
      ...(message && { detail: message }),
    }),
    ...(policy && policy_domain
      ? [
          panel.tiles(
            { label: 'Policy', value: { text: policy, tone: tones[policy] ?? 'neutral' } },
            { label: 'Applied', value: applied_policy ?? policy },
            { label: 'Record of', value: mono(policy_domain) },
            { label: 'Organizational domain', value: mono(organizational_domain ?? '') },
          ),
        ]
      : []),
    panel.code(found.value, { title: 'Record' }),
    tagTable(tags, 'Tags'),
    validationTable(found.validation),
    ...reportTable(reports),
    ...walkTable(walk),
  ]
}

function reportTable(reports: DmarcBody['reports'] = []): Panel[] {
  if (!reports.length) return []
  const yesNo = (value: boolean | undefined): CellData =>
    value === undefined ? badge('UNKNOWN', 'warn') : badge(value ? 'YES' : 'NO', value ? 'good' : 'bad')
  return [
    panel.table(
      ['Address', 'Permitted', 'Takes mail'],
      reports.map(({ uri, external, permitted, mail }) => [
        mono(uri),
        external ? yesNo(permitted) : 'same organization',
        yesNo(mail),
      ]),
      { title: 'Where reports go' },
    ),
  ]
}

const foundWords: Readonly<Record<string, string>> = {
  nothing: 'no record',
  multiple: 'several records, all thrown away',
  unknown: 'could not be asked for',
}

function walkTable(walk: DmarcBody['walk'] = []): Panel[] {
  if (!walk.length) return []
  return [
    panel.table(
      ['Asked for', 'Found'],
      walk.map(({ name, found, values, reason }) => [
        mono(name),
        found === 'record' ? mono(values[0] ?? '') : `${foundWords[found] ?? found}${reason ? `: ${reason}` : ''}`,
      ]),
      { title: 'Tree walk' },
    ),
  ]
}
