import { equalBytes } from '../bytes.ts'
import type { Certificate } from './certificate.ts'
import { isSelfIssued, signedBy } from './chain.ts'
import { altNamesOf, basicConstraintsOf, keyUsageOf, purposesOf } from './extension.ts'
import { matchesHost } from './host-match.ts'
import { judge, validityOf } from './judge.ts'
import { equalNames, shortName } from './name.ts'
import type { OcspReport } from './ocsp.ts'
import type { Path } from './path.ts'

/** What is right and wrong with the certificates a server sends. RFC 8446 §4.4.2, RFC 5280 §6.1, RFC 9525. */

export const chainFaults = [
  'expired',
  'not yet valid',
  'wrong name',
  'self-signed',
  'untrusted root',
  'incomplete',
  'wrong order',
  'extra certificates',
  'bad signature',
  'weak key',
  'weak signature',
  'not an authority',
  'not for servers',
  'revoked',
  'bad stapled status',
] as const
export type ChainFault = (typeof chainFaults)[number]

export interface ChainFinding {
  name: string
  verdict: 'pass' | 'warn' | 'fail' | 'unknown' | 'not-applicable' | 'skipped'
  detail: string
  clause?: string
  fault?: ChainFault
}

export interface ServedChain {
  host: string
  sent: readonly Certificate[]
  /** With what was fetched, up to a root where there is one. */
  path: Path
  ocsp: OcspReport | undefined
  now: Date
}

/** Every finding, in the order people ask. */
export async function judgeServedChain(chain: ServedChain): Promise<ChainFinding[]> {
  return [
    trustFinding(chain),
    nameFinding(chain),
    ...validityFindings(chain),
    completenessFinding(chain),
    ...(await orderFindings(chain)),
    ...(await strengthFindings(chain)),
    ...authorityFindings(chain),
    purposeFinding(chain),
    revocationFinding(chain),
  ]
}

const titled = ({ subject }: Certificate) => shortName(subject)

function trustFinding({ path: { steps, end, store }, sent }: ServedChain): ChainFinding {
  const head = { name: 'Trusted root', clause: 'RFC 5280 §6.1.1' }
  const last = steps.at(-1)
  const title = last ? titled(last.certificate) : ''
  if (end === 'trusted') {
    return { ...head, verdict: 'pass', detail: `The chain ends in ${title}, which is in ${storeWords(store)}.` }
  }
  if (end === 'self-signed' && steps.length === 1) {
    const detail = 'The certificate is signed with its own key, so nobody vouches for it.'
    return { ...head, verdict: 'fail', detail, fault: 'self-signed' }
  }
  if (end === 'self-signed') {
    const detail = `The chain ends in the root ${title}, which is in no list of this machine.`
    return { ...head, verdict: 'fail', detail, fault: 'untrusted root' }
  }
  const issuer = last ? last.certificate.issuer.text : ''
  const reason = sent.length ? `The issuer of ${title} (${issuer}) is neither here nor trusted.` : 'Nothing was sent.'
  return { ...head, verdict: 'fail', detail: reason }
}

const storeWords = (store: string | undefined) =>
  store === 'Mozilla'
    ? 'Mozilla’s list, which Node brings along'
    : store === 'system'
      ? 'the list of the operating system here'
      : 'the list of the operator of this site'

function nameFinding({ host, sent: [leaf] }: ServedChain): ChainFinding {
  const head = { name: 'Name', clause: 'RFC 9525 §6' }
  const names = (leaf && altNamesOf(leaf.extensions)) ?? []
  if (matchesHost(names, host)) return { ...head, verdict: 'pass', detail: 'The certificate is for this host.' }
  const detail = names.length
    ? `It is for ${names
        .slice(0, 5)
        .map(({ value }) => value)
        .join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}, not for this host.`
    : 'It has no alternative names, so it is for no host at all.'
  return { ...head, verdict: 'fail', detail, fault: 'wrong name' }
}

/** A root that the visitor's machine has is trusted for itself; its end matters little, and is said. */
function validityFindings({ path: { steps }, now }: ServedChain): ChainFinding[] {
  const head = { name: 'Validity', clause: 'RFC 5280 §4.1.2.5' }
  const faults = steps.flatMap(({ certificate, source }): ChainFinding[] => {
    const { status } = validityOf(certificate, now)
    if (status === 'valid') return []
    const day = (status === 'expired' ? certificate.notAfter : certificate.notBefore).date.toISOString().slice(0, 10)
    const detail =
      status === 'expired' ? `${titled(certificate)} expired on ${day}.` : `${titled(certificate)} begins on ${day}.`
    return [{ ...head, verdict: source === 'root' ? 'warn' : 'fail', detail, fault: status }]
  })
  if (faults.length) return faults
  const ends = steps.map(({ certificate }) => validityOf(certificate, now).days_left)
  const left = Math.min(...ends)
  const first = steps[ends.indexOf(left)]
  if (!first) return []
  const detail = `${titled(first.certificate)} ends first, in ${left} days.`
  return [{ ...head, verdict: left < 14 ? 'warn' : 'pass', detail }]
}

function completenessFinding({ path: { steps, end }, sent }: ServedChain): ChainFinding {
  const head = { name: 'Complete', clause: 'RFC 8446 §4.4.2' }
  const fetched = steps.filter(({ source }) => source === 'fetched')
  if (fetched.length) {
    const names = fetched.map(({ certificate }) => titled(certificate)).join(', ')
    const detail = `The server does not send ${names}. It was fetched from the address in the certificate, which many programs do not do.`
    return { ...head, verdict: 'fail', detail, fault: 'incomplete' }
  }
  if (end === 'missing') {
    const last = steps.at(-1)
    const detail = `The server does not send the issuer of ${last ? titled(last.certificate) : 'its certificate'}.`
    return { ...head, verdict: 'fail', detail, fault: 'incomplete' }
  }
  const count = sent.length === 1 ? 'One certificate was sent' : `${sent.length} certificates were sent`
  return { ...head, verdict: 'pass', detail: `${count}, and nothing is missing below the root.` }
}

/** RFC 8446 §4.4.2: the server's own first; each should certify the one before; others are tolerated. */
async function orderFindings({ sent, path: { steps } }: ServedChain): Promise<ChainFinding[]> {
  const head = { name: 'Order', clause: 'RFC 8446 §4.4.2' }
  const needed = steps.filter(({ source }) => source !== 'fetched').map(({ certificate }) => indexIn(sent, certificate))
  const used = needed.filter(index => index >= 0)
  const misleading = await firstMisplaced(sent)
  const straight = used.every((index, i) => i === 0 || index > (used[i - 1] ?? 0))
  const extra = sent.filter((_, index) => !used.includes(index))
  const root = extra.filter(
    certificate => isSelfIssued(certificate) && steps.some(step => sameKey(step.certificate, certificate)),
  )
  const strangers = extra.filter(certificate => !root.includes(certificate))
  if (sent.length === 1) return [{ ...head, verdict: 'not-applicable', detail: 'One certificate alone has no order.' }]
  return [
    straight && misleading === undefined
      ? { ...head, verdict: 'pass', detail: 'The server’s own comes first, and each next one signed the one before.' }
      : {
          ...head,
          verdict: 'fail',
          detail: misleading ?? 'An issuer stands before what it issued.',
          fault: 'wrong order',
        },
    strangers.length
      ? {
          name: 'Nothing extra',
          verdict: 'warn',
          detail: `Not needed: ${strangers.map(titled).join(', ')}.`,
          clause: head.clause,
          fault: 'extra certificates',
        }
      : { name: 'Nothing extra', verdict: 'pass', detail: 'No certificate is sent that the chain does not need.' },
    ...(root.length ||
    sent.some((certificate, index) => index > 0 && isSelfIssued(certificate) && !strangers.includes(certificate))
      ? [
          {
            name: 'Root sent along',
            verdict: 'warn' as const,
            detail:
              'Whoever trusts the root has it; whoever has not does not begin to. It only makes the handshake longer.',
            clause: head.clause,
          },
        ]
      : []),
  ]
}

const indexIn = (sent: readonly Certificate[], { whole }: Certificate) =>
  sent.findIndex(certificate => equalBytes(certificate.whole, whole))
const sameKey = (a: Certificate, b: Certificate) => equalBytes(a.keyInfo.whole, b.keyInfo.whole)

/** The first certificate issued one that comes later. */
async function firstMisplaced([first, ...others]: readonly Certificate[]): Promise<string | undefined> {
  for (const other of others) {
    const issued = first && !sameKey(first, other) && equalNames(other.issuer, first.subject)
    if (issued && (await signedBy(other, first)).verdict === 'valid') {
      return `${titled(first)} comes first, though it issued ${titled(other)}.`
    }
  }
  return undefined
}

/** Findings of each certificate by itself that are about its key and its signature. */
async function strengthFindings({ path: { steps }, now }: ServedChain): Promise<ChainFinding[]> {
  const found: ChainFinding[] = []
  for (const { certificate, source } of steps) {
    for (const { name, verdict, detail, clause } of await judge(certificate, now)) {
      const fault = name === 'Key' ? 'weak key' : name === 'Signature algorithm' ? 'weak signature' : undefined
      if (!fault || (verdict !== 'fail' && verdict !== 'warn')) continue
      if (fault === 'weak signature' && source === 'root') continue
      found.push({ name, verdict, detail: `${titled(certificate)}: ${detail}`, ...(clause && { clause }), fault })
    }
  }
  if (found.length) return found
  return [{ name: 'Keys and signatures', verdict: 'pass', detail: 'All are of a strength that is in use today.' }]
}

/** RFC 5280 §6.1.4 (k) to (n): who may sign, and how far down. */
function authorityFindings({ path: { steps } }: ServedChain): ChainFinding[] {
  const found = steps.slice(1).flatMap(({ certificate, source }, index): ChainFinding[] => {
    if (source === 'root') return []
    const head = { name: 'Authorities', clause: 'RFC 5280 §6.1.4', verdict: 'fail', fault: 'not an authority' } as const
    const constraints = basicConstraintsOf(certificate.extensions)
    const usage = keyUsageOf(certificate.extensions)
    if (!constraints?.ca) return [{ ...head, detail: `${titled(certificate)} is no authority, and yet it signed.` }]
    if (usage && !usage.includes('keyCertSign')) {
      return [{ ...head, detail: `The key of ${titled(certificate)} may not sign certificates.` }]
    }
    const below = steps.slice(1, index + 1).filter(step => !isSelfIssued(step.certificate)).length
    if (constraints.path_length !== null && below > constraints.path_length) {
      return [
        {
          ...head,
          detail: `${titled(certificate)} permits ${constraints.path_length} authorities below it, and there are ${below}.`,
        },
      ]
    }
    return []
  })
  if (found.length || steps.length < 2) return found
  return [
    { name: 'Authorities', verdict: 'pass', detail: 'Whoever signed was entitled to.', clause: 'RFC 5280 §6.1.4' },
  ]
}

/** RFC 5280 §4.2.1.12 */
function purposeFinding({ sent: [leaf] }: ServedChain): ChainFinding {
  const head = { name: 'For servers', clause: 'RFC 5280 §4.2.1.12' }
  const purposes = leaf && purposesOf(leaf.extensions)
  if (!purposes) return { ...head, verdict: 'pass', detail: 'The certificate is not limited to a purpose.' }
  if (purposes.some(name => name === 'serverAuth' || name === 'anyExtendedKeyUsage')) {
    return { ...head, verdict: 'pass', detail: 'The certificate is for TLS servers.' }
  }
  return {
    ...head,
    verdict: 'fail',
    detail: `The certificate is for ${purposes.join(', ')} only.`,
    fault: 'not for servers',
  }
}

function revocationFinding({ ocsp }: ServedChain): ChainFinding {
  const head = { name: 'Revocation', clause: 'RFC 6960 §4.2' }
  if (!ocsp) {
    const detail = 'Not checked: the server staples no answer of the authority, and nobody else was asked.'
    return { ...head, verdict: 'skipped', detail }
  }
  const { status, faults, response, revoked_at, this_update } = ocsp
  if (status === 'revoked' && !faults.length) {
    return { ...head, verdict: 'fail', detail: `Revoked on ${revoked_at?.slice(0, 10)}.`, fault: 'revoked' }
  }
  if (faults.length || status === 'none') {
    const why = faults.length ? faults.join('; ') : `it says ${response}`
    return { ...head, verdict: 'warn', detail: `The stapled answer is of no use: ${why}.`, fault: 'bad stapled status' }
  }
  const verdict = status === 'good' && ocsp.signature === 'valid' ? 'pass' : 'unknown'
  return { ...head, verdict, detail: `The stapled answer of ${this_update?.slice(0, 10)} says ${status}.` }
}
