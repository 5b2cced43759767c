import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, test } from 'node:test'
import { dig, folder, run } from './programs.ts'

/** BIND's validator, from the lab's trust anchor. */
async function delv(name: string, type = 'A'): Promise<string> {
  const { output, complaints } = await run('delv', '-a', path.join(folder, 'bind.anchor'), '@8.8.8.8', name, type)
  return output + complaints
}

async function unbound(name: string, type = 'A'): Promise<string> {
  const { status, flags } = await dig('8.8.8.8', name, type, '+dnssec')
  return `${status}${flags.includes('ad') ? ' AD' : ''}`
}

const secure = [
  ['www.good.test', 'A'],
  ['good.test', 'SOA'],
  ['big.good.test', 'TXT'],
  ['www.sub.good.test', 'A'],
  ['www.rsa.test', 'A'],
  ['www.rsa512.test', 'A'],
  ['www.p384.test', 'A'],
  ['www.ed25519.test', 'A'],
  ['www.ed448.test', 'A'],
  ['www.iterations.test', 'A'],
  ['www.signed.com', 'A'],
  ['secure.chain.org', 'A'],
  ['eight1.chain.org', 'A'],
  ['www.old.dname.test', 'A'],
  ['x.wild.wildcard.test', 'A'],
  ['www.bogus.test', 'AAAA'],
  ['www.nosig.test', 'AAAA'],
  ['www.badsoa.test', 'A'],
  ['www.nonsec.test', 'A'],
  ['www.rsasha1.test', 'A'],
  ['www.sha1ds.test', 'A'],
  ['www.sha384ds.test', 'A'],
  ['www.mixedds.test', 'A'],
  ['www.soon.test', 'A'],
  ['www.long.test', 'A'],
] as const

describe('secure: delv validates fully, Unbound sets AD', () => {
  for (const [name, type] of secure) {
    test(`${name} ${type}`, async () => {
      assert.match(await delv(name, type), /^; fully validated/m)
      assert.equal(await unbound(name, type), 'NOERROR AD')
    })
  }
})

describe('denial of existence: validated', () => {
  for (const [name, type, answer] of [
    ['missing.good.test', 'A', 'NXDOMAIN AD'],
    ['only-txt.good.test', 'A', 'NOERROR AD'],
    ['nothing.rsa.test', 'A', 'NXDOMAIN AD'],
    ['exists.wild.wildcard.test', 'A', 'NOERROR AD'],
    ['nothing.iterations.test', 'A', 'NXDOMAIN AD'],
    ['nothing.org', 'A', 'NXDOMAIN AD'],
  ] as const) {
    test(`${name} ${type}`, async () => {
      assert.match(await delv(name, type), /negative response, fully validated/)
      assert.equal(await unbound(name, type), answer)
    })
  }
  test('RFC 5155 §9.2: within an opt-out span a denial is not secure', async () => {
    assert.equal(await unbound('nothing.com'), 'NXDOMAIN')
  })
})

describe('insecure: an answer without AD', () => {
  for (const name of [
    'www.unsigned.com',
    'www.open.good.test',
    'www.island.test',
    'www.unknownalg.test',
    'www.baddigest.test',
    'across.chain.com',
    'insecure.chain.com',
    'good.tls.test',
  ]) {
    test(name, async () => {
      assert.match(await delv(name), /unsigned answer/)
      assert.equal(await unbound(name), 'NOERROR')
    })
  }
})

describe('bogus: delv fails, Unbound answers SERVFAIL, and without checking the records are there', () => {
  for (const name of [
    'www.wrongds.test',
    'www.bogus.test',
    'www.expired.test',
    'www.future.test',
    'www.stripped.test',
    'www.nosig.test',
    'x.wild.nonsec.test',
    'bogus.chain.com',
  ]) {
    test(name, async () => {
      assert.match(await delv(name), /resolution failed/)
      assert.equal(await unbound(name), 'SERVFAIL')
      assert.equal((await dig('8.8.8.8', name, 'A', '+cd')).status, 'NOERROR')
    })
  }
})

test('RFC 8914: Unbound says why', async () => {
  const why = async (name: string) => /EDE: (\d+)/.exec((await dig('1.1.1.1', name, 'SOA', '+dnssec')).text)?.[1]
  assert.equal(await why('expired.test'), '7')
  assert.equal(await why('future.test'), '8')
  assert.equal(await why('stripped.test'), '9')
})

test('what denies lacks a good SOA in badsoa, and NSEC in nonsec', async () => {
  assert.equal(await unbound('nothing.badsoa.test'), 'SERVFAIL')
  assert.equal(await unbound('nothing.nonsec.test'), 'SERVFAIL')
})

test('signatures of soon end today or tomorrow, those of long in 2040', async () => {
  const end = async (name: string) => {
    const { records } = await dig('8.8.8.8', name, 'A', '+dnssec')
    return /^RRSIG A \d+ \d+ \d+ (\d{8})/m.exec(records.join('\n'))?.[1]
  }
  const days = [0, 1].map(day => new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''))
  assert.ok(days.includes((await end('www.soon.test')) ?? ''))
  assert.equal(await end('www.long.test'), '20400101')
})

test('the parent says nothing of the island, and something false of wrongds', async () => {
  assert.deepEqual((await dig('8.8.8.8', 'island.test', 'DS')).records, [])
  assert.match((await dig('8.8.8.8', 'wrongds.test', 'DS')).records.join(), /^DS 12345 13 2 DEADBEEF/)
})

test('RFC 5155: parameters of the three NSEC3 zones', async () => {
  const parameters = async (zone: string) => (await dig('8.8.8.8', zone, 'NSEC3PARAM')).records
  assert.deepEqual(await parameters('good.test'), ['NSEC3PARAM 1 0 0 -'])
  assert.deepEqual(await parameters('iterations.test'), ['NSEC3PARAM 1 0 100 -'])
  const denial = await dig('21.1.0.11', 'nothing.com', 'A', '+dnssec', '+norecurse')
  assert.match(denial.text, /\sNSEC3\s+1 1 0 - /)
})
