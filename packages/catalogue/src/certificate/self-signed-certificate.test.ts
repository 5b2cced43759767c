import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { connect, createServer } from 'node:tls'
import { Problem, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { selfSignedCertificate } from './self-signed-certificate.ts'

const [action] = selfSignedCertificate.actions
assert.ok(action)
interface Made {
  certificate: string
  privateKey: string
  names: { type: string; value: string }[]
  findings: { name: string; verdict: string }[]
}
const make = async (input: Record<string, unknown>, now?: string): Promise<Made> =>
  (await performed(action, input, replay(now ? { now } : { now: new Date().toISOString() }))).result as Made

const folder = mkdtempSync(join(tmpdir(), 'self-signed-'))
after(() => rmSync(folder, { recursive: true }))
const openssl = (input: string, ...args: string[]): string =>
  execFileSync('openssl', args, { input, encoding: 'utf8', cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] })

test('[CTL-142] [CTL-143] common name and organization are the subject', async () => {
  const { certificate } = await make({ common_name: 'a.example', organization: 'Ünïcode GmbH', keyType: 'Ed25519' })
  const subject = openssl(certificate, 'x509', '-noout', '-subject', '-issuer', '-nameopt', 'utf8,sep_comma_plus')
  assert.equal(subject, 'subject=O=Ünïcode GmbH,CN=a.example\nissuer=O=Ünïcode GmbH,CN=a.example\n')
})

test('[CTL-144] the end less the beginning is the validity, also beyond 2049', async () => {
  for (const validity_days of [1, 365, 8_766, 36_500]) {
    const { certificate } = await make({ common_name: 'a', validity_days, keyType: 'Ed25519' })
    const { validFromDate, validToDate } = new X509Certificate(certificate)
    assert.equal(validToDate.getTime() - validFromDate.getTime(), validity_days * 86_400_000)
  }
})

test('[CTL-145] RSA keys have 2048 bits unless another size is chosen', async () => {
  for (const [input, bits] of [
    [{}, 2048],
    [{ key_size: '3072' }, 3072],
  ] as const) {
    const { certificate, privateKey } = await make({ common_name: 'a', ...input })
    assert.match(openssl(certificate, 'x509', '-noout', '-text'), new RegExp(`Public-Key: \\(${bits} bit\\)`))
    assert.match(openssl(privateKey, 'rsa', '-check', '-noout'), /RSA key ok/)
  }
  await assert.rejects(make({ common_name: 'a', key_size: '1024' }), { field: 'key_size' })
})

for (const keyType of ['RSA', 'ECDSA P-256', 'ECDSA P-384', 'Ed25519']) {
  test(`a TLS server of Node works with a key of the kind ${keyType}, and who trusts the certificate trusts the server`, async t => {
    const made = await make({ common_name: 'localhost', san: '127.0.0.1, [::1]'.replace(/[[\]]/g, ''), keyType })
    const server = createServer({ cert: made.certificate, key: made.privateKey }, socket => socket.end('hello'))
    t.after(() => server.close())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    for (const name of ['localhost', '127.0.0.1']) {
      const socket = connect({
        host: '127.0.0.1',
        port,
        ca: made.certificate,
        ...(name === 'localhost' && { servername: name }),
      })
      const [hello] = await once(socket, 'data')
      assert.equal(String(hello), 'hello')
      assert.equal(socket.authorized, true)
      socket.destroy()
    }
    const stranger = connect({ host: '127.0.0.1', port, ca: made.certificate, servername: 'other.example' })
    const [refusal] = await once(stranger, 'error')
    assert.equal(refusal.code, 'ERR_TLS_CERT_ALTNAME_INVALID')
  })
}

test('an authority signs a certificate that openssl verifies', async () => {
  const { certificate, privateKey } = await make({
    common_name: 'House Root',
    role: 'Authority',
    keyType: 'ECDSA P-384',
  })
  writeFileSync(join(folder, 'ca.pem'), certificate)
  writeFileSync(join(folder, 'ca.key'), privateKey)
  const leaf = openssl(
    '',
    'req',
    '-x509',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-newkey',
    'ed25519',
    '-noenc',
    '-keyout',
    'leaf.key',
    '-subj',
    '/CN=leaf',
  )
  writeFileSync(join(folder, 'leaf.pem'), leaf)
  assert.match(openssl('', 'verify', '-CAfile', 'ca.pem', 'leaf.pem'), /OK/)
})

test('a passphrase locks the key, and openssl opens it', async () => {
  const { privateKey } = await make({ common_name: 'a', keyType: 'ECDSA P-256', passphrase: 'pässword' })
  assert.match(privateKey, /BEGIN ENCRYPTED PRIVATE KEY/)
  assert.match(openssl(privateKey, 'pkey', '-passin', 'pass:pässword', '-noout', '-check'), /Key is valid/)
})

test('the command of the terminal makes the like', async () => {
  for (const input of [
    { common_name: "it's a/test", role: 'Authority', keyType: 'ECDSA P-256' },
    { common_name: 'a.example', san: '*.b.example, 2001:db8::1, a@b.example', keyType: 'Ed25519', organization: 'A+B' },
  ]) {
    const { input: read, result } = await performed(action, input, replay())
    const made = result as Made & { subject: string }
    const { command } = action.terminal?.(read, result) ?? { command: 'false' }
    execFileSync('sh', ['-c', command], { cwd: folder, stdio: 'ignore' })
    const lines = (text: string) =>
      text
        .split(/\n(?=X509v3)/)
        .map(line => line.trim())
        .sort()
    const fields = ['-noout', '-subject', '-nameopt', 'rfc2253', '-ext', 'basicConstraints,subjectAltName']
    assert.deepEqual(
      lines(openssl('', 'x509', '-in', 'certificate.pem', ...fields)),
      lines(openssl(made.certificate, 'x509', ...fields)),
    )
  }
})

for (const [input, field] of [
  [{}, 'common_name'],
  [{ common_name: '  ' }, 'common_name'],
  [{ common_name: 'a..b' }, 'common_name'],
  [{ common_name: 'a', san: 'b..c' }, 'san'],
  [{ common_name: 'a', organization: 'x'.repeat(65) }, 'organization'],
  [{ common_name: 'a', validity_days: 0 }, 'validity_days'],
  [{ common_name: 'a', validity_days: 36_501 }, 'validity_days'],
  [{ common_name: 'a', keyType: 'DSA' }, 'keyType'],
] as const) {
  test(`refused: ${JSON.stringify(input).slice(0, 60)}`, async () => {
    await assert.rejects(make(input), (error: unknown) => error instanceof Problem && error.field === field)
  })
}

test('a server without any name is told so', async () => {
  const { result } = await performed(action, { common_name: 'John Doe', keyType: 'Ed25519' }, replay())
  const panels = action.show?.(result, {}) ?? []
  assert.match(JSON.stringify(panels), /no browser will take it/)
  assert.deepEqual((result as Made).names, [])
})
