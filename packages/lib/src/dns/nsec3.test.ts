import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex } from '../bytes.ts'
import { type Signature, signedBytes } from './canonical.ts'
import { type KeyRecord, verifyWith } from './dnssec-algorithms.ts'
import { ede } from './dnssec-error.ts'
import type { ResourceRecord } from './message.ts'
import type { Claim } from './nsec.ts'
import { MAX_NSEC3_HASHES, type Nsec3Record, nsec3Hash, proveByNsec3 } from './nsec3.ts'
import { parseZone } from './zone.ts'

/** RFC 5155 Appendix A: the zone-signing key of example., and records that Appendix B answers with; all have opt-out. */
const KEY = `example. 3600 IN DNSKEY 256 3 7 AwEAAaetidLzsKWUt4swWR8yu0wPHPiUi8LUsAD0QPWU+wzt89epO6tHzkMBVDkC7qphQO2hTY4hHn9npWFRw5BYubE=`
const SOA = `example. 3600 IN SOA ns1.example. bugs.x.w.example. 1 3600 300 3600000 3600
example. 3600 IN RRSIG SOA 7 1 3600 20150420235959 20051021000000 40430 example. Hu25UIyNPmvPIVBrldN+9Mlp9Zql39qaUd8iq4ZLlYWfUUbbAS41pG+68z81q1xhkYAcEyHdVI2LmKusbZsT0Q==`
const APEX = `0p9mhaveqvm6t7vbl5lop2u3t2rp3tom.example. 3600 IN NSEC3 1 1 12 aabbccdd 2t7b4g4vsa5smi47k61mv5bv1a22bojr NS SOA MX RRSIG DNSKEY NSEC3PARAM
0p9mhaveqvm6t7vbl5lop2u3t2rp3tom.example. 3600 IN RRSIG NSEC3 7 2 3600 20150420235959 20051021000000 40430 example. OSgWSm26B+cS+dDL8b5QrWr/dEWhtCsKlwKLIBHYH6blRxK9rC0bMJPwQ4mLIuw85H2EY762BOCXJZMnpuwhpA==`
const XW = `b4um86eghhds6nea196smvmlo4ors995.example. 3600 IN NSEC3 1 1 12 aabbccdd gjeqe526plbf1g8mklp59enfd789njgi MX RRSIG
b4um86eghhds6nea196smvmlo4ors995.example. 3600 IN RRSIG NSEC3 7 2 3600 20150420235959 20051021000000 40430 example. ZkPG3M32lmoHM6pa3D6gZFGB/rhL//Bs3Omh5u4m/CUiwtblEVOaAKKZd7S959OeiX43aLX3pOv0TSTyiTxIZg==`
const A = `35mthgpgcu1qg68fab165klnsnk3dpvl.example. 3600 IN NSEC3 1 1 12 aabbccdd b4um86eghhds6nea196smvmlo4ors995 NS DS RRSIG
35mthgpgcu1qg68fab165klnsnk3dpvl.example. 3600 IN RRSIG NSEC3 7 2 3600 20150420235959 20051021000000 40430 example. g6jPUUpduAJKRljUsN8gB4UagAX0NxY9shwQAynzo8EUWH+z6hEIBlUTPGj15eZll6VhQqgZXtAIR3chwgW+SA==`
const NS1 = `2t7b4g4vsa5smi47k61mv5bv1a22bojr.example. 3600 IN NSEC3 1 1 12 aabbccdd 2vptu5timamqttgl4luu9kg21e0aor3s A RRSIG
2t7b4g4vsa5smi47k61mv5bv1a22bojr.example. 3600 IN RRSIG NSEC3 7 2 3600 20150420235959 20051021000000 40430 example. OmBvJ1Vgg1hCKMXHFiNeIYHK9XVW0iLDLwJN4TFoNxZuP03gAXEI634YwOc4YBNITrj413iqNI6mRk/r1dOSUw==`
const YW = `ji6neoaepv8b5o6k4ev33abha8ht9fgc.example. 3600 IN NSEC3 1 1 12 aabbccdd k8udemvp1j2f7eg6jebps17vp3n8i58h
ji6neoaepv8b5o6k4ev33abha8ht9fgc.example. 3600 IN RRSIG NSEC3 7 2 3600 20150420235959 20051021000000 40430 example. gPkFp1s2QDQ6wQzcg1uSebZ61W33rUBDcTj72F3kQ490fEdp7k1BUIfbcZtPbX3YCpE+sIt0MpzVSKfTwx4uYA==`
const NS2 = `q04jkcevqvmu85r014c7dkba38o0ji5r.example. 3600 IN NSEC3 1 1 12 aabbccdd r53bq7cc2uvmubfu5ocmm6pers9tk9en A RRSIG
q04jkcevqvmu85r014c7dkba38o0ji5r.example. 3600 IN RRSIG NSEC3 7 2 3600 20150420235959 20051021000000 40430 example. hV5I89b+4FHJDATp09g4bbN0R1F845CaXpL3ZxlMKimoPAyqletMlEWwLfFia7sdpSzn+ZlNNlkxWcLsIlMmUg==`
const W = `k8udemvp1j2f7eg6jebps17vp3n8i58h.example. 3600 IN NSEC3 1 1 12 aabbccdd kohar7mbb8dc2ce8a9qvl8hon4k53uhi
k8udemvp1j2f7eg6jebps17vp3n8i58h.example. 3600 IN RRSIG NSEC3 7 2 3600 20150420235959 20051021000000 40430 example. FtXGbvF0+wf8iWkyo73enAuVx03klN+pILBKS6qCcftVtfH4yVzsEZquJ27NHR7ruxJWDNMtOtx7w9WfcIg62A==`
const STAR = `r53bq7cc2uvmubfu5ocmm6pers9tk9en.example. 3600 IN NSEC3 1 1 12 aabbccdd t644ebqk9bibcna874givr6joj62mlhv MX RRSIG
r53bq7cc2uvmubfu5ocmm6pers9tk9en.example. 3600 IN RRSIG NSEC3 7 2 3600 20150420235959 20051021000000 40430 example. aupviViruXs4bDg9rCbezzBMf9h1ZlDvbW/CZFKulIGXXLj8B/fsDJarXVDA9bnUoRhEbKp+HF1FWKW7RIJdtQ==`
const WILDCARD_MX = `a.z.w.example. 3600 IN MX 1 ai.example.
a.z.w.example. 3600 IN RRSIG MX 7 2 3600 20150420235959 20051021000000 40430 example. CikebjQwGQPwijVcxgcZcSJKtfynugtlBiKb9FcBTrmOoyQ4InoWVudhCWsh/URX3lc4WRUMivEBP6+4KS3ldA==`

const isNsec3 = (record: ResourceRecord): record is Nsec3Record => record.type === 'NSEC3' && record.data !== undefined
const isKey = (record: ResourceRecord): record is KeyRecord => record.type === 'DNSKEY' && record.data !== undefined
const isSignature = (record: ResourceRecord): record is Signature =>
  record.type === 'RRSIG' && record.data !== undefined

const prove = (claim: Claim, ...texts: string[]) =>
  proveByNsec3(claim, parseZone(texts.join('\n')).filter(isNsec3), 'example.', { hashes: 0 })
/** The same records without opt-out. */
const strict = (text: string) => text.replace('NSEC3 1 1 ', 'NSEC3 1 0 ')

const HASHES = [
  ['example.', '0p9mhaveqvm6t7vbl5lop2u3t2rp3tom'],
  ['a.example.', '35mthgpgcu1qg68fab165klnsnk3dpvl'],
  ['ai.example.', 'gjeqe526plbf1g8mklp59enfd789njgi'],
  ['ns1.example.', '2t7b4g4vsa5smi47k61mv5bv1a22bojr'],
  ['ns2.example.', 'q04jkcevqvmu85r014c7dkba38o0ji5r'],
  ['w.example.', 'k8udemvp1j2f7eg6jebps17vp3n8i58h'],
  ['*.w.example.', 'r53bq7cc2uvmubfu5ocmm6pers9tk9en'],
  ['x.w.example.', 'b4um86eghhds6nea196smvmlo4ors995'],
  ['y.w.example.', 'ji6neoaepv8b5o6k4ev33abha8ht9fgc'],
  ['x.y.w.example.', '2vptu5timamqttgl4luu9kg21e0aor3s'],
  ['xx.example.', 't644ebqk9bibcna874givr6joj62mlhv'],
  ['2t7b4g4vsa5smi47k61mv5bv1a22bojr.example.', 'kohar7mbb8dc2ce8a9qvl8hon4k53uhi'],
] as const

test('RFC 5155 Appendix A: the hashes of the names, whatever their case', () => {
  const parameters = { salt: fromHex('aabbccdd'), iterations: 12 }
  for (const [name, hash] of HASHES) {
    assert.equal(nsec3Hash(name, parameters), hash.toUpperCase(), name)
    assert.equal(nsec3Hash(name.toUpperCase(), parameters), hash.toUpperCase(), name)
  }
})

for (const [name, text] of Object.entries({ SOA, APEX, XW, A, NS1, YW, NS2, W, STAR, WILDCARD_MX })) {
  test(`RFC 5155 Appendix B: the signature of ${name} verifies`, async () => {
    const [key] = parseZone(KEY).filter(isKey)
    const [signature] = parseZone(text).filter(isSignature)
    const records = parseZone(text).filter(({ type }) => type !== 'RRSIG')
    assert.ok(key && signature)
    assert.equal(await verifyWith(key.data, signature.data.signature, signedBytes(records, signature)), true)
  })
}

test('RFC 5155 §B.1, §9.2: a.c.x.w.example. does not exist, but in a gap with opt-out that is not secure', () => {
  const claim: Claim = { kind: 'nxdomain', name: 'a.c.x.w.example.' }
  assert.equal(prove(claim, APEX, XW, A).state, 'opt-out')
  assert.equal(prove(claim, ...[APEX, XW, A].map(strict)).state, 'proven')
  assert.equal(prove(claim, APEX, XW).state, 'unproven', 'without the wildcard')
  assert.equal(prove(claim, XW, A).state, 'unproven', 'without the next closer name')
  assert.equal(prove(claim, APEX, A).state, 'unproven', 'without the closest encloser')
})

test('RFC 5155 §B.2: ns1.example. has no MX, but it has an A', () => {
  assert.equal(prove({ kind: 'nodata', name: 'ns1.example.', type: 'MX' }, NS1).state, 'proven')
  assert.equal(prove({ kind: 'nodata', name: 'ns1.example.', type: 'A' }, NS1).state, 'unproven')
  assert.equal(prove({ kind: 'nxdomain', name: 'ns1.example.' }, NS1).state, 'unproven')
})

test('RFC 5155 §B.2.1: y.w.example. exists and has no records', () => {
  assert.equal(prove({ kind: 'nodata', name: 'y.w.example.', type: 'A' }, YW).state, 'proven')
})

test('RFC 5155 §B.3: c.example. may be an unsigned zone in a gap with opt-out, and without that it is not', () => {
  const claim: Claim = { kind: 'nodata', name: 'c.example.', type: 'DS' }
  assert.equal(prove(claim, A, APEX).state, 'opt-out')
  assert.equal(prove(claim, ...[A, APEX].map(strict)).state, 'unproven')
})

test('RFC 5155 §B.4: a.z.w.example. comes from *.w.example.', () => {
  const claim: Claim = { kind: 'wildcard', name: 'a.z.w.example.', wildcard: '*.w.example.' }
  assert.equal(prove(claim, NS2).state, 'opt-out')
  assert.equal(prove(claim, strict(NS2)).state, 'proven')
  assert.equal(prove(claim, NS1).state, 'unproven')
})

test('RFC 5155 §B.5: the wildcard has no AAAA, and neither has a.z.w.example.', () => {
  const claim: Claim = { kind: 'nodata', name: 'a.z.w.example.', type: 'AAAA' }
  assert.equal(prove(claim, ...[W, NS2, STAR].map(strict)).state, 'proven')
  assert.equal(prove(claim, W, NS2, STAR).state, 'opt-out')
  assert.equal(prove({ ...claim, type: 'MX' }, W, NS2, STAR).state, 'unproven')
  assert.equal(prove(claim, ...[W, NS2].map(strict)).state, 'unproven')
})

test('RFC 5155 §B.6: that a zone has no DS is not for itself to say', () => {
  assert.equal(prove({ kind: 'nodata', name: 'example.', type: 'DS' }, APEX).state, 'unproven')
})

test('RFC 5155 §8.1, §8.2: other hashes, unknown flags and mixed parameters prove nothing', () => {
  const claim: Claim = { kind: 'nodata', name: 'ns1.example.', type: 'MX' }
  assert.equal(prove(claim, NS1.replace('NSEC3 1 1', 'NSEC3 2 1')).state, 'unproven')
  assert.equal(prove(claim, NS1.replace('NSEC3 1 1', 'NSEC3 1 3')).state, 'unproven')
  assert.equal(prove(claim, NS1, APEX.replace(' 12 ', ' 11 ')).state, 'unproven')
  assert.equal(prove(claim, NS1, APEX.replace('aabbccdd', 'aabbccde')).state, 'unproven')
})

test('RFC 5155 §3: the owner of an NSEC3 record lies directly below its zone', () => {
  const claim: Claim = { kind: 'nodata', name: 'ns1.example.', type: 'MX' }
  assert.equal(prove(claim, NS1.replace('bojr.example.', 'bojr.w.example.')).state, 'unproven')
})

test('RFC 9276 §3.2: over 150 iterations nothing is hashed, and the denial counts as unsigned', () => {
  const denial = prove({ kind: 'nodata', name: 'ns1.example.', type: 'MX' }, NS1.replace(' 12 ', ' 151 '))
  assert.equal(denial.state, 'too-many-iterations')
  assert.equal(denial.state === 'too-many-iterations' && denial.flaw.ede, ede.unsupportedIterations)
})

test('CVE-2023-50868: the names that one run hashes are counted', () => {
  const work = { hashes: 0 }
  const deep = `${'a.'.repeat(100)}example.`
  const records = parseZone(NS1).filter(isNsec3)
  for (let i = 0; i < 50; i++) proveByNsec3({ kind: 'nxdomain', name: deep }, records, 'example.', work)
  assert.equal(work.hashes, MAX_NSEC3_HASHES)
})
