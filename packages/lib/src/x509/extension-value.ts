import { parseDer, parseSequence, Reader } from '../asn1/der.ts'
import { type Element, tags } from '../asn1/element.ts'
import { oidLabel } from '../asn1/oid-names.ts'
import { bitStringOf, integerOf, oidOf, setBits, timeOf } from '../asn1/value.ts'
import { type Bytes, toHex } from '../bytes.ts'
import { type GeneralName, generalNameOf, generalNames, printGeneralName } from './general-name.ts'
import { readTimestamps, type SignedTimestamp } from './sct.ts'
import { textOf } from './text.ts'

/** The values of certificate extensions as plain data. RFC 5280 §4.2 and the documents named at each. */

/** Bits of KeyUsage: RFC 5280 §4.2.1.3. */
export const keyUsages = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const
/** Bits of Netscape's certificate type, as OpenSSL names them. */
const netscapeTypes = [
  'SSL client',
  'SSL server',
  'S/MIME',
  'object signing',
  '',
  'SSL CA',
  'S/MIME CA',
  'object signing CA',
]

/** ReasonFlags: RFC 5280 §4.2.1.13. */
const revocationReasons = [
  'unused',
  'keyCompromise',
  'cACompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
  'certificateHold',
  'privilegeWithdrawn',
  'aACompromise',
]

const bits = (element: Element, names: readonly string[]) =>
  setBits(bitStringOf(element, 'the flags')).map(bit => names[bit] || `bit ${bit}`)
const only = (bytes: Bytes): Element => parseDer(bytes)
/** A reader of the one element that fills the bytes. */
const alone = (bytes: Bytes): Reader => new Reader(parseDer(bytes).whole)
const names = (list: readonly GeneralName[]) => list.map(({ type, value }) => ({ type, value }))

export const keyIdentifier = (bytes: Bytes) => ({
  key_identifier: toHex(alone(bytes).octetString('the key identifier')),
})

export function keyUsage(bytes: Bytes) {
  return setBits(alone(bytes).bitString('the key usage')).map(bit => keyUsages[bit] ?? `bit ${bit}`)
}

export function authorityKeyIdentifier(bytes: Bytes) {
  const reader = parseSequence(bytes, 'the authority key identifier')
  const key = reader.context(0)
  const issuer = reader.context(1)
  const serial = reader.context(2)
  reader.end('the authority key identifier')
  return {
    ...(key && { key_identifier: toHex(key.content) }),
    ...(issuer && { issuer: names(generalNames(Reader.inside(issuer))) }),
    ...(serial && { serial: toHex(serial.content) }),
  }
}

export function basicConstraints(bytes: Bytes) {
  const reader = parseSequence(bytes, 'the basic constraints')
  const ca = reader.has(tags.boolean) ? reader.boolean('the CA flag') : false
  const path_length = reader.done ? null : reader.smallInteger('the path length')
  reader.end('the basic constraints')
  return { ca, path_length }
}

export function nameConstraints(bytes: Bytes) {
  const reader = parseSequence(bytes, 'the name constraints')
  const subtrees = (element: Element | undefined) =>
    element
      ? Reader.inside(element)
          .rest('a subtree')
          .map(subtree => generalNameOf(Reader.inside(subtree).next('the base of a subtree'), 'subtree'))
      : []
  const [permitted, excluded] = [subtrees(reader.context(0)), subtrees(reader.context(1))]
  reader.end('the name constraints')
  return { permitted: names(permitted), excluded: names(excluded) }
}

/** RFC 5280 §4.2.1.13 */
export function distributionPoints(bytes: Bytes) {
  return parseSequence(bytes, 'the distribution points')
    .rest('a distribution point')
    .map(point => {
      const reader = Reader.inside(point)
      const name = reader.context(0)
      const reasons = reader.context(1)
      const issuer = reader.context(2)
      reader.end('a distribution point')
      return {
        names: name ? distributionNames(Reader.inside(name).next('a distribution point')) : [],
        reasons: reasons ? bits(reasons, revocationReasons) : [],
        issuer: issuer ? names(generalNames(Reader.inside(issuer))) : [],
      }
    })
}

const distributionNames = (element: Element) =>
  element.tag === 0
    ? names(generalNames(Reader.inside(element)))
    : [{ type: 'relative name', value: toHex(element.content) }]

/** RFC 5280 §4.2.1.4 */
export function policies(bytes: Bytes) {
  return parseSequence(bytes, 'the policies')
    .rest('a policy')
    .map(policy => {
      const reader = Reader.inside(policy)
      const oid = reader.oid('the policy')
      const qualifiers = reader.done ? [] : reader.sequence('the qualifiers').rest('a qualifier').map(qualifier)
      reader.end('the policy')
      return { oid, name: oidLabel(oid), qualifiers }
    })
}

function qualifier(element: Element) {
  const reader = Reader.inside(element)
  const type = oidLabel(reader.oid('the qualifier'))
  const value = reader.next('the qualifier')
  if (type === 'unotice') return { type, text: userNotice(value) }
  return { type, text: textOf(value)?.text ?? toHex(value.whole) }
}

/** UserNotice: the explicit text is what people read. */
function userNotice(element: Element): string {
  const parts = Reader.inside(element).rest('a part of the notice')
  return parts.map(part => textOf(part)?.text ?? noticeReference(part)).join(' ')
}

const noticeReference = (element: Element) => {
  const reader = Reader.inside(element)
  const organization = textOf(reader.next('the organization'))?.text ?? ''
  const numbers = reader.sequence('the notice numbers').rest('a notice number')
  return `${organization} ${numbers.map(number => integerOf(number, 'a notice number')).join(', ')}`
}

export const policyMappings = (bytes: Bytes) =>
  parseSequence(bytes, 'the policy mappings')
    .rest('a mapping')
    .map(mapping => {
      const reader = Reader.inside(mapping)
      return { issuer: oidLabel(reader.oid('a policy')), subject: oidLabel(reader.oid('a policy')) }
    })

export function policyConstraints(bytes: Bytes) {
  const reader = parseSequence(bytes, 'the policy constraints')
  const count = (element: Element | undefined) =>
    element ? Number(integerOf(element, 'a number of certificates')) : null
  const value = { require_explicit_policy: count(reader.context(0)), inhibit_policy_mapping: count(reader.context(1)) }
  reader.end('the policy constraints')
  return value
}

export const purposes = (bytes: Bytes) =>
  parseSequence(bytes, 'the purposes')
    .rest('a purpose')
    .map(element => {
      const oid = oidOf(element)
      return { oid, name: oidLabel(oid) }
    })

export const accesses = (bytes: Bytes) =>
  parseSequence(bytes, 'the access descriptions')
    .rest('an access description')
    .map(description => {
      const reader = Reader.inside(description)
      const method = oidLabel(reader.oid('the access method'))
      const { type, value } = generalNameOf(reader.next('the location'))
      return { method, type, location: value }
    })

export const altNames = (bytes: Bytes) => names(generalNames(parseSequence(bytes, 'the names')))

export function usagePeriod(bytes: Bytes) {
  const reader = parseSequence(bytes, 'the usage period')
  const time = (element: Element | undefined) =>
    element
      ? timeOf({ ...element, tagClass: 'universal', tag: tags.generalizedTime }, 'the usage period').date.toISOString()
      : null
  return { not_before: time(reader.context(0)), not_after: time(reader.context(1)) }
}

/** RFC 3739 §3.2.6 and ETSI EN 319 412-5 */
export const qcStatements = (bytes: Bytes) =>
  parseSequence(bytes, 'the statements')
    .rest('a statement')
    .map(statement => {
      const reader = Reader.inside(statement)
      const oid = reader.oid('the statement')
      const info = reader.done ? undefined : reader.next('the statement')
      return { oid, name: oidLabel(oid), ...(info && { info: toHex(info.whole) }) }
    })

export const anyText = (bytes: Bytes): string => {
  const element = only(bytes)
  return textOf(element)?.text ?? toHex(element.whole)
}

/** Microsoft's [MS-WCCE] §2.2.2.7.7.2 */
export function certificateTemplate(bytes: Bytes) {
  const reader = parseSequence(bytes, 'the template')
  const oid = reader.oid('the template')
  const [major, minor] = [0, 1].map(() => (reader.has(tags.integer) ? reader.smallInteger('a version') : null))
  return { oid, major: major ?? null, minor: minor ?? null }
}

/** [MS-NRPC] and the security identifier that domain controllers look for. */
export const securityIdentifier = (bytes: Bytes) =>
  generalNames(parseSequence(bytes, 'the identifier')).map(printGeneralName)

/** [MS-WCCE]: certificates and keys of an authority are counted in one number. */
export const authorityVersion = (bytes: Bytes): number => alone(bytes).smallInteger('the version')
export const netscapeType = (bytes: Bytes): string[] =>
  bits(alone(bytes).take(tags.bitString, 'the type'), netscapeTypes)
/** RFC 7633 §4 */
export const tlsFeature = (bytes: Bytes): number[] =>
  parseSequence(bytes, 'the features')
    .rest('a feature')
    .map(feature => Number(integerOf(feature, 'a feature')))
/** RFC 8737 §3 */
export const acmeIdentifier = (bytes: Bytes): string => toHex(alone(bytes).octetString('the digest'))
/** RFC 6962 §3.3 */
export const timestamps = (bytes: Bytes): SignedTimestamp[] =>
  readTimestamps(alone(bytes).octetString('the timestamps'))
/** Extensions that say all by being there. */
export function isNull(bytes: Bytes): null {
  alone(bytes).null('the extension')
  return null
}
/** RFC 5280 §4.2.1.14 */
export const inhibitAnyPolicy = (bytes: Bytes): number => alone(bytes).smallInteger('the number of certificates')
export const wholeHex = (bytes: Bytes): string => toHex(only(bytes).whole)
export const plainNumber = (bytes: Bytes): string => String(alone(bytes).integer('the number'))
