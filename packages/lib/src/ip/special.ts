/**
 * Which addresses are ordinary public hosts. IPv4: everything but the blocks below. IPv6: nothing but 2000::/3 without
 * the blocks below, so that space not handed out yet needs no row.
 *
 * The rows are the IANA IPv4 and IPv6 Special-Purpose Address Registries as of 2026-07-18
 * (https://www.iana.org/assignments/iana-ipv4-special-registry/, …/iana-ipv6-special-registry/), all of them, those
 * marked globally reachable too: anycast services of protocols are no hosts to look at. Beside them stand multicast,
 * from the IPv4 and IPv6 address space registries, and one address that a cloud answers on its own.
 */

import { type Address, contains, findAddress, type Prefix, parsePrefix } from './address.ts'
import { type EmbeddedIpv4, embeddedIpv4 } from './embedded.ts'

export interface Block {
  prefix: string
  name: string
  rfc: string
}

export interface Classification {
  /** An ordinary host of the public internet. */
  public: boolean
  /** The narrowest block that makes it special. */
  block?: Block
  /** IPv4 addresses inside, which never make an address public. */
  embedded?: (EmbeddedIpv4 & { public: boolean })[]
}

const row = (prefix: string, name: string, rfc: string): Block => ({ prefix, name, rfc })

export const ipv4Blocks: readonly Block[] = [
  row('0.0.0.0/8', 'This network', 'RFC 791 §3.2'),
  row('0.0.0.0/32', 'This host on this network', 'RFC 1122 §3.2.1.3'),
  row('10.0.0.0/8', 'Private use', 'RFC 1918'),
  row('100.64.0.0/10', 'Shared address space', 'RFC 6598'),
  row('127.0.0.0/8', 'Loopback', 'RFC 1122 §3.2.1.3'),
  // Microsoft Learn, "What is IP address 168.63.129.16?": DNS, DHCP and the agent channel of every Azure machine.
  row('168.63.129.16/32', 'Azure platform services', 'Microsoft'),
  row('169.254.0.0/16', 'Link local', 'RFC 3927'),
  row('172.16.0.0/12', 'Private use', 'RFC 1918'),
  row('192.0.0.0/24', 'IETF protocol assignments', 'RFC 6890 §2.1'),
  row('192.0.0.0/29', 'IPv4 service continuity prefix', 'RFC 7335'),
  row('192.0.0.8/32', 'IPv4 dummy address', 'RFC 7600'),
  row('192.0.0.9/32', 'Port Control Protocol anycast', 'RFC 7723'),
  row('192.0.0.10/32', 'Traversal Using Relays around NAT anycast', 'RFC 8155'),
  row('192.0.0.170/32', 'NAT64/DNS64 discovery', 'RFC 8880, RFC 7050 §2.2'),
  row('192.0.0.171/32', 'NAT64/DNS64 discovery', 'RFC 8880, RFC 7050 §2.2'),
  row('192.0.2.0/24', 'Documentation (TEST-NET-1)', 'RFC 5737'),
  row('192.31.196.0/24', 'AS112-v4', 'RFC 7535'),
  row('192.52.193.0/24', 'Automatic Multicast Tunneling', 'RFC 7450'),
  row('192.88.99.0/24', '6to4 relay anycast, deprecated', 'RFC 7526'),
  row('192.88.99.2/32', '6a44 relay anycast address', 'RFC 6751'),
  row('192.168.0.0/16', 'Private use', 'RFC 1918'),
  row('192.175.48.0/24', 'Direct delegation AS112 service', 'RFC 7534'),
  row('198.18.0.0/15', 'Benchmarking', 'RFC 2544'),
  row('198.51.100.0/24', 'Documentation (TEST-NET-2)', 'RFC 5737'),
  row('203.0.113.0/24', 'Documentation (TEST-NET-3)', 'RFC 5737'),
  row('224.0.0.0/4', 'Multicast', 'RFC 5771'),
  row('240.0.0.0/4', 'Reserved', 'RFC 1112 §4'),
  row('255.255.255.255/32', 'Limited broadcast', 'RFC 8190, RFC 919 §7'),
]

/** RFC 4291 §2.4: the only space IANA hands out as global unicast. */
export const globalUnicast = row('2000::/3', 'Global unicast', 'RFC 4291 §2.4')

export const ipv6Blocks: readonly Block[] = [
  row('::/128', 'Unspecified address', 'RFC 4291 §2.5.2'),
  row('::1/128', 'Loopback address', 'RFC 4291 §2.5.3'),
  row('::/96', 'IPv4-compatible address, deprecated', 'RFC 4291 §2.5.5.1'),
  row('::ffff:0:0/96', 'IPv4-mapped address', 'RFC 4291 §2.5.5.2'),
  row('64:ff9b::/96', 'IPv4-IPv6 translation', 'RFC 6052'),
  row('64:ff9b:1::/48', 'IPv4-IPv6 translation for local use', 'RFC 8215'),
  row('100::/64', 'Discard-only block', 'RFC 6666'),
  row('100:0:0:1::/64', 'Dummy IPv6 prefix', 'RFC 9780'),
  row('2001::/23', 'IETF protocol assignments', 'RFC 2928'),
  row('2001::/32', 'Teredo', 'RFC 4380, RFC 8190'),
  row('2001:1::1/128', 'Port Control Protocol anycast', 'RFC 7723'),
  row('2001:1::2/128', 'Traversal Using Relays around NAT anycast', 'RFC 8155'),
  row('2001:1::3/128', 'DNS-SD Service Registration Protocol anycast', 'RFC 9665'),
  row('2001:2::/48', 'Benchmarking', 'RFC 5180'),
  row('2001:3::/32', 'Automatic Multicast Tunneling', 'RFC 7450'),
  row('2001:4:112::/48', 'AS112-v6', 'RFC 7535'),
  row('2001:10::/28', 'ORCHID, deprecated', 'RFC 4843'),
  row('2001:20::/28', 'ORCHIDv2', 'RFC 7343'),
  row('2001:30::/28', 'Drone Remote ID Protocol entity tags', 'RFC 9374'),
  row('2001:db8::/32', 'Documentation', 'RFC 3849'),
  row('2002::/16', '6to4', 'RFC 3056'),
  row('2620:4f:8000::/48', 'Direct delegation AS112 service', 'RFC 7534'),
  row('3fff::/20', 'Documentation', 'RFC 9637'),
  row('5f00::/16', 'Segment routing (SRv6) SIDs', 'RFC 9602'),
  row('fc00::/7', 'Unique local', 'RFC 4193, RFC 8190'),
  row('fe80::/10', 'Link-local unicast', 'RFC 4291 §2.5.6'),
  row('fec0::/10', 'Site local, deprecated', 'RFC 3879'),
  row('ff00::/8', 'Multicast', 'RFC 4291 §2.7'),
]

const ISATAP = row('::5efe:0:0/96', 'ISATAP interface identifier', 'RFC 5214')
const UNASSIGNED = row('::/0', 'Not assigned as global unicast', 'RFC 4291 §2.4')

type Known = Block & { at: Prefix }
const known = (blocks: readonly Block[]): Known[] =>
  blocks.map(block => ({ ...block, at: parsePrefix(block.prefix) })).sort((a, b) => b.at.length - a.at.length)
const byVersion = { 4: known(ipv4Blocks), 6: known(ipv6Blocks) }
const globalUnicastPrefix = parsePrefix(globalUnicast.prefix)

/**
 * Whether an address is an ordinary public host, and if not, what it is. A text that is not the canonical spelling of
 * an address is not public.
 */
export function classify(address: Address | string): Classification {
  const parsed = typeof address === 'string' ? findAddress(address) : address
  if (!parsed) return { public: false }
  const embedded = embeddedIpv4(parsed).map(inner => ({ ...inner, public: classify(inner.address).public }))
  const block = specialBlock(parsed, embedded)
  return { public: block === undefined, ...(block && { block }), ...(embedded.length > 0 && { embedded }) }
}

function specialBlock(address: Address, embedded: readonly EmbeddedIpv4[]): Block | undefined {
  const found = byVersion[address.version].find(({ at }) => contains(at, address))
  if (found) return { prefix: found.prefix, name: found.name, rfc: found.rfc }
  if (address.version === 4) return undefined
  if (!contains(globalUnicastPrefix, address)) return UNASSIGNED
  return embedded.some(({ form }) => form === 'ISATAP') ? ISATAP : undefined
}
