import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, type Cell, type Panel, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { dnsLookup, dnsRecords } from './records.ts'

const [lookup] = dnsLookup.actions as [Action]
const [records] = dnsRecords.actions as [Action]

const zone = `site.test. 300 A 192.0.2.1
site.test. 300 A 192.0.2.2
site.test. 60 MX 10 mail.site.test.`

async function shown(action: Action, input: Record<string, unknown>): Promise<readonly Panel[]> {
  const { result, input: read } = await performed(action, input, replay({ zone }))
  return action.show?.(result, read) ?? []
}
const ofKind = <Kind extends Panel['kind']>(panels: readonly Panel[], kind: Kind) =>
  panels.filter((panel): panel is Extract<Panel, { kind: Kind }> => panel.kind === kind)
const textOf = (cell: Cell | undefined): string => (typeof cell === 'object' ? cell.text : String(cell))

test('[LKP-001] [LKP-008] how many records of each type, and how many types', async () => {
  const panels = await shown(lookup, { domain: 'site.test' })
  const [tiles] = ofKind(panels, 'tiles')
  assert.deepEqual(
    tiles?.tiles.map(({ label, value }) => [label, value]),
    [
      ['A records', 2],
      ['MX records', 1],
    ],
  )
  const summary = ofKind(panels, 'facts').find(({ title }) => title === 'Summary')
  assert.deepEqual(
    summary?.facts.map(([name, value]) => [name, textOf(value)]),
    [
      ['Total records', '3'],
      ['Distinct types', '2'],
    ],
  )
})

test('[LKP-003] [LKP-004] [LKP-005] each entry of the list has its type, value and TTL', async () => {
  const [table] = ofKind(await shown(lookup, { domain: 'site.test' }), 'table')
  assert.deepEqual(table?.columns.slice(0, 3), ['Record Type', 'Value', 'TTL'])
  assert.deepEqual(
    table?.rows.map(row => row.slice(0, 3).map(textOf)),
    [
      ['A', '192.0.2.1', '300'],
      ['A', '192.0.2.2', '300'],
      ['MX', '10 mail.site.test.', '60'],
    ],
  )
})

test('[REC-027] [REC-028] [REC-029] the table of one type has the columns Record Type, Value and TTL', async () => {
  const [table] = ofKind(await shown(records, { domain: 'site.test', type: 'mx' }), 'table')
  assert.deepEqual(table?.columns, ['Record Type', 'Value', 'TTL'])
  assert.deepEqual(
    table?.rows.map(row => row.map(textOf)),
    [['MX', '10 mail.site.test.', '60']],
  )
})

test('[REC-031] a name without records of the type shows "No DNS Records Found"', async () => {
  const [table] = ofKind(await shown(records, { domain: 'site.test', type: 'srv' }), 'table')
  assert.deepEqual([table?.rows, table?.empty], [[], 'No DNS Records Found'])
})

test('[REC-001] the type may be left out, and then all common ones are asked for', async () => {
  const { result } = await performed(records, { domain: 'site.test' }, replay({ zone }))
  assert.deepEqual(
    (result as { records: { record_type: string }[] }).records.map(({ record_type }) => record_type),
    ['A', 'A', 'MX'],
  )
})
