import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Problem, performed, type Recording, type Tool } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { parsePem } from '@assay/lib/asn1/pem'
import { sslChain } from './ssl-chain.ts'
import { sslHandshake } from './ssl-handshake.ts'
import { sslPinning } from './ssl-pinning.ts'
import { exampleHandshake, exampleRoots, refusedHandshake } from './tls-examples.ts'
import { chain } from './x509-examples.ts'

// biome-ignore lint/suspicious/noExplicitAny: the results of three tools, looked into by name
type Result = any
async function run(
  { actions: [action] }: Tool,
  input: Record<string, unknown>,
  recording: Recording = {},
): Promise<Result> {
  assert.ok(action)
  const { result, input: read } = await performed(action, input, replay({ now: '2026-06-01T00:00:00Z', ...recording }))
  return { result, panels: action.show?.(result, read) ?? [], terminal: action.terminal?.(read, result) }
}
const [leaf, intermediate] = parsePem(chain)
assert.ok(leaf && intermediate)
const handshakes = { 'example.com:443': exampleHandshake(['leaf']) }
/** The address of its issuer is not in the example, so one that has it is made. */
const pemOf = (input: string, ...args: string[]) =>
  execFileSync('openssl', args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] })

test('[CTL-080] the chain of a server, in order up to a trusted root', async () => {
  const { result, panels } = await run(
    sslChain,
    { domain: 'example.com' },
    {
      handshakes: { 'example.com:443': exampleHandshake(['leaf', 'intermediate', 'root']) },
      roots: exampleRoots,
    },
  )
  assert.deepEqual(
    result.path.map(({ title, source }: Result) => [title, source]),
    [
      ['example.com', 'sent'],
      ['Example Intermediate', 'sent'],
      ['Example Root', 'root'],
    ],
  )
  assert.deepEqual([result.trusted, result.faults, result.root_store], [true, [], 'own'])
  assert.match(JSON.stringify(result.findings), /Root sent along/)
  assert.deepEqual(
    panels.map(({ kind }: Result) => kind),
    ['banner', 'tiles', 'steps', 'checks', 'facts', 'section', 'section', 'section'],
  )
  assert.match(result.certificates[0].pem, /BEGIN CERTIFICATE/)
})

test('RFC 5280 §4.2.2.1: an intermediate that was not sent is fetched over plain HTTP, and named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ssl-tools-'))
  const newKey = ['-newkey', 'ed25519', '-noenc', '-days', '9']
  const authority = pemOf('', 'req', '-x509', ...newKey, '-keyout', `${folder}/ca.key`, '-subj', '/CN=Fetched')
  const [authorityBlock] = parsePem(authority)
  assert.ok(authorityBlock)
  try {
    writeFileSync(`${folder}/ca.pem`, authority)
    const issued = pemOf(
      '',
      'req',
      '-x509',
      '-CA',
      `${folder}/ca.pem`,
      '-CAkey',
      `${folder}/ca.key`,
      ...newKey,
      '-keyout',
      '/dev/null',
      '-subj',
      '/CN=a.example',
      '-addext',
      'subjectAltName=DNS:a.example',
      '-addext',
      'authorityInfoAccess=caIssuers;URI:http://ca.example/issuer.cer,caIssuers;URI:https://ca.example/never.cer',
    )
    const [block] = parsePem(issued)
    assert.ok(block)
    const seen = exampleHandshake([])
    const recording = {
      now: new Date().toISOString(),
      handshakes: { 'a.example:443': { ...seen, transcript: { ...seen.transcript, certificates: [block.bytes] } } },
      roots: [{ certificate: authorityBlock.bytes, store: 'Mozilla' as const }],
    }
    const http = (body: string, status = 200) => ({ 'http://ca.example/issuer.cer': { status, headers: [], body } })
    // The root itself is trusted, so nothing is fetched.
    assert.deepEqual((await run(sslChain, { domain: 'a.example' }, recording)).result.fetched, [])
    const without = { ...recording, roots: [] }
    const { result, panels } = await run(sslChain, { domain: 'a.example' }, { ...without, http: http(authority) })
    assert.deepEqual(result.fetched, [{ url: 'http://ca.example/issuer.cer', problem: null }])
    assert.deepEqual(
      result.path.map(({ source }: Result) => source),
      ['sent', 'fetched'],
    )
    assert.deepEqual(result.faults, ['untrusted root', 'incomplete'])
    assert.match(JSON.stringify(panels), /Looked for/)
    for (const [body, status, words] of [
      ['nothing of the kind', 200, /no certificate/],
      ['', 404, /status 404/],
    ] as const) {
      const failed = (await run(sslChain, { domain: 'a.example' }, { ...without, http: http(body, status) })).result
      assert.match(failed.fetched[0].problem, words)
      assert.deepEqual(failed.faults, ['incomplete'])
    }
    const unreachable = (await run(sslChain, { domain: 'a.example' }, without)).result
    assert.equal(unreachable.fetched.length, 1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('what only OpenSSL finds counts as well', async () => {
  const trust = { problem: 'The certificate does not hold (PERMITTED_VIOLATION).', code: 'PERMITTED_VIOLATION' }
  const { result } = await run(
    sslChain,
    { domain: 'example.com' },
    {
      handshakes: { 'example.com:443': { ...exampleHandshake(['leaf', 'intermediate']), trust } },
      roots: exampleRoots,
    },
  )
  assert.deepEqual([result.trusted, result.faults, result.openssl], [false, [], trust.problem])
  assert.equal(result.findings.at(-1).name, 'OpenSSL agrees')
})

test('a certificate that cannot be read is a problem with its number', async () => {
  const seen = exampleHandshake(['leaf'])
  const broken = { ...seen, transcript: { ...seen.transcript, certificates: [leaf.bytes, Uint8Array.of(0x30, 1, 0)] } }
  await assert.rejects(run(sslChain, { domain: 'example.com' }, { handshakes: { 'example.com:443': broken } }), {
    code: 'unsupported',
    message: /Certificate 2/,
  })
})

test('[CTL-081] a handshake with its messages in order, and a refusal with its alert', async () => {
  const { result, panels } = await run(sslHandshake, { domain: 'example.com' }, { handshakes })
  assert.deepEqual(
    [result.version, result.cipher_suite, result.group, result.alpn, result.session.resumed],
    ['TLS 1.3', 'TLS_AES_128_GCM_SHA256', 'x25519', 'h2', true],
  )
  assert.equal(result.messages[0].title, 'ClientHello')
  assert.equal(result.certificate.title, 'example.com')
  assert.deepEqual(
    panels.map(({ kind }: Result) => kind),
    ['banner', 'tiles', 'facts', 'table', 'steps', 'section', 'section'],
  )
  const refused = await run(
    sslHandshake,
    { domain: 'old.example', min_version: 'TLS 1.2' },
    { handshakes: { 'old.example:443': refusedHandshake } },
  )
  assert.equal(refused.result.complete, false)
  assert.match(JSON.stringify(refused.panels), /Alert protocol_version/)
  await assert.rejects(run(sslHandshake, { domain: 'a.example', min_version: 'SSL 3.0' }), { field: 'min_version' })
})

/** The pipeline of RFC 7469 appendix A. */
function pinOf(pem: string): string {
  const publicKey = pemOf(pem, 'x509', '-noout', '-pubkey')
  const der = execFileSync('openssl', ['pkey', '-pubin', '-outform', 'DER'], { input: publicKey })
  return execFileSync('openssl', ['dgst', '-sha256', '-binary'], { input: der }).toString('base64')
}
const pemBlocks = chain.match(/-----BEGIN[\s\S]*?END CERTIFICATE-----/g) ?? []

test('[CTL-082] RFC 7469 appendix A: the pins of a server and of a pasted chain are those of the openssl pipeline', async () => {
  const expected = pemBlocks.map(pinOf)
  const pasted = (await run(sslPinning, { certificate: chain })).result
  assert.deepEqual(
    pasted.pins.map(({ pin }: Result) => pin),
    expected,
  )
  assert.deepEqual(
    pasted.pins.map(({ role }: Result) => role),
    ['server', 'authority', 'authority'],
  )
  const served = (await run(sslPinning, { domain: 'example.com' }, { handshakes })).result
  assert.deepEqual(
    served.pins.map(({ pin }: Result) => pin),
    expected.slice(0, 1),
  )
})

test('RFC 7469 §2.6: a pin fits when any key of the chain has it', async () => {
  const [own = '', issuer = ''] = pemBlocks.map(pinOf)
  const stranger = 'd6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM='
  for (const [pin, valid] of [
    [own, true],
    [`sha256/${issuer}`, true],
    [`pin-sha256="${stranger}"; pin-sha256="${own}"`, true],
    [stranger, false],
  ] as const) {
    assert.equal((await run(sslPinning, { certificate: chain, pin })).result.valid, valid)
  }
})

test('a public key has the same pin as the certificate around it, in every form', async () => {
  const [pem = ''] = pemBlocks
  const publicKey = pemOf(pem, 'x509', '-noout', '-pubkey')
  const der = execFileSync('openssl', ['pkey', '-pubin', '-outform', 'DER'], { input: publicKey })
  const certificate = execFileSync('openssl', ['x509', '-outform', 'DER'], { input: pem })
  for (const text of [pem, publicKey, der.toString('base64'), der.toString('hex'), certificate.toString('base64')]) {
    assert.equal((await run(sslPinning, { certificate: text })).result.pins[0].pin, pinOf(pem))
  }
  const both = (await run(sslPinning, { certificate: `${chain}${publicKey}` })).result
  assert.equal(both.pins.length, 4)
})

test('the command of the terminal prints the pin', async () => {
  const { terminal } = await run(sslPinning, { certificate: chain })
  assert.equal(execFileSync('sh', ['-c', terminal.command], { encoding: 'utf8' }).trim(), terminal.prints)
})

for (const [input, field] of [
  [{}, 'domain'],
  [{ certificate: 'nothing' }, 'certificate'],
  [{ certificate: pemOf('', 'genpkey', '-algorithm', 'ed25519') }, 'certificate'],
  [{ certificate: chain, pin: 'abc' }, 'pin'],
  [{ certificate: chain, format: 'HPKP' }, 'format'],
  [{ certificate: Array(8).fill(chain).join('') }, 'certificate'],
  [{ domain: 'a b' }, 'domain'],
] as const) {
  test(`pins refused: ${JSON.stringify(input).slice(0, 50)}`, async () => {
    await assert.rejects(run(sslPinning, input), (error: unknown) => error instanceof Problem && error.field === field)
  })
}
