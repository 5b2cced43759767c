import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import type { TlsObservation } from '@assay/kit'
import { groupOf } from '@assay/lib/tls/registry'
import { suiteOf } from '@assay/lib/tls/suites'
import { createNet } from './context.ts'

if (process.env.LAB !== '1') throw new Error('these tests run inside the lab: npm run lab -- run COMMAND')

const exec = promisify(execFile)
const net = createNet({ userAgent: 'Assay-test/1.0' })

async function scan(t: TestContext, host: string): Promise<TlsObservation> {
  const job = net.createJob({ kind: 'scan' })
  t.after(() => job.dispose())
  const steps = job.context.tls.scan(host, 443)
  for (;;) {
    const { done, value } = await steps.next()
    if (done) return value
  }
}

const ours = ({ versions }: TlsObservation): string[] =>
  versions.flatMap(({ name, suites }) => suites.map(code => `${name} ${suiteOf(code)?.openssl}`))

/** What sslscan accepts, as "TLSv1.2 AES128-SHA", in its order. */
async function sslscan(host: string): Promise<string[]> {
  const { stdout } = await exec('sslscan', ['--no-colour', '--no-groups', host])
  const lines = stdout.matchAll(/^(?:Accepted|Preferred)\s+(\S+)\s+\d+ bits\s+(?:0x\w+\s+)?(\S+)/gm)
  return [...lines].map(([, version, name]) => `${version} ${name}`)
}

for (const name of ['modern', 'intermediate', 'old', 'rsa', 'ecdsa', 'good', 'tls10']) {
  test(`the suites of ${name}.tls.test are those of sslscan`, async t => {
    const host = `${name}.tls.test`
    const [observation, expected] = [await scan(t, host), await sslscan(host)]
    t.diagnostic(`${observation.connections} connections, ${observation.milliseconds} ms`)
    assert.ok(expected.length > 0)
    assert.deepEqual(ours(observation).toSorted(), expected.toSorted())
    assert.deepEqual(observation.faults, [])
    assert.deepEqual(
      observation.versions.filter(({ supported }) => supported === null),
      [],
    )
  })
}

const groupNames = ({ groups }: TlsObservation) => groups.map(({ code }) => groupOf(code)?.name).sort()

test('groups, preference and features are those of the configuration', async t => {
  const [modern, intermediate, old, rsa, ecdsa] = [
    await scan(t, 'modern.tls.test'),
    await scan(t, 'intermediate.tls.test'),
    await scan(t, 'old.tls.test'),
    await scan(t, 'rsa.tls.test'),
    await scan(t, 'ecdsa.tls.test'),
  ]
  assert.deepEqual(groupNames(modern), ['secp256r1', 'secp384r1', 'x25519'])
  assert.deepEqual(groupNames(ecdsa), ['secp384r1'])
  assert.deepEqual(groupNames(rsa), [])
  assert.equal(old.primeBits, 1024)
  const preference = ({ versions }: TlsObservation) => versions.findLast(({ name }) => name === 'TLSv1.2')?.preference
  assert.deepEqual([intermediate, old, rsa, ecdsa].map(preference), ['client', 'server', 'server', 'server'])
  assert.deepEqual(
    old.versions
      .find(({ name }) => name === 'TLSv1.0')
      ?.suites.map(code => suiteOf(code)?.openssl)
      .slice(0, 2),
    ['ECDHE-ECDSA-AES256-SHA', 'ECDHE-RSA-AES256-SHA'],
  )
  assert.deepEqual(intermediate.features, {
    compression: false,
    secureRenegotiation: true,
    extendedMainSecret: true,
    sessionTickets: intermediate.features.sessionTickets,
    fallbackSignal: true,
    greaseTolerance: true,
    helloRetryRequest: true,
  })
  assert.deepEqual(
    intermediate.chains.map(({ kind, certificates, status }) => [kind, certificates.length, status]),
    [
      ['ECDSA', 2, null],
      ['RSA', 2, null],
    ],
  )
  assert.deepEqual([modern.trust, intermediate.trust, rsa.trust], Array(3).fill({ checked: true }))
  assert.equal(modern.protocol, 'h2')
})
