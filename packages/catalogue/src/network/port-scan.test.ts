import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, type Cell, type Panel, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { portScan } from './port-scan.ts'

const [action] = portScan.actions as [Action]

async function shown(open: readonly number[]) {
  const { result, input } = await performed(action, { target: '8.8.8.8' }, replay({ ports: { '8.8.8.8': open } }))
  const panels: readonly Panel[] = action.show?.(result, input) ?? []
  const sections = panels.filter(panel => panel.kind === 'section')
  return { panels, sections, badge: panels.find(panel => panel.kind === 'banner')?.badge }
}
const textOf = (cell: Cell | undefined): string => (typeof cell === 'object' ? cell.text : String(cell))
const rowsOf = (section: { panels: readonly Panel[] } | undefined): string[][] =>
  (section?.panels ?? []).flatMap(panel => (panel.kind === 'table' ? panel.rows.map(row => row.map(textOf)) : []))

test('[PRT-001] totals of open, closed and all ports', async () => {
  const { panels } = await shown([22, 80, 443])
  const tiles = panels.find(panel => panel.kind === 'tiles')
  assert.deepEqual(
    tiles?.tiles.map(({ label, value }) => [label, textOf(value)]),
    [
      ['Open', '3'],
      ['Closed', '108'],
      ['All', '111'],
    ],
  )
})

test('[PRT-002] [PRT-006] [OPEN-066] twelve categories, those with most open ports first, and Secure without any', async () => {
  const { sections } = await shown([22, 80, 443])
  assert.equal(sections.length, 12)
  const open = sections.map(section => rowsOf(section).filter(([, , state]) => state === 'open').length)
  assert.deepEqual(open, [2, 1, ...Array(10).fill(0)])
  for (const [index, section] of sections.entries())
    assert.equal(textOf(section.badge), open[index] ? 'Active' : 'Secure', section.title)
})

test('[PRT-003] [PRT-004] open ports, then closed ones, each with the time of its scan', async () => {
  const { sections } = await shown([443])
  const rows = rowsOf(sections[0])
  assert.equal(rows[0]?.[0], '443')
  assert.deepEqual([rows[0]?.[2], rows[1]?.[2]], ['open', 'closed'])
  for (const [port, service, , time] of rows) assert.match(`${port} ${service} ${time}`, /^\d+ .+ \d\d:\d\d:\d\d$/)
})

test('[PRT-007] [PRT-008] the header says OPEN PORTS, or SECURE when none is', async () => {
  assert.equal((await shown([443])).badge, 'OPEN PORTS')
  assert.equal((await shown([])).badge, 'SECURE')
})

test("[OPEN-066] the page says that only hosts of one's own may be scanned", async () => {
  const { panels } = await shown([443])
  assert.ok(panels.some(panel => panel.kind === 'note' && panel.text.includes('lawful use only')))
})
