import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { type Validation, Validator } from '@assay/lib/dns/dnssec'
import { parseTrustAnchors } from '@assay/lib/dns/trust-anchors'
import { createNet } from './context.ts'

/**
 * The validator against those of Unbound and BIND, each asked in the same test. Unbound says secure by the bit AD and
 * bogus by SERVFAIL; delv says it in words.
 */
const exec = promisify(execFile)
const folder = process.env.LAB_DIR ?? ''
const anchors = readFileSync(process.env.LAB_TRUST_ANCHOR ?? '', 'utf8')
const net = createNet({ userAgent: 'Assay-test', trustAnchors: anchors })

async function validate(name: string, type: string): Promise<Validation> {
  const { context, dispose } = net.createJob({ kind: 'lookup' })
  try {
    const { ask, anchors } = context.dnssec
    const validator = new Validator({ ask, anchors: parseTrustAnchors(anchors), now: context.now().getTime() / 1000 })
    return await validator.validate(name === '.' ? name : `${name}.`, type)
  } finally {
    dispose()
  }
}

async function output(program: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await exec(program, args, { timeout: 20_000, encoding: 'utf8' }).catch(error => error)
  return `${stdout ?? ''}${stderr ?? ''}`
}

/** What Unbound's answer means, with the extended error it gives. */
async function unbound(name: string, type: string): Promise<{ state: string; ede: number | undefined }> {
  const text = await output('dig', '@1.1.1.1', '+dnssec', '+time=8', '+tries=1', '-t', type, '-q', name)
  const status = /status: (\w+)/.exec(text)?.[1]
  const secure = /flags:[^;]* ad[ ;]/.test(text)
  const code = /EDE: (\d+)/.exec(text)?.[1]
  const ede = code === undefined ? undefined : Number(code)
  return { state: status === 'SERVFAIL' ? 'bogus' : secure ? 'secure' : 'insecure', ede }
}

/** An answer with aliases is told part by part; a denial fails to resolve, but is told first. */
async function delv(name: string, type: string): Promise<string> {
  const text = await output('delv', '-a', path.join(folder, 'bind.anchor'), '@8.8.8.8', name, type)
  if (/unsigned answer/.test(text)) return 'insecure'
  return /fully validated/.test(text) ? 'secure' : /resolution failed/.test(text) ? 'bogus' : text
}

const SECURE = `
www.good.test A
good.test SOA
good.test DNSKEY
good.test NSEC3PARAM
good.test DS
big.good.test TXT
alias2.good.test A
missing.good.test A
only-txt.good.test A
below.nothing.good.test A
x.wild.good.test A
a.b.wild.good.test A
x.wild.good.test MX
sub.good.test DS
open.good.test DS
www.sub.good.test A
nothing.sub.good.test A
www.rsa.test A
www.rsa512.test A
www.p384.test A
www.ed25519.test A
www.ed448.test A
www.iterations.test A
nothing.iterations.test A
www.signed.com A
signed.com DS
nothing.org A
nothing.test A
secure.chain.org A
eight1.chain.org A
www.old.dname.test A
old.dname.test DNAME
missing.old.dname.test A
x.wild.wildcard.test A
x.wild.wildcard.test TXT
x.wild.wildcard.test AAAA
x.wild.wildcard.test CAA
exists.wild.wildcard.test A
x.alias.wildcard.test A
wrongds.test DS
www.bogus.test AAAA
www.nosig.test AAAA
unknownalg.test DS
island.test DS
test DNSKEY
com DS
. DNSKEY
. NS
4.3.28.in-addr.arpa SOA
10.0.3.26.in-addr.arpa PTR
www.badsoa.test A
www.nonsec.test A
www.sha1ds.test A
www.sha384ds.test A
www.mixedds.test A
www.soon.test A
www.long.test A
nothing.bogus.test A
dname.test DNAME
x.y.z.nothing.org A
4.3.28.in-addr.arpa DS
5.1.3.26.in-addr.arpa PTR
`

const INSECURE = `
www.open.good.test A
www.unsigned.com A
middle.chain.org A
across.chain.com A
insecure.chain.com A
www.unknownalg.test A
www.island.test A
good.tls.test A
www.baddigest.test A
nothing.island.test A
dangling.chain.com A
`

const BOGUS = `
bogus.chain.com A
www.wrongds.test A
www.bogus.test A
www.expired.test A
www.future.test A
www.stripped.test A
www.nosig.test A
nothing.badsoa.test A
badsoa.test SOA
nothing.nonsec.test A
www.nonsec.test CAA
x.wild.nonsec.test A
alias.bogus.test A
nothing.expired.test A
nothing.stripped.test A
3.4.28.in-addr.arpa SOA
`

for (const [state, names] of Object.entries({ secure: SECURE, insecure: INSECURE, bogus: BOGUS })) {
  describe(`RFC 4033 §5: ${state}, as Unbound and delv say`, () => {
    for (const line of names.trim().split('\n')) {
      test(line, async () => {
        const [name = '', type = ''] = line.split(' ')
        const [ours, theirs] = await Promise.all([validate(name, type), unbound(name, type)])
        assert.equal(ours.state, state, ours.flaw?.reason)
        assert.equal(theirs.state, state)
        // Not at the same time, since delv asks through Unbound, which tells less of what it has in its cache.
        assert.equal(await delv(name, type), state)
        assert.equal(ours.flaw === undefined, state === 'secure')
        // Of a bogus answer that it has in its cache, Unbound knows no more than that (6, RFC 8914 §4.7).
        if (theirs.ede !== undefined && theirs.ede !== 6) assert.equal(ours.flaw?.ede, theirs.ede)
      })
    }
  })
}

describe('RFC 5155 §9.2: a denial in an opt-out span is insecure, as Unbound says and delv does not', () => {
  for (const [name, type] of [
    ['nothing.com', 'A'],
    ['unsigned.com', 'DS'],
  ] as const) {
    test(`${name} ${type}`, async () => {
      assert.equal((await validate(name, type)).state, 'insecure')
      assert.equal((await unbound(name, type)).state, 'insecure')
      assert.equal(await delv(name, type), 'secure')
    })
  }
})

test('RFC 9905: a zone signed with SHA-1 alone counts as unsigned, although older validators still accept it', async () => {
  const { state, flaw } = await validate('www.rsasha1.test', 'A')
  assert.deepEqual({ state, ede: flaw?.ede }, { state: 'insecure', ede: 1 })
  assert.equal((await unbound('www.rsasha1.test', 'A')).state, 'secure')
})

test('a server that refuses leaves it open whether its zone is signed', async () => {
  const { state, flaw } = await validate('www.lame.test', 'A')
  assert.deepEqual({ state, ede: flaw?.ede }, { state: 'indeterminate', ede: 22 })
})

test('IANA’s anchors do not fit the root of the lab, and so nothing below it is trusted', async () => {
  const { context, dispose } = createNet({ userAgent: 'Assay-test' }).createJob({ kind: 'lookup' })
  const { ask, anchors } = context.dnssec
  const validator = new Validator({ ask, anchors: parseTrustAnchors(anchors), now: Date.now() / 1000 })
  const { state, flaw } = await validator.validate('www.good.test.', 'A')
  dispose()
  assert.deepEqual({ state, ede: flaw?.ede }, { state: 'bogus', ede: 9 })
  assert.match(flaw?.reason ?? '', /the trust anchors \(20326, 38696\)/)
})
