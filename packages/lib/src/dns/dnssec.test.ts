import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { concat, fromHex } from '../bytes.ts'
import { Validator, worse } from './dnssec.ts'
import { type ChainParts, MAX_VERIFICATIONS, type Security, type SignedAnswer } from './dnssec-chain.ts'
import { ede } from './dnssec-error.ts'
import { createRecord, decodeMessage, type ResourceRecord, recordFromBytes } from './message.ts'
import { MAX_NSEC3_HASHES } from './nsec3.ts'
import { parseTrustAnchors, rootAnchors } from './trust-anchors.ts'
import { parseZone } from './zone.ts'

/** RFC 9102 §A.1: the records that lead to the TLSA records of _443._tcp.www.example.com, one after the other. */
const CHAIN = `
045f343433045f74637003777777076578616d706c6503636f6d000034000100000e1000230301018bd1da95272f7fa4ffb24137fc0ed03a
ae67e5c4d8b3c50734e1050a7920b922045f343433045f74637003777777076578616d706c6503636f6d00002e000100000e10005f00340d
0500000e105fc6d9005bfdda80074e076578616d706c6503636f6d00ce1d3adeb7dc7cee656d61cfb472c5977c8c9caeae9b765155c518fb
107b6a1fe0355fbaaf753c192832fa621fa73a8b85ed79d374117387598fcc812e1ef3fb076578616d706c6503636f6d000030000100000e
1000440101030d2670355e0c894d9cfea6c5af6eb7d458b57a50ba88272512d8241d8541fd54adf96ec956789a51ceb971094b3bb3f4ec49
f64c686595be5b2e89e8799c7717cc076578616d706c6503636f6d00002e000100000e10005f00300d0200000e105fc6d9005bfdda80074e
076578616d706c6503636f6d004628383075b8e34b743a209b27ae148d110d4e1a246138a91083249cb4a12a2d9bc4c2d7ab5eb3afb9f5d1
037e4d5da8339c162a9298e9be180741a8ca74accc076578616d706c6503636f6d00002b00010002a3000024074e0d02e9b533a049798e90
0b5c29c90cd25a986e8a44f319ac3cd302bafc08f5b81e16076578616d706c6503636f6d00002e00010002a3000057002b0d020002a3005f
c6d9005bfdda80861703636f6d00a203e704a6facbeb13fc9384fdd6de6b50de5659271f38ce81498684e6363172d47e2319fdb4a22a58a2
31edc2f1ff4fb2811a1807be72cb5241aa26fdaee03903636f6d00003000010002a30000440100030dec8204e43a25f2348c52a1d3bce3a2
65aa5d11b43dc2a471162ff341c49db9f50a2e1a41caf2e9cd20104ea0968f7511219f0bdc56b68012cc3995336751900b03636f6d000030
00010002a30000440101030d45b91c3bef7a5d99a7a7c8d822e33896bc80a777a04234a605a4a8880ec7efa4e6d112c73cd3d4c65564fa74
347c873723cc5f643370f166b43dedff836400ff03636f6d00003000010002a30000440101030db3373b6e22e8e49e0e1e591a9f5bd9ac5e
1a0f86187fe34703f180a9d36c958f71c4af48ce0ebc5c792a724e11b43895937ee53404268129476eb1aed323939003636f6d00002e0001
0002a300005700300d010002a3005fc6d9005bfdda8049f303636f6d0018a948eb23d44f80abc99238fcb43c5a18debe57004f7343593f6d
eb6ed71e04654a433f7aa1972130d9bd921c73dcf63fcf665f2f05a0aaebafb059dc12c96503636f6d00002e00010002a300005700300d01
0002a3005fc6d9005bfdda80708903636f6d006170e6959bd9ed6e575837b6f580bd99dbd24a44682b0a359626a246b1812f5f9096b75e15
7e77848f068ae0085e1a609fc19298c33b736863fbccd4d81f5eb203636f6d00002b000100015180002449f30d0220f7a9db42d0e2042fbb
b9f9ea015941202f9eabb94487e658c188e7bcb5211503636f6d00002b000100015180002470890d02ad66b3276f796223aa45eda773e92c
6d98e70643bbde681db342a9e5cf2bb38003636f6d00002e0001000151800053002b0d01000151805fc6d9005bfdda807cae00122e276d45
d9e9816f7922ad6ea2e73e82d26fce0a4b718625f314531ac92f8ae82418df9b898f989d32e80bc4deaba7c4a7c8f172adb57ced7fb5e77a
784b0700003000010001518000440100030dccacfe0c25a4340fefba17a254f706aac1f8d14f38299025acc448ca8ce3f561f37fc3ec169f
e847c8fcbe68e358ff7c71bb5ee1df0dbe518bc736d4ce8dfe1400003000010001518000440100030df303196789731ddc8a6787eff24cac
feddd032582f11a75bb1bcaa5ab321c1d7525c2658191aec01b3e98ab7915b16d571dd55b4eae51417110cc4cdd11d171100003000010001
518000440101030dcaf5fe54d4d48f16621afb6bd3ad2155bacf57d1faad5bac42d17d948c421736d9389c4c4011666ea95cf17725bd0fa0
0ce5e714e4ec82cfdfacc9b1c863ad4600002e000100015180005300300d00000151805fc6d9005bfdda80b79d00de7a6740eeecba4bda1e
5c2dd4899b2c965893f3786ce747f41e50d9de8c0a72df82560dfb48d714de3283ae99a49c0fcb50d3aaadb1a3fc62ee3a8a0988b6be`
/** RFC 9102 Appendix A: the DS record of the root's key in these examples. */
const ANCHOR = '. IN DS 47005 13 2 2eb6e9f2480126691594d649a5a613de3052e37861634641bb568746f2ffc4d4'
const NAME = '_443._tcp.www.example.com.'
const WITHIN = Date.parse('2019-06-01') / 1000

/** A message may hold fewer records than it counts; those before its end stand. */
const records = decodeMessage(concat(fromHex('000084000000ffff00000000'), fromHex(CHAIN.replaceAll('\n', '')))).answers

const nothing: SignedAnswer = { status: 'network', links: [], target: '.', records: [], proof: [] }

/** Answers each question with the records there are, and says that it cannot be reached for others. */
const source =
  (all: readonly ResourceRecord[]): ChainParts['ask'] =>
  async (name, type) => {
    const here = all.filter(record => record.name === name)
    const proof = here.filter(record => record.type === 'RRSIG' && record.data?.typeCovered === type)
    const found = here.filter(record => record.type === type)
    return { ...nothing, target: name, proof, records: found, status: found.length ? 'answer' : 'network' }
  }

function validate(all: readonly ResourceRecord[], { now = WITHIN, anchors = ANCHOR } = {}) {
  return new Validator({ anchors: parseTrustAnchors(anchors), ask: source(all), now }).validate(NAME, 'TLSA')
}

test('RFC 9102 §A.1: the chain of three zones is secure from its trust anchor', async () => {
  assert.equal(records.length, 18)
  const validator = new Validator({ anchors: parseTrustAnchors(ANCHOR), ask: source(records), now: WITHIN })
  const { state, flaw, rrsets } = await validator.validate(NAME, 'TLSA')
  assert.equal(state, 'secure', flaw?.reason)
  assert.deepEqual(
    validator.zones.map(({ name, state }) => [name, state]),
    [
      ['.', 'secure'],
      ['com.', 'secure'],
      ['example.com.', 'secure'],
    ],
  )
  assert.deepEqual(
    rrsets.map(({ type, zone }) => [type, zone]),
    [['TLSA', 'example.com.']],
  )
})

test('RFC 9102 §A.1: before and after its time the chain is bogus, and says so', async () => {
  const early = await validate(records, { now: Date.parse('2018-11-27') / 1000 })
  assert.deepEqual([early.state, early.flaw?.ede], ['bogus', ede.signatureNotYetValid])
  const late = await validate(records, { now: Date.parse('2020-12-03') / 1000 })
  assert.deepEqual([late.state, late.flaw?.ede], ['bogus', ede.signatureExpired])
})

test('another trust anchor, even of a key with the same tag, fits nothing', async () => {
  for (const anchors of [rootAnchors, ANCHOR.replace('2eb6', '2eb7'), ANCHOR.replace('47005', '47006')]) {
    const { state, flaw } = await validate(records, { anchors })
    assert.deepEqual([state, flaw?.ede], ['bogus', ede.dnskeyMissing])
  }
})

test('RFC 4035 §5.2: a trust anchor of an unknown algorithm or digest makes everything insecure', async () => {
  const algorithm = await validate(records, { anchors: ANCHOR.replace(' 13 2 ', ' 100 2 ') })
  assert.deepEqual([algorithm.state, algorithm.flaw?.ede], ['insecure', ede.unsupportedAlgorithm])
  const digest = await validate(records, { anchors: ANCHOR.replace(' 13 2 ', ' 13 3 ') })
  assert.deepEqual([digest.state, digest.flaw?.ede], ['insecure', ede.unsupportedDigest])
})

test('no record of the chain can be left out or changed in any tenth byte', async () => {
  // The keys of com. are signed twice, by each of its two key-signing keys, and one is enough; the same goes for DS.
  const spare = (record: ResourceRecord) =>
    record.type === 'RRSIG' && record.name === 'com.' && record.data?.typeCovered === 'DNSKEY'
  for (const [i, record] of records.entries()) {
    const without = await validate(records.filter(other => other !== record))
    assert.equal(without.state === 'secure', spare(record), `without ${record.name} ${record.type}`)
    if (spare(record)) continue
    for (let byte = i % 10; byte < record.rdata.length; byte += 10) {
      const rdata = record.rdata.slice()
      rdata[byte] = (rdata[byte] ?? 0) ^ 0x41
      const changed = recordFromBytes(record.type, record, rdata)
      const { state } = await validate(records.map(other => (other === record ? changed : other)))
      assert.notEqual(state, 'secure', `${record.name} ${record.type} with byte ${byte} changed`)
    }
  }
})

test('a server that cannot be reached leaves it open, and never proves that a zone is unsigned', async () => {
  const { state, flaw } = await validate(records.filter(({ name }) => name === '.'))
  assert.deepEqual([state, flaw?.ede], ['indeterminate', ede.noReachableAuthority])
})

const denied = (proof: string): SignedAnswer => ({ ...nothing, status: 'nodata', proof: parseZone(proof) })
const withDs = (answer: SignedAnswer): ChainParts['ask'] => {
  const ask = source(records)
  return (name, type) => (name === 'com.' && type === 'DS' ? Promise.resolve(answer) : ask(name, type))
}
const lie = (answer: SignedAnswer) =>
  new Validator({ anchors: parseTrustAnchors(ANCHOR), ask: withDs(answer), now: WITHIN }).validate(NAME, 'TLSA')

const SIGNATURE = '13 1 86400 20201202000000 20181128000000 31918'
const BYTES = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=='

test('that a zone has no DS record needs a proof that its parent signed', async () => {
  const nsec = 'com. 60 IN NSEC net. NS RRSIG NSEC'
  for (const proof of [
    '',
    nsec,
    `${nsec}\ncom. 60 IN RRSIG NSEC ${SIGNATURE} . ${BYTES}`,
    // Signed by the zone that is being looked for, and by one below it.
    `${nsec}\ncom. 60 IN RRSIG NSEC ${SIGNATURE} com. ${BYTES}`,
    `a.example.com. 60 IN NSEC b.example.com. A\na.example.com. 60 IN RRSIG NSEC ${SIGNATURE} example.com. ${BYTES}`,
    '0p9mhaveqvm6t7vbl5lop2u3t2rp3tom. 60 IN NSEC3 1 1 0 - 0p9mhaveqvm6t7vbl5lop2u3t2rp3tom NS SOA',
  ]) {
    assert.equal((await lie(denied(proof))).state, 'bogus', proof)
  }
})

test('an alias or a denial where a zone begins does not free what lies below from being signed', async () => {
  for (const status of ['nxdomain', 'alias'] as const) {
    const links = status === 'alias' ? parseZone('com. 60 IN CNAME evil.test.') : []
    const { state } = await lie({ ...nothing, status, links })
    assert.equal(state, 'bogus', status)
  }
})

test('RFC 4033 §5: bogus outweighs all, secure nothing', () => {
  const states: Security[] = ['secure', 'insecure', 'indeterminate', 'bogus']
  for (const [i, a] of states.entries())
    for (const [j, b] of states.entries()) assert.equal(worse(a, b), states[Math.max(i, j)])
})

test('hostile servers: what they send never makes an answer secure, and costs a bounded amount of work', async () => {
  let seed = 20260101
  const draw = (below: number) => {
    // Numerical Recipes §7.1: a generator that gives the same numbers every time.
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  const pick = <T>(items: readonly T[]): T => items[draw(items.length)] as T
  const names = ['.', 'com.', 'example.com.', NAME, 'a.'.repeat(100), 'x.com.', '*.com.']
  const types = ['DNSKEY', 'DS', 'TLSA', 'NSEC', 'NSEC3', 'RRSIG', 'A', 'CNAME', 'SOA']
  const statuses = ['answer', 'nodata', 'nxdomain', 'alias', 'network', 'answer', 'nodata'] as const
  const keys = records.filter(({ type }) => type === 'DNSKEY')
  function forge(name: string): ResourceRecord {
    const record = pick(records)
    switch (draw(5)) {
      case 0:
        return { ...record, name }
      case 1:
        return { ...pick(keys), name }
      case 2:
        return createRecord('NSEC', { name, ttl: 1 }, { next: pick(names), types: [pick(types), 'NS'] })
      case 3:
        return createRecord(
          'NSEC3',
          { name: `AAAA.${pick(['com.', ''])}`, ttl: 1 },
          {
            ...{ hash: 1, flags: draw(3), iterations: draw(300), salt: fromHex('aabb') },
            ...{ next: fromHex('00'.repeat(20)), types: [pick(types)] },
          },
        )
      default:
        return createRecord(
          'RRSIG',
          { name, ttl: 1 },
          {
            ...{
              typeCovered: pick(types),
              algorithm: 13,
              labels: draw(4),
              originalTtl: 1,
              keyTag: pick([47005, 31918, 1870]),
            },
            ...{
              expiration: WITHIN + 100,
              inception: WITHIN - 100,
              signer: pick(names),
              signature: new Uint8Array(64),
            },
          },
        )
    }
  }
  const honest = source(records)
  for (let run = 0; run < 300; run++) {
    let asked = 0
    const ask: ChainParts['ask'] = async (name, type) => {
      asked++
      if (type === 'DNSKEY' && draw(3)) return honest(name, type)
      const list = (most: number) => Array.from({ length: draw(most) }, () => forge(draw(2) ? name : pick(names)))
      const status = pick(statuses)
      const target = status === 'alias' ? pick(names) : name
      const found = list(20).map(record => (draw(2) ? recordFromBytes(type, record, record.rdata) : record))
      return {
        ...nothing,
        status,
        target,
        links: draw(4) ? [] : list(3),
        records: status === 'answer' ? [...found, forge(name)] : [],
        proof: list(200),
      }
    }
    const validator = new Validator({ anchors: parseTrustAnchors(ANCHOR), ask, now: WITHIN })
    const { state, rrsets } = await validator.validate(pick(names), 'TLSA')
    const forged = rrsets.some(({ type }) => type === 'TLSA')
    assert.ok(state !== 'secure' || !forged, `run ${run} is secure`)
    assert.ok(validator.work.verifications <= MAX_VERIFICATIONS)
    assert.ok(validator.work.hashes <= MAX_NSEC3_HASHES)
    assert.ok(asked <= 13 * 130, `run ${run} asked ${asked} questions`)
  }
})

/** A zone that is its own root, signed by dnssec-signzone, whose wildcard has an NSEC record to abuse. */
test('RFC 4035 §5.4: an NSEC record made from a wildcard denies nothing', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'zone-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: folder, encoding: 'utf8' })
  const key = run('dnssec-keygen', '-q', '-a', 'ECDSAP256SHA256', '-f', 'KSK', '.').trim()
  writeFileSync(
    join(folder, 'root'),
    `. 60 IN SOA a. a. 1 1 1 1 60\n. 60 IN NS a.\na. 60 IN A 192.0.2.1\n*. 60 IN TXT "wild"\n$INCLUDE ${key}.key\n`,
  )
  run('dnssec-signzone', '-q', '-z', '-o', '.', '-f', 'signed', '-O', 'full', '-S', 'root')
  const zone = parseZone(readFileSync(join(folder, 'signed'), 'utf8'))
  const anchors = run('dnssec-dsfromkey', '-2', `${key}.key`)
  const now = Date.now() / 1000
  const of = (owner: string, type: string, name = owner) =>
    zone
      .filter(record => record.name === owner)
      .filter(record => record.type === type || (record.type === 'RRSIG' && record.data?.typeCovered === type))
      .map(record => ({ ...record, name }))
  const split = (all: ResourceRecord[]) => ({
    records: all.filter(({ type }) => type !== 'RRSIG'),
    proof: all.filter(({ type }) => type === 'RRSIG'),
  })
  const check = (name: string, type: string, answer: Partial<SignedAnswer>) =>
    new Validator({
      anchors: parseTrustAnchors(anchors),
      now,
      ask: async (asked, type) =>
        type === 'DNSKEY'
          ? { ...nothing, target: asked, status: 'answer', ...split(of('.', 'DNSKEY')) }
          : { ...nothing, target: asked, ...answer },
    }).validate(name, type)

  const wild = split(of('*.', 'TXT', 'b.'))
  assert.equal((await check('b.', 'TXT', { status: 'answer', ...wild })).state, 'bogus', 'without the proof')
  const proven = { status: 'answer' as const, records: wild.records, proof: [...wild.proof, ...of('a.', 'NSEC')] }
  const expanded = await check('b.', 'TXT', proven)
  assert.equal(expanded.state, 'secure', expanded.flaw?.reason)
  assert.equal(expanded.rrsets[0]?.wildcard, '*.')

  const denial = await check('*.', 'A', { status: 'nodata', proof: of('*.', 'NSEC') })
  assert.equal(denial.state, 'secure', denial.flaw?.reason)
  const abused = await check('a.', 'A', { status: 'nodata', proof: of('*.', 'NSEC', 'a.') })
  assert.deepEqual([abused.state, abused.flaw?.ede], ['bogus', ede.bogus])
})
