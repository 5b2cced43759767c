import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fromHex } from '../bytes.ts'
import {
  formatUuid,
  gregorianTicks,
  namespaces,
  parseNamespace,
  parseUuid,
  randomNode,
  uuidsV7,
  uuidV1,
  uuidV3,
  uuidV4,
  uuidV5,
  uuidV6,
  uuidV7,
  uuidV8,
} from './uuid.ts'

const random = (length: number) => new Uint8Array(randomBytes(length))
/** Tuesday, 22 February 2022, 14:22:22 GMT-05:00, the moment of RFC 9562 Appendix A. */
const moment = Date.UTC(2022, 1, 22, 19, 22, 22)
const node = { clockSequence: 0x33c8, node: fromHex('9f6bdeced846') }
const example = 'www.example.com'

test('RFC 9562 Appendix A.1: version 1', () => {
  assert.equal(gregorianTicks(moment), 0x1ec9414c232ab00n)
  assert.equal(uuidV1(gregorianTicks(moment), node), 'c232ab00-9414-11ec-b3c8-9f6bdeced846')
})

test('RFC 9562 Appendix A.2: version 3', async () => {
  assert.equal(await uuidV3(parseNamespace('DNS'), example), '5df41881-3aed-3515-88a7-2f4a814cf09e')
})

test('RFC 9562 Appendix A.3: version 4', () => {
  const bytes = fromHex('919108f752d133205bacf847db4148a8')
  assert.equal(
    uuidV4(() => bytes),
    '919108f7-52d1-4320-9bac-f847db4148a8',
  )
})

test('RFC 9562 Appendix A.4: version 5', async () => {
  assert.equal(await uuidV5(parseNamespace('dns'), example), '2ed6657d-e927-568b-95e1-2665a8aea6a2')
})

test('RFC 9562 Appendix A.5: version 6', () => {
  assert.equal(uuidV6(gregorianTicks(moment), node), '1ec9414c-232a-6b00-b3c8-9f6bdeced846')
})

test('RFC 9562 Appendix A.6: version 7', () => {
  assert.equal(uuidV7(moment, 0xcc3, fromHex('18c4dc0c0c07398f')), '017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
})

test('RFC 9562 Appendix B.2: version 8 from a name', async () => {
  assert.equal(await uuidV8(parseNamespace(namespaces.DNS), example), '5c146b14-3c52-8afd-938a-375d0df1fbf6')
})

test('version 7 identifiers of one moment sort as they were made, over the end of the counter too', () => {
  for (const start of ['0000', '07ff', 'ffff']) {
    const bytes = fromHex(start)
    const uuids = uuidsV7(moment, 5000, length => (length === 2 ? bytes : random(length)))
    assert.deepEqual(uuids, uuids.toSorted())
    assert.equal(new Set(uuids).size, 5000)
    assert.ok(uuids.every(uuid => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(uuid)))
  }
})

test('a random node has the multicast bit, so it is no network card', () => {
  for (let i = 0; i < 100; i++) {
    const { clockSequence, node } = randomNode(random)
    assert.ok(((node[0] ?? 0) & 1) === 1 && node.length === 6)
    assert.ok(clockSequence >= 0 && clockSequence < 2 ** 14)
  }
})

test('every version carries its number and the variant', () => {
  for (let version = 1; version <= 8; version++) {
    for (const bytes of [new Uint8Array(16), new Uint8Array(16).fill(255), random(16)]) {
      const uuid = formatUuid(bytes, version)
      assert.match(uuid, new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`))
    }
  }
})

test('60 random names: versions 3 and 5 are the same as in Python', async t => {
  const names = Array.from({ length: 60 }, (_, i) => `${Buffer.from(randomBytes(i)).toString('base64')}é`)
  const code = `
import sys, uuid
for name in sys.stdin.buffer.read().decode().split('\\n')[:-1]:
    print(uuid.uuid3(uuid.NAMESPACE_URL, name), uuid.uuid5(uuid.NAMESPACE_X500, name))
`
  let lines: string[]
  try {
    const input = names.map(name => `${name}\n`).join('')
    lines = execFileSync('python3', ['-c', code], { input, encoding: 'utf8' }).split('\n')
  } catch {
    return t.skip('no python3')
  }
  for (const [i, name] of names.entries()) {
    const both = [await uuidV3(parseNamespace('URL'), name), await uuidV5(parseNamespace('X500'), name)]
    assert.equal(both.join(' '), lines[i])
  }
})

test('UUIDs are read in their usual forms', () => {
  const bytes = parseUuid(namespaces.OID)
  assert.deepEqual(parseUuid(`urn:uuid:${namespaces.OID.toUpperCase()}`), bytes)
  assert.deepEqual(parseUuid(` {${namespaces.OID}} `), bytes)
})

test('what is no UUID and no namespace is refused', () => {
  for (const text of ['', 'abc', '6ba7b810-9dad-11d1-80b4-00c04fd430c', `{${namespaces.DNS}`, `${namespaces.DNS}0`]) {
    assert.throws(() => parseUuid(text), { name: 'RangeError', message: /expected a UUID/ }, text)
    assert.throws(() => parseNamespace(text), { name: 'RangeError', message: /expected DNS, URL, OID, X500 or a UUID/ })
  }
})
