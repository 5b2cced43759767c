import { der } from '../asn1/write.ts'
import type { Bytes } from '../bytes.ts'
import { asciiEmail, hostOfCommonName } from './alt-name.ts'

/** The subject of a new certificate or request. RFC 5280 §4.1.2.4 and §4.1.2.6. */
export interface Subject {
  country?: string | undefined
  state?: string | undefined
  locality?: string | undefined
  organization?: string | undefined
  organizational_unit?: string | undefined
  common_name?: string | undefined
  email?: string | undefined
}

interface Attribute {
  name: keyof Subject
  oid: string
  /** The upper bound of RFC 5280 appendix A.1, in characters. */
  most: number
  /** The text that is written; RangeError for what may not stand there. */
  map?(text: string): string | Promise<string>
  write(text: string): Bytes
}

/** From the widest to the narrowest, the order in which certificates have them. */
const attributes: readonly Attribute[] = [
  { name: 'country', oid: '2.5.4.6', most: 2, map: countryCode, write: der.printableString },
  { name: 'state', oid: '2.5.4.8', most: 128, write: der.utf8String },
  { name: 'locality', oid: '2.5.4.7', most: 128, write: der.utf8String },
  { name: 'organization', oid: '2.5.4.10', most: 64, write: der.utf8String },
  { name: 'organizational_unit', oid: '2.5.4.11', most: 64, write: der.utf8String },
  { name: 'common_name', oid: '2.5.4.3', most: 64, map: commonName, write: der.utf8String },
  { name: 'email', oid: '1.2.840.113549.1.9.1', most: 255, map: asciiEmail, write: der.ia5String },
]

/** ISO 3166-1: two letters, here in capitals. */
function countryCode(text: string): string {
  if (/^[a-z]{2}$/i.test(text)) return text.toUpperCase()
  throw new RangeError('expected the two letters of a country, such as DE or US')
}

/** A common name that is a host name stands there as the alternative names have it: in A-labels. */
async function commonName(text: string): Promise<string> {
  return (await hostOfCommonName(text)) ?? text
}

/** A refusal that says which attribute it is about. */
export class SubjectError extends RangeError {
  readonly attribute: keyof Subject
  constructor(attribute: keyof Subject, cause: RangeError) {
    super(cause.message, { cause })
    this.name = 'SubjectError'
    this.attribute = attribute
  }
}

/** The DER of the name; a sequence of nothing where every field is empty. */
export async function writeSubject(subject: Subject): Promise<Bytes> {
  const parts: Bytes[] = []
  for (const attribute of attributes) {
    const { name, oid, write } = attribute
    try {
      const text = await textFor(attribute, subject[name] ?? '')
      if (text) parts.push(der.setOf(der.sequence(der.oid(oid), write(text))))
    } catch (error) {
      if (error instanceof RangeError) throw new SubjectError(name, error)
      throw error
    }
  }
  return der.sequence(...parts)
}

async function textFor({ most, map }: Attribute, typed: string): Promise<string> {
  const trimmed = typed.trim()
  if (!trimmed) return ''
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(trimmed)) throw new RangeError('expected one line without control characters')
  const text = map ? await map(trimmed) : trimmed
  // The bounds of X.520 count characters, not bytes.
  if ([...text].length > most) throw new RangeError(`expected at most ${most} characters (RFC 5280 appendix A.1)`)
  return text
}
