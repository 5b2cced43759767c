import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from '../bytes.ts'
import { keyTag } from './dnskey.ts'
import { type KeyRecord, keyDigest } from './dnssec-algorithms.ts'
import type { ResourceRecord } from './message.ts'
import { parseTrustAnchors, rootAnchors } from './trust-anchors.ts'
import { parseZone } from './zone.ts'

/** The root's key-signing keys as Debian's dns-root-data has them in root.key. */
const ROOT_KEYS = `
. IN DNSKEY 257 3 8 AwEAAaz/tAm8yTn4Mfeh5eyI96WSVexTBAvkMgJzkKTOiW1vkIbzxeF3+/4RgWOq7HrxRixHlFlExOLAJr5emLvN7SWXgnLh4+B5xQlNVz8Og8kvArMtNROxVQuCaSnIDdD5LKyWbRd2n9WGe2R8PzgCmr3EgVLrjyBxWezF0jLHwVN8efS3rCj/EWgvIWgb9tarpVUDK/b58Da+sqqls3eNbuv7pr+eoZG+SrDK6nWeL3c6H5Apxz7LjVc1uTIdsIXxuOLYA4/ilBmSVIzuDWfdRUfhHdY6+cn8HFRm+2hM8AnXGXws9555KrUB5qihylGa8subX2Nn6UwNR1AkUTV74bU=
. IN DNSKEY 257 3 8 AwEAAa96jeuknZlaeSrvyAJj6ZHv28hhOKkx3rLGXVaC6rXTsDc449/cidltpkyGwCJNnOAlFNKF2jBosZBU5eeHspaQWOmOElZsjICMQMC3aeHbGiShvZsx4wMYSjH8e7Vrhbu6irwCzVBApESjbUdpWWmEnhathWu1jo+siFUiRAAxm9qyJNg/wOZqqzL/dL/q8PkcRU5oUKEpUge71M3ej2/7CPqpdVwuMoTvoB+ZOT4YeGyxMvHmbrxlFzGOHOijtzN+u1TQNatX2XBuzZNQ1K+s2CXkPIZo7s6JgZyvaBevYtxPvYLw4z9mR7K2vaF18UYH9Z9GNUUeayffKC73PYc=`

const isKey = (record: ResourceRecord): record is KeyRecord => record.type === 'DNSKEY' && record.data !== undefined

test('RFC 7958: the anchors are the digests of the root’s keys of 2017 and 2024', async () => {
  const anchors = parseTrustAnchors(rootAnchors)
  const keys = parseZone(ROOT_KEYS).filter(isKey)
  assert.deepEqual(
    anchors.map(({ data }) => data.keyTag),
    [20326, 38696],
  )
  assert.deepEqual(
    keys.map(({ rdata }) => keyTag(rdata)),
    [20326, 38696],
  )
  const digests = await Promise.all(keys.map(key => keyDigest(key, 2)))
  assert.deepEqual(
    anchors.map(({ data }) => toHex(data.digest)),
    digests.map(digest => toHex(digest)),
  )
})

test('only DS records of the root are anchors', () => {
  for (const text of [
    '',
    '; none',
    'com. IN DS 20326 8 2 E06D',
    '. IN A 192.0.2.1',
    '. CH DS 20326 8 2 E06D',
    'DS 1 8',
  ]) {
    assert.throws(() => parseTrustAnchors(text), RangeError, text)
  }
})
