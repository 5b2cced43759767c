import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { autnumNameIn, nearestOrigins, originName, originsIn } from './origin.ts'

// https://www.team-cymru.com/ip-asn-mapping
test('Team Cymru: where to ask', () => {
  assert.equal(originName('216.90.108.31'), '31.108.90.216.origin.asn.cymru.com')
  assert.equal(
    originName('2001:4860:b002::68'),
    '8.6.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.2.0.0.b.0.6.8.4.1.0.0.2.origin6.asn.cymru.com',
  )
})

test('Team Cymru: what the records say', () => {
  assert.deepEqual(originsIn('23028 | 216.90.108.0/24 | US | arin | 1998-09-25', '216.90.108.31'), [
    { asn: 23_028, prefix: '216.90.108.0/24', country: 'US', registry: 'arin', allocated: '1998-09-25' },
  ])
  assert.equal(
    autnumNameIn('23028 | US | arin | 2002-01-04 | TEAM-CYMRU - Team Cymru Inc., US'),
    'TEAM-CYMRU - Team Cymru Inc.',
  )
})

test('several systems, several blocks, and blocks of somebody else', () => {
  const several = originsIn('64496 64497 | 192.0.2.0/24 | CH | ripencc | ', '192.0.2.1')
  assert.deepEqual(
    several.map(({ asn }) => asn),
    [64_496, 64_497],
  )
  const wider = originsIn('64498 | 192.0.0.0/16 | CH | ripencc | ', '192.0.2.1')
  assert.deepEqual(
    nearestOrigins([...wider, ...several]).map(({ asn }) => asn),
    [64_496, 64_497],
  )
  for (const text of [
    '',
    '|',
    '64496',
    '64496 | 198.51.100.0/24',
    '64496 | nonsense',
    'x | 192.0.2.0/24',
    '99999999999 | 192.0.2.0/24',
  ]) {
    assert.deepEqual(originsIn(text, '192.0.2.1'), [], text)
  }
  assert.equal(autnumNameIn('23028 | US'), undefined)
})

test('whatever stands in the record is read without a fault', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      assert.ok(Array.isArray(originsIn(text, '192.0.2.1')))
      autnumNameIn(text)
    }),
  )
})
