import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fromHex, toHex } from '../bytes.ts'
import { fromOidContent, toOidContent } from './oid.ts'
import { oidNames } from './oid-names.ts'

test('X.690 §8.19: arcs and octets', () => {
  for (const [dotted, hex] of [
    ['2.100.3', '813403'],
    ['2.999.3', '883703'],
    ['1.2.840.113549', '2a864886f70d'],
    ['0.0', '00'],
    ['0.39', '27'],
    ['1.39', '4f'],
    ['2.0', '50'],
    ['2.47', '7f'],
    ['2.48', '8100'],
    ['2.25.329800735698586629295641978511506172918', '6983f09da7ebcfdee0c7a1a7b2c0948cc8f9d776'],
  ] as const) {
    assert.equal(toHex(toOidContent(dotted)), hex)
    assert.equal(fromOidContent(fromHex(hex)), dotted)
  }
})

test('X.690 §8.19: what is not an object identifier is refused', () => {
  for (const dotted of ['', '1', '3.1', '1.40', '0.40', '1.2.', '.1.2', '1..2', '1.02', '1.-2', '1.2.x']) {
    assert.throws(() => toOidContent(dotted), RangeError, dotted)
  }
  for (const hex of ['', '80', '2a80', '2a8001', '2a86'])
    assert.throws(() => fromOidContent(fromHex(hex)), RangeError, hex)
  assert.throws(() => fromOidContent(new Uint8Array(300).fill(1)), /longer than/)
})

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Names that OpenSSL gives to identifiers of other documents. */
const homonyms = new Set(['data', 'HMAC-SHA-1', 'timeStamping'])

test('names that OpenSSL has too stand for the same identifiers', () => {
  const listed = new Map<string, string[]>()
  for (const line of execFileSync('openssl', ['list', '-objects'], { encoding: 'utf8' }).split('\n')) {
    const [short = '', rest = ''] = line.split(' = ')
    const [long = '', oid = ''] = rest.includes(', ') ? rest.split(', ') : [short, rest]
    for (const name of [short, long]) listed.set(plain(name), [...(listed.get(plain(name)) ?? []), oid])
  }
  const shared = oidNames.filter(({ name }) => listed.has(plain(name)) && !homonyms.has(name))
  for (const { oid, name } of shared) assert.ok(listed.get(plain(name))?.includes(oid), `${name} is not ${oid}`)
  assert.ok(shared.length > 150, `${shared.length} names in common`)
  assert.equal(new Set(oidNames.map(({ oid }) => oid)).size, oidNames.length)
})
