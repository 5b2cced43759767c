import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Panel, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { catalogue } from './catalogue.ts'

/** The tools whose results have the shared frame of §2. */
const shared = [
  'dnssec',
  'edns-support-check',
  'zone-transfer-check',
  'dns-speed-test',
  'doh-support',
  'dot-support',
  'subdomain-finder',
  'check-typosquatting',
  'domain-blacklist-check',
  'dnsbl',
  'dkim',
  'dmarc',
  'spf',
  'url-monitor',
  'dns-propagation-check',
  'dns-caching-check',
]

describe('the frame of shared result panels', () => {
  const results: { id: string; asked: string; panels: Panel[] }[] = []

  before(async () => {
    for (const id of shared) {
      const [action] = catalogue.find(tool => tool.id === id)?.actions ?? []
      assert.ok(action, id)
      for (const { input, recording } of action.examples) {
        const outcome = await performed(action, input, replay(recording))
        const panels = action.show?.(outcome.result, outcome.input) ?? []
        results.push({ id, asked: String(Object.values(input)[0]), panels })
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
})
