import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Panel, performed, type Recording, type ServerContext } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { createQuery, createRecord, type Message } from '@assay/lib/dns/message'
import { subdomainFinder } from './subdomain-finder.ts'
import { depthBelow, namesBetween, Search } from './subdomain-search.ts'
import { namesIn } from './subdomain-sources.ts'

const [action] = subdomainFinder.actions
assert.ok(action)

const ZONE = `example.com. 60 SOA ns.example.com. host.example.com. 1 2 3 4 60
example.com. 60 NS ns.example.com.
ns.example.com. 60 A 192.0.2.53
`

async function find(recording: Recording) {
  const { result, input } = await performed(action ?? assert.fail(), { domain: 'example.com' }, replay(recording))
  return { result: result as Result, panels: action?.show?.(result, input) ?? [] }
}

interface Result {
  subdomains: { subdomain: string; status: string; last_checked: string; sources: string[]; note?: string }[]
}

const panelsOf = (subdomains: Partial<Result['subdomains'][number]>[] | undefined): Panel[] => {
  const rows = subdomains?.map(each => ({ sources: [], addresses: [], ...each }))
  const rest = { domain: 'example.com', sources: [], wildcards: [], names_tried: 1, servers: [], truncated: false }
  return action?.show?.({ ...rest, subdomains: rows }, { domain: 'example.com' }) ?? []
}

test('[API-023] domain and subdomains with subdomain, status and last_checked', async () => {
  const { result } = await find({
    now: '2026-11-21T10:00:00Z',
    zone: `${ZONE}www.example.com. 60 A 192.0.2.1\n_dmarc.example.com. 60 TXT "v=DMARC1; p=none"\na.b.example.com. 60 A 192.0.2.2`,
  })
  assert.deepEqual(
    result.subdomains.map(({ subdomain, status }) => [subdomain, status]),
    [
      ['_dmarc.example.com', 'inactive'],
      ['b.example.com', 'inactive'],
      ['a.b.example.com', 'active'],
      ['ns.example.com', 'active'],
      ['www.example.com', 'active'],
    ].toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  )
  assert.ok(result.subdomains.every(({ last_checked }) => last_checked === '2026-11-21T10:00:00.000Z'))
})

test('names that no word list has come from transfers, records, certificates and policies', async () => {
  const { result } = await find({
    zone: `${ZONE}example.com. 60 TXT "v=spf1 a:out-7f3.example.com -all"
out-7f3.example.com. 60 A 192.0.2.9
tape-7.example.com. 60 A 10.0.0.7
cdn-x1.example.com. 60 A 192.0.2.10`,
    transfers: ['192.0.2.53'],
    http: {
      'https://example.com/': {
        status: 200,
        headers: [
          [
            'Content-Security-Policy',
            "default-src 'self' https://cdn-x1.example.com *.example.com gone-x2.example.com",
          ],
        ],
      },
    },
  })
  const sourcesOf = (name: string) => result.subdomains.find(({ subdomain }) => subdomain === name)?.sources
  assert.deepEqual(sourcesOf('tape-7.example.com'), ['zone transfer'])
  assert.deepEqual(sourcesOf('ns.example.com'), ['zone transfer', 'DNS records', 'word list'])
  assert.ok(sourcesOf('out-7f3.example.com')?.includes('DNS records'))
  assert.ok(sourcesOf('cdn-x1.example.com')?.includes('web site'))
  // Written somewhere, but not in the DNS.
  assert.equal(sourcesOf('gone-x2.example.com'), undefined)
})

test('an alias that leads to nothing is there, inactive, and says so', async () => {
  const { result } = await find({ zone: `${ZONE}shop.example.com. 60 CNAME gone.example.net.` })
  const shop = result.subdomains.find(({ subdomain }) => subdomain === 'shop.example.com')
  assert.equal(shop?.status, 'inactive')
  assert.match(shop?.note ?? '', /does not exist/)
  assert.match(JSON.stringify(panelsOf(result.subdomains)), /One name leads to an alias without an address/)
})

test('[SUB-001] [ERR-033] no data', () => {
  assert.match(JSON.stringify(panelsOf(undefined)), /No subdomain data available/)
})

test('[SUB-002] [SUB-003] [SUB-004] [OPEN-062] the count, the total, and the active ones in whole percent', () => {
  const at = '2026-11-21T10:00:00.000Z'
  const panels = panelsOf(
    ['a', 'b', 'c'].map((name, i) => ({ subdomain: name, status: i ? 'active' : 'inactive', last_checked: at })),
  )
  assert.match(JSON.stringify(panels), /"3 FOUND"/)
  const tiles = panels.find(({ kind }) => kind === 'tiles')
  assert.match(JSON.stringify(tiles), /"Total","value":3/)
  assert.match(JSON.stringify(tiles), /"Active".*"2".*"67%"/)
  assert.match(JSON.stringify(panelsOf([])), /"0%"/)
})

test('[SUB-005] [BIZ-018] recent checks are those of the last 24 hours', () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const panels = panelsOf(
    [0, 23, 25].map(hours => ({ subdomain: 'a', status: 'active', last_checked: hoursAgo(hours) })),
  )
  assert.match(JSON.stringify(panels), /"Recent Checks","value":2/)
})

test('[SUB-006] [SUB-007] [SUB-008] [SUB-009] [OPEN-100] [OPEN-101] a link, a badge and the time for each', () => {
  const at = '2026-11-21T10:00:00.000Z'
  const panels = panelsOf([
    { subdomain: 'a.example.com', status: 'active', last_checked: at },
    { subdomain: 'b.example.com', status: 'inactive', last_checked: at },
  ])
  const list = panels.find(each => each.kind === 'list')
  const [a, b] = list?.items ?? []
  assert.partialDeepStrictEqual(a?.text, { text: 'a.example.com', href: 'https://a.example.com' })
  assert.equal(a?.badges?.[0]?.text, 'ACTIVE')
  assert.equal(b?.badges?.[0]?.text, 'INACTIVE')
  assert.equal(a?.badges?.[1]?.instant, at)
})

test('[OPEN-022] servers that stay silent are an error, not an empty list', async () => {
  const context = replay({ zone: ZONE })
  const nameServers: ServerContext['nameServers'] = {
    ...context.nameServers,
    async *askAll(_, questions) {
      yield Array.from(questions, question => ({ question }))
    },
  }
  await assert.rejects(performed(action ?? assert.fail(), { domain: 'example.com' }, { ...context, nameServers }), {
    code: 'timeout',
  })
})

/** Servers that answer by a function of the name. */
function servedBy(
  answer: (name: string, asked: number) => { addresses?: string[]; alias?: string } | undefined,
): ServerContext {
  const context = replay()
  let asked = 0
  const messageFor = (name: string): Message => {
    const found = answer(name, asked++)
    const { addresses = [], alias } = found ?? {}
    return {
      ...createQuery({ id: 0, name, type: 'A' }),
      ...{ qr: true, aa: true, rcode: found ? 'NOERROR' : 'NXDOMAIN' },
      answers: [
        ...(alias ? [createRecord('CNAME', { name, ttl: 1 }, { cname: alias })] : []),
        ...addresses.map(address => createRecord('A', { name: alias ?? name, ttl: 1 }, { address })),
      ],
    }
  }
  const nameServers: ServerContext['nameServers'] = {
    ...context.nameServers,
    async *askAll(_, questions) {
      for (const question of questions) yield [{ question, message: messageFor(question.name) }]
    },
  }
  return { ...context, nameServers }
}

async function search(context: ServerContext, names: readonly string[]) {
  const all: string[] = []
  const found = new Search(context, ['192.0.2.53'])
  for await (const step of found.find(names)) all.push(...step.found)
  return all.sort()
}

const words = Array.from({ length: 60 }, (_, i) => `w${i}.example.`)

test('RFC 4592: a wildcard that is an alias, or says nothing at all, adds no names', async () => {
  assert.deepEqual(
    await search(
      servedBy(() => ({ alias: 'park.test.', addresses: ['192.0.2.1'] })),
      words,
    ),
    [],
  )
  assert.deepEqual(
    await search(
      servedBy(() => ({})),
      words,
    ),
    [],
  )
})

test('a pool of addresses in turn, and a new address for each answer, add no names', async () => {
  assert.deepEqual(
    await search(
      servedBy((_, i) => ({ addresses: [`192.0.2.${i % 23}`] })),
      words,
    ),
    [],
  )
  assert.deepEqual(
    await search(
      servedBy((_, i) => ({ addresses: [`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`] })),
      words,
    ),
    [],
  )
})

test('a name that always answers otherwise is found beside a wildcard that does not stop at names', async () => {
  const context = servedBy((name, i) =>
    name === 'w7.example.' ? { addresses: ['198.51.100.7'] } : { addresses: [`192.0.2.${i % 5}`] },
  )
  assert.deepEqual(await search(context, words), ['w7.example.'])
})

test('RFC 8020: below a name that does not exist nothing is asked', async () => {
  const names: string[] = []
  const context = servedBy(name => {
    names.push(name)
    return undefined
  })
  await search(context, ['gone.example.', 'www.gone.example.'])
  assert.ok(!names.includes('www.gone.example.'))
})

test('RFC 1034 §4.2.1: a delegation is a name, and what lies below it is not told here', async () => {
  const context = servedBy(() => ({}))
  const nameServers: ServerContext['nameServers'] = {
    ...context.nameServers,
    async *askAll(_, questions) {
      for (const question of questions) {
        const within = question.name.endsWith('cut.example.')
        const authorities = within
          ? [createRecord('NS', { name: 'cut.example.', ttl: 1 }, { nsdname: 'ns.other.test.' })]
          : []
        const query = createQuery({ id: 0, ...question })
        yield [{ question, message: { ...query, qr: true, rcode: within ? 'NOERROR' : 'NXDOMAIN', authorities } }]
      }
    },
  }
  const names = ['www.cut.example.', 'cut.example.', 'other.example.']
  assert.deepEqual(await search({ ...context, nameServers }, names), ['cut.example.'])
})

test('names are read out of texts of any kind', () => {
  const domain = 'example.com.'
  assert.deepEqual(namesIn('v=spf1 include:_spf.Example.com a:mail.example.com/24 -all', domain), [
    '_spf.example.com.',
    'mail.example.com.',
  ])
  assert.deepEqual(
    namesIn('*.example.com notexample.com example.com a..example.com x.example.com.evil.test', domain),
    [],
  )
  assert.deepEqual(namesIn(`${'a'.repeat(64)}.example.com`, domain), [])
  assert.deepEqual(namesBetween('a.b.c.example.com.', domain), ['c.example.com.', 'b.c.example.com.'])
  assert.equal(depthBelow('a.b.example.com.', domain), 2)
})
