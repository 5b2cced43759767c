import { equalBytes } from '../bytes.ts'
import type { Certificate } from './certificate.ts'
import { isSelfIssued, signedBy } from './chain.ts'
import { equalNames } from './name.ts'

/** The way from a certificate up to a root that somebody trusts. RFC 5280 §6.1, RFC 4158 §2. */
export interface PathStep {
  certificate: Certificate
  source: 'sent' | 'fetched' | 'root'
}

export interface TrustedCertificate {
  certificate: Certificate
  store: string
}

export interface Path {
  steps: PathStep[]
  /** How it ends: in a trusted root, in a certificate that signed itself and that nobody trusts, or for want of an issuer. */
  end: 'trusted' | 'self-signed' | 'missing'
  /** The list that holds the root. */
  store?: string
}

/** OpenSSL goes no deeper either, unless told to. */
const MAX_STEPS = 10
/** Issuers of one name that are tried. */
const MAX_CANDIDATES = 4

export interface PathParts {
  /** In the order of preference. */
  pool: readonly PathStep[]
  /** Trusted roots of the name of a certificate's issuer. */
  rootsFor(certificate: Certificate): readonly TrustedCertificate[]
}

/** From the first certificate up, by the first issuer whose key made the signature; trusted roots come first. */
export async function findPath(leaf: Certificate, { pool, rootsFor }: PathParts): Promise<Path> {
  const steps: PathStep[] = [{ certificate: leaf, source: 'sent' }]
  for (let at = leaf; steps.length <= MAX_STEPS; ) {
    const root = await firstSigner(at, rootsFor(at), ({ certificate }) => certificate)
    if (root) {
      // One that is a root itself is not named twice.
      const same = equalBytes(root.certificate.keyInfo.whole, at.keyInfo.whole) && isSelfIssued(at)
      if (!same) steps.push({ certificate: root.certificate, source: 'root' })
      return { steps, end: 'trusted', store: root.store }
    }
    if (isSelfIssued(at) && (await signedBy(at, at)).verdict === 'valid') return { steps, end: 'self-signed' }
    const rest = pool.filter(
      ({ certificate }) => !steps.some(step => equalBytes(step.certificate.whole, certificate.whole)),
    )
    const next = await firstSigner(at, rest, ({ certificate }) => certificate)
    if (!next) return { steps, end: 'missing' }
    steps.push(next)
    at = next.certificate
  }
  return { steps, end: 'missing' }
}

async function firstSigner<T>(
  certificate: Certificate,
  candidates: readonly T[],
  of: (candidate: T) => Certificate,
): Promise<T | undefined> {
  const named = candidates.filter(candidate => equalNames(of(candidate).subject, certificate.issuer))
  for (const candidate of named.slice(0, MAX_CANDIDATES)) {
    if ((await signedBy(certificate, of(candidate))).verdict === 'valid') return candidate
  }
  return undefined
}
