/** The one form of an RRset that is signed: canonical names, data and order (RFC 4034 §6), and what is hashed (§3.1.8.1). */
import { classCode, typeCode } from './codes.ts'
import { canonicalRdata, type RecordData, type ResourceRecord } from './message.ts'
import { ancestorsOf, countLabels, encodeName } from './name.ts'
import { Writer } from './wire.ts'

/** An RRSIG record whose data could be read. */
export type Signature = Extract<ResourceRecord, { type: 'RRSIG' }> & { data: RecordData<'RRSIG'> }

/** Order of bytes as unsigned numbers, the shorter first where one begins with the other (RFC 4034 §6.3). */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const order = (a[i] ?? 0) - (b[i] ?? 0)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** The data of an RRset in canonical form and order, each once (RFC 4034 §6.3, RFC 2181 §5). */
export function canonicalOrder(rrset: readonly ResourceRecord[]): Uint8Array[] {
  const sorted = rrset.map(canonicalRdata).sort(compareBytes)
  return sorted.filter((rdata, i) => {
    const before = sorted[i - 1]
    return !before || compareBytes(before, rdata) !== 0
  })
}

/** Labels of an owner as RRSIG counts them: without the root and without a leading asterisk (RFC 4034 §3.1.3). */
export function signedLabels(owner: string): number {
  return countLabels(owner) - (owner.startsWith('*.') ? 1 : 0)
}

/**
 * The owner that was signed: the owner itself, or the wildcard it was made from (RFC 4035 §5.3.2). Undefined when the
 * signature is of a name with more labels.
 */
export function signedOwner(owner: string, labels: number): string | undefined {
  const own = signedLabels(owner)
  if (labels > own) return undefined
  if (labels === own) return owner
  const encloser = ancestorsOf(owner).at(-1 - labels) ?? '.'
  return encloser === '.' ? '*.' : `*.${encloser}`
}

/** The bytes under a signature (RFC 4034 §3.1.8.1). RangeError when it cannot be of this RRset. */
export function signedBytes(rrset: readonly ResourceRecord[], { data }: Signature): Uint8Array<ArrayBuffer> {
  const [first] = rrset
  const owner = first && signedOwner(first.name, data.labels)
  if (!first || owner === undefined) throw new RangeError('the signature is of a name with more labels')
  const ownerWire = encodeName(owner.toLowerCase())
  const writer = Writer.bytes()
  writer.u16(typeCode(data.typeCovered))
  writer.u8(data.algorithm)
  writer.u8(data.labels)
  writer.u32(data.originalTtl)
  writer.u32(data.expiration)
  writer.u32(data.inception)
  writer.u16(data.keyTag)
  writer.bytes(encodeName(data.signer.toLowerCase()))
  for (const rdata of canonicalOrder(rrset)) {
    writer.bytes(ownerWire)
    writer.u16(typeCode(first.type))
    writer.u16(classCode(first.class))
    writer.u32(data.originalTtl)
    writer.u16(rdata.length)
    writer.bytes(rdata)
  }
  return writer.finish()
}
