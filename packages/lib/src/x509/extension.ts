import { Reader } from '../asn1/der.ts'
import { type Element, tags } from '../asn1/element.ts'
import { oidLabel } from '../asn1/oid-names.ts'
import { booleanOf } from '../asn1/value.ts'
import type { Bytes } from '../bytes.ts'
import {
  altNames,
  authorityKeyIdentifier,
  basicConstraints,
  keyIdentifier,
  keyUsage,
  purposes,
} from './extension-value.ts'

/** Certificate extensions. RFC 5280 §4.2. */

/** An extension as it stands in the certificate. */
export interface Extension {
  oid: string
  /** Short name as RFC 5280 writes it, or the identifier where there is none. */
  name: string
  critical: boolean
  bytes: Bytes
}

/** The list of extensions, with their faults: an explicit FALSE, one that stands twice. */
export function readExtensions(outer: Reader, faults: string[]): Extension[] {
  const list = outer.sequence('the extensions')
  outer.end('the extensions')
  const extensions = list.rest('an extension').map(element => readExtension(element, faults))
  if (!extensions.length) faults.push('the list of extensions is empty, which RFC 5280 §4.2 does not allow')
  const seen = new Set<string>()
  for (const { oid, name } of extensions) {
    if (seen.has(oid)) faults.push(`the extension ${name} stands there twice`)
    seen.add(oid)
  }
  return extensions
}

function readExtension(element: Element, faults: string[]): Extension {
  const reader = Reader.inside(element)
  const oid = reader.oid('an extension')
  const name = oidLabel(oid)
  const flag = reader.has(tags.boolean) ? reader.next('the critical flag') : undefined
  const critical = flag ? booleanOf({ ...flag, rules: 'BER' }, 'the critical flag') : false
  if (flag && !critical) faults.push(`the extension ${name} writes out that it is not critical, which DER leaves out`)
  if (flag && critical && flag.content[0] !== 255) faults.push(`the critical flag of ${name} is not ff`)
  const bytes = reader.octetString(`the extension ${name}`)
  reader.end(`the extension ${name}`)
  return { oid, name, critical, bytes }
}

/** The value of one extension by its identifier, for judgements; undefined where it is missing or broken. */
export function extensionValue<T>(
  extensions: readonly Extension[],
  oid: string,
  read: (bytes: Bytes) => T,
): T | undefined {
  const found = extensions.find(extension => extension.oid === oid)
  if (!found) return undefined
  try {
    return read(found.bytes)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

export const extensionOids = {
  subjectKeyIdentifier: '2.5.29.14',
  authorityKeyIdentifier: '2.5.29.35',
  keyUsage: '2.5.29.15',
  extKeyUsage: '2.5.29.37',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityInfoAccess: '1.3.6.1.5.5.7.1.1',
  timestamps: '1.3.6.1.4.1.11129.2.4.2',
  poison: '1.3.6.1.4.1.11129.2.4.3',
} as const

const { subjectKeyIdentifier: SKI, authorityKeyIdentifier: AKI } = extensionOids
export const subjectKeyIdOf = (extensions: readonly Extension[]) =>
  extensionValue(extensions, SKI, keyIdentifier)?.key_identifier
export const authorityKeyIdOf = (extensions: readonly Extension[]) =>
  extensionValue(extensions, AKI, authorityKeyIdentifier)?.key_identifier
export const keyUsageOf = (extensions: readonly Extension[]) =>
  extensionValue(extensions, extensionOids.keyUsage, keyUsage)
export const purposesOf = (extensions: readonly Extension[]) =>
  extensionValue(extensions, extensionOids.extKeyUsage, purposes)?.map(({ name }) => name)
export const altNamesOf = (extensions: readonly Extension[]) =>
  extensionValue(extensions, extensionOids.subjectAltName, altNames)
export const basicConstraintsOf = (extensions: readonly Extension[]) =>
  extensionValue(extensions, extensionOids.basicConstraints, basicConstraints)
