import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createServer, type TlsOptions } from 'node:tls'
import type { TlsHandshake, TlsHandshakeOptions } from '@assay/kit'
import { groupOf } from '@assay/lib/tls/registry'
import { suiteOf } from '@assay/lib/tls/suites'
import { closedPort, listen, listenWith, makeCertificates, openDoor } from '../test/loopback.ts'
import { createRoots } from './roots.ts'
import { createHandshakeContexts, createTlsHandshaker } from './tls-handshake.ts'

const certificates = makeCertificates()
const { authority, key, good, stranger } = certificates
const ownAuthorities = [authority]

const handshakerOf = (t: TestContext, timeoutMs?: number) =>
  createTlsHandshaker({
    door: openDoor(t),
    contexts: createHandshakeContexts(ownAuthorities),
    roots: createRoots(ownAuthorities),
    ...(timeoutMs && { timeoutMs }),
  })

async function shake(t: TestContext, options: TlsOptions, wish: TlsHandshakeOptions = {}): Promise<TlsHandshake> {
  const server = createServer({ key, cert: good, ...options })
  server.on('tlsClientError', () => {})
  server.on('OCSPRequest', (_certificate, _issuer, answer) => answer(null, Buffer.from('an answer')))
  const { port, address } = await listenWith(t, server)
  return handshakerOf(t).handshake(address, port, wish)
}

const names = ({ transcript }: TlsHandshake) => transcript.messages.map(({ from, name }) => `${from} ${name}`)
const suite = ({ transcript }: TlsHandshake) => suiteOf(transcript.hello?.suite ?? 0)?.name

for (const name of ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256']) {
  test(`RFC 8446 §2: every message of TLS 1.3 with ${name} is read, also what is encrypted`, async t => {
    const seen = await shake(t, { ciphers: name, ecdhCurve: 'X25519', minVersion: 'TLSv1.3', ALPNProtocols: ['h2'] })
    assert.deepEqual(names(seen).slice(0, 6), [
      'client client_hello',
      'server server_hello',
      'server change_cipher_spec',
      'server encrypted_extensions',
      'server certificate',
      'server certificate_verify',
    ])
    assert.ok(names(seen).includes('server finished') && names(seen).includes('client finished'))
    assert.equal(suite(seen), name)
    assert.equal(groupOf(seen.transcript.group ?? 0)?.name, 'x25519')
    assert.deepEqual([seen.complete, seen.trust, seen.transcript.protocol], [true, {}, 'h2'])
    assert.equal(seen.transcript.signatureScheme, 0x0403)
    assert.equal(Buffer.from(seen.transcript.status ?? []).toString(), 'an answer')
    assert.deepEqual(
      seen.transcript.certificates.map(bytes => Buffer.from(bytes)),
      [new X509Certificate(good).raw],
    )
    assert.ok(seen.transcript.tickets.length > 0)
    assert.equal(seen.transcript.fault, undefined)
  })
}

test('RFC 5246 §7.3: every message of TLS 1.2, with what is encrypted named as such', async t => {
  const seen = await shake(t, { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256', ecdhCurve: 'P-384' })
  assert.deepEqual(
    seen.transcript.messages.slice(0, 12).map(({ from, name, encrypted }) => `${from} ${name}${encrypted ? '*' : ''}`),
    [
      'client client_hello',
      'server server_hello',
      'server certificate',
      'server certificate_status',
      'server server_key_exchange',
      'server server_hello_done',
      'client client_key_exchange',
      'client change_cipher_spec',
      'client finished*',
      'server new_session_ticket',
      'server change_cipher_spec',
      'server finished*',
    ],
  )
  assert.equal(groupOf(seen.transcript.group ?? 0)?.name, 'secp384r1')
  assert.equal(seen.transcript.signatureScheme, 0x0403)
  assert.ok(seen.transcript.extensions.includes(23))
})

test('RFC 8446 §4.1.4: a group that was not guessed costs a HelloRetryRequest', async t => {
  const seen = await shake(t, { ecdhCurve: 'P-521', minVersion: 'TLSv1.3' })
  assert.deepEqual(
    names(seen).filter(name => /hello/.test(name)),
    ['client client_hello', 'server hello_retry_request', 'client client_hello', 'server server_hello'],
  )
  assert.equal(seen.transcript.retried, true)
  assert.equal(groupOf(seen.transcript.group ?? 0)?.name, 'secp521r1')
})

test('RFC 8446 §2.2: a session is resumed on a second connection', async t => {
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    assert.equal((await shake(t, { maxVersion: version, minVersion: version }, { resume: true })).resumed, true)
  }
  assert.equal((await shake(t, { maxVersion: 'TLSv1.2' })).resumed, null, 'no second connection without the wish')
})

test('RFC 8446 §6.2: a refusal names the alert, and is an observation', async t => {
  const seen = await shake(t, { maxVersion: 'TLSv1.2' }, { minVersion: 'TLSv1.3' })
  assert.deepEqual(seen.transcript.alert, { from: 'server', fatal: true, code: 70 })
  assert.deepEqual([seen.complete, seen.reason], [false, 'The server refuses with the alert protocol_version (70).'])
  assert.deepEqual(seen.transcript.offer?.versions, [0x0304])
  const none = await shake(t, { ALPNProtocols: ['imap'], ALPNCallback: undefined })
  assert.equal(none.transcript.alert?.code, 120)
})

test('RFC 8996: TLS 1.0 is offered unless a lowest version is chosen', async t => {
  const old: TlsOptions = { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' }
  const seen = await shake(t, old)
  assert.deepEqual([seen.complete, seen.transcript.hello?.version], [true, 0x0301])
  assert.equal((await shake(t, old, { minVersion: 'TLSv1.1' })).complete, false)
})

test('the verdict on the certificate is that of OpenSSL, and the chain is seen all the same', async t => {
  for (const [cert, code] of [
    [stranger, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    [certificates.selfSigned, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    [certificates.expired, 'CERT_HAS_EXPIRED'],
  ] as const) {
    const seen = await shake(t, { cert })
    assert.deepEqual([seen.complete, seen.trust?.code, seen.transcript.certificates.length], [true, code, 1])
  }
})

test('roots are found by the name of the issuer, with the list they are in', async t => {
  const { rootsFor } = handshakerOf(t)
  const found = rootsFor(new X509Certificate(good).raw)
  assert.deepEqual(
    found.map(root => [root.store, Buffer.from(root.certificate)]),
    [['own', new X509Certificate(authority).raw]],
  )
  assert.deepEqual(rootsFor(new X509Certificate(stranger).raw), [])
  assert.deepEqual(rootsFor(Uint8Array.of(1, 2, 3)), [])
})

const plain = async (t: TestContext, answer: (socket: Socket) => void, timeoutMs?: number) => {
  const { port, address } = await listen(t, answer)
  return handshakerOf(t, timeoutMs).handshake(address, port)
}

test('who does not speak TLS, hangs up, is silent or is not there is a problem', async t => {
  await assert.rejects(
    plain(t, socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    /does not speak TLS/,
  )
  await assert.rejects(
    plain(t, socket => socket.end()),
    { code: 'unreachable' },
  )
  await assert.rejects(
    plain(t, socket => socket.resume(), 150),
    { code: 'timeout' },
  )
  const port = await closedPort()
  await assert.rejects(handshakerOf(t).handshake('127.0.0.1', port), {
    code: 'unreachable',
    message: /nothing listens/,
  })
})

test('a server that never ends is cut off', async t => {
  const record = Buffer.concat([Buffer.from([22, 3, 3, 0x40, 0]), Buffer.alloc(0x4000, 0)])
  const seen = plain(t, socket => {
    const pour = () => {
      while (!socket.destroyed && socket.write(record));
    }
    socket.on('drain', pour)
    socket.once('data', pour)
  })
  await assert.rejects(seen, { code: 'unreachable' })
})
