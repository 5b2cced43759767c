import { fitsAlgorithm, type SignatureVerdict, verifySignature } from '../sign/verify.ts'
import type { Certificate } from './certificate.ts'
import { authorityKeyIdOf, basicConstraintsOf, keyUsageOf, subjectKeyIdOf } from './extension.ts'
import { equalNames } from './name.ts'

/** Who signed whom among several certificates. RFC 5280 §6.1, without trust anchors: only what the certificates say themselves. */

/** Issuers tried for one certificate: several share a name when an authority has several keys. */
const MAX_CANDIDATES = 4

export interface Link {
  /** Index of the certificate that signed it, its own for a self-signed one; null when it is not among them. */
  issuer: number | null
  signature: SignatureVerdict
  /** What speaks against the issuer although the signature holds. Clauses that start in lower case. */
  faults: string[]
}

export const isSelfIssued = ({ subject, issuer }: Certificate): boolean => equalNames(subject, issuer)

/** Whether the signature of one certificate was made with the key of another. */
export async function signedBy(certificate: Certificate, issuer: Certificate): Promise<SignatureVerdict> {
  if (!issuer.key)
    return { verdict: 'unknown', reason: `The key of the issuer is not understood here: ${issuer.keyProblem}.` }
  return verifySignature(certificate.algorithm, issuer.key, certificate.signed, certificate.signature)
}

/** A link for each certificate. */
export async function linksOf(certificates: readonly Certificate[]): Promise<Link[]> {
  const links: Link[] = []
  for (const certificate of certificates) links.push(await linkOf(certificate, certificates))
  return links
}

async function linkOf(certificate: Certificate, all: readonly Certificate[]): Promise<Link> {
  const self = all.indexOf(certificate)
  const candidates = all
    .map((issuer, index) => ({ issuer, index }))
    .filter(
      ({ issuer, index }) =>
        equalNames(issuer.subject, certificate.issuer) && (index !== self || mayHaveSignedItself(certificate)),
    )
    .toSorted((a, b) => score(certificate, b.issuer) - score(certificate, a.issuer))
    .slice(0, MAX_CANDIDATES)
  let best: Link | undefined
  for (const { issuer, index } of candidates) {
    const signature = await signedBy(certificate, issuer)
    if (signature.verdict === 'valid') return { issuer: index, signature, faults: faultsOf(certificate, issuer) }
    best ??= { issuer: index, signature, faults: faultsOf(certificate, issuer) }
  }
  return (
    best ?? {
      issuer: null,
      signature: { verdict: 'unknown', reason: 'The certificate of its issuer is not here.' },
      faults: [],
    }
  )
}

/** RFC 5280 §3.2: equal names at both ends do not make a certificate self-signed, as when an authority changes its key. */
function mayHaveSignedItself({ extensions, algorithm, key }: Certificate): boolean {
  const [wanted, own] = [authorityKeyIdOf(extensions), subjectKeyIdOf(extensions)]
  if (wanted !== undefined && own !== undefined && wanted !== own) return false
  return !key || fitsAlgorithm(algorithm, key) !== false
}

/** Matching key identifiers first. */
function score(certificate: Certificate, issuer: Certificate): number {
  const wanted = authorityKeyIdOf(certificate.extensions)
  const found = subjectKeyIdOf(issuer.extensions)
  return wanted !== undefined && wanted === found ? 1 : 0
}

function faultsOf(certificate: Certificate, issuer: Certificate): string[] {
  if (certificate === issuer) return []
  const faults: string[] = []
  const constraints = basicConstraintsOf(issuer.extensions)
  const usage = keyUsageOf(issuer.extensions)
  if (issuer.version === 3 && !constraints?.ca)
    faults.push('its issuer is not marked as an authority (RFC 5280 §4.2.1.9)')
  if (usage && !usage.includes('keyCertSign')) faults.push('its issuer may not sign certificates (RFC 5280 §4.2.1.3)')
  const wanted = authorityKeyIdOf(certificate.extensions)
  const found = subjectKeyIdOf(issuer.extensions)
  if (wanted && found && wanted !== found) faults.push('the key identifiers of the two differ (RFC 5280 §4.2.1.1)')
  if (certificate.notAfter.date > issuer.notAfter.date) faults.push('it is valid longer than its issuer')
  return faults
}

export interface Chain {
  /** How the certificates stand; `single` for one alone. */
  order: 'single' | 'leaf first' | 'root first' | 'mixed' | 'unrelated'
  /** Indexes from the end entity up, as far as issuers are here. */
  path: number[]
  /** Whether the path ends in a certificate that signed itself. */
  complete: boolean
  /** Indexes of certificates that the path does not need. */
  unused: number[]
}

/** The path upwards from the certificate that issued none of the others. */
export function chainOf(links: readonly Link[]): Chain {
  const issuers = new Set(links.flatMap(({ issuer }, index) => (issuer === null || issuer === index ? [] : [issuer])))
  const leaf = Math.max(
    links.findIndex((_, index) => !issuers.has(index)),
    0,
  )
  const path: number[] = []
  for (let at: number | null = leaf; at !== null && !path.includes(at); at = links[at]?.issuer ?? null) path.push(at)
  const last = path[path.length - 1] ?? 0
  const complete = links[last]?.issuer === last && links[last]?.signature.verdict === 'valid'
  const unused = links.map((_, index) => index).filter(index => !path.includes(index))
  return { order: orderOf(path, links.length), path, complete, unused }
}

function orderOf(path: readonly number[], count: number): Chain['order'] {
  if (count === 1) return 'single'
  if (path.length === 1) return 'unrelated'
  const steps = path.slice(1).map((index, i) => index - (path[i] ?? 0))
  if (path.length === count && steps.every(step => step === 1)) return 'leaf first'
  return path.length === count && steps.every(step => step === -1) ? 'root first' : 'mixed'
}
