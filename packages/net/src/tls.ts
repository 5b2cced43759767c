/** TLS over a connection of the door, and what is wrong with a certificate, in words. RFC 5280, RFC 9525. */

import type { Socket } from 'node:net'
import { connect, createSecureContext, getCACertificates, type SecureContext, type TLSSocket } from 'node:tls'
import { Problem } from '@assay/kit'
import { asNetworkProblem, codeOf, noAnswer } from './failure.ts'

/** How long a handshake may take unless told otherwise. */
export const TLS_TIMEOUT_MS = 5_000

/** RFC 8446 §B.4, without which Node does not offer TLS 1.3 when ciphers are given. */
const TLS13_CIPHERS = ['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256']
/** OpenSSL offers TLS 1.0 and SHA-1 signatures at security level 0 only. */
export const LENIENT_CIPHERS = [...TLS13_CIPHERS, 'DEFAULT', '@SECLEVEL=0'].join(':')

export interface TlsOptions {
  /** The name the certificate must be for: a host name, or an address as the visitor gave it. */
  name: string
  isAddress: boolean
  protocols?: readonly string[]
  /** Go on although the certificate does not hold, also with versions of TLS that are too old (RFC 8996). */
  acceptBadCertificate?: boolean
  timeoutMs?: number
  /** A session of an earlier connection to the same place (RFC 8446 §2.2). */
  session?: Buffer | undefined
}

export interface TlsConnection {
  socket: TLSSocket
  protocol: string
  /** The name of the IANA TLS Cipher Suites registry. */
  cipher: string
  /** The session was resumed. */
  resumed: boolean
  /** Why the certificate does not hold. */
  problem?: string
  /** The host names that the certificate is for, as it has them. */
  names: string[]
}

export interface Tls {
  /** Starts TLS on a connected socket. Throws problems; the socket is destroyed then. */
  secure(socket: Socket, options: TlsOptions): Promise<TlsConnection>
}

/** The authorities of Node and of the system, and more if the deployment has its own. */
export const authorities = (own: readonly string[]): string[] => [
  ...new Set([...getCACertificates('default'), ...getCACertificates('system'), ...own]),
]

/** TLS with those authorities. */
export function createTls(ownAuthorities: readonly string[] = []): Tls {
  const contexts = new Map<boolean, SecureContext>()
  const contextFor = (lenient: boolean): SecureContext => {
    const known = contexts.get(lenient)
    if (known) return known
    const ca = authorities(ownAuthorities)
    const context = createSecureContext({ ca, ...(lenient && { minVersion: 'TLSv1', ciphers: LENIENT_CIPHERS }) })
    contexts.set(lenient, context)
    return context
  }

  return {
    async secure(socket, options) {
      const { name, isAddress, protocols, acceptBadCertificate = false, timeoutMs = TLS_TIMEOUT_MS, session } = options
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const secured = connect({
        socket,
        host: name,
        ...(!isAddress && { servername: name }),
        ...(protocols && { ALPNProtocols: [...protocols] }),
        ...(session && { session }),
        secureContext: contextFor(acceptBadCertificate),
        rejectUnauthorized: !acceptBadCertificate,
      })
      const timer = setTimeout(() => secured.destroy(noAnswer(timeoutMs)), timeoutMs)
      secured.once('secureConnect', resolve)
      secured.on('error', reject)
      secured.once('close', () => reject(new Problem('unreachable', 'The server cut the connection')))
      socket.once('error', reject)
      try {
        await promise
        return describe(secured)
      } catch (error) {
        secured.destroy()
        socket.destroy()
        throw asTlsProblem(error)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

function describe(socket: TLSSocket): TlsConnection {
  const problem = socket.authorized ? undefined : certificateProblem(errorCode(socket.authorizationError))
  return {
    socket,
    protocol: socket.getProtocol() ?? '',
    cipher: socket.getCipher().standardName,
    resumed: socket.isSessionReused(),
    ...(problem && { problem }),
    names: hostNames(socket.getPeerCertificate().subjectaltname ?? ''),
  }
}

/** Names of a certificate that are kept; some have thousands. */
const MAX_NAMES = 200

/** RFC 5280 §4.2.1.6, from the text that Node makes of it: "DNS:a.example, IP Address:192.0.2.1". */
function hostNames(subjectAltName: string): string[] {
  const names = [...subjectAltName.matchAll(/(?:^|, )DNS:([^,\s"]{1,253})(?=,|$)/g)].map(([, name = '']) =>
    name.toLowerCase(),
  )
  return [...new Set(names)].slice(0, MAX_NAMES)
}

/** Node's types say Error, its documentation says that the code is what it hands over. */
export const errorCode = (error: unknown): string => (typeof error === 'string' ? error : codeOf(error))

/** Verification errors of OpenSSL (X509_STORE_CTX_get_error(3)) and Node's own one for the name. */
const certificateProblems: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The chain ends in a root certificate that nobody here trusts.',
  UNABLE_TO_GET_ISSUER_CERT: 'A certificate of the chain is missing.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The issuer of the certificate is unknown or missing from the chain.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The issuer of the certificate is unknown or missing from the chain.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name.',
  CERT_REVOKED: 'The certificate has been revoked.',
  CERT_SIGNATURE_FAILURE: 'The signature of the certificate is wrong.',
  INVALID_CA: 'A certificate of the chain may not issue certificates.',
  INVALID_PURPOSE: 'The certificate is not for servers.',
  CERT_CHAIN_TOO_LONG: 'The chain of certificates is too long.',
  PATH_LENGTH_EXCEEDED: 'The chain of certificates is longer than its authority permits.',
  CERT_UNTRUSTED: 'The issuer of the certificate is not trusted.',
  CERT_REJECTED: 'The issuer of the certificate rejects this use.',
  EE_KEY_TOO_SMALL: 'The key of the certificate is too short.',
  CA_KEY_TOO_SMALL: 'The key of an authority in the chain is too short.',
  CA_MD_TOO_WEAK: 'A certificate of the chain is signed with a hash that is broken.',
  HOSTNAME_MISMATCH: 'The certificate is for another name.',
}

export const certificateProblem = (code: string): string =>
  certificateProblems[code] ?? `The certificate does not hold (${code || 'no reason given'}).`

function asTlsProblem(error: unknown): unknown {
  const known = certificateProblems[codeOf(error)]
  if (known) {
    return new Problem('unreachable', 'The TLS certificate of the server does not hold', {
      detail: known,
      cause: error,
    })
  }
  return asNetworkProblem(error)
}
