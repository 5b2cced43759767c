/** IPv4 addresses carried inside IPv6 addresses: whoever connects to the one may end up at the other. */

import { type Address, contains, parsePrefix } from './address.ts'

export interface EmbeddedIpv4 {
  form: 'mapped' | 'compatible' | 'translated' | 'NAT64' | '6to4' | 'Teredo server' | 'Teredo client' | 'ISATAP'
  /** The document that says where the bits are. */
  rfc: string
  address: Address
}

interface Form extends Pick<EmbeddedIpv4, 'form' | 'rfc'> {
  prefix: string
  /** How many bits stand to the right of the 32 bits. */
  shift: bigint
  /** Teredo hides the client's address from translators by inverting it. */
  inverted?: boolean
}

const forms: readonly Form[] = [
  { form: 'compatible', prefix: '::/96', shift: 0n, rfc: 'RFC 4291 §2.5.5.1' },
  { form: 'mapped', prefix: '::ffff:0:0/96', shift: 0n, rfc: 'RFC 4291 §2.5.5.2' },
  { form: 'translated', prefix: '::ffff:0:0:0/96', shift: 0n, rfc: 'RFC 2765' },
  { form: 'NAT64', prefix: '64:ff9b::/96', shift: 0n, rfc: 'RFC 6052 §2.1' },
  { form: 'NAT64', prefix: '64:ff9b:1::/48', shift: 0n, rfc: 'RFC 8215' },
  { form: '6to4', prefix: '2002::/16', shift: 80n, rfc: 'RFC 3056 §2' },
  { form: 'Teredo server', prefix: '2001::/32', shift: 64n, rfc: 'RFC 4380' },
  { form: 'Teredo client', prefix: '2001::/32', shift: 0n, inverted: true, rfc: 'RFC 4380' },
]

const blocks = forms.map(form => ({ ...form, block: parsePrefix(form.prefix) }))

/** RFC 5214: the interface identifier 0000:5efe or 0200:5efe, then the IPv4 address, under any prefix. */
const isIsatap = (value: bigint) => ((value >> 32n) & 0xfdff_ffffn) === 0x0000_5efen

/** Every IPv4 address inside an IPv6 address, by each of the known embeddings. */
export function embeddedIpv4({ version, value }: Address): EmbeddedIpv4[] {
  if (version === 4) return []
  const ipv4 = (bits: bigint): Address => ({ version: 4, value: bits & 0xffff_ffffn })
  const found: EmbeddedIpv4[] = blocks
    .filter(({ block }) => contains(block, { version, value }))
    .map(({ form, rfc, shift, inverted }) => ({ form, rfc, address: ipv4(inverted ? ~value : value >> shift) }))
  if (isIsatap(value)) found.push({ form: 'ISATAP', rfc: 'RFC 5214', address: ipv4(value) })
  return found
}
