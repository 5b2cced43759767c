import type { TlsVersionName } from '@assay/lib/tls/registry'
import type { Transcript } from '@assay/lib/tls/transcript'

/** Whole handshakes of a usual client, message by message, and the roots that vouch for certificates. */
export interface TlsHandshaker {
  /** Throws a problem when nobody answers or what answers does not speak TLS; a refused handshake is an observation. */
  handshake(host: string, port: number, options?: TlsHandshakeOptions): Promise<TlsHandshake>
  /** Trusted roots whose name is that of the issuer of a certificate, given as DER. */
  rootsFor(certificate: Uint8Array): TrustedRoot[]
}

export interface TlsHandshakeOptions {
  /** The lowest version offered; TLS 1.0 unless given. The highest is always 1.3. */
  minVersion?: Exclude<TlsVersionName, 'SSLv3'>
  /** A second connection offers the session of the first (RFC 8446 §2.2). */
  resume?: boolean
}

export interface TrustedRoot {
  certificate: Uint8Array<ArrayBuffer>
  /** Mozilla's list as Node has it, the list of the operating system, or what the operator added. */
  store: 'Mozilla' | 'system' | 'own'
}

export interface TlsHandshake {
  address: string
  port: number
  transcript: Transcript
  /** Both sides have said that they are finished. */
  complete: boolean
  /** Why it is not. */
  reason?: string
  /** What OpenSSL says of the certificate with the roots of this machine; left out where the handshake did not get there. */
  trust?: { problem?: string; code?: string }
  /** Of the second connection; null when none was made. */
  resumed: boolean | null
  timings: { dnsMs: number; connectMs: number; helloMs: number | null; tlsMs: number | null }
}
