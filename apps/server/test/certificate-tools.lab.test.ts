import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { type App, createApp } from '../src/app.ts'
import { createNetwork } from '../src/network.ts'
import { readSettings } from '../src/settings.ts'
import { unhurried } from './unhurried.ts'

/** The certificate tools as shipped against the lab's servers, with openssl s_client as the second opinion. */
const exec = promisify(execFile)

let app: App
before(async () => {
  const limits = { ASSAY_LOOKUPS_PER_MINUTE: '10000', ASSAY_SCANS_PER_MINUTE: '1000', ASSAY_TARGET_PER_MINUTE: '10000' }
  const settings = readSettings({ ...unhurried, ...limits })
  app = await createApp({ settings, log: () => {}, ...createNetwork(settings) })
})
after(() => app.close())

// biome-ignore lint/suspicious/noExplicitAny: answers of three tools, read by the assertions
async function post(id: string, payload: Record<string, unknown>): Promise<{ status: number; body: any }> {
  const { statusCode, body } = await app.server.inject({ method: 'POST', url: `/api/${id}/`, payload })
  return { status: statusCode, body: JSON.parse(body) }
}

const hosts = [
  'good',
  'expired',
  'selfsigned',
  'wronghost',
  'nochain',
  'tls10',
  'modern',
  'intermediate',
  'old',
  'rsa',
  'ecdsa',
]
const faults: Readonly<Record<string, readonly string[]>> = {
  expired: ['expired'],
  selfsigned: ['self-signed'],
  wronghost: ['wrong name'],
  nochain: ['incomplete'],
}
const LENIENT = 'DEFAULT:@SECLEVEL=0'

/** What openssl s_client says, with everything switched on. */
function client(host: string, ...more: string[]): string {
  const args = [
    's_client',
    '-connect',
    `${host}:443`,
    '-servername',
    host,
    '-verify_hostname',
    host,
    '-alpn',
    'h2,http/1.1',
  ]
  const lenient = ['-min_protocol', 'TLSv1', '-cipher', LENIENT, '-showcerts']
  return spawnSync('openssl', [...args, ...lenient, ...more], { input: '', encoding: 'utf8', timeout: 10_000 }).stdout
}
const certificatesIn = (text: string) => text.match(/-----BEGIN[\s\S]*?END CERTIFICATE-----/g) ?? []
const flat = (pem: string) => pem.replace(/\s/g, '')

for (const name of hosts) {
  const host = `${name}.tls.test`
  test(`[CTL-080] the chain of ${host} is what openssl s_client shows, and so is the verdict`, async () => {
    const { status, body } = await post('ssl-chain', { domain: host })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body.faults, faults[name] ?? [])
    const shown = client(host)
    const sent = body.certificates.filter(({ source }: { source: string }) => source === 'sent')
    assert.deepEqual(
      sent.map(({ pem }: { pem: string }) => flat(pem)),
      certificatesIn(shown).map(flat),
    )
    assert.equal(body.trusted, /Verify return code: 0 \(ok\)/.test(shown))
    assert.equal(body.root, name === 'nochain' ? null : name === 'selfsigned' ? host : 'Lab Root CA')
    assert.equal(body.root_store, name === 'nochain' || name === 'selfsigned' ? null : 'system')
  })

  test(`[CTL-081] version, suite, group and ALPN of ${host} are those of openssl s_client`, async () => {
    const { status, body } = await post('ssl-handshake', { domain: host })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.complete, true)
    const shown = client(host)
    const [, version, suite] = /New, (TLSv[\d.]+|SSLv3), Cipher is (\S+)/.exec(shown) ?? []
    // s_client names the version that defined the suite; the one spoken stands in the session.
    const spoken = /Protocol\s*: (\S+)/.exec(shown)?.[1] ?? version
    assert.equal(body.version.replace(' ', 'v').replace('.0', ''), spoken?.replace('.0', ''))
    assert.equal(body.cipher_suite_openssl, suite)
    assert.equal(body.alpn, /ALPN protocol: (\S+)/.exec(shown)?.[1] ?? null)
    const group = /Server Temp Key: (\w+)/.exec(shown)?.[1]
    assert.equal(body.group === null ? undefined : body.group === 'x25519' ? 'X25519' : 'ECDH', group)
    assert.equal(body.extended_master_secret, body.version === 'TLS 1.3' || /Extended master secret: yes/.test(shown))
    assert.equal(body.messages[0].name, 'client_hello')
    assert.equal(body.fault, null)
    assert.equal(body.session.resumed, true)
  })
}

test('RFC 8446 §4.2.1: the lowest version that is chosen decides, as with s_client -min_protocol', async () => {
  for (const [name, min_version, version] of [
    ['old', 'TLS 1.0', 'TLS 1.3'],
    ['tls10', 'auto', 'TLS 1.0'],
    ['rsa', 'TLS 1.1', 'TLS 1.2'],
    ['modern', 'TLS 1.3', 'TLS 1.3'],
  ]) {
    assert.equal((await post('ssl-handshake', { domain: `${name}.tls.test`, min_version })).body.version, version)
  }
  for (const [name, min_version, flag] of [
    ['tls10', 'TLS 1.2', 'TLSv1.2'],
    ['rsa', 'TLS 1.3', 'TLSv1.3'],
  ] as const) {
    const { body } = await post('ssl-handshake', { domain: `${name}.tls.test`, min_version })
    assert.deepEqual(body.alert, { from: 'server', name: 'protocol_version', code: 70, fatal: true })
    const said = await exec('openssl', ['s_client', '-min_protocol', flag, '-connect', `${name}.tls.test:443`]).catch(
      ({ stderr }) => ({
        stderr,
      }),
    )
    assert.match(said.stderr, /alert protocol version|SSL alert number 70/)
  }
})

test('[CTL-082] the pin of a server is that of the openssl pipeline in the terminal', async () => {
  const { body } = await post('ssl-pinning', { domain: 'good.tls.test', format: 'curl' })
  const pipeline =
    'openssl s_client -connect good.tls.test:443 -servername good.tls.test </dev/null 2>/dev/null | openssl x509 -pubkey -noout | openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | openssl base64'
  const { stdout } = await exec('sh', ['-c', pipeline])
  assert.equal(body.pins[0].pin, stdout.trim())
  const { stdout: page } = await exec('sh', ['-c', body.output.replace('curl', 'curl -s')])
  assert.equal(page, 'good\n')
  const wrong = await post('ssl-pinning', {
    domain: 'good.tls.test',
    pin: 'd6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM=',
  })
  assert.equal(wrong.body.valid, false)
})

test('who is not there, does not speak TLS or may not be asked is a problem', async () => {
  for (const id of ['ssl-chain', 'ssl-handshake', 'ssl-pinning']) {
    assert.equal((await post(id, { domain: '127.0.0.1' })).status, 400, id)
    assert.equal((await post(id, { domain: 'www.good.test', port: 80 })).status, 400, id)
    assert.notEqual((await post(id, { domain: 'nowhere.good.test' })).status, 200, id)
  }
})
