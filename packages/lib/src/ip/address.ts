/**
 * Internet addresses and prefixes: their text forms, their bytes and their names in the reverse tree.
 * IPv4 as four decimal numbers (RFC 1123 §2.1, RFC 6943 §3.1.1 on why nothing looser), IPv6 in every text form of
 * RFC 4291 §2.2, written as RFC 5952 asks.
 */

export interface Address {
  version: 4 | 6
  /** The address as one number, 32 or 128 bits. */
  value: bigint
}

/** An address block: all addresses of a version that share the first `length` bits. */
export interface Prefix extends Address {
  length: number
}

const BITS = { 4: 32, 6: 128 } as const
const IPV4_MAPPED_HIGH = 0xffffn
const LONGEST_TEXT = '0000:0000:0000:0000:0000:0000:255.255.255.255'.length

// Deliberately stricter than inet_aton: 0177.1, 2130706433, 0x7f.1 and 127.0.0.01 mean different things to different
// readers, so the only spelling is four decimal numbers without leading zeros.
const IPV4_PART = /^(?:0|[1-9]\d{0,2})$/
const IPV6_PART = /^[\da-f]{1,4}$/i

/** The address a text spells, or undefined. Space around it, zone identifiers and brackets are not part of a spelling. */
export function findAddress(text: string): Address | undefined {
  if (text.length > LONGEST_TEXT) return undefined
  return text.includes(':') ? findIpv6(text) : findIpv4(text)
}

/** The address a text spells; RangeError when it spells none. */
export function parseAddress(text: string): Address {
  const address = findAddress(text)
  if (address) return address
  throw new RangeError('expected an IPv4 address such as 192.0.2.1 or an IPv6 address such as 2001:db8::1')
}

function findIpv4(text: string): Address | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every(part => IPV4_PART.test(part) && Number(part) < 256)) return undefined
  return { version: 4, value: parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n) }
}

function findIpv6(text: string): Address | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = [findGroups(halves[0] ?? '', halves.length === 1), findGroups(halves[1] ?? '', true)]
  if (!head || !tail) return undefined
  // The "::" stands for one group or more.
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  const groups = [...head, ...Array<bigint>(missing).fill(0n), ...tail]
  return { version: 6, value: groups.reduce((value, group) => (value << 16n) | group, 0n) }
}

/** The 16-bit groups of a part without "::"; its last 32 bits may be written as IPv4 where the address ends. */
function findGroups(text: string, last: boolean): bigint[] | undefined {
  if (text === '') return []
  const groups: bigint[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    if (IPV6_PART.test(part)) {
      groups.push(BigInt(`0x${part}`))
      continue
    }
    const embedded = last && index === parts.length - 1 ? findIpv4(part) : undefined
    if (!embedded) return undefined
    groups.push(embedded.value >> 16n, embedded.value & 0xffffn)
  }
  return groups
}

/** RFC 5952 §4 and §5: lower case, the longest run of zeros as "::", IPv4-mapped addresses with their IPv4 tail. */
export function formatAddress({ version, value }: Address): string {
  if (version === 4) return bytesOf({ version, value }).join('.')
  if (value >> 32n === IPV4_MAPPED_HIGH) return `::ffff:${formatAddress({ version: 4, value: value & 0xffff_ffffn })}`
  const groups = groupsOf(value)
  const { start, length } = longestZeroRun(groups)
  if (length < 2) return groups.map(group => group.toString(16)).join(':')
  const hex = (part: number[]) => part.map(group => group.toString(16)).join(':')
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`
}

const groupsOf = (value: bigint) =>
  Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(112 - 16 * i)) & 0xffffn))

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  let start = 0
  for (const [index, group] of groups.entries()) {
    if (group !== 0) start = index + 1
    else if (index + 1 - start > best.length) best = { start, length: index + 1 - start }
  }
  return best
}

/** The address in network order: 4 or 16 bytes. */
export function bytesOf({ version, value }: Address): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(BITS[version] / 8)
  for (let i = bytes.length - 1, rest = value; i >= 0; i--, rest >>= 8n) bytes[i] = Number(rest & 0xffn)
  return bytes
}

/** The address of 4 or 16 bytes in network order. */
export function addressOfBytes(bytes: Uint8Array): Address {
  if (bytes.length !== 4 && bytes.length !== 16) {
    throw new RangeError(`expected 4 or 16 bytes of an address, got ${bytes.length}`)
  }
  return { version: bytes.length === 4 ? 4 : 6, value: bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n) }
}

/** The same address: ::ffff:1.2.3.4 and 1.2.3.4 are two. */
export function equalAddresses(a: Address, b: Address): boolean {
  return a.version === b.version && a.value === b.value
}

/** The owner name of an address in the reverse tree, without the final dot. RFC 1035 §3.5, RFC 3596 §2.5. */
export function reverseName(address: Address | string): string {
  const { version, value } = typeof address === 'string' ? parseAddress(address) : address
  if (version === 4) return `${[...bytesOf({ version, value })].reverse().join('.')}.in-addr.arpa`
  return `${[...value.toString(16).padStart(32, '0')].reverse().join('.')}.ip6.arpa`
}

/** A block in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3). Bits beyond the length must be zero. */
export function parsePrefix(text: string): Prefix {
  const [, start = '', digits = ''] = /^([^/]{1,45})\/(0|[1-9]\d{0,2})$/.exec(text) ?? []
  const address = findAddress(start)
  const length = Number(digits)
  if (!address || length > BITS[address.version]) {
    throw new RangeError('expected an address block such as 192.0.2.0/24 or 2001:db8::/32')
  }
  if (address.value & hostMask(address.version, length)) {
    throw new RangeError('expected an address block whose bits after the prefix length are zero')
  }
  return { ...address, length }
}

export function formatPrefix(prefix: Prefix): string {
  return `${formatAddress(prefix)}/${prefix.length}`
}

/** Whether an address lies in a block. An IPv4 address lies in no IPv6 block, not even in ::ffff:0:0/96. */
export function contains(prefix: Prefix, address: Address): boolean {
  const shift = BigInt(BITS[prefix.version] - prefix.length)
  return prefix.version === address.version && prefix.value >> shift === address.value >> shift
}

/** The first and the last address of a block. */
export function rangeOf(prefix: Prefix): { first: Address; last: Address } {
  const { version, value } = prefix
  return { first: { version, value }, last: { version, value: value | hostMask(version, prefix.length) } }
}

const hostMask = (version: 4 | 6, length: number) => (1n << BigInt(BITS[version] - length)) - 1n
