import { readAlgorithm } from '../asn1/algorithm.ts'
import { parseSequence, Reader } from '../asn1/der.ts'
import { type Element, tags } from '../asn1/element.ts'
import { oidLabel } from '../asn1/oid-names.ts'
import { integerOf, timeOf } from '../asn1/value.ts'
import { type Bytes, equalBytes, toHex } from '../bytes.ts'
import { digest } from '../hash/digest.ts'
import { hashByOid } from '../sign/hash-oid.ts'
import { type SignatureVerdict, verifySignature } from '../sign/verify.ts'
import { type Certificate, parseCertificate } from './certificate.ts'
import { signedBy } from './chain.ts'
import { purposesOf } from './extension.ts'

/** What an authority says of one of its certificates. RFC 6960 §4.2. */
export interface OcspReport {
  /** Of the certificate; `none` where the response has nothing on it. */
  status: 'good' | 'revoked' | 'unknown' | 'none'
  /** How the responder answered: RFC 6960 §4.2.1, `successful` where there is an answer. */
  response: string
  produced_at: string | null
  this_update: string | null
  next_update: string | null
  revoked_at: string | null
  reason: string | null
  signature: SignatureVerdict['verdict']
  /** Clauses that start in lower case. */
  faults: string[]
}

const responses = [
  'successful',
  'malformedRequest',
  'internalError',
  'tryLater',
  'not used',
  'sigRequired',
  'unauthorized',
]
/** RFC 5280 §5.3.1 */
const reasons = [
  'unspecified',
  'keyCompromise',
  'cACompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
  'certificateHold',
  'unused',
  'removeFromCRL',
  'privilegeWithdrawn',
  'aACompromise',
]
const BASIC_RESPONSE = '1.3.6.1.5.5.7.48.1.1'
const OCSP_SIGNING = 'OCSPSigning'
/** Clocks differ. */
const SKEW_MS = 300_000

const nothing: OcspReport = {
  status: 'none',
  response: 'successful',
  produced_at: null,
  this_update: null,
  next_update: null,
  revoked_at: null,
  reason: null,
  signature: 'unknown',
  faults: [],
}

/** What is said of a response that cannot be read. */
export const unreadableOcsp = (error: RangeError): OcspReport => ({
  ...nothing,
  response: 'unreadable',
  faults: [error.message],
})

/** Reads a response and holds it against the certificate it should be about; RangeError when it cannot be read. */
export async function readOcsp(
  bytes: Bytes,
  { leaf, issuer, now }: { leaf: Certificate; issuer: Certificate | undefined; now: Date },
): Promise<OcspReport> {
  const outer = parseSequence(bytes, 'the OCSP response')
  const code = Number(integerOf(outer.take(tags.enumerated, 'the response status'), 'the response status'))
  const response = responses[code] ?? `status ${code}`
  const inside = outer.explicit(0, 'the response')
  outer.end('the OCSP response')
  if (!inside) return { ...nothing, response, faults: code === 0 ? ['there is no answer inside'] : [] }
  const holder = inside.sequence('the response')
  const type = holder.oid('the kind of the response')
  if (type !== BASIC_RESPONSE)
    return { ...nothing, response, faults: [`the response is of the kind ${oidLabel(type)}`] }
  const basic = parseSequence(holder.octetString('the response'), 'the response')
  const body = basic.peek()
  const data = readData(basic.sequence('the response'))
  const algorithm = readAlgorithm(basic, 'the signature')
  const bits = basic.bitString('the signature')
  const certificates = basic.explicit(0, 'the certificates')?.sequence('the certificates').rest('a certificate') ?? []
  const found = await singleFor(data.singles, leaf, issuer)
  const signer = issuer && (await responder(issuer, certificates))
  const signature =
    signer?.key && body
      ? await verifySignature(algorithm, signer.key, body.whole, bits)
      : { verdict: 'unknown' as const }
  return {
    ...nothing,
    response,
    produced_at: data.producedAt.toISOString(),
    ...found,
    signature: signature.verdict,
    faults: faultsOf(found, signature.verdict, now),
  }
}

function faultsOf(found: Partial<OcspReport> | undefined, signature: SignatureVerdict['verdict'], now: Date): string[] {
  const faults: string[] = []
  if (!found) faults.push('it is about another certificate')
  if (signature === 'invalid') faults.push('its signature does not hold')
  const [from, until] = [found?.this_update, found?.next_update]
  if (from && new Date(from).getTime() > now.getTime() + SKEW_MS) faults.push('it is from the future')
  if (until && new Date(until).getTime() + SKEW_MS < now.getTime()) faults.push('it is out of date')
  return faults
}

function readData(reader: Reader): { producedAt: Date; singles: Element[] } {
  reader.explicit(0, 'the version')
  if (!reader.context(1) && !reader.context(2)) reader.fail('the responder is missing')
  const producedAt = time(reader)
  const singles = reader.sequence('the answers').rest('an answer')
  return { producedAt, singles }
}

const time = (reader: Reader): Date => timeOf(reader.take(tags.generalizedTime, 'a time'), 'a time').date

/** The answer that is about the certificate: by serial number, and by the hashes of its issuer where that is known. */
async function singleFor(
  singles: readonly Element[],
  leaf: Certificate,
  issuer: Certificate | undefined,
): Promise<Partial<OcspReport> | undefined> {
  for (const single of singles) {
    const reader = Reader.inside(single)
    const id = reader.sequence('the certificate meant')
    const hash = hashByOid(readAlgorithm(id, 'the hash function').oid)
    const [name, key] = [id.octetString('the hash of the name'), id.octetString('the hash of the key')]
    if (id.integer('the serial number') !== leaf.serial) continue
    if (issuer && hash) {
      const [ownName, ownKey] = [
        await digest(hash, issuer.subject.whole),
        await digest(hash, issuer.keyInfo.bits.bytes),
      ]
      if (!equalBytes(name, ownName) || !equalBytes(key, ownKey)) continue
    }
    return readStatus(reader)
  }
  return undefined
}

function readStatus(reader: Reader): Partial<OcspReport> {
  const [good, revoked] = [reader.context(0), reader.context(1)]
  if (!good && !revoked) reader.context(2)
  const this_update = time(reader).toISOString()
  const until = reader.explicit(0, 'the next update')
  const next_update = until ? time(until).toISOString() : null
  if (!revoked) return { status: good ? 'good' : 'unknown', this_update, next_update }
  const inside = Reader.inside(revoked)
  const revoked_at = time(inside).toISOString()
  const why = inside.explicit(0, 'the reason')?.take(tags.enumerated, 'the reason')
  const reason = why ? (reasons[Number(integerOf(why, 'the reason'))] ?? 'unknown') : null
  return { status: 'revoked', this_update, next_update, revoked_at, reason }
}

/** RFC 6960 §4.2.2.2: the issuer itself, or one whom it has allowed to answer. */
async function responder(issuer: Certificate, certificates: readonly Element[]): Promise<Certificate> {
  for (const { whole } of certificates) {
    const candidate = parseCertificate(Uint8Array.from(whole))
    if (toHex(candidate.whole) === toHex(issuer.whole)) return issuer
    const allowed = purposesOf(candidate.extensions)?.includes(OCSP_SIGNING)
    if (allowed && (await signedBy(candidate, issuer)).verdict === 'valid') return candidate
  }
  return issuer
}
