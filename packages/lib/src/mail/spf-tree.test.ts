import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPrefix, parsePrefix } from '../ip/address.ts'
import { planted } from './planted.ts'
import { checkHost } from './spf-check.ts'
import { countAddresses, MAX_FOLLOWED_TERMS, type SpfNode, spfTree } from './spf-tree.ts'

const treeOf = (zone: string, failing: readonly string[] = []) => spfTree('example.com', planted(zone, failing))

test('RFC 7208 §4.6.4: lookups are counted by branch, as an evaluation that matches nothing counts them', async () => {
  const zone = `@ TXT "v=spf1 include:in.example.com mx a:amy.example.com exists:%{i}.x.example.com ptr -all"
@ MX 10 amy
amy A 192.0.2.1
in TXT "v=spf1 include:deep.example.com a:amy.example.com ip4:192.0.2.0/28 ~all"
deep TXT "v=spf1 ip6:2001:db8::/32 -all"`
  const tree = await treeOf(zone)
  assert.equal(tree.lookups, 7)
  assert.deepEqual(
    tree.root.branches.map(({ term, lookups }) => [term, lookups]),
    [
      ['include:in.example.com', 3],
      ['mx', 1],
      ['a:amy.example.com', 1],
      ['exists:%{i}.x.example.com', 1],
      ['ptr', 1],
      ['-all', 0],
    ],
  )
  assert.deepEqual(tree.networks.map(formatPrefix), ['2001:db8::/32', '192.0.2.1/32', '192.0.2.0/28'])
  assert.equal(tree.incomplete, false)
  const outcome = await checkHost({ ip: '198.51.100.1', sender: 'x@example.com', helo: 'h.example.com' }, planted(zone))
  assert.equal(outcome.lookups, tree.lookups)
})

test('what stands behind all, and redirect beside it, costs nothing', async () => {
  const { lookups, root } = await treeOf('@ TXT "v=spf1 ~all mx redirect=x.example.com"')
  assert.equal(lookups, 0)
  assert.deepEqual(
    root.branches.map(({ unreachable }) => unreachable ?? false),
    [false, true, true],
  )
})

test('RFC 7208 §6.1: a redirect counts with what is below it', async () => {
  const { lookups, networks } = await treeOf(`@ TXT "v=spf1 redirect=r.example.com"
r TXT "v=spf1 a:amy.example.com -all"
amy A 192.0.2.1`)
  assert.equal(lookups, 2)
  assert.deepEqual(networks.map(formatPrefix), ['192.0.2.1/32'])
})

test('RFC 7208 §4.6.4: lookups that find nothing are counted apart', async () => {
  const tree = await treeOf('@ TXT "v=spf1 a:x.example.com mx:y.example.com exists:z.example.com -all"')
  assert.deepEqual([tree.lookups, tree.voidLookups], [3, 3])
})

test('records in a circle are told, not followed', async () => {
  const { root } = await treeOf('@ TXT "v=spf1 include:b.example.com -all"\nb TXT "v=spf1 include:EXAMPLE.com -all"')
  const node = root.branches[0]?.node?.branches[0]?.node
  assert.equal(node?.status, 'circle')
})

for (const [more, status] of [
  ['', 'none'],
  ['in TXT "v=spf1 -all"\nin TXT "v=spf1 ~all"', 'multiple'],
  ['in TXT "v=spf1 moo -all"', 'broken'],
] as const) {
  test(`an include that leads to ${status} says so`, async () => {
    const { root } = await treeOf(`@ TXT "v=spf1 include:in.example.com -all"\n${more}`)
    assert.equal(root.branches[0]?.node?.status, status)
    assert.match(root.branches[0]?.problem ?? '', /\w/)
  })
}

test('an include that does not answer is unknown, and the count a lower bound', async () => {
  const tree = await treeOf('@ TXT "v=spf1 include:in.example.com -all"', ['in.example.com.'])
  assert.equal(tree.root.branches[0]?.node?.status, 'unknown')
  assert.equal(tree.incomplete, true)
})

test('a tree that grows without end is left after so many terms', async () => {
  const names = Array.from({ length: 9 }, (_, i) => `n${i}`)
  const terms = names.map(name => `include:${name}.%{d}`).join(' ')
  // Every name below has the same record, so each include opens nine more.
  const record = parseEndless(`v=spf1 ${terms} -all`)
  const tree = await spfTree('example.com', record)
  assert.ok(record.questions <= MAX_FOLLOWED_TERMS + 1, String(record.questions))
  assert.equal(tree.incomplete, true)
})

function parseEndless(text: string) {
  const zone = planted(`@ TXT "${text}"`)
  const counting = {
    questions: 0,
    resolve(_: string, type: string) {
      counting.questions++
      return zone.resolve('example.com.', type)
    },
  }
  return counting
}

test('what an include fails does not pass, whatever its own record says', async () => {
  const { networks } = await treeOf(`@ TXT "v=spf1 -include:in.example.com ~ip4:192.0.2.7 ip4:192.0.2.8 -all"
in TXT "v=spf1 ip4:192.0.2.9 -all"`)
  assert.deepEqual(networks.map(formatPrefix), ['192.0.2.8/32'])
})

test('addresses are counted once however blocks overlap', () => {
  const blocks = ['192.0.2.0/24', '192.0.2.128/25', '198.51.100.0/31', '198.51.100.1/32', '2001:db8::/127'].map(
    parsePrefix,
  )
  assert.equal(countAddresses(blocks, 4), 258n)
  assert.equal(countAddresses(blocks, 6), 2n)
  assert.equal(countAddresses([], 4), 0n)
  assert.equal(countAddresses([parsePrefix('0.0.0.0/0')], 4), 2n ** 32n)
})

test('a domain without a record has an empty tree', async () => {
  const { root, records }: { root: SpfNode; records: string[] } = await treeOf('@ TXT "no policy"')
  assert.equal(root.status, 'none')
  assert.deepEqual(records, [])
})
