import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecord } from '../dns/message.ts'
import { checkDkimKey, looksLikeDkim } from './dkim.ts'
import { isDmarcRecord, parseDmarc } from './dmarc.ts'
import { discoverDmarc } from './dmarc-discovery.ts'
import type { MailDns } from './dns.ts'
import { checkHost } from './spf-check.ts'
import { expandMacros, parseDomainSpec, shortenName } from './spf-macro.ts'
import { MAX_BRANCHES, type SpfNode, spfTree } from './spf-tree.ts'

/** As much text as one record can hold: what takes time that grows with its square would be felt here. */
const FULL = 60_000
const fill = (text: string) => text.repeat(Math.floor(FULL / text.length))

/** Every name has the same text record, and one address. */
const everywhere = (text: string): MailDns => ({
  async resolve(name, type) {
    const strings = text.match(/.{1,255}/gs) ?? ['']
    if (type === 'TXT') return { status: 'answer', records: [createRecord('TXT', { name, ttl: 60 }, { strings })] }
    if (type !== 'A') return { status: 'nodata', records: [] }
    return { status: 'answer', records: [createRecord('A', { name, ttl: 60 }, { address: '192.0.2.1' })] }
  },
})

const branchesOf = ({ branches }: SpfNode): number =>
  branches.reduce((sum, { node }) => sum + 1 + (node ? branchesOf(node) : 0), 0)

for (const text of [
  ...[fill('a '), fill('ip4:192.0.2.1 '), fill('include:example.com '), `a:x.${fill('a')}!`, `a:${fill('a.')}!`],
  ...[
    `a:${fill('%{d}')}`,
    `exists:${fill('%{s}.')}example.com`,
    `a:${fill('/1')}`,
    `a${fill('/')}`,
    `ip4:${fill('1')}`,
  ],
  ...[
    `${fill('a')}=`,
    fill('%'),
    `exists:${fill('%%')}`,
    `exp=${fill('%{dr-}')}`,
    `a:${fill('-')}`,
    `redirect=${fill('a-')}`,
  ],
  ...[fill('\0'), fill('\xff'), fill('='), `?${fill('-')}`, `a:${fill('a-b.')}`],
]) {
  test(`a record full of ${JSON.stringify(text.slice(0, 24))} ends, and what is told of it is bounded`, async () => {
    const dns = everywhere(`v=spf1 ${text}`)
    const question = { ip: '192.0.2.9', sender: `${'x-'.repeat(100)}@example.com`, helo: 'h.example.com' }
    const { result, steps, reason } = await checkHost(question, dns)
    assert.ok(['neutral', 'permerror', 'pass', 'fail'].includes(result), result)
    assert.ok(steps.length <= 500 && reason.length < 70_000)
    const tree = await spfTree('example.com', dns)
    assert.ok(branchesOf(tree.root) <= MAX_BRANCHES + 50)
  })
}

test('tag lists full of anything end, as keys and as policies', async () => {
  for (const text of [';', 'a=b;', 'p=', 'rua=mailto:a@b.c,', '@', 'a@', '!1', '!', ',', '\0', 'p=none;', 'x']) {
    for (const value of [fill(text), `v=DKIM1; p=${fill(text)}`, `v=DMARC1; p=none; rua=${fill(text)}`]) {
      looksLikeDkim(value)
      assert.ok(checkDkimKey(value).tags.length <= 100)
      isDmarcRecord(value)
      assert.ok(parseDmarc(value).rua.length <= 50)
    }
  }
  const { steps } = await discoverDmarc('a.example.com', everywhere(`v=DMARC1; ${fill('a=b;')}`))
  assert.equal(steps.length, 3)
})

test('RFC 7208 §7.3: a name is cut at a dot, and to nothing longer than a question holds', () => {
  assert.equal(shortenName('example.com'), 'example.com')
  const long = shortenName(`${'abcdefgh.'.repeat(10_000)}example.com`)
  assert.ok(long.length <= 253 && long.length > 240 && long.startsWith('abcdefgh.'), long)
  assert.equal(shortenName(`x.${'a'.repeat(251)}`), `x.${'a'.repeat(251)}`)
  assert.equal(shortenName(`xx.${'a'.repeat(251)}`), 'a'.repeat(251))
})

test('RFC 7208 §7.1: what a domain ends in is read as it is expanded', async () => {
  for (const good of ['%{d}', 'a.%{d}', 'a%%', '%_', 'x.com.', 'x.xn--zckzah', 'x.1com', '%{d}.com', '%%{d}.com']) {
    assert.ok(parseDomainSpec(good), good)
  }
  for (const bad of ['a%%_', '%%{d}', 'com', 'com.', 'x.1', 'x.-com', 'x.com-', 'x.', '.', '%{d}.', '%{d}x', 'x..']) {
    assert.throws(() => parseDomainSpec(bad), RangeError, bad)
  }
  assert.equal(await expandMacros(parseDomainSpec('%%{d}.com'), () => 'never'), '%{d}.com')
})
