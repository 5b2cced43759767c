import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { dkim } from '@assay/catalogue/email/dkim'
import { dmarc } from '@assay/catalogue/email/dmarc'
import { dnsbl } from '@assay/catalogue/email/dnsbl'
import { domainBlacklistCheck } from '@assay/catalogue/email/domain-blacklist-check'
import { spf } from '@assay/catalogue/email/spf'
import { address, host } from '@assay/lab/inventory'
import { type App, createApp } from '../src/app.ts'
import { createNetwork } from '../src/network.ts'
import { readSettings } from '../src/settings.ts'
import { unhurried } from './unhurried.ts'

/** SPF, DKIM, DMARC and blocklists as shipped, guard on, against the lab's name servers. */
const exec = promisify(execFile)
const SPFQUERY = 'spfquery'

let app: App
before(async () => {
  const limits = { ASSAY_LOOKUPS_PER_MINUTE: '10000', ASSAY_SCANS_PER_MINUTE: '1000', ASSAY_TARGET_PER_MINUTE: '10000' }
  const settings = readSettings({ ...unhurried, ...limits })
  app = await createApp({ settings, log: () => {}, ...createNetwork(settings) })
})
after(() => app.close())

// biome-ignore lint/suspicious/noExplicitAny: answers of many tools, read by the assertions
async function get(path: string): Promise<{ status: number; body: any }> {
  const { statusCode, body } = await app.server.inject({ method: 'GET', url: `/api/${path}` })
  return { status: statusCode, body: JSON.parse(body) }
}

// biome-ignore lint/suspicious/noExplicitAny: as above
async function result(path: string): Promise<any> {
  const { status, body } = await get(path)
  assert.equal(status, 200, `${path} ${JSON.stringify(body)}`)
  return body
}

/** Texts as dig prints them, the strings of each record joined. */
async function digTexts(name: string): Promise<string[]> {
  const { stdout } = await exec('dig', ['@8.8.8.8', '+short', '+time=5', name, 'TXT'])
  const lines = stdout.split('\n').filter(line => line.startsWith('"'))
  return lines.map(line => [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text).join('')).sort()
}

/** Mail::SPF waits for silent servers longer than a test may, and of eleven mail servers takes the first ten it meets. */
const withoutSecondOpinion: readonly string[] = ['include-silent.spf.test', 'mx11.spf.test']

/** The verdict of the program of Debian's spf-tools-perl, whose exit code says the same. */
async function askMailSpf({ ip, sender, helo }: { ip: string; sender: string; helo: string }): Promise<string> {
  const args = ['--scope', 'mfrom', '--identity', sender, '--ip-address', ip, '--helo-identity', helo]
  const { promise, resolve } = Promise.withResolvers<string>()
  execFile(SPFQUERY, args, { timeout: 20_000 }, (_, stdout) => resolve(stdout.split('\n')[0] ?? ''))
  return promise
}

const mail = address('mail.good.test')
const weak = address('weak.good.test')

test('[API-040] spf: the fields of the contract, with the record that dig prints', async () => {
  const body = await result('spf/spf.test/')
  assert.equal(body.domain, 'spf.test')
  assert.equal(typeof body.message, 'string')
  assert.deepEqual(
    body.SPF.map(({ value }: { value: string }) => value),
    (await digTexts('spf.test')).filter(text => text.startsWith('v=spf1')),
  )
  for (const row of body.SPF[0].parsed) assert.deepEqual(Object.keys(row), ['tag', 'value', 'description'])
  for (const row of body.SPF[0].validation) {
    assert.deepEqual(Object.keys(row), ['Test', 'Result', 'Status'])
    assert.equal(row.Status, 'Ok', JSON.stringify(row))
  }
  assert.deepEqual([body.lookups.terms, body.lookups.void], [3, 0])
  assert.equal(body.networks.ipv4_addresses, 256)
})

for (const [name, query, verdict] of [
  ['spf.test', { ip: mail.v4 }, 'pass'],
  ['spf.test', { ip: mail.v6 }, 'pass'],
  ['spf.test', { ip: '28.4.0.1' }, 'fail'],
  ['_spf.spf.test', { ip: '28.4.0.1' }, 'softfail'],
  ['circle1.spf.test', { ip: mail.v4 }, 'permerror'],
  ['self.spf.test', { ip: mail.v4 }, 'permerror'],
  ['ten.spf.test', { ip: '28.4.0.1' }, 'fail'],
  ['eleven.spf.test', { ip: '28.4.0.1' }, 'permerror'],
  ['eleven.spf.test', { ip: mail.v4 }, 'pass'],
  ['tree.spf.test', { ip: '28.4.0.1' }, 'permerror'],
  ['twovoid.spf.test', { ip: '26.3.0.10' }, 'pass'],
  ['threevoid.spf.test', { ip: '26.3.0.10' }, 'permerror'],
  ['macros.spf.test', { ip: mail.v4 }, 'pass'],
  ['macros.spf.test', { ip: '28.4.0.1', sender: 'alice@macros.spf.test' }, 'pass'],
  ['macros.spf.test', { ip: '28.4.0.1', sender: 'mallory@macros.spf.test' }, 'fail'],
  ['redirect.spf.test', { ip: mail.v4 }, 'pass'],
  ['lost-redirect.spf.test', { ip: mail.v4 }, 'fail'],
  ['redirect-none.spf.test', { ip: mail.v4 }, 'permerror'],
  ['include-none.spf.test', { ip: mail.v4 }, 'permerror'],
  ['include-silent.spf.test', { ip: mail.v4 }, 'temperror'],
  ['everybody.spf.test', { ip: '28.4.0.1' }, 'pass'],
  ['neutral.spf.test', { ip: '28.4.0.1' }, 'neutral'],
  ['noend.spf.test', { ip: '28.4.0.1' }, 'neutral'],
  ['early.spf.test', { ip: '26.3.0.10' }, 'softfail'],
  ['pointer.spf.test', { ip: address('www.good.test').v4 }, 'pass'],
  ['pointer.spf.test', { ip: host('liar.good.test').v4[0] ?? '' }, 'fail'],
  ['capitals.spf.test', { ip: '26.3.0.10' }, 'pass'],
  ['two.spf.test', { ip: '26.3.0.10' }, 'permerror'],
  ['broken.spf.test', { ip: '26.3.0.10' }, 'permerror'],
  ['split.spf.test', { ip: '26.3.0.10' }, 'pass'],
  ['long.spf.test', { ip: '28.4.0.9' }, 'pass'],
  ['mx10.spf.test', { ip: '26.3.0.109' }, 'pass'],
  ['mx11.spf.test', { ip: '26.3.0.100' }, 'permerror'],
] as const) {
  const words = Object.values(query).join(' ')
  test(`RFC 7208: ${name} says ${verdict} of ${words}, and so says Mail::SPF`, async () => {
    const body = await result(`spf/${name}/?${new URLSearchParams(query)}`)
    const { evaluation } = body
    assert.equal(evaluation.result, verdict, JSON.stringify(evaluation))
    if (!withoutSecondOpinion.includes(name)) assert.equal(await askMailSpf(evaluation), verdict)
  })
}

test('RFC 7208 §6.2 and §7: the explanation is filled in', async () => {
  const { evaluation } = await result('spf/macros.spf.test/?ip=28.4.0.1&sender=mallory@macros.spf.test')
  assert.equal(evaluation.explanation, '28.4.0.1 may not send as mallory@macros.spf.test')
})

test('RFC 7208 §4.6.4: lookups by branch, circles, void ones, and what could not be asked for beside the rest', async () => {
  const tree = await result('spf/tree.spf.test/')
  assert.equal(tree.lookups.terms, 11)
  assert.deepEqual(
    tree.tree.branches.map(({ term, lookups }: { term: string; lookups: number }) => [term, lookups]),
    [
      ['include:left.spf.test', 5],
      ['include:right.spf.test', 5],
      ['mx:spf.test', 1],
      ['-all', 0],
    ],
  )
  assert.equal((await result('spf/circle1.spf.test/')).tree.branches[0].node.branches[0].node.status, 'circle')
  assert.equal((await result('spf/threevoid.spf.test/')).lookups.void, 3)
  const silent = await result('spf/include-silent.spf.test/')
  assert.equal(silent.tree.branches[0].node.status, 'unknown')
  assert.equal(silent.lookups.at_least, true)
})

test('RFC 7208 §4.5: v=spf10 and other text are no policy; a domain whose servers are silent is no empty answer', async () => {
  for (const name of ['spf10.spf.test', 'text.spf.test', 'gone.spf.test']) {
    assert.deepEqual((await result(`spf/${name}/`)).SPF, [], name)
  }
  const { status, body } = await get('spf/dead.test/')
  assert.ok(status === 504 || status === 503, JSON.stringify(body))
})

for (const [selector, state, bits] of [
  ['rsa2048', 'usable', 2048],
  ['rsa4096', 'usable', 4096],
  ['ed25519', 'usable', 256],
  ['spaces', 'usable', 2048],
  ['noversion', 'usable', 2048],
  ['strict', 'usable', 2048],
  ['split', 'usable', 2048],
  ['alias', 'usable', 2048],
  ['rsa1024', 'usable', 1024],
  ['bare', 'usable', 2048],
  ['testing', 'usable', 2048],
  ['bothhashes', 'usable', 2048],
  ['granularity', 'usable', 2048],
  ['rsa512', 'weak', 512],
  ['revoked', 'revoked', undefined],
  ['sha1', 'broken', 2048],
  ['service', 'broken', 2048],
  ['lastversion', 'broken', 2048],
  ['otherversion', 'broken', 2048],
  ['twice', 'broken', 2048],
  ['notbase64', 'broken', undefined],
  ['cut', 'broken', undefined],
  ['dsa', 'ignored', undefined],
  ['wrapped', 'broken', undefined],
  ['nokey', 'broken', undefined],
] as const) {
  test(`[API-025] [DKM-002] dkim: ${selector} is ${state}`, async () => {
    const body = await result(`dkim/keys.test/${selector}/`)
    assert.equal(body.domain, 'keys.test')
    assert.deepEqual(body.DKIM, await digTexts(`${selector}._domainkey.keys.test`))
    const [key] = body.selector.keys
    assert.equal(key?.state, state, JSON.stringify(body))
    assert.equal(key.bits, bits)
  })
}

test('[OPEN-041] dkim: aliases, two keys, text that is none, known selectors, names that do not exist, wildcards', async () => {
  assert.deepEqual((await result('dkim/keys.test/alias/')).selector.aliases, ['rsa2048._domainkey.keys.test.'])
  const several = await result('dkim/keys.test/several/')
  assert.deepEqual([several.selector.status, several.DKIM.length], ['several', 2])
  const other = await result('dkim/keys.test/other/?known_selectors=no')
  assert.deepEqual([other.selector.status, other.DKIM], ['other', []])
  const known = await result('dkim/known.keys.test/')
  assert.equal(known.selector.selector, 'default')
  assert.deepEqual(
    known.others.map(({ selector }: { selector: string }) => selector),
    ['google', 'selector1'],
  )
  assert.equal(known.others[1].keys[0].type, 'Ed25519')
  const none = await result('dkim/nokeys.keys.test/')
  assert.deepEqual([none.key_names, none.tried], ['no', 0])
  assert.equal((await result('dkim/wild.keys.test/any/')).selector.status, 'key')
})

test('[API-041] dmarc: the fields of the contract, with the record that dig prints', async () => {
  const body = await result('dmarc/dmarc.test/')
  assert.equal(body.domain, 'dmarc.test')
  assert.equal(typeof body.message, 'string')
  assert.deepEqual([body.DMARC[0].value], await digTexts('_dmarc.dmarc.test'))
  for (const tag of ['v', 'p', 'rua']) {
    assert.deepEqual(Object.keys(body.DMARC[0].parsed[tag]), ['value', 'description'], tag)
  }
  assert.equal(body.DMARC[0].parsed.p.value, 'reject')
  for (const row of body.DMARC[0].validation) assert.deepEqual(Object.keys(row), ['Test', 'Result', 'Status'])
})

test('[API-041] dmarc: without a record there is no DMARC field, and a message', async () => {
  const body = await result('dmarc/ports.test/')
  assert.equal('DMARC' in body, false)
  assert.match(body.message, /No DMARC record/)
})

test('RFC 9989 §4.10: the walk for a name of ten labels, in order', async () => {
  const body = await result('dmarc/a.b.c.d.e.f.g.h.dmarc.test/')
  assert.deepEqual(
    body.walk.map(({ name, found }: { name: string; found: string }) => [name, found]),
    [
      ['_dmarc.a.b.c.d.e.f.g.h.dmarc.test', 'nothing'],
      ['_dmarc.d.e.f.g.h.dmarc.test', 'record'],
      ['_dmarc.e.f.g.h.dmarc.test', 'nothing'],
      ['_dmarc.f.g.h.dmarc.test', 'nothing'],
      ['_dmarc.g.h.dmarc.test', 'nothing'],
      ['_dmarc.h.dmarc.test', 'nothing'],
      ['_dmarc.dmarc.test', 'record'],
      ['_dmarc.test', 'nothing'],
    ],
  )
  assert.deepEqual([body.policy_domain, body.policy, body.policy_tag], ['dmarc.test', 'quarantine', 'sp'])
})

const NO_POLICY = 'The domain is governed by its own record, which has no valid policy, so receivers apply none.'

for (const [domain, expected] of [
  ['www.dmarc.test', { policy_domain: 'dmarc.test', policy: 'quarantine', policy_tag: 'sp', domain_exists: true }],
  ['gone.dmarc.test', { policy_domain: 'dmarc.test', policy: 'reject', policy_tag: 'np', domain_exists: false }],
  ['mail.unit.dmarc.test', { policy_domain: 'unit.dmarc.test', organizational_domain: 'unit.dmarc.test' }],
  ['giant.bank.dmarc.test', { source: 'author', organizational_domain: 'giant.bank.dmarc.test' }],
  [
    'mega.bank.dmarc.test',
    { source: 'public-suffix', organizational_domain: 'mega.bank.dmarc.test', policy: 'reject' },
  ],
  ['two.dmarc.test', { source: 'organization', policy_domain: 'dmarc.test' }],
  ['small.dmarc.test', { source: 'organization', policy_domain: 'dmarc.test', policy_tag: 'sp' }],
  ['testing.dmarc.test', { policy: 'reject', applied_policy: 'quarantine' }],
  ['watching.dmarc.test', { policy: 'none', policy_tag: 'default' }],
  ['wrong.dmarc.test', { message: NO_POLICY }],
  ['nothing.dmarc.test', { message: NO_POLICY }],
  ['split.dmarc.test', { policy: 'reject' }],
  ['order.dmarc.test', { policy: 'reject' }],
  ['alias.dmarc.test', { policy_domain: 'alias.dmarc.test', policy: 'reject', policy_tag: 'p' }],
] as const) {
  test(`RFC 9989 §4.10: ${domain} is governed by ${Object.values(expected).join(' ')}`, async () => {
    assert.partialDeepStrictEqual(await result(`dmarc/${domain}/`), expected)
  })
}

test('RFC 9990: reports to others are permitted by a record of theirs, and need mail', async () => {
  const { reports } = await result('dmarc/dmarc.test/')
  assert.partialDeepStrictEqual(reports, [
    { domain: 'dmarc.test', external: false, mail: true },
    { domain: 'reports.test', external: true, permitted: true, name: 'dmarc.test._report._dmarc.reports.test' },
    { domain: 'refusing.test', external: true, permitted: false, mail: false },
  ])
})

/** What each list of the lab is there for; all others do not exist in it. */
const lists: Readonly<Record<string, string>> = {
  'zen.spamhaus.org': 'live',
  'psbl.surriel.com': 'live',
  'bl.blocklist.de': 'live',
  'bl.spamcop.net': 'unavailable',
  'bl.mailspike.net': 'unavailable',
  'dnsbl.dronebl.org': 'unavailable',
  'bl.0spam.org': 'unavailable',
  'b.barracudacentral.org': 'refused',
  'dnsbl.kempt.net': 'refused',
}

for (const [target, live, blacklisted] of [
  [weak.v4, 'listed', true],
  ['26.3.0.10', 'not listed', false],
] as const) {
  test(`[API-042] [BLK-005] dnsbl: of ${target} only the lists that work say something`, async () => {
    const body = await result(`dnsbl/${target}/`)
    assert.deepEqual([body.domain_or_ip, body.blacklisted], [target, blacklisted])
    assert.deepEqual(Object.keys(body.validation), ['Test', 'Status', 'Result'])
    for (const { zone, status } of body.zones) {
      const kind = lists[zone] ?? 'unavailable'
      assert.equal(status, kind === 'live' ? live : kind, zone)
    }
    const zones = Object.keys(lists).filter(zone => lists[zone] === 'live')
    assert.deepEqual(body.listings, blacklisted ? zones : [])
    const count = body.zones.length
    const expected = blacklisted ? `listed on 3 of ${count} lists` : `not listed on 3 of ${count} lists`
    assert.equal(body.validation.Result, `${expected}, ${count - 3} could not tell`)
    for (const zone of zones.slice(0, 1)) {
      const { stdout } = await exec('dig', [
        '@8.8.8.8',
        '+short',
        `${target.split('.').reverse().join('.')}.${zone}`,
        'A',
      ])
      const codes = body.zones.find((each: { zone: string }) => each.zone === zone).codes
      assert.deepEqual(codes.toSorted(), stdout.split('\n').filter(Boolean).sort())
    }
  })
}

test('RFC 5782 §2.4 and §5: IPv6 by nibbles, with mapped test entries, at lists that have it', async () => {
  const body = await result(`dnsbl/${encodeURIComponent(weak.v6)}/`)
  assert.deepEqual(body.listings, ['zen.spamhaus.org'])
  assert.deepEqual(body.zones[0].meanings, ['SBL CSS: low-reputation senders'])
  assert.ok(body.zones.length < 8)
})

test('dnsbl: both addresses of a name, reasons, a policy that accuses nobody, praise that is none', async () => {
  const named = await result('dnsbl/weak.good.test/')
  assert.deepEqual(named.addresses, [weak.v4, weak.v6])
  assert.equal(named.zones[0].texts[0], 'https://check.spamhaus.org/query/ip/26.3.0.11')
  const generic = await result(`dnsbl/${host('generic.good.test').v4[0]}/`)
  assert.equal(generic.blacklisted, false)
  assert.deepEqual([generic.zones[0].status, generic.zones[0].kind], ['listed', 'policy'])
  const all = await result('dnsbl/www.good.test/?lists=all')
  const karma = all.zones.find(({ zone }: { zone: string }) => zone === 'hostkarma.junkemailfilter.com')
  assert.deepEqual([karma.status, karma.kind, all.blacklisted], ['not listed', 'praise', false])
})

test('[API-026] [BLK-001] domain-blacklist-check: registrable domain and host, bits, refusals', async () => {
  const body = await result('domain_blacklist_check/shop.bad.test/')
  assert.deepEqual([body.domain, body.blacklisted], ['shop.bad.test', true])
  assert.deepEqual(body.listings, ['dbl.spamhaus.org', 'multi.surbl.org', 'uribl.spameatingmonkey.net'])
  for (const row of body.validation) assert.deepEqual(Object.keys(row), ['api', 'status', 'result'])
  assert.equal(body.message, 'The domain is listed on 3 of 4 lists, 1 could not tell.')
  const clean = await result('domain_blacklist_check/good.test/')
  assert.deepEqual([clean.blacklisted, clean.listings], [false, []])
  assert.equal(clean.validation[0].result, 'not listed on 2 of 4 lists, 2 could not tell')
})

for (const path of ['spf', 'dmarc', 'dkim', 'domain_blacklist_check']) {
  test(`[VAL-026] [VAL-027] [VAL-028] [VAL-029] ${path} refuses what is no domain`, async () => {
    for (const value of ['abc', '8.8.8.8', 'x%20y', 'example.c0']) {
      assert.equal((await get(`${path}/${value}/`)).status, 400, value)
    }
  })
}

for (const [tool, path] of [
  [spf, 'spf/spf.test/'],
  [dkim, 'dkim/keys.test/rsa2048/'],
  [dmarc, 'dmarc/www.dmarc.test/'],
  [dnsbl, `dnsbl/${weak.v4}/`],
  [domainBlacklistCheck, 'domain_blacklist_check/bad.test/'],
] as const) {
  test(`${tool.id}: the command under "In a terminal" prints what was found`, async () => {
    const body = await result(path)
    const terminal = tool.actions[0]?.terminal?.({ domain: body.domain ?? '' }, body)
    assert.ok(terminal)
    const { stdout } = await exec('sh', ['-c', terminal.command], { timeout: 20_000 })
    assert.match(stdout, /"v=(?:spf1|DKIM1|DMARC1)|^127\./m, terminal.command)
  })
}
