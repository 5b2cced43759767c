import type { TlsObservation, TlsVersionObservation } from '@assay/kit'

/** Servers for the examples, after the two ends of RFC 9325. */

const refused = (name: TlsVersionObservation['name']): TlsVersionObservation => ({
  name,
  supported: false,
  reason: 'The server says protocol_version.',
  suites: [],
  preference: null,
  incomplete: false,
})

const accepted = (
  name: TlsVersionObservation['name'],
  suites: number[],
  preference: 'server' | 'client',
): TlsVersionObservation => ({ name, supported: true, suites, preference, incomplete: false })

/** RFC 8446 §9.1: what TLS 1.3 asks for, and a hybrid group before it. */
export const modernServer: TlsObservation = {
  address: '192.0.2.1',
  port: 443,
  versions: [
    ...(['SSLv2', 'SSLv3', 'TLSv1.0', 'TLSv1.1', 'TLSv1.2'] as const).map(refused),
    accepted('TLSv1.3', [0x1302, 0x1303, 0x1301], 'server'),
  ],
  groups: [0x11ec, 29, 23].map(code => ({ code, versions: ['TLSv1.3'] })),
  primeBits: null,
  features: {
    compression: null,
    secureRenegotiation: null,
    extendedMainSecret: null,
    sessionTickets: null,
    fallbackSignal: null,
    greaseTolerance: true,
    helloRetryRequest: true,
  },
  protocol: 'h2',
  chains: [],
  trust: { checked: true },
  faults: [],
  connections: 17,
  milliseconds: 83,
}

/** RFC 8996 §1: what it puts an end to, with RC4, Triple DES and a prime of 1024 bits. */
export const oldServer: TlsObservation = {
  ...modernServer,
  address: '192.0.2.2',
  versions: [
    refused('SSLv2'),
    accepted('SSLv3', [0x0005, 0x000a], 'client'),
    accepted('TLSv1.0', [0x0033, 0x0005, 0x000a], 'client'),
    refused('TLSv1.1'),
    refused('TLSv1.2'),
    refused('TLSv1.3'),
  ],
  groups: [],
  primeBits: 1024,
  features: {
    compression: true,
    secureRenegotiation: false,
    extendedMainSecret: false,
    sessionTickets: false,
    fallbackSignal: null,
    greaseTolerance: false,
    helloRetryRequest: null,
  },
  protocol: null,
  trust: { checked: true, problem: 'The certificate has expired.' },
}
