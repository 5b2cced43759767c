import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, type Cell, type Panel, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { reverseDns } from './reverse-dns.ts'

const [action] = reverseDns.actions as [Action]
const zone = `8.8.8.8.in-addr.arpa. 300 PTR dns.google.
dns.google. 300 A 8.8.8.8`

async function shown(ip: string): Promise<readonly Panel[]> {
  const { result, input } = await performed(action, { ip }, replay({ zone }))
  return action.show?.(result, input) ?? []
}
const textOf = (cell: Cell | undefined): string => (typeof cell === 'object' ? cell.text : String(cell))
/** Everything that stands beside a label. */
const labelled = (panels: readonly Panel[]): Record<string, string> =>
  Object.fromEntries(
    panels.flatMap(panel => {
      if (panel.kind === 'tiles') return panel.tiles.map(({ label, value }) => [label, textOf(value)])
      return panel.kind === 'facts' ? panel.facts.map(([name, value]) => [name, textOf(value)]) : []
    }),
  )
const badgeOf = (panels: readonly Panel[]) => panels.find(panel => panel.kind === 'banner')?.badge

test('[RDN-002] the card says SUCCESS, or NO PTR where the address has no name', async () => {
  assert.equal(badgeOf(await shown('8.8.8.8')), 'SUCCESS')
  assert.equal(badgeOf(await shown('8.8.4.4')), 'NO PTR')
})

test('[RDN-003] [RDN-004] [RDN-005] [RDN-006] [RDN-007] [RDN-008] [RDN-009] the name, taken apart', async () => {
  assert.partialDeepStrictEqual(labelled(await shown('8.8.8.8')), {
    'Hostname Length': '10',
    'Domain Levels': '2',
    'Resolved Hostname': 'dns.google',
    'Source IP': '8.8.8.8',
    'Record Type': 'PTR',
    'Hostname Parts': 'dns · google',
    'Top-Level Domain': 'google',
  })
})
