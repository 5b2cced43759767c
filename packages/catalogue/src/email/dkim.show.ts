import { badge, mono, type Panel, panel, type Tone } from '@assay/kit'
import type { DkimKey } from '@assay/lib/mail/dkim'
import type { DkimBody, SelectorResult } from './dkim.ts'
import { tagTable } from './validation.ts'

const states: Readonly<Record<DkimKey['state'], readonly [words: string, tone: Tone]>> = {
  usable: ['VALID', 'good'],
  revoked: ['REVOKED', 'warn'],
  weak: ['TOO SHORT', 'bad'],
  ignored: ['UNKNOWN TYPE', 'bad'],
  broken: ['BROKEN', 'bad'],
}

/** Head, the record strings, and for each key its tags and findings. */
export function showDkim({ domain, DKIM, message, selector, others = [], key_names, wildcard }: DkimBody): Panel[] {
  const [key] = selector?.keys ?? []
  const [words, tone] = key
    ? stateOf(key)
    : DKIM.length
      ? (['FOUND', 'good'] as const)
      : (['NO KEY', 'neutral'] as const)
  return [
    panel.banner(tone, selector?.name ?? domain, { badge: words, ...(message && { detail: message }) }),
    ...DKIM.map(value => panel.code(value, { title: 'Record' })),
    ...(selector ? details(selector) : []),
    ...(others.length
      ? [
          panel.table(
            ['Selector', 'Type', 'Bits', 'State', 'Led on to'],
            others.map(({ selector, keys, aliases }) => [
              mono(selector),
              keys[0]?.type ?? '',
              keys[0]?.bits ?? '',
              keys[0] ? badge(...stateOf(keys[0])) : '',
              mono(aliases.at(-1) ?? ''),
            ]),
            { title: 'Keys at known selectors' },
          ),
        ]
      : []),
    ...(wildcard ? [panel.note('warn', 'Every selector answers with a key here, so known ones were not tried.')] : []),
    ...(key_names === 'yes' && !others.length && !DKIM.length
      ? [
          panel.note(
            'info',
            'The name _domainkey exists, so there may be keys at selectors that nobody can guess. The s= in the header of a signed message tells which.',
          ),
        ]
      : []),
  ]
}

function stateOf({ state, testing, findings }: DkimKey): readonly [string, Tone] {
  if (state !== 'usable') return states[state]
  if (testing) return ['TESTING', 'warn']
  return findings.some(({ verdict }) => verdict === 'warn') ? ['WARNINGS', 'warn'] : states.usable
}

function details({ keys, aliases, status, reason }: SelectorResult): Panel[] {
  return [
    ...(aliases.length ? [panel.facts([['Led on to', mono(aliases.join(' → '))]])] : []),
    ...(status === 'several'
      ? [panel.note('bad', 'More than one key record stands here; which one a verifier takes is not defined.')]
      : []),
    ...(status === 'other' ? [panel.note('warn', 'There are text records at this name, but none is a key.')] : []),
    ...(reason ? [panel.note('warn', `This selector could not be asked for: ${reason}`)] : []),
    ...keys.flatMap(key => [
      panel.tiles(
        { label: 'Type', value: key.type },
        { label: 'Bits', value: key.bits ?? '' },
        { label: 'State', value: { text: stateOf(key)[0], tone: stateOf(key)[1] } },
      ),
      tagTable(
        key.tags.map(({ name, value, description }) => ({ tag: name, value, description })),
        'Tags',
      ),
      panel.checks(key.findings, 'Checks'),
    ]),
  ]
}
