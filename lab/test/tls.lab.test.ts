import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { address } from '@assay/lab/inventory'

const exec = promisify(execFile)

/** Lines of sslscan for accepted suites, as "TLSv1.2 AES128-SHA". */
async function suites(host: string): Promise<string[]> {
  const { stdout } = await exec('sslscan', ['--no-colour', '--no-groups', host])
  return [...stdout.matchAll(/^(?:Accepted|Preferred)\s+(\S+)\s+\d+ bits\s+(\S+)/gm)].map(
    ([, version, name]) => `${version} ${name}`,
  )
}

const versions = (list: readonly string[]) => [...new Set(list.map(line => line.split(' ')[0]))].sort()

for (const [name, expected, count] of [
  ['modern', ['TLSv1.3'], 3],
  ['intermediate', ['TLSv1.2', 'TLSv1.3'], 9],
  ['rsa', ['TLSv1.2'], 4],
  ['ecdsa', ['TLSv1.2', 'TLSv1.3'], 13],
] as const) {
  test(`${name}.tls.test: ${expected.join(', ')} and ${count} suites`, async () => {
    const found = await suites(`${name}.tls.test`)
    assert.deepEqual([versions(found), found.length], [[...expected], count])
  })
}

test('old.tls.test: TLS 1.0 to 1.3, also without encryption and without authentication', async () => {
  const found = await suites('old.tls.test')
  assert.deepEqual(versions(found), ['TLSv1.0', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'])
  assert.ok(found.includes('TLSv1.2 NULL-SHA256') && found.includes('TLSv1.0 ADH-AES128-SHA'))
})

const question = 'dns=AAABAAABAAAAAAAAB2V4YW1wbGUDY29tAAABAAE'
for (const [name, said] of [
  ['page', '200 2 text/html'],
  ['wrongtype', '200 2 application/octet-stream'],
  ['http1', '200 1.1 application/dns-message'],
  ['stranger', '200 2 application/dns-message'],
] as const) {
  test(`${name}.tls.test: HTTPS says ${said}, TLS answers`, async () => {
    const host = `${name}.tls.test`
    const format = ['-sk', '-o', '/dev/null', '-w', '%{http_code} %{http_version} %{content_type}']
    assert.equal((await exec('curl', [...format, `https://${host}/dns-query?${question}`])).stdout, said)
    const { stdout } = await exec('kdig', [`@${address(host).v4}`, '+tls', '+short', 'example.com', 'A'])
    assert.equal(stdout.trim(), address('www.good.test').v4)
  })
}
