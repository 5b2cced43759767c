import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Problem, type ServerContext } from '@assay/kit'
import { createQuery } from '@assay/lib/dns/message'
import { createNet } from './context.ts'

if (process.env.LAB !== '1') throw new Error('these tests run inside the lab: npm run lab -- run COMMAND')

const net = createNet({ userAgent: 'Assay-test/1.0' })

function encryptedDns(t: TestContext): ServerContext['encryptedDns'] {
  const job = net.createJob({ kind: 'lookup' })
  t.after(() => job.dispose())
  return job.context.encryptedDns
}

const query = createQuery({ id: 0, name: 'www.good.test.', type: 'A', rd: true })
const operators = {
  unbound: { address: '94.140.14.140', name: 'unfiltered.adguard-dns.com' },
  bind: { address: '9.9.9.9', name: 'dns.quad9.net' },
  dnsdist: { address: '208.67.222.222', name: 'dns.opendns.com' },
}

for (const [program, { address, name }] of Object.entries(operators)) {
  test(`RFC 7858: ${program} answers over TLS, and the second question goes over the same connection`, async t => {
    const dns = encryptedDns(t)
    const [first, second] = [await dns.overTls({ address, name }, query), await dns.overTls({ address, name }, query)]
    assert.equal(first.message.rcode, 'NOERROR')
    assert.deepEqual(
      first.message.answers.map(({ type }) => type),
      ['A'],
    )
    assert.deepEqual([first.reused, second.reused], [false, true])
    assert.equal(first.tls.problem, undefined)
    assert.match(first.tls.protocol, /^TLSv1\.[23]$/)
    const wrong = await dns.overTls({ address, name: 'other.test' }, query)
    assert.equal(wrong.tls.problem, 'The certificate is for another name.')
    assert.equal(wrong.message.rcode, 'NOERROR')
  })

  test(`RFC 8484 §4.1: ${program} answers GET and POST over HTTP/2`, async t => {
    const dns = encryptedDns(t)
    for (const method of ['GET', 'POST'] as const) {
      const answer = await dns.overHttps({ url: `https://${name}/dns-query`, address }, query, { method })
      assert.equal(answer.problem, undefined)
      assert.deepEqual(
        answer.message?.answers.map(({ type }) => type),
        ['A'],
      )
      assert.deepEqual(
        [answer.httpVersion, answer.status, answer.contentType, answer.tls.problem, answer.reused],
        ['2', 200, 'application/dns-message', undefined, method === 'POST'],
      )
    }
  })
}

test('twenty questions at once share one connection over TLS and one over HTTPS', async t => {
  const dns = encryptedDns(t)
  const server = { address: '94.140.14.140', name: 'unfiltered.adguard-dns.com' }
  await dns.overTls(server, query)
  const answers = await Promise.all(Array.from({ length: 20 }, () => dns.overTls(server, query)))
  assert.ok(answers.every(({ reused, message }) => reused && message.answers.length === 1))
  const web = { url: 'https://unfiltered.adguard-dns.com/dns-query', address: server.address }
  await dns.overHttps(web, query)
  const more = await Promise.all(Array.from({ length: 20 }, () => dns.overHttps(web, query)))
  assert.ok(more.every(({ reused, message }) => reused && message?.answers.length === 1))
})

test('RFC 8446 §2.2: a session is resumed on a new connection', async t => {
  const dns = encryptedDns(t)
  const server = { address: '208.67.222.222', name: 'dns.opendns.com' }
  assert.equal((await dns.overTls(server, query)).tls.resumed, false)
  assert.equal((await dns.overTls(server, query, { resume: true })).tls.resumed, true)
})

test('HTTP/1.1 is asked for apart: the JSON operators have it, BIND has not', async t => {
  const dns = encryptedDns(t)
  const google = { url: 'https://dns.google/dns-query', address: '8.8.8.8' }
  assert.equal((await dns.overHttps(google, query, { httpVersion: '1.1' })).httpVersion, '1.1')
  const quad9 = { url: 'https://dns.quad9.net/dns-query', address: '9.9.9.9' }
  await assert.rejects(dns.overHttps(quad9, query, { httpVersion: '1.1' }), Problem)
})

test('JSON answers are read where an operator has them, and told apart where not', async t => {
  const dns = encryptedDns(t)
  const { answer } = await dns.json({ url: 'https://dns.google/resolve' }, { name: 'www.good.test', type: 'A' })
  assert.equal(answer?.status, 0)
  assert.equal(answer?.records[0]?.type, 1)
  const none = await dns.json({ url: 'https://dns.quad9.net/dns-query' }, { name: 'www.good.test', type: 'A' })
  assert.equal(none.answer, undefined)
  assert.match(none.problem ?? '', /status/)
})

test('E5: a resolver at a private address is not asked, whatever its name', async t => {
  const dns = encryptedDns(t)
  for (const address of ['127.0.0.1', '10.0.0.1', '::1', '169.254.169.254']) {
    await assert.rejects(dns.overTls({ address }, query), { code: 'refused' })
    await assert.rejects(dns.overHttps({ url: 'https://dns.google/dns-query', address }, query), { code: 'refused' })
  }
  await assert.rejects(dns.overHttps({ url: 'https://loopback.rebind.test/dns-query' }, query), { code: 'refused' })
})
