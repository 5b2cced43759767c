/** The record types whose data is understood, each with the section that defines it; the fields stand in wire order. */
import { addressPrefixes } from './address-prefixes.ts'
import { location } from './location.ts'
import {
  algorithm,
  algorithmNumber,
  base64,
  certificateType,
  characterString,
  characterStrings,
  coveredType,
  eui,
  exactName,
  foldedName,
  hashedOwner,
  hex,
  ipv4,
  ipv6,
  locator64,
  longText,
  moment,
  name,
  nsapAddress,
  optional,
  salt,
  seconds,
  tag,
  u8,
  u16,
  u32,
  wholeName,
} from './parts.ts'
import { record, wholeRecord } from './record.ts'
import { svcParams } from './svc-params.ts'
import { typeBitmap } from './type-bitmap.ts'

/** RFC 1035 §3.4.1 */
export const A = record(1, { address: ipv4 }, 'IN')
/** RFC 1035 §3.3.11 */
export const NS = record(2, { nsdname: name })
/** RFC 1035 §3.3.1 */
export const CNAME = record(5, { cname: name })
/** RFC 1035 §3.3.13 */
export const SOA = record(6, {
  mname: name,
  rname: name,
  serial: u32,
  refresh: seconds,
  retry: seconds,
  expire: seconds,
  minimum: seconds,
})
/** RFC 1035 §3.3.12 */
export const PTR = record(12, { ptrdname: name })
/** RFC 1035 §3.3.2 */
export const HINFO = record(13, { cpu: characterString, os: characterString })
/** RFC 1035 §3.3.7 */
export const MINFO = record(14, { responsible: name, errors: name })
/** RFC 1035 §3.3.9 */
export const MX = record(15, { preference: u16, exchange: name })
/** RFC 1035 §3.3.14 */
export const TXT = record(16, { strings: characterStrings })
/** RFC 1183 §2.2 */
export const RP = record(17, { mailbox: wholeName, text: wholeName })
/** RFC 1183 §1 */
export const AFSDB = record(18, { subtype: u16, host: wholeName })
/** RFC 1183 §3.1 */
export const X25 = record(19, { address: characterString })
/** RFC 1183 §3.2 */
export const ISDN = record(20, { address: characterString, subaddress: optional(characterString) })
/** RFC 1183 §3.3 */
export const RT = record(21, { preference: u16, host: wholeName })
/** RFC 1706 §5 */
export const NSAP = record(22, { address: nsapAddress }, 'IN')
/** RFC 2163 §4 */
export const PX = record(26, { preference: u16, map822: wholeName, mapX400: wholeName }, 'IN')
/** RFC 3596 §2.2 */
export const AAAA = record(28, { address: ipv6 }, 'IN')
/** RFC 1876 §2 */
export const LOC = wholeRecord(29, location)
/** RFC 2782. The target is never compressed when written. */
export const SRV = record(33, { priority: u16, weight: u16, port: u16, target: wholeName }, 'IN')
/** RFC 3403 §4.1 */
export const NAPTR = record(35, {
  order: u16,
  preference: u16,
  flags: characterString,
  services: characterString,
  regexp: characterString,
  replacement: wholeName,
})
/** RFC 2230 §3.1 */
export const KX = record(36, { preference: u16, exchanger: foldedName }, 'IN')
/** RFC 4398 §2 */
export const CERT = record(37, { certificateType, keyTag: u16, algorithm, certificate: base64 })
/** RFC 6672 §2.1 */
export const DNAME = record(39, { target: foldedName })
/** RFC 3123 §4 */
export const APL = record(42, { prefixes: addressPrefixes }, 'IN')
/** RFC 4034 §5.1 */
export const DS = record(43, { keyTag: u16, algorithm: algorithmNumber, digestType: u8, digest: hex })
/** RFC 4255 §3.1 */
export const SSHFP = record(44, { algorithm: u8, fingerprintType: u8, fingerprint: hex })
/** RFC 4034 §3.1 */
export const RRSIG = record(46, {
  typeCovered: coveredType,
  algorithm: algorithmNumber,
  labels: u8,
  originalTtl: u32,
  expiration: moment,
  inception: moment,
  keyTag: u16,
  signer: foldedName,
  signature: base64,
})
/** RFC 4034 §4.1 */
export const NSEC = record(47, { next: exactName, types: typeBitmap })
/** RFC 4034 §2.1 */
export const DNSKEY = record(48, { flags: u16, protocol: u8, algorithm: algorithmNumber, publicKey: base64 })
/** RFC 4701 §3.1 */
export const DHCID = record(49, { data: base64 }, 'IN')
/** RFC 5155 §3.2 */
export const NSEC3 = record(50, { hash: u8, flags: u8, iterations: u16, salt, next: hashedOwner, types: typeBitmap })
/** RFC 5155 §4.2 */
export const NSEC3PARAM = record(51, { hash: u8, flags: u8, iterations: u16, salt })
/** RFC 6698 §2.1 */
export const TLSA = record(52, { usage: u8, selector: u8, matchingType: u8, data: hex })
/** RFC 8162 §2 */
export const SMIMEA = record(53, { usage: u8, selector: u8, matchingType: u8, data: hex })
/** RFC 7344 §3.1 */
export const CDS = record(59, { keyTag: u16, algorithm: algorithmNumber, digestType: u8, digest: hex })
/** RFC 7344 §3.2 */
export const CDNSKEY = record(60, { flags: u16, protocol: u8, algorithm: algorithmNumber, publicKey: base64 })
/** RFC 7929 §2.1 */
export const OPENPGPKEY = record(61, { key: base64 })
/** RFC 7477 §2.1 */
export const CSYNC = record(62, { serial: u32, flags: u16, types: typeBitmap })
/** RFC 8976 §2.2 */
export const ZONEMD = record(63, { serial: u32, scheme: u8, hash: u8, digest: hex })
/** RFC 9460 §2.2 */
export const SVCB = record(64, { priority: u16, target: exactName, params: svcParams }, 'IN')
/** RFC 9460 §9 */
export const HTTPS = record(65, { priority: u16, target: exactName, params: svcParams }, 'IN')
/** RFC 4408 §3.1.1, given up by RFC 7208 §3.1 */
export const SPF = record(99, { strings: characterStrings })
/** RFC 6742 §2.1 */
export const NID = record(104, { preference: u16, nodeId: locator64 })
/** RFC 6742 §2.2 */
export const L32 = record(105, { preference: u16, locator: ipv4 })
/** RFC 6742 §2.3 */
export const L64 = record(106, { preference: u16, locator: locator64 })
/** RFC 6742 §2.4 */
export const LP = record(107, { preference: u16, target: exactName })
/** RFC 7043 §3.1 */
export const EUI48 = record(108, { address: eui(6) })
/** RFC 7043 §4.1 */
export const EUI64 = record(109, { address: eui(8) })
/** RFC 7553 §4.5 */
export const URI = record(256, { priority: u16, weight: u16, target: longText })
/** RFC 8659 §4.1 */
export const CAA = record(257, { flags: u8, tag, value: longText })
/** RFC 9606 §4 */
export const RESINFO = record(261, { strings: characterStrings })

/** Every type above, by its mnemonic. */
export const records = {
  ...{ A, NS, CNAME, SOA, PTR, HINFO, MINFO, MX, TXT, RP, AFSDB, X25, ISDN, RT, NSAP, PX, AAAA, LOC, SRV, NAPTR, KX },
  ...{ CERT, DNAME, APL, DS, SSHFP, RRSIG, NSEC, DNSKEY, DHCID, NSEC3, NSEC3PARAM, TLSA, SMIMEA, CDS, CDNSKEY },
  ...{ OPENPGPKEY, CSYNC, ZONEMD, SVCB, HTTPS, SPF, NID, L32, L64, LP, EUI48, EUI64, URI, CAA, RESINFO },
}
