import { isSigningCurve, uncompressedPoint } from '../key/ec.ts'
import { keyBits } from '../key/fingerprint.ts'
import type { PublicKey } from '../key/key.ts'
import { checkRsaPublicKey } from '../key/rsa.ts'
import { signatureAlgorithmOf } from '../sign/verify.ts'
import type { Certificate } from './certificate.ts'
import { isSelfIssued } from './chain.ts'
import { altNamesOf, basicConstraintsOf, extensionOids, keyUsageOf, purposesOf } from './extension.ts'
import { isKnownExtension } from './extension-meaning.ts'
import { attributeOf } from './name.ts'

/** What is right and wrong with a certificate by itself, in plain words. */
export interface Finding {
  name: string
  verdict: 'pass' | 'warn' | 'fail' | 'not-applicable'
  detail: string
  clause?: string
}

export type ValidityStatus = 'valid' | 'expired' | 'not yet valid'
export interface Validity {
  status: ValidityStatus
  /** Whole days from now to the end; negative when it has been over for a day or more. */
  days_left: number
  /** Days from beginning to end, both included (RFC 5280 §4.1.2.5). */
  days_total: number
}

const DAY_MS = 86_400_000
/** From here on people are reminded of the end. */
const SOON_DAYS = 30

export function validityOf({ notBefore, notAfter }: Certificate, now: Date): Validity {
  const left = (notAfter.date.getTime() - now.getTime()) / DAY_MS
  const total = (notAfter.date.getTime() - notBefore.date.getTime() + 1000) / DAY_MS
  // The end itself still belongs to the validity: RFC 5280 §4.1.2.5 calls both ends inclusive.
  const status =
    now < notBefore.date ? 'not yet valid' : now.getTime() >= notAfter.date.getTime() + 1000 ? 'expired' : 'valid'
  // The zero takes away the sign of a negative one.
  return { status, days_left: Math.trunc(left) + 0, days_total: Math.round(total * 100) / 100 }
}

export const isAuthority = ({ extensions, version }: Certificate): boolean =>
  version < 3 ? false : (basicConstraintsOf(extensions)?.ca ?? false)

/** Every finding, in the order people ask. */
export async function judge(certificate: Certificate, now: Date): Promise<Finding[]> {
  return [
    validityFinding(certificate, now),
    await keyFinding(certificate),
    signatureFinding(certificate),
    namesFinding(certificate),
    lifetimeFinding(certificate),
    authorityFinding(certificate),
    serialFinding(certificate),
    poisonFinding(certificate),
    criticalFinding(certificate),
    encodingFinding(certificate),
  ].filter(finding => finding !== undefined)
}

const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`

function validityFinding(certificate: Certificate, now: Date): Finding {
  const { status, days_left } = validityOf(certificate, now)
  const head = { name: 'Validity', clause: 'RFC 5280 §4.1.2.5' }
  const end = certificate.notAfter.date.toISOString().slice(0, 10)
  if (certificate.notAfter.date < certificate.notBefore.date) {
    return { ...head, verdict: 'fail', detail: 'It ends before it begins.' }
  }
  if (status === 'expired')
    return {
      ...head,
      verdict: 'fail',
      detail: `It expired on ${end}, ${days_left ? days(-days_left) : 'less than a day'} ago.`,
    }
  if (status === 'not yet valid') {
    return {
      ...head,
      verdict: 'fail',
      detail: `It is not valid before ${certificate.notBefore.date.toISOString().slice(0, 10)}.`,
    }
  }
  return { ...head, verdict: days_left < SOON_DAYS ? 'warn' : 'pass', detail: `${days(days_left)} left, until ${end}.` }
}

/** CA/B Forum Baseline Requirements §6.1.5 and §6.1.6 */
async function keyFinding({ key, keyProblem }: Certificate): Promise<Finding> {
  const head = { name: 'Key', clause: 'CA/B Forum Baseline Requirements §6.1.5' }
  if (!key) return { ...head, verdict: 'warn', detail: `The key was not read: ${keyProblem}.` }
  const fault = await keyFault(key)
  if (fault) return { ...head, verdict: 'fail', detail: `No program can use the key: ${fault}.` }
  const weakness = keyWeakness(key)
  if (weakness) return { ...head, ...weakness }
  return { ...head, verdict: 'pass', detail: `${keyBits(key)} bits are enough for ${key.type}.` }
}

/** A key that is well-formed and yet none: a point off its curve, an even modulus. */
async function keyFault(key: PublicKey): Promise<string | undefined> {
  try {
    if (key.type === 'RSA') checkRsaPublicKey(key)
    if (key.type === 'EC' && isSigningCurve(key.curve)) await uncompressedPoint(key.curve, key.point)
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return error.message
    throw error
  }
}

function keyWeakness(key: PublicKey): Pick<Finding, 'verdict' | 'detail'> | undefined {
  const bits = keyBits(key)
  if (key.type === 'RSA' && bits < 1024)
    return { verdict: 'fail', detail: `An RSA key of ${bits} bits can be broken at home.` }
  if (key.type === 'RSA' && bits < 2048)
    return { verdict: 'fail', detail: `An RSA key of ${bits} bits is too short: 2048 is the least.` }
  if (key.type === 'RSA' && key.e < 65537n) {
    return { verdict: 'warn', detail: `The public exponent is ${key.e}, and 65537 is what everyone uses.` }
  }
  if (key.type === 'DSA')
    return { verdict: 'warn', detail: 'DSA is no longer approved for new signatures (FIPS 186-5).' }
  if (key.type === 'EC' && bits < 224)
    return { verdict: 'fail', detail: `A curve of ${bits} bits is too small: 256 is usual.` }
  return undefined
}

function signatureFinding(certificate: Certificate): Finding {
  const { name, hash, pss, scheme } = signatureAlgorithmOf(certificate.algorithm)
  const head = { name: 'Signature algorithm', clause: 'CA/B Forum Baseline Requirements §7.1.3.2' }
  const broken =
    /md[245]/i.test(name) || hash === 'MD5' ? 'MD5' : hash === 'SHA-1' || /sha1\b/i.test(name) ? 'SHA-1' : undefined
  if (broken && isSelfIssued(certificate)) {
    return {
      ...head,
      verdict: 'not-applicable',
      detail: `${broken} does no harm here: nobody relies on the signature of a root.`,
    }
  }
  if (broken)
    return { ...head, verdict: 'fail', detail: `${broken} is broken: certificates signed with it can be forged.` }
  if (!scheme) return { ...head, verdict: 'warn', detail: `${name} is not known here.` }
  if (scheme === 'RSA-PSS' && !pss)
    return { ...head, verdict: 'warn', detail: 'The parameters of RSA-PSS are not understood here.' }
  return { ...head, verdict: 'pass', detail: hash ? `${scheme} with ${hash}.` : `${scheme}.` }
}

/** RFC 9525 §6.2 looks for names here alone. */
function namesFinding(certificate: Certificate): Finding | undefined {
  const head = { name: 'Names', clause: 'RFC 9525 §6.2' }
  const names = altNamesOf(certificate.extensions)
  if (isAuthority(certificate)) return undefined
  const common = attributeOf(certificate.subject, 'CN')
  const server = purposesOf(certificate.extensions)?.includes('serverAuth') ?? false
  const hasExtension = certificate.extensions.some(({ oid }) => oid === extensionOids.subjectAltName)
  if (hasExtension && !names) return { ...head, verdict: 'fail', detail: 'The alternative names cannot be read.' }
  if (!names?.length) {
    const detail = 'There is no subject alternative name, so browsers take the certificate for no site at all.'
    return { ...head, verdict: server || looksLikeHost(common) ? 'fail' : 'warn', detail }
  }
  const odd = names.find(
    ({ type, value }) => type === 'DNS' && !/^(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/i.test(value),
  )
  if (odd) return { ...head, verdict: 'fail', detail: 'A DNS name has characters that no host name has.' }
  const hosts = names.filter(({ type }) => type === 'DNS' || type === 'IP')
  if (
    looksLikeHost(common) &&
    hosts.length &&
    !hosts.some(({ value }) => value.toLowerCase() === common?.toLowerCase())
  ) {
    return { ...head, verdict: 'warn', detail: 'The common name is not among the alternative names.' }
  }
  return { ...head, verdict: 'pass', detail: `${names.length} alternative ${names.length === 1 ? 'name' : 'names'}.` }
}

const looksLikeHost = (name: string | undefined): boolean =>
  name !== undefined && /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(name)

/** The longest lives by day of issue: CA/B Forum Baseline Requirements §6.3.2, ballots SC22, SC31 and SC-081. */
const longest: readonly (readonly [from: string, days: number])[] = [
  ['2029-03-15', 47],
  ['2027-03-15', 100],
  ['2026-03-15', 200],
  ['2020-09-01', 398],
  ['2018-03-01', 825],
]

function lifetimeFinding(certificate: Certificate): Finding | undefined {
  const server = purposesOf(certificate.extensions)?.includes('serverAuth') ?? false
  if (!server || isAuthority(certificate) || isSelfIssued(certificate)) return undefined
  const issued = certificate.notBefore.date.toISOString().slice(0, 10)
  const limit = longest.find(([from]) => issued >= from)?.[1]
  if (!limit) return undefined
  const total = validityOf(certificate, certificate.notBefore.date).days_total
  const head = { name: 'Lifetime', clause: 'CA/B Forum Baseline Requirements §6.3.2' }
  if (total <= limit)
    return {
      ...head,
      verdict: 'pass',
      detail: `${Math.ceil(total)} days, and at most ${limit} were allowed when it was issued.`,
    }
  const detail = `${Math.ceil(total)} days are more than the ${limit} that browsers take from public authorities.`
  return { ...head, verdict: 'warn', detail }
}

/** RFC 5280 §4.2.1.3 and §4.2.1.9 */
function authorityFinding(certificate: Certificate): Finding | undefined {
  const { extensions, version } = certificate
  const constraints = basicConstraintsOf(extensions)
  const usage = keyUsageOf(extensions)
  const head = { name: 'Authority', clause: 'RFC 5280 §4.2.1.9' }
  if (version < 3)
    return { ...head, verdict: 'warn', detail: `Version ${version} cannot say whether it is an authority.` }
  if (constraints?.ca) {
    const critical = extensions.find(({ oid }) => oid === extensionOids.basicConstraints)?.critical
    if (usage && !usage.includes('keyCertSign')) {
      return { ...head, verdict: 'fail', detail: 'It is an authority whose key may not sign certificates.' }
    }
    if (!critical)
      return { ...head, verdict: 'warn', detail: 'It is an authority, but the extension that says so is not critical.' }
    return { ...head, verdict: 'pass', detail: 'It is an authority and says so as it must.' }
  }
  if (usage?.includes('keyCertSign'))
    return { ...head, verdict: 'fail', detail: 'Its key may sign certificates, but it is no authority.' }
  return constraints?.path_length === null || constraints === undefined
    ? undefined
    : { ...head, verdict: 'fail', detail: 'It sets a path length without being an authority.' }
}

function serialFinding({ serial, serialBytes }: Certificate): Finding {
  const head = { name: 'Serial number', clause: 'RFC 5280 §4.1.2.2' }
  if (serial <= 0n)
    return { ...head, verdict: 'fail', detail: `It is ${serial < 0n ? 'negative' : 'zero'}, and must be positive.` }
  if (serialBytes > 20)
    return { ...head, verdict: 'fail', detail: `It has ${serialBytes} bytes, and at most 20 are allowed.` }
  return { ...head, verdict: 'pass', detail: `${serialBytes} bytes, positive.` }
}

function poisonFinding({ extensions }: Certificate): Finding | undefined {
  if (!extensions.some(({ oid }) => oid === extensionOids.poison)) return undefined
  return {
    name: 'Precertificate',
    verdict: 'fail',
    detail: 'It was made for a transparency log only, and no program may accept it.',
    clause: 'RFC 6962 §3.1',
  }
}

function criticalFinding({ extensions }: Certificate): Finding | undefined {
  const unknown = extensions.filter(({ critical, oid }) => critical && !isKnownExtension(oid))
  if (!unknown.length) return undefined
  const names = unknown.map(({ name }) => name).join(', ')
  return {
    name: 'Critical extensions',
    verdict: 'warn',
    detail: `Not known here, so a strict program would refuse: ${names}.`,
    clause: 'RFC 5280 §4.2',
  }
}

function encodingFinding({ faults }: Certificate): Finding | undefined {
  if (!faults.length) return undefined
  const detail = `${faults.join('; ').replace(/^./, letter => letter.toUpperCase())}.`
  return { name: 'Encoding', verdict: 'warn', detail, clause: 'RFC 5280 §4.1' }
}
