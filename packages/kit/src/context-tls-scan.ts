import type { TlsVersionName } from '@assay/lib/tls/registry'

/** What a TLS server accepts, found out with ClientHellos of our own. */
export interface TlsScanner {
  /** Throws a problem when nobody answers at all; everything else is an observation. */
  scan(host: string, port: number): AsyncGenerator<TlsScanStep, TlsObservation, void>
}

export interface TlsScanStep {
  /** From 0 to 1. */
  progress: number
  label: string
}

export interface TlsVersionObservation {
  name: 'SSLv2' | TlsVersionName
  /** null: could not tell. */
  supported: boolean | null
  /** Why not, or why it could not be told. */
  reason?: string
  /** Code points in the order in which the server chose them. */
  suites: number[]
  /** Who decides, when the server has a choice. */
  preference: 'server' | 'client' | null
  /** Silence or a fault ended the list: there may be more suites. */
  incomplete: boolean
}

export interface TlsChainObservation {
  /** The kind of key that was asked for. */
  kind: 'RSA' | 'ECDSA' | 'DSS' | 'any'
  /** DER, in the order in which they were sent. */
  certificates: Uint8Array<ArrayBuffer>[]
  /** The order is that of the signatures: TLS 1.3 hides the one that was sent. */
  reordered?: boolean
  /** A stapled OCSP response; null when none came, undefined when none was asked for. */
  status?: Uint8Array<ArrayBuffer> | null
  /** Timestamps of certificate transparency in the handshake. */
  timestamps?: Uint8Array<ArrayBuffer>
}

export interface TlsObservation {
  address: string
  port: number
  versions: TlsVersionObservation[]
  /** Code points of groups, with the versions they were seen in. */
  groups: { code: number; versions: ('TLSv1.2' | 'TLSv1.3')[] }[]
  /** Bits of the prime of Diffie-Hellman suites. */
  primeBits: number | null
  /** null: not tested, or could not tell. */
  features: {
    compression: boolean | null
    secureRenegotiation: boolean | null
    extendedMainSecret: boolean | null
    sessionTickets: boolean | null
    fallbackSignal: boolean | null
    greaseTolerance: boolean | null
    helloRetryRequest: boolean | null
  }
  /** Chosen by ALPN out of h2 and http/1.1. */
  protocol: string | null
  chains: TlsChainObservation[]
  /** What a browser would say; `checked` is false when no version of TLS was left to ask with. */
  trust: { checked: boolean; problem?: string }
  /** Rules of the protocol that the server broke. */
  faults: string[]
  connections: number
  milliseconds: number
}
