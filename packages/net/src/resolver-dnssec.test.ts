import assert from 'node:assert/strict'
import { randomFillSync } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { rootAnchors } from '@assay/lib/dns/trust-anchors'
import { parseZone } from '@assay/lib/dns/zone'
import { createNetwork, respond, type Script } from '../test/resolver-servers.ts'
import { createResolverCache } from './resolver-cache.ts'
import { createDnssec } from './resolver-dnssec.ts'

const ROOT = '192.0.2.1'
const SIGNATURE = '13 0 60 20300101000000 20200101000000 1 . AAAA'

async function open(t: TestContext, script: Script, maxQueries = 20, signal?: AbortSignal) {
  const network = await createNetwork(t, { [ROOT]: script })
  const now = () => performance.now()
  const dnssec = createDnssec({
    transport: network.transport,
    signal: signal ?? network.signal,
    random: length => randomFillSync(new Uint8Array(length)),
    cache: createResolverCache(now),
    now,
    anchors: rootAnchors,
    roots: [{ name: 'a.', addresses: [ROOT] }],
    maxQueries,
  })
  return { ...dnssec, sent: network.sent }
}

test('RFC 3225 §3: signatures are asked for, and come along with the proof for a wildcard', async t => {
  const { ask } = await open(t, query => {
    assert.equal(query.edns?.do, true)
    return respond(query, {
      answers: parseZone(`b. 60 TXT "wild"\nb. 60 RRSIG TXT ${SIGNATURE}`),
      authorities: parseZone(`a. 60 NSEC c. TXT\na. 60 RRSIG NSEC ${SIGNATURE}\n. 60 NS a.`),
    })
  })
  const { status, records, proof } = await ask('b.', 'TXT')
  assert.equal(status, 'answer')
  assert.deepEqual(
    records.map(({ type }) => type),
    ['TXT'],
  )
  assert.deepEqual(
    proof.map(({ name, type }) => `${name} ${type}`),
    ['b. RRSIG', 'a. NSEC', 'a. RRSIG'],
  )
})

test('a denial comes with its SOA and its proof, an alias with what it is signed by', async t => {
  const soa = '. 60 SOA a. a. 1 1 1 1 60'
  const { ask } = await open(t, query => {
    if (query.questions[0]?.name === 'b.') {
      return respond(query, { answers: parseZone(`b. 60 CNAME c.\nb. 60 RRSIG CNAME ${SIGNATURE}`) })
    }
    return respond(query, { rcode: 'NXDOMAIN', authorities: parseZone(`${soa}\na. 60 NSEC . TXT`) })
  })
  const denial = await ask('c.', 'A')
  assert.deepEqual(
    [denial.status, denial.soa?.type, denial.proof.map(({ type }) => type)],
    ['nxdomain', 'SOA', ['NSEC']],
  )
  const alias = await ask('b.', 'A')
  assert.deepEqual([alias.status, alias.target, alias.links.length, alias.proof.length], ['alias', 'c.', 1, 1])
})

test('a server that fails and a job that may send no more are told, not thrown', async t => {
  const { ask, sent } = await open(t, query => respond(query, { rcode: 'SERVFAIL' }), 1)
  const failed = await ask('b.', 'A')
  assert.equal(failed.status, 'servfail')
  assert.match(failed.reason ?? '', /answered SERVFAIL/)
  const spent = await ask('c.', 'A')
  assert.deepEqual([spent.status, spent.proof], ['servfail', []])
  assert.match(spent.reason ?? '', /may send 1 questions/)
  assert.equal(sent.length, 1)
})

test('a job that is over ends the question', async t => {
  const { ask } = await open(t, () => undefined, 20, AbortSignal.abort(new Error('gone')))
  await assert.rejects(ask('b.', 'A'), /gone/)
})
