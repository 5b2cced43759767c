import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Signature, signedBytes } from './canonical.ts'
import { type KeyRecord, verifyWith } from './dnssec-algorithms.ts'
import type { ResourceRecord } from './message.ts'
import { type Claim, type NsecRecord, proveByNsec } from './nsec.ts'
import { parseZone } from './zone.ts'

/** RFC 4035 Appendix A: the zone-signing key of example., and records that Appendix B answers with. */
const KEY =
  'example. 3600 IN DNSKEY 256 3 5 AQOy1bZVvpPqhg4j7EJoM9rI3ZmyEx2OzDBVrZy/lvI5CQePxXHZS4i8dANH4DX3tbHol61ek8EFMcsGXxKciJFHyhl94C+NwILQdzsUlSFovBZsyl/NX6yEbtw/xN9ZNcrbYvgjjZ/UVPZIySFNsgEYvh0z2542lzMKR4Dh8uZffQ=='
const SOA = `example. 3600 IN SOA ns1.example. bugs.x.w.example. 1081539377 3600 300 3600000 3600
example. 3600 IN RRSIG SOA 5 1 3600 20040509183619 20040409183619 38519 example. ONx0k36rcjaxYtcNgq6iQnpNV5+drqYAsC9h7TSJaHCqbhE67Sr6aH2xDUGcqQWu/n0UVzrFvkgO9ebarZ0GWDKcuwlM6eNB5SiX2K74l5LWDA7S/Un/IbtDq4Ay8NMNLQI7Dw7n4p8/rjkBjV7j86HyQgM5e7+miRAz8V01b0I=`
const B = `b.example. 3600 IN NSEC ns1.example. NS RRSIG NSEC
b.example. 3600 IN RRSIG NSEC 5 2 3600 20040509183619 20040409183619 38519 example. GNuxHn844wfmUhPzGWKJCPY5ttEX/RfjDoOx9ueK1PtYkOWKOOdiJ/PJKCYB3hYX+858dDWSxb2qnV/LSTCNVBnkm6owOpysY97MVj5VQEWs0lm9tFoqjcptQkmQKYPrwUnCSNwvvclSF1xZvhRXgWT7OuFXldoCG6TfVFMs9xE=`
const APEX = `example. 3600 IN NSEC a.example. NS SOA MX RRSIG NSEC DNSKEY
example. 3600 IN RRSIG NSEC 5 1 3600 20040509183619 20040409183619 38519 example. O0k558jHhyrC97ISHnislm4kLMW48C7U7cBmFTfhke5iVqNRVTB1STLMpgpbDIC9hcryoO0VZ9ME5xPzUEhbvGnHd5sfzgFVeGxr5Nyyq4tWSDBgIBiLQUv1ivy29vhXy7WgR62dPrZ0PWvmjfFJ5arXf4nPxp/kEowGgBRzY/U=`
const NS1 = `ns1.example. 3600 IN NSEC ns2.example. A RRSIG NSEC
ns1.example. 3600 IN RRSIG NSEC 5 2 3600 20040509183619 20040409183619 38519 example. I4hj+Kt6+8rCcHcUdolks2S+Wzri9h3fHas81rGN/eILdJHN7JpV6lLGPIh/8fIBkfvdyWnBjjf1q3O7JgYO1UdI7FvBNWqaaEPJK3UkddBqZIaLi8Qr2XHkjq38BeQsbp8X0+6h4ETWSGT8IZaIGBLryQWGLw6Y6X8dqhlnxJM=`
const XYW = `x.y.w.example. 3600 IN NSEC xx.example. MX RRSIG NSEC
x.y.w.example. 3600 IN RRSIG NSEC 5 4 3600 20040509183619 20040409183619 38519 example. OvE6WUzN2ziieJcvKPWbCAyXyP6ef8cr6CspArVSTzKSquNwbezZmkU7E34o5lmb6CWSSSpgxw098kNUFnHcQf/LzY2zqRomubrNQhJTiDTXa0ArunJQCzPjOYq5t0SLjm6qp6McJI1AP5VrQoKqJDCLnoAlcPOPKAm/jJkn3jk=`
const STAR = `*.w.example. 3600 IN NSEC x.w.example. MX RRSIG NSEC
*.w.example. 3600 IN RRSIG NSEC 5 2 3600 20040509183619 20040409183619 38519 example. r/mZnRC3I/VIcrelgIcteSxDhtsdlTDt8ng9HSBlABOlzLxQtfgTnn8f+aOwJIAFe1Ee5RvU5cVhQJNP5XpXMJHfyps8tVvfxSAXfahpYqtx91gsmcV/1V9/bZAG55CefP9cM4Z9Y9NT9XQ8s1InQ2UoIv6tJEaaKkP701j8OLA=`
const WILDCARD_MX = `a.z.w.example. 3600 IN MX 1 ai.example.
a.z.w.example. 3600 IN RRSIG MX 5 2 3600 20040509183619 20040409183619 38519 example. OMK8rAZlepfzLWW75Dxd63jy2wswESzxDKG2f9AMN1CytCd10cYISAxfAdvXSZ7xujKAtPbctvOQ2ofO7AZJ+d01EeeQTVBPq4/6KCWhqe2XTjnkVLNvvhnc0u28aoSsG0+4InvkkOHknKxw4kX18MMR34i8lC36SR5xBni8vHI=`

const isNsec = (record: ResourceRecord): record is NsecRecord => record.type === 'NSEC' && record.data !== undefined
const isKey = (record: ResourceRecord): record is KeyRecord => record.type === 'DNSKEY' && record.data !== undefined
const isSignature = (record: ResourceRecord): record is Signature =>
  record.type === 'RRSIG' && record.data !== undefined

const prove = (claim: Claim, ...texts: string[]) => proveByNsec(claim, parseZone(texts.join('\n')).filter(isNsec))
const reasonOf = (denial: ReturnType<typeof prove>) => (denial.state === 'unproven' ? denial.flaw.reason : '')

for (const [name, text] of Object.entries({ SOA, B, APEX, NS1, XYW, STAR, WILDCARD_MX })) {
  test(`RFC 4035 Appendix B: the signature of ${name} verifies`, async () => {
    const [key] = parseZone(KEY).filter(isKey)
    const [signature] = parseZone(text).filter(isSignature)
    const records = parseZone(text).filter(({ type }) => type !== 'RRSIG')
    assert.ok(key && signature)
    assert.equal(await verifyWith(key.data, signature.data.signature, signedBytes(records, signature)), true)
  })
}

test('RFC 4035 §B.2: ml.example. does not exist, and no wildcard either', () => {
  const claim: Claim = { kind: 'nxdomain', name: 'ml.example.' }
  assert.equal(prove(claim, B, APEX).state, 'proven')
  assert.match(reasonOf(prove(claim, B)), /there is no \*\.example/)
  assert.match(reasonOf(prove(claim, APEX)), /no NSEC record shows a gap/i)
})

test('RFC 4035 §B.3: ns1.example. has no MX, but it has an A', () => {
  assert.equal(prove({ kind: 'nodata', name: 'ns1.example.', type: 'MX' }, NS1).state, 'proven')
  assert.match(reasonOf(prove({ kind: 'nodata', name: 'ns1.example.', type: 'A' }, NS1)), /does have A records/)
  assert.match(reasonOf(prove({ kind: 'nxdomain', name: 'ns1.example.' }, NS1)), /says that ns1\.example exists/)
})

test('RFC 4035 §B.5: b.example. is a delegation without DS', () => {
  assert.deepEqual(prove({ kind: 'nodata', name: 'b.example.', type: 'DS' }, B), { state: 'proven', delegation: true })
})

test('RFC 6840 §4.1: the NSEC record of a delegation denies nothing else at it and nothing below it', () => {
  assert.match(reasonOf(prove({ kind: 'nodata', name: 'b.example.', type: 'A' }, B)), /is of its parent/)
  assert.equal(prove({ kind: 'nxdomain', name: 'mc.b.example.' }, B, APEX).state, 'unproven')
})

test('RFC 4035 §B.6: a.z.w.example. comes from *.w.example.', () => {
  const claim: Claim = { kind: 'wildcard', name: 'a.z.w.example.', wildcard: '*.w.example.' }
  assert.equal(prove(claim, XYW).state, 'proven')
  assert.equal(prove({ ...claim, wildcard: '*.example.' }, XYW).state, 'unproven')
  assert.equal(prove(claim, B, APEX, NS1).state, 'unproven')
})

test('RFC 4035 §B.7: the wildcard has no AAAA, and neither has a.z.w.example.', () => {
  const claim: Claim = { kind: 'nodata', name: 'a.z.w.example.', type: 'AAAA' }
  assert.equal(prove(claim, XYW, STAR).state, 'proven')
  assert.match(reasonOf(prove({ ...claim, type: 'MX' }, XYW, STAR)), /does have MX/)
  assert.match(reasonOf(prove(claim, XYW)), /which types \*\.w\.example has/)
  assert.equal(prove({ kind: 'nxdomain', name: 'a.z.w.example.' }, XYW, STAR).state, 'unproven')
})

test('RFC 4035 §B.8: that a zone has no DS is not for itself to say', () => {
  assert.match(reasonOf(prove({ kind: 'nodata', name: 'example.', type: 'DS' }, APEX)), /belong to its parent/)
})

test('RFC 4592 §2.2.2: a name between others exists without records', () => {
  assert.equal(
    prove({ kind: 'nodata', name: 'w.example.', type: 'A' }, 'ns2.example. 60 IN NSEC *.w.example. A').state,
    'proven',
  )
  assert.equal(
    prove({ kind: 'nxdomain', name: 'w.example.' }, 'ns2.example. 60 IN NSEC *.w.example. A', APEX).state,
    'unproven',
  )
})

test('RFC 4034 §4.1.1: the last record covers everything behind it, and none before', () => {
  const last = 'xx.example. 60 IN NSEC example. A'
  assert.equal(prove({ kind: 'nxdomain', name: 'zz.example.' }, last, APEX).state, 'proven')
  assert.equal(prove({ kind: 'nxdomain', name: 'ww.example.' }, last, APEX).state, 'unproven')
})

test('RFC 6672 §5.3.4.1: below a DNAME nothing is denied', () => {
  const dname = 'b.example. 60 IN NSEC ns1.example. DNAME RRSIG NSEC'
  assert.equal(prove({ kind: 'nxdomain', name: 'x.b.example.' }, dname, APEX).state, 'unproven')
})
