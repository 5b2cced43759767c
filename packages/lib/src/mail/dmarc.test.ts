import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDmarcRecord, parseDmarc, policiesOf, stepDown } from './dmarc.ts'
import { checkReportAddress, discoverDmarc, organizationalDomainOf, walkTargets, walkTree } from './dmarc-discovery.ts'
import { planted } from './planted.ts'

/** The topics follow the text of RFC 9989 §4.7 to §4.10.2 and its examples in §B.4. */
const txt = (name: string, value: string) => `_dmarc.${name}. TXT "${value}"`
const discover = (domain: string, ...zone: readonly string[]) => discoverDmarc(domain, planted(zone.join('\n')))

test('RFC 9989 §4.10: the eight questions for a name of 13 labels', () => {
  assert.deepEqual(walkTargets('a.b.c.d.e.f.g.h.i.j.mail.example.com'), [
    'a.b.c.d.e.f.g.h.i.j.mail.example.com',
    'g.h.i.j.mail.example.com',
    'h.i.j.mail.example.com',
    'i.j.mail.example.com',
    'j.mail.example.com',
    'mail.example.com',
    'example.com',
    'com',
  ])
})

test('RFC 9989 §4.10: a name of ten labels is asked for, then seven labels, then one less each time', async () => {
  const dns = planted('')
  await walkTree('a.b.c.d.e.f.g.h.example.com', dns)
  assert.deepEqual(dns.asked, [
    '_dmarc.a.b.c.d.e.f.g.h.example.com. TXT',
    '_dmarc.d.e.f.g.h.example.com. TXT',
    '_dmarc.e.f.g.h.example.com. TXT',
    '_dmarc.f.g.h.example.com. TXT',
    '_dmarc.g.h.example.com. TXT',
    '_dmarc.h.example.com. TXT',
    '_dmarc.example.com. TXT',
    '_dmarc.com. TXT',
  ])
})

test('RFC 9989 §4.10: never more than eight questions, and no label is left out up to eight', () => {
  for (let labels = 1; labels <= 127; labels++) {
    const targets = walkTargets(Array.from({ length: labels }, () => 'a').join('.'))
    assert.equal(targets.length, Math.min(labels, 8))
    assert.equal(targets.at(-1), 'a')
  }
})

test('RFC 9989 §4.10: a record without psd does not end the walk, one with y or n does', async () => {
  const zone = [txt('mail.example.com', 'v=DMARC1; p=none'), txt('example.com', 'v=DMARC1; p=none; psd=n')]
  const steps = await walkTree('a.mail.example.com', planted(zone.join('\n')))
  assert.deepEqual(
    steps.map(({ domain }) => domain),
    ['a.mail.example.com', 'mail.example.com', 'example.com'],
  )
})

for (const [what, domain, organization, ...zone] of [
  [
    'the shortest with a record',
    'a.mail.example.com',
    'example.com',
    txt('mail.example.com', 'v=DMARC1; p=none'),
    txt('example.com', 'v=DMARC1; p=none'),
  ],
  [
    'the one with psd=n',
    'a.mail.example.com',
    'mail.example.com',
    txt('mail.example.com', 'v=DMARC1; p=none; psd=n'),
    txt('example.com', 'v=DMARC1; p=none'),
  ],
  ['one label below psd=y', 'a.mail.example.com', 'example.com', txt('com', 'v=DMARC1; p=none; psd=y')],
  [
    'one label below psd=y, in the given example',
    'mail.example.com',
    'mail.example.com',
    txt('example.com', 'v=DMARC1; p=none; psd=y'),
  ],
  ['the domain itself when nothing is found', 'a.mail.example.com', 'a.mail.example.com'],
  [
    'the domain itself when it is the suffix',
    'bank.example',
    'bank.example',
    txt('bank.example', 'v=DMARC1; p=reject; psd=y'),
  ],
  [
    'one label below psd=y, past the labels that were left out',
    'a.b.c.d.e.f.g.h.i.example.com',
    'i.example.com',
    txt('example.com', 'v=DMARC1; p=none; psd=y'),
  ],
] as const) {
  test(`RFC 9989 §4.10.2: the organizational domain is ${what}`, async () => {
    assert.equal(organizationalDomainOf(await walkTree(domain, planted(zone.join('\n')))), organization)
  })
}

test('RFC 9989 §B.4.3: the bank below a suffix has its own record, its neighbour another organization', async () => {
  const zone = [txt('bank.example', 'v=DMARC1; p=reject; psd=y'), txt('giant.bank.example', 'v=DMARC1; p=quarantine')]
  const giant = await discover('giant.bank.example', ...zone)
  assert.deepEqual(
    [giant.organizationalDomain, giant.source, giant.policy],
    ['giant.bank.example', 'author', 'quarantine'],
  )
  const mega = await discover('mail.mega.bank.example', ...zone)
  assert.equal(mega.organizationalDomain, 'mega.bank.example')
  assert.deepEqual([mega.source, mega.policyDomain], ['public-suffix', 'bank.example'])
})

test('RFC 9989 §4.10.1: the domain before its organization, the organization before its suffix', async () => {
  const zone = [
    txt('com', 'v=DMARC1; p=none; psd=y'),
    txt('example.com', 'v=DMARC1; p=quarantine; sp=none'),
    txt('mail.example.com', 'v=DMARC1; p=reject; sp=none'),
  ]
  const own = await discover('mail.example.com', ...zone)
  assert.deepEqual([own.source, own.policy, own.policyTag], ['author', 'reject', 'p'])
  const organization = await discover('www.example.com', ...zone, 'www.example.com. A 192.0.2.1')
  assert.deepEqual([organization.source, organization.policy, organization.policyTag], ['organization', 'none', 'sp'])
  const suffix = await discover('other.com', ...zone, 'other.com. A 192.0.2.1')
  assert.deepEqual([suffix.source, suffix.policyDomain], ['public-suffix', 'com'])
})

test('RFC 9989 §4.10.1: a record between the domain and its organization does not hold', async () => {
  const { policyDomain, policy } = await discover(
    'a.mail.example.com',
    txt('mail.example.com', 'v=DMARC1; p=none'),
    txt('example.com', 'v=DMARC1; p=reject'),
  )
  assert.deepEqual([policyDomain, policy], ['example.com', 'reject'])
})

for (const [record, existing, missing] of [
  ['p=reject; sp=none; np=quarantine', ['none', 'sp'], ['quarantine', 'np']],
  ['p=reject; sp=quarantine', ['quarantine', 'sp'], ['quarantine', 'sp']],
  ['p=reject; np=none', ['reject', 'p'], ['none', 'np']],
  ['p=reject', ['reject', 'p'], ['reject', 'p']],
] as const) {
  test(`RFC 9989 §4.7 and §4.10.1: ${record} for subdomains that exist and do not`, async () => {
    const zone = [txt('example.com', `v=DMARC1; ${record}`), 'mail MX 10 mx', 'deep.ent TXT "x"']
    for (const name of ['mail.example.com', 'ent.example.com']) {
      const there = await discover(name, ...zone)
      assert.deepEqual([there.policy, there.policyTag, there.exists], [...existing, true], name)
    }
    const gone = await discover('gone.example.com', ...zone)
    assert.deepEqual([gone.policy, gone.policyTag, gone.exists], [...missing, false])
  })
}

test('RFC 9989 §4.10: several records at a name are all thrown away, and the walk goes on', async () => {
  const zone = [
    txt('mail.example.com', 'v=DMARC1; p=reject'),
    txt('mail.example.com', 'v=DMARC1; p=quarantine'),
    txt('example.com', 'v=DMARC1; p=none'),
    'mail A 192.0.2.1',
  ]
  const found = await discover('mail.example.com', ...zone)
  assert.equal(found.steps[0]?.found, 'multiple')
  assert.deepEqual([found.source, found.policy], ['organization', 'none'])
  const alone = await discover(
    'example.org',
    txt('example.org', 'v=DMARC1; p=reject'),
    txt('example.org', 'v=DMARC1; p=none'),
  )
  assert.equal(alone.record, undefined)
})

test('RFC 9989 §4.10: text that is no record is thrown away, beside one and alone', async () => {
  const beside = await discover(
    'example.com',
    txt('example.com', 'some text'),
    txt('example.com', 'v=DMARC1; p=reject'),
  )
  assert.equal(beside.policy, 'reject')
  const alone = await discover(
    'mail.example.com',
    txt('mail.example.com', 'some text'),
    txt('example.com', 'v=DMARC1; p=quarantine'),
  )
  assert.equal(alone.policyDomain, 'example.com')
})

test('strings of one record are joined without anything between', async () => {
  const { policy } = await discover('example.com', '_dmarc.example.com. TXT "v=DMARC1; p=re" "ject"')
  assert.equal(policy, 'reject')
})

test('RFC 9989 §4.7: v comes first and is exactly DMARC1', () => {
  for (const good of ['v=DMARC1', 'v=DMARC1;', 'v = DMARC1 ; p=none', 'v=DMARC1;p=none', 'v=DMARC1\t;p=none']) {
    assert.ok(isDmarcRecord(good), good)
  }
  for (const bad of [
    'v=dmarc1; p=none',
    'V=DMARC1; p=none',
    'v=DMARC1x; p=none',
    'v=DMARC2',
    ' v=DMARC1',
    'p=none; v=DMARC1',
    '',
    'DMARC1',
  ]) {
    assert.ok(!isDmarcRecord(bad), bad)
  }
})

test('RFC 9989 §4.7: other tags stand in any order, their values in any case, with spaces around', () => {
  const record = parseDmarc('v=DMARC1 ;rua = mailto:DMARC@Example.COM ; psd=N; T=y; t=Y; p = Reject')
  assert.deepEqual([record.p, record.psd, record.testing], ['reject', 'n', true])
  assert.deepEqual(record.rua, [{ uri: 'mailto:DMARC@Example.COM', domain: 'example.com' }])
})

test('RFC 9989 §4.7: t=y asks for one step less, and for none of none', async () => {
  for (const [policy, applied] of [
    ['reject', 'quarantine'],
    ['quarantine', 'none'],
    ['none', 'none'],
  ] as const) {
    const found = await discover('example.com', txt('example.com', `v=DMARC1; p=${policy}; t=y`))
    assert.deepEqual([found.policy, found.appliedPolicy], [policy, applied])
    assert.equal(stepDown(policy), applied)
    const sure = await discover('example.com', txt('example.com', `v=DMARC1; p=${policy}; t=n`))
    assert.equal(sure.appliedPolicy, policy)
  }
})

for (const [record, policies] of [
  ['v=DMARC1; rua=mailto:d@example.com', 'none'],
  ['v=DMARC1; p=refuse; rua=mailto:d@example.com', 'none'],
  ['v=DMARC1; p=reject; sp=refuse; rua=mailto:d@example.com', 'none'],
  ['v=DMARC1; p=reject; np=; rua=mailto:d@example.com', 'none'],
  ['v=DMARC1; p=refuse; rua=d@example.com', undefined],
  ['v=DMARC1; adkim=s', undefined],
  ['v=DMARC1', undefined],
  ['v=DMARC1; p=reject; pct=0; rf=afrf; ri=1; x=y', 'reject'],
] as const) {
  test(`RFC 9989 §4.10.1: ${record} means ${policies ?? 'no DMARC'}`, () => {
    assert.equal(policiesOf(parseDmarc(record))?.p, policies)
  })
}

test('RFC 9989 §4.6 and §4.7: addresses for reports', () => {
  const { rua } = parseDmarc(
    'v=DMARC1; rua=mailto:a@example.com!10m , MAILTO:b@EXAMPLE.net,https://example.com/r,c@example.com,mailto:,mailto:x@y',
  )
  assert.deepEqual(
    rua.map(({ domain }) => domain),
    ['example.com', 'example.net', undefined, undefined, undefined, undefined],
  )
  assert.equal(rua[0]?.limit, '10m')
  assert.equal(rua[0]?.uri, 'mailto:a@example.com')
  for (const address of rua.slice(2)) assert.match(address.problem ?? '', /\w/)
})

test('RFC 9989 §B.2.3: a third party takes reports by a record of its own', async () => {
  const policy = { domain: 'example.com', organizationalDomain: 'example.com' }
  const to = { uri: 'mailto:auth-reports@thirdparty.example.net', domain: 'thirdparty.example.net' }
  const zone =
    'example.com._report._dmarc.thirdparty.example.net. TXT "v=DMARC1;"\nthirdparty.example.net. MX 10 mx.example.net.'
  const dns = planted(zone)
  const allowed = await checkReportAddress(to, policy, dns)
  assert.deepEqual([allowed.external, allowed.permitted, allowed.mail], [true, true, true])
  assert.ok(dns.asked.includes('example.com._report._dmarc.thirdparty.example.net. TXT'))
  const refused = await checkReportAddress(to, policy, planted('thirdparty.example.net. MX 0 .'))
  assert.deepEqual([refused.external, refused.permitted, refused.mail], [true, false, false])
  const unknown = await checkReportAddress(to, policy, planted('', [`${allowed.name}.`]))
  assert.equal(unknown.permitted, undefined)
  const wrong = await checkReportAddress(to, policy, planted(zone.replace('v=DMARC1;', 'v=spf1')))
  assert.equal(wrong.permitted, false)
})

test('reports within the organization need no permission', async () => {
  const zone = `${txt('example.com', 'v=DMARC1; p=none')}\nmail.example.com. A 192.0.2.1`
  const policy = { domain: 'example.com', organizationalDomain: 'example.com' }
  const to = { uri: 'mailto:d@mail.example.com', domain: 'mail.example.com' }
  const permission = await checkReportAddress(to, policy, planted(zone))
  assert.deepEqual([permission.external, permission.mail], [false, true])
})

test('RFC 9989 §4.10.1: no answer is told apart from no record', async () => {
  const { steps, record } = await discoverDmarc('example.com', planted('', ['_dmarc.example.com.']))
  assert.equal(record, undefined)
  assert.equal(steps[0]?.found, 'unknown')
  assert.equal(steps[1]?.found, 'nothing')
})
