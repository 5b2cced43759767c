import { parseDer, Reader } from '../asn1/der.ts'
import { tags } from '../asn1/element.ts'
import type { Bytes } from '../bytes.ts'
import { certificatesInFile } from './input.ts'

/**
 * What stands behind the address of an issuer (RFC 5280 §4.2.2.1): one certificate in DER, or several in a CMS message
 * without content (RFC 5652 §5.1, in BER); PEM is met as well.
 */
export function certificatesOfIssuer(bytes: Bytes): Bytes[] {
  return certificatesInMessage(bytes) ?? certificatesInFile(bytes)
}

const SIGNED_DATA = '1.2.840.113549.1.7.2'

function certificatesInMessage(bytes: Bytes): Bytes[] | undefined {
  if (bytes[0] !== 0x30) return undefined
  const outer = new Reader(parseDer(bytes, { rules: 'BER' }).whole, { rules: 'BER' }).sequence('the message')
  if (!outer.has(tags.objectIdentifier) || outer.oid('the kind of the message') !== SIGNED_DATA) return undefined
  const data = outer.explicit(0, 'the message')?.sequence('the message')
  data?.integer('the version')
  data?.set('the hash functions')
  data?.sequence('the content')
  const list = data?.context(0)
  if (!list) throw new RangeError('the message holds no certificates')
  return Reader.inside(list)
    .rest('a certificate')
    .map(({ whole }) => Uint8Array.from(whole))
}
