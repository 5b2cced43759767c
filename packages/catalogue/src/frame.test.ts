import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Panel, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { catalogue } from './catalogue.ts'

/** The tools whose results have the shared frame of §2. */
const shared: readonly (readonly [id: string, insights: RegExp])[] = [
  ['dnssec', /^Assessment$/],
  ['edns-support-check', /^EDNS Support Analysis$/],
  ['zone-transfer-check', /^(Immediate actions|Excellent Security Configuration)$/],
  ['dns-speed-test', /^Insights$/],
  ['doh-support', /^Insights$/],
  ['dot-support', /^Insights$/],
  ['subdomain-finder', /^Insights$/],
  ['check-typosquatting', /^Insights$/],
  ['domain-blacklist-check', /^Insights$/],
  ['dnsbl', /^Insights$/],
  ['dkim', /^Checks$/],
  ['dmarc', /^Validation$/],
  ['spf', /^Validation$/],
  ['url-monitor', /^Insights$/],
  ['dns-propagation-check', /^Insights$/],
  ['dns-caching-check', /^Insights$/],
]

describe('the frame of shared result panels', () => {
  const results: { id: string; insights: RegExp; asked: string; panels: Panel[] }[] = []

  before(async () => {
    for (const [id, insights] of shared) {
      const [action] = catalogue.find(tool => tool.id === id)?.actions ?? []
      assert.ok(action, id)
      for (const { input, recording } of action.examples) {
        const outcome = await performed(action, input, replay(recording))
        const panels = action.show?.(outcome.result, outcome.input) ?? []
        results.push({ id, insights, asked: String(Object.values(input)[0]), panels })
      }
    }
  })

  test('[GEN-026] [OPEN-083] the head names what was asked for', () => {
    for (const { id, asked, panels } of results) {
      const [head] = panels
      assert.ok(head?.kind === 'banner', id)
      assert.ok([head.title, head.detail].join(' ').includes(asked), `${id}: ${head.title}`)
    }
  })

  test('[GEN-027] [OPEN-083] tiles sum it up', () => {
    for (const { id, panels } of results) {
      const tiles = panels.flatMap(panel => (panel.kind === 'tiles' ? panel.tiles : []))
      assert.ok(tiles.length >= 3, id)
      for (const { label, value } of tiles) assert.ok(label && value !== '', `${id} ${label}`)
    }
  })

  test('[GEN-028] [OPEN-083] tables or cards hold the details', () => {
    for (const { id, panels } of results) {
      const details = panels.filter(
        panel =>
          (panel.kind === 'table' && panel.rows.length) ||
          (panel.kind === 'list' && panel.items.length) ||
          (panel.kind === 'section' && panel.panels.length),
      )
      assert.ok(details.length > 0, id)
    }
  })

  test('[GEN-029] [OPEN-083] a box says what the figures mean', () => {
    for (const { id, insights, panels } of results) {
      const box = panels.find(panel => 'title' in panel && insights.test(panel.title ?? ''))
      assert.ok(box, id)
      if (box.kind === 'note') assert.match(box.text, /^[A-Z0-9].{20,}\.$/, id)
      else assert.ok(['section', 'list', 'checks', 'table'].includes(box.kind), id)
    }
  })

  for (const [id, ...expected] of [
    ['dns-speed-test', /The fastest is Google Public DNS with a median of 12\.346 ms, seen from this server/],
    ['doh-support', /given the working endpoint encrypts/, /can be read on their way/],
    ['dot-support', /knows whom it asks/, /gets no answers here/],
    ['subdomain-finder', /Others find these names as easily/],
    ['domain-blacklist-check', /may refuse mail from there/],
    ['dnsbl', /may refuse mail from there/, /neither good nor bad news/],
    ['dns-propagation-check', /here 3000 s at most/],
    ['dns-caching-check', /Nothing here may be kept/],
  ] as const) {
    test(`[GEN-029] ${id}: the box follows from what was found`, () => {
      const texts = results
        .filter(result => result.id === id)
        .flatMap(({ panels }) => panels)
        .flatMap(panel => (panel.kind === 'note' && panel.title === 'Insights' ? [panel.text] : []))
      assert.equal(texts.length, expected.length)
      for (const [i, text] of texts.entries()) assert.match(text, expected[i] ?? /^$/)
    })
  }
})
