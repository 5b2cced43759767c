import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem, performed, type Recording } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { ipLookup } from './ip-lookup.ts'
import { reverseIp } from './reverse-ip.ts'

const [lookup] = ipLookup.actions
const [reverse] = reverseIp.actions
assert.ok(lookup && reverse)
const look = (ip: string, recording: Recording) => performed(lookup, { ip }, replay(recording))
const names = (ip: string, recording: Recording) => performed(reverse, { ip }, replay(recording))

const zone = `10.0.3.26.in-addr.arpa. PTR www.good.test.
10.0.3.26.origin.asn.cymru.com. TXT "64496 64497 | 26.3.0.0/24 | CH | ripencc | 2020-01-02"
10.0.3.26.origin.asn.cymru.com. TXT "64498 | 26.0.0.0/8 | US | arin | 1990-01-02"
AS64496.asn.cymru.com. TXT "64496 | CH | ripencc | 2020-01-02 | LAB, CH"
www.good.test. A 26.3.0.10`
const network = {
  objectClassName: 'ip network',
  name: 'LAB',
  handle: 'H',
  country: 'de',
  startAddress: '26.3.0.0',
  endAddress: '26.3.0.255',
  entities: [{ roles: ['registrant'], vcardArray: ['vcard', [['fn', {}, 'text', 'Lab AG']]] }],
}
const http = {
  'https://data.iana.org/rdap/ipv4.json': {
    status: 200,
    headers: [],
    body: '{"services":[[["26.0.0.0/8"],["https://rdap.test"]]]}',
  },
  'https://rdap.test/ip/26.3.0.10': { status: 200, headers: [], body: JSON.stringify(network) },
} as const

test('[OPEN-071] the registry says whose it is, the nearest announcement who announces it', async () => {
  const { result } = await look('26.3.0.10', { zone, http })
  assert.partialDeepStrictEqual(result, {
    ip: '26.3.0.10',
    version: 4,
    range_class: 'Public',
    range: null,
    reverse_dns: 'www.good.test',
    network: { name: 'LAB', handle: 'H', ranges: ['26.3.0.0 - 26.3.0.255'] },
    organization: 'Lab AG',
    country: 'DE',
    asn: 64_496,
    as_name: 'LAB',
    origins: [{ asn: 64_496 }, { asn: 64_497, name: null }],
  })
})

test('[OPEN-022] without the registry the DNS still answers, without both there is an error', async () => {
  const { result } = await look('26.3.0.10', { zone })
  assert.partialDeepStrictEqual(result, {
    network: null,
    organization: null,
    country: 'CH',
    asn: 64_496,
    sources: [{ outcome: 'found' }, { source: 'RDAP', outcome: 'failed' }, { outcome: 'found' }],
  })
})

test('an address that nobody announces and no registry knows', async () => {
  const unknown = { ...http, 'https://rdap.test/ip/26.3.0.10': { status: 404, headers: [], body: '{}' } }
  const { result } = await look('26.3.0.10', { http: unknown })
  assert.partialDeepStrictEqual(result, {
    asn: null,
    country: null,
    sources: [{ outcome: 'none' }, { outcome: 'none' }, { outcome: 'none' }],
  })
})

test('special addresses are answered from the table, with what they carry inside', async () => {
  for (const [ip, name] of [
    ['10.0.0.1', 'Private use'],
    ['169.254.169.254', 'Link local'],
    ['::1', 'Loopback address'],
    ['2002:808:808::1', '6to4'],
  ]) {
    const { result } = await look(String(ip), {})
    assert.partialDeepStrictEqual(result, { range_class: name, asn: null, organization: null })
  }
  const { result } = await look('2002:808:808::1', {})
  assert.partialDeepStrictEqual(result, { embedded: [{ form: '6to4', ip: '8.8.8.8', public: true }] })
})

test('[OPEN-071] reverse-ip says what is true, what is not and what cannot be told', async () => {
  const pointers = `10.0.3.26.in-addr.arpa. PTR liar.test.
10.0.3.26.in-addr.arpa. PTR www.good.test.
10.0.3.26.in-addr.arpa. PTR gone.test.
www.good.test. A 26.3.0.10
liar.test. A 26.3.0.11`
  const { result } = await names('26.3.0.10', { zone: pointers })
  assert.partialDeepStrictEqual(result, {
    complete: false,
    total: 3,
    domains: [
      { domain: 'www.good.test', source: 'PTR', forward_confirmed: true },
      { domain: 'liar.test', forward_confirmed: false },
      { domain: 'gone.test', forward_confirmed: false },
    ],
    sources: [
      { source: 'PTR', outcome: 'found' },
      { source: 'certificate', outcome: 'failed' },
    ],
  })
})

test('[OPEN-008] reverse-ip connects to no special address', async () => {
  for (const ip of ['10.0.0.1', '127.0.0.1', '169.254.169.254', '::1', 'fe80::1', '2002:808:808::1']) {
    await assert.rejects(names(ip, {}), (error: unknown) => error instanceof Problem && error.code === 'refused', ip)
  }
})
