import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Panel, performed, type ServerContext } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { checkTyposquatting } from './check-typosquatting.ts'
import { findRegistrations } from './registration-search.ts'

const [action] = checkTyposquatting.actions
assert.ok(action)

const REGISTRY = `com. 60 SOA a.gtld-servers.net. nstld.verisign-grs.com. 1 2 3 4 60
com. 60 NS a.gtld-servers.net.
a.gtld-servers.net. 60 A 192.0.2.30
example.com. 60 NS ns1.example.net.
`

interface Result {
  domain: string
  detected_domains: string[]
  details: Record<string, unknown>[]
  truncated: boolean
  names_checked: number
  names_unknown: number
}

async function check(domain: string, zone: string, change: (context: ServerContext) => ServerContext = each => each) {
  const { result } = await performed(action ?? assert.fail(), { domain }, change(replay({ zone: REGISTRY + zone })))
  return result as Result
}

const panelsFor = (detected: string[] | undefined, domain = 'example.com'): Panel[] => {
  const rest = { details: [], checked: domain, names_checked: 1, names_unknown: 0, truncated: false }
  return action?.show?.({ domain, detected_domains: detected, ...rest }, { domain }) ?? []
}
const textFor = (detected: string[] | undefined) => JSON.stringify(panelsFor(detected))
const names = (count: number) => Array.from({ length: count }, (_, i) => `example${i}.com`)

test('[API-027] [API-028] domain and detected_domains, the likeliest kind first, with what is known of each', async () => {
  const zone = `exampl.com. 60 NS ns.other.test.
exampl.com. 60 A 198.51.100.7
exampl.com. 60 MX 10 mail.exampl.com.
secure-example.com. 60 NS ns1.example.net.
unrelated.com. 60 NS ns.other.test.`
  const result = await check('www.example.com', zone)
  assert.equal(result.domain, 'www.example.com')
  assert.deepEqual(result.detected_domains, ['exampl.com', 'secure-example.com'])
  assert.deepEqual(result.details, [
    {
      domain: 'exampl.com',
      fuzzer: 'omission',
      risk_level: 'Medium',
      risk_reason: 'at most 3 characters longer than the domain',
      name_servers: ['ns.other.test'],
      addresses: ['198.51.100.7'],
      mail_servers: ['mail.exampl.com'],
      same_owner_likely: false,
    },
    {
      domain: 'secure-example.com',
      fuzzer: 'dictionary',
      risk_level: 'High',
      risk_reason: 'more than 3 characters longer than the domain',
      name_servers: ['ns1.example.net'],
      addresses: [],
      mail_servers: [],
      same_owner_likely: true,
    },
  ])
})

test('a name below somebody else’s domain counts when it exists there', async () => {
  const below = await check('example.com', 'ple.com. 60 NS ns.other.test.\nexam.ple.com. 60 A 198.51.100.9')
  assert.deepEqual(below.detected_domains, ['exam.ple.com'])
  assert.deepEqual((await check('example.com', 'ple.com. 60 NS ns.other.test.')).detected_domains, [])
})

test('3,000 names are looked up, and the result says that there are more', async () => {
  const result = await check('bankofamerica.com', '')
  assert.equal(result.names_checked, 3_000)
  assert.equal(result.truncated, true)
})

test('[OPEN-022] with the network cut there is an error and no empty list', async () => {
  const cut = (context: ServerContext): ServerContext => ({
    ...context,
    dns: {
      ...context.dns,
      resolve: async (name, type) => ({
        status: 'timeout',
        name,
        type,
        records: [],
        errors: [],
        milliseconds: 0,
        queries: 1,
      }),
    },
    nameServers: {
      ...context.nameServers,
      async *askAll(_, questions) {
        yield Array.from(questions, question => ({ question }))
      },
    },
  })
  await assert.rejects(check('example.com', '', cut), { code: 'unreachable' })
})

test('a suffix has nobody to imitate', async () => {
  await assert.rejects(check('co.uk', ''), { code: 'invalid-input', field: 'domain' })
})

test('names of which nothing could be told are counted and never called free', async () => {
  const context = replay({ zone: REGISTRY })
  const nameServers: ServerContext['nameServers'] = {
    ...context.nameServers,
    async *askAll(servers, questions) {
      const [first, ...rest] = questions
      if (first) yield [{ question: first }]
      yield* context.nameServers.askAll(servers, rest)
    },
  }
  const found = []
  for await (const batch of findRegistrations({ ...context, nameServers }, names(10))) found.push(...batch)
  assert.deepEqual(found.map(({ status }) => status).toSorted(), [...Array(9).fill('free'), 'unknown'])
})

test('[TYP-001] [ERR-034] no data', () => {
  assert.match(textFor(undefined), /No typosquatting data available/)
})

test('[TYP-002] [TYP-003] [TYP-008] the count, the tile and the check that is complete', () => {
  const text = textFor(names(3))
  assert.match(text, /"3 FOUND"/)
  assert.match(text, /"Suspicious Domains","value":3/)
  assert.match(text, /"Security Check","value":\{"text":"COMPLETE"/)
})

for (const [id, level, counts] of [
  ['TYP-004', 'SAFE', [0]],
  ['TYP-005', 'LOW', [1, 5]],
  ['TYP-006', 'MEDIUM', [6, 15]],
  ['TYP-007', 'HIGH', [16]],
] as const) {
  test(`[${id}] [BIZ-016] the threat level of ${counts.join(' and ')} is ${level}`, () => {
    for (const count of counts)
      assert.match(textFor(names(count)), new RegExp(`"Threat Level","value":\\{"text":"${level}"`))
  })
}

test('[TYP-009] [TYP-010] [TYP-011] [OPEN-072] links to the name and to its WHOIS entry, and the risk', () => {
  const list = panelsFor(['exampl.com', 'secure-example.com']).find(each => each.kind === 'list')
  assert.deepEqual(
    list?.items.map(({ badges = [] }) => badges.map(({ text, href }) => href ?? text)),
    [
      ['Medium', 'http://exampl.com', '/dns-tools/whois/?q=exampl.com'],
      ['High', 'http://secure-example.com', '/dns-tools/whois/?q=secure-example.com'],
    ],
  )
  assert.deepEqual(
    list?.items[0]?.badges?.slice(1).map(({ text }) => text),
    ['Visit Domain', 'Whois Info'],
  )
})

test('[TYP-012] [TYP-013] [BIZ-017] four characters longer is High, three are Medium', () => {
  const list = panelsFor(['example1234.com', 'example123.com', 'a.com']).find(each => each.kind === 'list')
  assert.deepEqual(
    list?.items.map(({ badges }) => badges?.[0]?.text),
    ['High', 'Medium', 'Medium'],
  )
})

test('[TYP-014] an empty list', () => {
  assert.match(textFor([]), /No Threats Detected/)
})
