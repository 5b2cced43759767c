import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { Problem, type ProblemCode, performed, type TlsObservation } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { parsePem } from '@assay/lib/asn1/pem'
import { sslscan } from './sslscan.ts'
import { modernServer, oldServer } from './sslscan-examples.ts'

const action = sslscan.actions[0] ?? assert.fail()

// biome-ignore lint/suspicious/noExplicitAny: the result as the API gives it, read by the assertions
async function run(server: TlsObservation, now = '2026-06-01T00:00:00Z'): Promise<{ result: any; panels: any[] }> {
  const recording = { now, tls: { 'a.example:443': server } }
  const { result, input } = await performed(action, { domain: 'a.example' }, replay(recording))
  return { result, panels: action.show?.(result, input) ?? [] }
}

test('[OPEN-070] the response has the fields of the contract', async () => {
  const { result } = await run(modernServer)
  for (const name of [
    'domain',
    'protocols',
    'ciphers',
    'groups',
    'server_preference',
    'certificate_chain',
    'findings',
    'grade',
  ]) {
    assert.ok(name in result, name)
  }
  assert.deepEqual(
    result.protocols.map((one: { name: string; supported: boolean }) => [one.name, one.supported]),
    [
      ['SSLv2', false],
      ['SSLv3', false],
      ['TLSv1.0', false],
      ['TLSv1.1', false],
      ['TLSv1.2', false],
      ['TLSv1.3', true],
    ],
  )
  assert.partialDeepStrictEqual(result.ciphers[0], {
    protocol: 'TLSv1.3',
    name: 'TLS_AES_256_GCM_SHA384',
    bits: 256,
    forward_secrecy: true,
  })
  assert.partialDeepStrictEqual(result.groups[0], { name: 'X25519MLKEM768', post_quantum: true })
})

test('the sum that is shown is the score, down to 0', async () => {
  for (const server of [modernServer, oldServer]) {
    const { result } = await run(server)
    const sum = result.score_sum.reduce((total: number, one: { points: number }) => total + one.points, 0)
    assert.equal(result.score, Math.max(0, sum))
    assert.equal(result.score_sum.length, 1 + result.findings.filter((one: { points: number }) => one.points).length)
  }
})

test('[OPEN-070] a panel of its own: grade, sum, protocols, findings, suites, groups', async () => {
  const { panels } = await run(oldServer)
  assert.deepEqual(
    panels.map(({ kind }) => kind),
    ['banner', 'tiles', 'table', 'table', 'checks', 'table', 'facts', 'table'],
  )
  assert.equal(panels[0].badge, 'GRADE F')
  assert.ok(panels[2].rows.length > 5)
})

const openssl = (...options: string[]) => execFileSync('openssl', options, { stdio: ['pipe', 'pipe', 'ignore'] })

test('RFC 9325 §4.5: a short RSA key is found in the certificate, and what is no certificate is told', async () => {
  const pem = openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:1024',
    '-nodes',
    '-keyout',
    '/dev/null',
    '-subj',
    '/CN=a.example',
    '-addext',
    'subjectAltName=DNS:a.example',
  ).toString()
  const [block] = parsePem(pem)
  assert.ok(block)
  const server = (bytes: Uint8Array<ArrayBuffer>): TlsObservation => ({
    ...modernServer,
    chains: [{ kind: 'RSA', certificates: [bytes] }],
  })
  const short = await run(server(block.bytes), new Date().toISOString())
  assert.match(JSON.stringify(short.result.findings), /1024 bits is too short/)
  assert.equal(short.result.certificate_chain[0].public_key.includes('1024'), true)
  const broken = await run(server(Uint8Array.of(0x30, 0x82, 0xff, 0xff)))
  assert.deepEqual(broken.result.certificate_chain, [])
  assert.match(JSON.stringify(broken.result.findings), /It cannot be read/)
})

const nothing = (supported: boolean | null, faults: string[] = []): TlsObservation => ({
  ...modernServer,
  versions: modernServer.versions.map(one => ({ ...one, supported, suites: [], reason: 'The server hangs up.' })),
  faults,
})

for (const [name, server, code, words] of [
  ['who hangs up', nothing(false), 'unreachable', /does not speak TLS/],
  ['who speaks something else', nothing(false, ['what came is not TLS']), 'unreachable', /does not speak TLS/],
  ['who is silent', nothing(null), 'timeout', /does not answer in TLS/],
] as const) {
  test(`${name} gets no grade`, async () => {
    await assert.rejects(run(server), (error: unknown) => {
      assert.ok(error instanceof Problem)
      assert.equal(error.code, code satisfies ProblemCode)
      assert.match(error.message, words)
      return true
    })
  })
}
