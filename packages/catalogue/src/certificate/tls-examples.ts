import type { TlsHandshake, TrustedRoot } from '@assay/kit'
import { parsePem } from '@assay/lib/asn1/pem'
import type { Transcript } from '@assay/lib/tls/transcript'
import { chain } from './x509-examples.ts'

/** Handshakes for the examples, with the chain of the certificate decoder, in the order of RFC 8446 §2. */

const [leaf, intermediate, root] = parsePem(chain).map(({ bytes }) => bytes)
const certificates = { leaf, intermediate, root }

export const exampleRoots: readonly TrustedRoot[] = root ? [{ certificate: root, store: 'own' }] : []

const message = (from: 'client' | 'server', milliseconds: number, name: string, bytes: number, encrypted = false) => ({
  from,
  milliseconds,
  name,
  bytes,
  encrypted,
})

const transcript: Transcript = {
  messages: [
    message('client', 0.6, 'client_hello', 517),
    message('server', 12.3, 'server_hello', 122),
    message('server', 12.3, 'encrypted_extensions', 19, true),
    message('server', 12.4, 'certificate', 1529, true),
    message('server', 12.4, 'certificate_verify', 79, true),
    message('server', 12.4, 'finished', 52, true),
    message('client', 14.1, 'finished', 52, true),
    message('server', 25.8, 'new_session_ticket', 265, true),
  ],
  offer: {
    serverName: 'example.com',
    versions: [0x0304, 0x0303],
    suites: [0x1302, 0x1303, 0x1301],
    groups: [0x11ec, 29, 23],
    shares: [0x11ec, 29],
    protocols: ['h2', 'http/1.1'],
    extensions: [0, 10, 13, 16, 43, 51],
  },
  hello: { version: 0x0304, suite: 0x1301, compression: 0, retry: false, extensions: [43, 51], group: 29 },
  retried: false,
  extensions: [43, 51, 16],
  protocol: 'h2',
  group: 29,
  signatureScheme: 0x0403,
  certificates: [],
  tickets: [{ lifetimeSeconds: 7200, bytes: 240 }],
  clientCertificateAsked: false,
}

/** A whole handshake of TLS 1.3 with these certificates. */
export const exampleHandshake = (sent: readonly (keyof typeof certificates)[]): TlsHandshake => ({
  address: '192.0.2.1',
  port: 443,
  transcript: {
    ...transcript,
    certificates: sent.map(name => certificates[name]).filter(bytes => bytes !== undefined),
  },
  complete: true,
  trust: {},
  resumed: true,
  timings: { dnsMs: 8.4, connectMs: 11.2, helloMs: 12.3, tlsMs: 14.1 },
})

/** RFC 8996 §5: a server that has TLS 1.1 at most, asked for 1.2. */
export const refusedHandshake: TlsHandshake = {
  address: '192.0.2.2',
  port: 443,
  transcript: {
    messages: [message('client', 0.5, 'client_hello', 240), message('server', 11.9, 'alert', 2)],
    ...(transcript.offer && { offer: transcript.offer }),
    retried: false,
    extensions: [],
    certificates: [],
    tickets: [],
    clientCertificateAsked: false,
    alert: { from: 'server', fatal: true, code: 70 },
  },
  complete: false,
  reason: 'The server refuses with the alert protocol_version (70).',
  resumed: null,
  timings: { dnsMs: 8.4, connectMs: 11.2, helloMs: 11.9, tlsMs: null },
}
