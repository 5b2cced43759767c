import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, type Panel, performed, type Recording } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { type Traceroute, traceroute } from './traceroute.ts'

const [action] = traceroute.actions as [Action]

async function trace(routes: Recording['routes'], zone = ''): Promise<{ result: Traceroute; panels: Panel[] }> {
  const [target = ''] = Object.keys(routes ?? {})
  const { result, input } = await performed(action, { target }, replay({ ...(routes && { routes }), zone }))
  return { result: result as Traceroute, panels: action.show?.(result, input) ?? [] }
}
const tiles = (panels: readonly Panel[]) =>
  Object.fromEntries(
    panels.flatMap(panel => (panel.kind === 'tiles' ? panel.tiles.map(({ label, value }) => [label, value]) : [])),
  )
const table = (panels: readonly Panel[]) => {
  const found = panels.find(({ kind }) => kind === 'table')
  assert.ok(found?.kind === 'table')
  return found
}

test('[TRC-001] [TRC-002] [TRC-004] [TRC-005] IP and latency of each hop, average and maximum', async () => {
  const { result, panels } = await trace({
    '8.8.8.8': [
      ['5.6.7.8', 0.01],
      ['8.8.8.8', 0.02],
    ],
  })
  assert.deepEqual([result.average_rtt, result.maximum_rtt].map(Number), [0.015, 0.02])
  assert.deepEqual(tiles(panels), { Hops: 2, 'Average Latency': '15.00 ms', 'Maximum Latency': '20.00 ms' })
  const rows = JSON.stringify(table(panels).rows)
  for (const text of ['5.6.7.8', '10.00 ms', '8.8.8.8', '20.00 ms']) assert.ok(rows.includes(text), text)
})

test('[TRC-006] [BIZ-024] seconds are shown in ms with two decimals', async () => {
  const { panels } = await trace({ '8.8.8.8': [['8.8.8.8', 0.0123456]] })
  assert.ok(JSON.stringify(table(panels).rows).includes('"12.35 ms"'))
})

test('[TRC-003] [BIZ-025] the list scrolls by itself', async () => {
  const hops = Array.from({ length: 30 }, (_, i) => [`5.6.7.${i}`, 0.01] as const)
  assert.equal(table((await trace({ '8.8.8.8': hops })).panels).scroll, true)
})

test('[OPEN-064] silent hops are "*" and "No reply", and count in no average', async () => {
  const { result, panels } = await trace({ '8.8.8.8': [null, ['8.8.8.8', 0.03]] })
  assert.equal(result.hops[0]?.ip, null)
  assert.equal(result.hops[0]?.rtt, null)
  assert.equal(tiles(panels)['Average Latency'], '30.00 ms')
  const [first] = table(panels).rows
  assert.ok(JSON.stringify(first).includes('"*"'))
  assert.ok(JSON.stringify(first).includes('"No reply"'))
})

test('[OPEN-064] where nobody answered at all there is no average', async () => {
  const { result, panels } = await trace({ '8.8.8.8': [null, null, null, null, null] })
  assert.equal(result.outcome, 'silent')
  assert.deepEqual(tiles(panels), { Hops: 5, 'Average Latency': 'N/A', 'Maximum Latency': 'N/A' })
})

test('a private address on the way says what it is and is not looked up', async () => {
  const { result } = await trace(
    {
      '8.8.8.8': [
        ['10.0.0.1', 0.001],
        ['8.8.8.8', 0.02],
      ],
    },
    '1.0.0.10.in-addr.arpa. PTR secret.example.\n8.8.8.8.in-addr.arpa. PTR dns.google.',
  )
  assert.equal(result.hops[0]?.name, null)
  assert.match(result.hops[0]?.network ?? '', /private/i)
  assert.equal(result.hops[1]?.name, 'dns.google')
})
