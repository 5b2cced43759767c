import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { actions } from '@assay/catalogue/catalogue'
import type { DnssecResult } from '@assay/catalogue/dns/dnssec'
import type { Panel } from '@assay/kit'
import { type App, createApp } from '../src/app.ts'
import { createNetwork } from '../src/network.ts'
import { readSettings } from '../src/settings.ts'
import { unhurried } from './unhurried.ts'

/** The DNSSEC check as shipped, with the trust anchor that the lab gives it, through the server's door. */
let app: App
before(async () => {
  const { ASSAY_TRUST_ANCHORS } = process.env
  const settings = readSettings({
    ...unhurried,
    ASSAY_LOOKUPS_PER_MINUTE: '10000',
    ASSAY_TARGET_PER_MINUTE: '10000',
    ASSAY_TRUST_ANCHORS,
  })
  app = await createApp({ settings, log: () => {}, ...createNetwork(settings) })
})
after(() => app.close())

async function check(domain: string, query = ''): Promise<DnssecResult> {
  const { statusCode, body } = await app.server.inject({ method: 'GET', url: `/api/dnssec/${domain}/${query}` })
  assert.equal(statusCode, 200, body)
  return JSON.parse(body)
}

const action = actions.find(({ tool }) => tool.id === 'dnssec')?.action
const panelsOf = (result: DnssecResult): Panel[] => action?.show?.(result, { domain: result.domain }) ?? []
const findingOf = ({ findings }: DnssecResult, name: RegExp) => findings.find(finding => name.test(finding.name))

describe('[API-022] [SEC-001] [SEC-002] every state of a domain', () => {
  for (const [domain, verdict, ede] of [
    ['good.test', 'secure', null],
    ['www.good.test', 'secure', null],
    ['signed.com', 'secure', null],
    ['unsigned.com', 'insecure', null],
    ['island.test', 'insecure', null],
    ['unknownalg.test', 'insecure', 1],
    ['baddigest.test', 'insecure', 2],
    ['rsasha1.test', 'insecure', 1],
    ['wrongds.test', 'bogus', 9],
    ['stripped.test', 'bogus', 9],
    ['expired.test', 'bogus', 7],
    ['future.test', 'bogus', 8],
    ['www.nosig.test', 'bogus', 10],
    ['www.bogus.test', 'bogus', 6],
    ['nothing.nonsec.test', 'bogus', 12],
    ['lame.test', 'indeterminate', 22],
  ] as const) {
    test(`${domain} is ${verdict}`, async () => {
      const result = await check(domain)
      assert.equal(result.domain, domain)
      assert.equal(result.verdict, verdict, result.reason ?? '')
      assert.equal(result.ede?.code ?? null, ede)
      assert.equal(result.dnssec_enabled, verdict === 'secure')
      assert.equal(result.error === null, verdict === 'secure' || verdict === 'insecure')
      const [banner, tiles] = panelsOf(result)
      assert.equal(banner?.kind === 'banner' && banner.badge, verdict === 'secure' ? 'SECURED' : 'UNSECURED')
      const status = tiles?.kind === 'tiles' ? tiles.tiles[0] : undefined
      assert.ok(typeof status?.value === 'object')
      assert.equal(status.value.text, verdict === 'secure' ? 'ENABLED' : 'DISABLED')
    })
  }
})

test('[API-022] the chain of a name three zones below the root, with its keys and who vouches for them', async () => {
  const { chain, signatures } = await check('www.sub.good.test')
  assert.deepEqual(
    chain.map(({ zone, parent, verdict }) => [zone, parent, verdict]),
    [
      ['.', null, 'secure'],
      ['test', '.', 'secure'],
      ['good.test', 'test', 'secure'],
      ['sub.good.test', 'good.test', 'secure'],
    ],
  )
  const [root, , good] = chain
  assert.deepEqual(
    root?.ds.map(({ state }) => state),
    ['matches'],
  )
  assert.deepEqual(
    good?.keys.map(({ role, anchored, algorithm_number }) => [role, anchored, algorithm_number]).sort(),
    [
      ['KSK', true, 13],
      ['ZSK', false, 13],
    ],
  )
  const address = signatures.find(({ record_type }) => record_type === 'A')
  assert.equal(address?.signed_by, 'sub.good.test')
  assert.equal(address?.algorithm_text, 'ECDSA P-256 / SHA-256')
  assert.equal(address?.state, 'valid')
  assert.match(address?.signature ?? '', /^[A-Za-z0-9+/]{86}==$/)
})

test('records beside a broken one are told by themselves', async () => {
  const { record_sets, verdict } = await check('www.nosig.test')
  assert.equal(verdict, 'bogus')
  const of = (type: string) => record_sets.find(({ record_type }) => record_type === type)
  assert.equal(of('A')?.verdict, 'bogus')
  assert.equal(of('AAAA')?.verdict, 'secure')
})

test('one record type alone', async () => {
  const { record_sets, verdict } = await check('www.bogus.test', '?record_type=AAAA')
  assert.deepEqual(
    record_sets.map(({ record_type }) => record_type),
    ['AAAA'],
  )
  assert.equal(verdict, 'secure')
})

test('an alias into another zone brings that zone into the chain', async () => {
  const { chain, verdict, record_sets } = await check('secure.chain.org')
  assert.equal(verdict, 'secure')
  assert.deepEqual(
    chain.filter(({ on_path }) => !on_path).map(({ zone }) => zone),
    ['test', 'good.test'],
  )
  assert.equal(record_sets.find(({ record_type }) => record_type === 'A')?.target, 'www.good.test')
})

test('what may break soon or is out of date is told, and nothing of a zone in order', async () => {
  assert.equal(findingOf(await check('soon.test'), /about to expire/)?.verdict, 'warn')
  assert.equal(findingOf(await check('long.test'), /for a long time/)?.verdict, 'warn')
  assert.match(findingOf(await check('iterations.test'), /^NSEC3 iterations/)?.detail ?? '', /100 more times/)
  assert.equal(findingOf(await check('sha1ds.test'), /Digest of sha1ds\.test/)?.clause, 'RFC 9905')
  assert.equal(findingOf(await check('rsa512.test'), /Algorithm of rsa512\.test/)?.clause, 'RFC 9904')
  assert.match(findingOf(await check('mixedds.test'), /DS records of mixedds\.test/)?.detail ?? '', /12345/)
  const { findings } = await check('www.good.test')
  assert.deepEqual(
    findings.filter(({ verdict }) => verdict !== 'pass'),
    [],
  )
})

test('[API-022] what is no domain is refused', async () => {
  for (const domain of ['192.0.2.1', 'a..b', `${'a'.repeat(64)}.test`, '%20']) {
    const { statusCode } = await app.server.inject({ method: 'GET', url: `/api/dnssec/${domain}/` })
    assert.ok(statusCode >= 400 && statusCode < 500, domain)
  }
})
