import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, type CellData, type Panel, performed, type Tool, type Update } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { dkim } from './dkim.ts'
import { dmarc } from './dmarc.ts'
import { dnsbl } from './dnsbl.ts'
import { domainBlacklistCheck } from './domain-blacklist-check.ts'
import { spf } from './spf.ts'

const actionOf = ({ actions: [action] }: Tool): Action => action ?? assert.fail('a tool without an action')

const textOf = (cell: string | number | CellData): string => (typeof cell === 'object' ? cell.text : String(cell))

/** Every word that panels show, one part a line. */
function words(panels: readonly Panel[]): string[] {
  return panels.flatMap((each): string[] => {
    switch (each.kind) {
      case 'banner':
        return [each.title, each.badge ?? '', each.detail ?? '']
      case 'tiles':
        return each.tiles.map(({ label, value }) => `${label} ${textOf(value)}`)
      case 'table':
        return each.rows.map(row => row.map(textOf).join(' | '))
      case 'list':
        return each.items.map(({ text }) => textOf(text))
      case 'code':
        return [each.code]
      case 'note':
        return [each.text]
      case 'section':
        return [each.title, each.badge?.text ?? '', ...words(each.panels)]
      case 'facts':
        return each.facts.map(([label, value]) => `${label} ${textOf(value)}`)
      case 'checks':
        return each.checks.map(({ name, detail }) => `${name} ${detail}`)
      default:
        return []
    }
  })
}

/** What the page shows of a result, as the API's contract gives it, without the fields we add. */
const shown = (tool: Tool, result: unknown, input: Record<string, unknown> = {}): string[] =>
  words(actionOf(tool).show?.(result, input) ?? [])

async function run(tool: Tool, input: Record<string, unknown>, zone = '') {
  const action = actionOf(tool)
  const outcome = await performed(action, input, replay({ zone }, AbortSignal.timeout(10_000)))
  return { result: outcome.result as Record<string, unknown>, lines: shown(tool, outcome.result, outcome.input) }
}

const includes = (lines: readonly string[], text: string) =>
  assert.ok(
    lines.some(line => line.includes(text)),
    `${text} is not among\n${lines.join('\n')}`,
  )

for (const [blacklisted, badge] of [
  [true, 'BLACKLISTED'],
  [false, 'CLEAN'],
] as const) {
  test(`[BLK-001] [BLK-002] [BLK-003] [BLK-004] domain-blacklist-check: ${badge}, listings, validation, message`, () => {
    const lines = shown(domainBlacklistCheck, {
      domain: 'example.com',
      blacklisted,
      message: 'abc',
      listings: blacklisted ? ['one.example.net', 'two.example.net'] : [],
      validation: [{ api: 'the api', status: 'the status', result: 'the result' }],
    })
    for (const text of [badge, 'abc', 'the api | the result | the status']) includes(lines, text)
    if (blacklisted) for (const text of ['one.example.net', 'two.example.net']) includes(lines, text)
  })

  test(`[BLK-005] [BLK-006] [BLK-007] [BLK-008] dnsbl: ${badge}, listings, validation, what was asked about`, () => {
    for (const domain_or_ip of ['192.0.2.1', 'example.com']) {
      const lines = shown(dnsbl, {
        domain_or_ip,
        blacklisted,
        listings: blacklisted ? ['one.example.net', 'two.example.net'] : [],
        validation: { Test: 'the test', Status: blacklisted ? 'Listed' : 'Ok', Result: 'the result' },
      })
      for (const text of [badge, domain_or_ip, 'the test | the result']) includes(lines, text)
      if (blacklisted) for (const text of ['one.example.net', 'two.example.net']) includes(lines, text)
    }
  })
}

test('dnsbl: what could not be told is neither clean nor listed', () => {
  const validation = { Test: 'DNS blocklists', Status: 'Unknown', Result: 'not listed on 0 of 22 lists' }
  includes(shown(dnsbl, { domain_or_ip: '192.0.2.1', blacklisted: false, listings: [], validation }), 'UNKNOWN')
})

test('[DKM-001] [DKM-002] dkim shows the record strings', () => {
  const record = 'v=DKIM1; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQ'
  includes(shown(dkim, { domain: 'example.com', DKIM: [record, 'v=DKIM1; p='] }), record)
  includes(shown(dkim, { domain: 'example.com', DKIM: [record, 'v=DKIM1; p='] }), 'v=DKIM1; p=')
})

test('[DMC-001] [ERR-035] dmarc without data says so', () => {
  includes(shown(dmarc, { domain: 'example.com' }), 'No DMARC data available')
  includes(shown(dmarc, { domain: 'example.com', message: 'abc', DMARC: [] }), 'No DMARC data available')
})

test('[DMC-002] [DMC-003] [DMC-004] [DMC-005] [DMC-006] [DMC-007] [DMC-008] [DMC-009] [OPEN-063] dmarc: value, tags, rows, message', () => {
  const lines = shown(dmarc, {
    domain: 'example.com',
    message: 'abc',
    DMARC: [
      {
        value: 'v=DMARC1; p=none',
        parsed: {
          v: { value: 'DMARC1', description: 'words on v' },
          p: { value: 'none', description: 'words on p' },
          rua: { value: 'mailto:d@example.com', description: 'words on rua' },
        },
        validation: [
          { Test: 'first', Result: 'right', Status: 'Ok' },
          { Test: 'second', Result: 'doubtful', Status: 'Warning' },
          { Test: 'third', Result: 'small', Status: 'ok' },
        ],
      },
    ],
  })
  for (const text of [
    ...['abc', 'v=DMARC1; p=none', 'v | DMARC1 | words on v', 'p | none | words on p'],
    ...['rua | mailto:d@example.com | words on rua', 'first | right | PASS', 'second | doubtful | FAIL'],
    'third | small | FAIL',
  ]) {
    includes(lines, text)
  }
})

test('[SPF-001] [SPF-002] [SPF-003] [SPF-004] spf: value, tags, rows, message', () => {
  const lines = shown(spf, {
    domain: 'example.com',
    message: 'abc',
    SPF: [
      {
        value: 'v=spf1 a -all',
        parsed: ['a', 'mx', 'all'].map(tag => ({ tag, value: `value of ${tag}`, description: `words on ${tag}` })),
        validation: [
          { Test: 'first', Result: 'right', Status: 'Ok' },
          { Test: 'second', Result: 'wrong', Status: 'Error' },
        ],
      },
    ],
  })
  for (const text of ['abc', 'v=spf1 a -all', 'first | right | PASS', 'second | wrong | FAIL']) includes(lines, text)
  for (const tag of ['a', 'mx', 'all']) includes(lines, `${tag} | value of ${tag} | words on ${tag}`)
})

for (const [id, tool] of [
  ['VAL-026', domainBlacklistCheck],
  ['VAL-027', dkim],
  ['VAL-028', dmarc],
  ['VAL-029', spf],
] as const) {
  test(`[${id}] [VAL-001] ${tool.id} takes a domain, trimmed, and nothing else`, async () => {
    const { result } = await run(tool, { domain: ' Example.COM ' })
    assert.equal(result.domain, 'example.com')
    for (const domain of ['abc', '192.0.2.1', 'https://example.com', 'example.com/a', 'x y', '']) {
      await assert.rejects(run(tool, { domain }), { name: 'Problem', code: 'invalid-input' }, domain)
    }
  })
}

test('[VAL-010] dnsbl takes addresses and names, not "x y"', async () => {
  assert.equal((await run(dnsbl, { target: '8.8.8.8' })).result.domain_or_ip, '8.8.8.8')
  assert.equal((await run(dnsbl, { target: '2001:db8:0:0:0:0:0:1' })).result.domain_or_ip, '2001:db8::1')
  assert.equal(
    (await run(dnsbl, { target: 'example.com' }, 'example.com. A 192.0.2.1')).result.domain_or_ip,
    'example.com',
  )
  for (const target of ['x y', '1.2.3', '']) await assert.rejects(run(dnsbl, { target }), { name: 'Problem' }, target)
  await assert.rejects(run(dnsbl, { target: 'gone.example.com' }), { code: 'not-found' })
})

test('[OPEN-041] dkim: the selector is "default" unless given, and has to be one', async () => {
  const { result } = await run(dkim, { domain: 'example.com' }, 'default._domainkey.example.com. TXT "v=DKIM1; p="')
  assert.deepEqual(result.DKIM, ['v=DKIM1; p='])
  for (const selector of ['a b', '../x', 'é', '.']) {
    await assert.rejects(run(dkim, { domain: 'example.com', selector }), { code: 'invalid-input', field: 'selector' })
  }
})

test('dkim: keys at known selectors are found when the one asked for has none, and only when wanted', async () => {
  const zone = `google._domainkey.example.com. TXT "v=DKIM1; p="
fm1._domainkey.example.com. CNAME key.example.net.
key.example.net. TXT "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="`
  const { result, lines } = await run(dkim, { domain: 'example.com', selector: 's9' }, zone)
  assert.deepEqual(result.DKIM, [])
  const others = result.others as { selector: string; aliases: string[] }[]
  assert.deepEqual(
    others.map(({ selector }) => selector),
    ['google', 'fm1'],
  )
  assert.deepEqual(others[1]?.aliases, ['key.example.net.'])
  includes(lines, 'REVOKED')
  const alone = await run(dkim, { domain: 'example.com', selector: 's9', known_selectors: 'no' }, zone)
  assert.equal(alone.result.others, undefined)
  assert.equal((await run(dkim, { domain: 'example.com', selector: '' }, zone)).result.key_names, 'yes')
})

test('RFC 8020: without the name _domainkey there are no keys, and no selector is tried', async () => {
  const { result } = await run(dkim, { domain: 'example.com' }, 'example.com. A 192.0.2.1')
  assert.deepEqual([result.key_names, result.tried], ['no', 0])
})

test('dkim: more than one key at a selector is told', async () => {
  const zone = 's1._domainkey.example.com. TXT "v=DKIM1; p="\ns1._domainkey.example.com. TXT "v=DKIM1; k=ed25519; p="'
  const { result, lines } = await run(dkim, { domain: 'example.com', selector: 's1' }, zone)
  assert.equal((result.DKIM as string[]).length, 2)
  includes(lines, 'More than one key')
})

test('spf: no record, no domain and two records are results', async () => {
  const none = await run(spf, { domain: 'example.com' }, 'example.com. TXT "hello"')
  assert.deepEqual([none.result.SPF, none.result.message], [[], 'The domain publishes no SPF record.'])
  assert.match(String((await run(spf, { domain: 'example.com' })).result.message), /does not exist/)
  const two = await run(
    spf,
    { domain: 'example.com' },
    'example.com. TXT "v=spf1 -all"\nexample.com. TXT "v=spf1 ~all"',
  )
  assert.equal((two.result.SPF as unknown[]).length, 2)
  includes(two.lines, 'permanent error')
})

for (const [record, words] of [
  ['v=spf1 +all', '+all: the whole world'],
  ['v=spf1 ?all', '?all'],
  ['v=spf1 ip4:192.0.2.1', 'neither all nor redirect'],
  ['v=spf1 ptr -all', '"ptr" of example.com is slow'],
  ['v=spf1 -all ip4:192.0.2.1', 'behind all, so never tried: ip4:192.0.2.1'],
  ['v=spf1 redirect=x.example.com -all', 'redirect has no effect'],
  ['v=spf1 include:x.example.com -all', 'the name does not exist'],
  [`v=spf1 ${'a:a.example.com '.repeat(11)}-all`, '11 of 10 terms'],
  ['v=spf1 a:b.example.com a:c.example.com a:d.example.com -all', '3 of 2 lookups'],
  ['v=spf1 moo -all', '"moo": there is no such mechanism'],
] as const) {
  test(`spf tells of ${record.slice(0, 60)}`, async () => {
    const { lines } = await run(
      spf,
      { domain: 'example.com' },
      `example.com. TXT "${record}"\na.example.com. A 192.0.2.1`,
    )
    assert.ok(
      lines.some(line => line.includes(words) && line.endsWith('FAIL')),
      lines.join('\n'),
    )
  })
}

test('spf: names and records over 450 octets are told', async () => {
  const long = Array.from({ length: 25 }, (_, i) => `ip4:192.0.${i}.0/24`).join(' ')
  const strings = `"v=spf1 ${long.slice(0, 200)}" "${long.slice(200, 400)}" "${long.slice(400)} -all"`
  const { lines } = await run(spf, { domain: 'example.com' }, `example.com. TXT ${strings}`)
  assert.ok(
    lines.some(line => line.startsWith('Size') && line.endsWith('FAIL')),
    lines.join('\n'),
  )
})

test('dmarc: removed tags, size limits and unknown tags are told', async () => {
  const record = 'v=DMARC1; p=reject; pct=50; rf=afrf; ri=3600; x=y; rua=mailto:d@example.com!10m'
  const { lines } = await run(dmarc, { domain: 'example.com' }, `_dmarc.example.com. TXT "${record}"`)
  for (const text of ['Tag pct', 'Tag rf', 'Tag ri', 'ignored: x', 'the size limit !10m']) {
    assert.ok(
      lines.some(line => line.includes(text) && line.endsWith('FAIL')),
      text,
    )
  }
})

test('dnsbl and domain-blacklist-check pass each list on as it answers', async () => {
  for (const [tool, input] of [
    [dnsbl, { target: '192.0.2.1', lists: 'usual' }],
    [domainBlacklistCheck, { domain: 'example.com', lists: 'usual' }],
  ] as const) {
    const updates = actionOf(tool).run(input, replay()) as AsyncGenerator<Update<{ zones: unknown[] }>>
    let last = 0
    for await (const { partial } of updates) {
      assert.ok(partial && partial.zones.length > last)
      last = partial.zones.length
    }
    assert.ok(last >= 4)
  }
})

test('dnsbl: a listing by policy is told and accuses nobody', async () => {
  const zone = '2.0.0.127.zen.spamhaus.org. A 127.0.0.2\n1.2.0.192.zen.spamhaus.org. A 127.0.0.10'
  const { result, lines } = await run(dnsbl, { target: '192.0.2.1' }, zone)
  assert.deepEqual([result.blacklisted, result.listings], [false, []])
  includes(lines, '1 has an entry that accuses nobody')
})

test('domain-blacklist-check: lists of domains are asked for the registrable one, lists of hosts for the host', async () => {
  const zone = `dbltest.com.dbl.spamhaus.org. A 127.0.1.2
example.co.uk.dbl.spamhaus.org. A 127.0.1.5
test.surbl.org.multi.surbl.org. A 127.0.0.254
shop.example.co.uk.multi.surbl.org. A 127.0.0.8`
  const { result } = await run(domainBlacklistCheck, { domain: 'shop.example.co.uk' }, zone)
  assert.deepEqual(result.listings, ['dbl.spamhaus.org', 'multi.surbl.org'])
})

test('dmarc: reports of a public suffix stay with it, and the names below it are others', async () => {
  const zone = `_dmarc.bank.example. TXT "v=DMARC1; p=reject; psd=y; rua=mailto:d@bank.example,mailto:d@mega.bank.example"
bank.example. MX 10 mx.bank.example.`
  const { result } = await run(dmarc, { domain: 'mega.bank.example' }, zone)
  assert.equal(result.source, 'public-suffix')
  const reports = result.reports as { domain: string; external: boolean }[]
  assert.deepEqual(
    reports.map(({ domain, external }) => [domain, external]),
    [
      ['bank.example', false],
      ['mega.bank.example', true],
    ],
  )
})
