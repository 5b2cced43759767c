/**
 * Numbers and their mnemonics: types (IANA "Resource Record (RR) TYPEs"), classes (RFC 1035 §3.2.4, RFC 2136 §1.3),
 * opcodes, response codes (RFC 6895 §2.2, §2.3) and extended errors (RFC 8914 §5.2 and the IANA registry it opened).
 * Numbers without a mnemonic have the spelling of RFC 3597 §5 (`TYPE65280`, `CLASS7`), or one made like it.
 */

const TYPES = {
  A: 1,
  NS: 2,
  MD: 3,
  MF: 4,
  CNAME: 5,
  SOA: 6,
  MB: 7,
  MG: 8,
  MR: 9,
  NULL: 10,
  WKS: 11,
  PTR: 12,
  HINFO: 13,
  MINFO: 14,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  X25: 19,
  ISDN: 20,
  RT: 21,
  NSAP: 22,
  'NSAP-PTR': 23,
  SIG: 24,
  KEY: 25,
  PX: 26,
  GPOS: 27,
  AAAA: 28,
  LOC: 29,
  NXT: 30,
  EID: 31,
  NIMLOC: 32,
  SRV: 33,
  ATMA: 34,
  NAPTR: 35,
  KX: 36,
  CERT: 37,
  A6: 38,
  DNAME: 39,
  SINK: 40,
  OPT: 41,
  APL: 42,
  DS: 43,
  SSHFP: 44,
  IPSECKEY: 45,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  DHCID: 49,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  SMIMEA: 53,
  HIP: 55,
  NINFO: 56,
  RKEY: 57,
  TALINK: 58,
  CDS: 59,
  CDNSKEY: 60,
  OPENPGPKEY: 61,
  CSYNC: 62,
  ZONEMD: 63,
  SVCB: 64,
  HTTPS: 65,
  DSYNC: 66,
  SPF: 99,
  UINFO: 100,
  UID: 101,
  GID: 102,
  UNSPEC: 103,
  NID: 104,
  L32: 105,
  L64: 106,
  LP: 107,
  EUI48: 108,
  EUI64: 109,
  NXNAME: 128,
  TKEY: 249,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
  MAILB: 253,
  MAILA: 254,
  ANY: 255,
  URI: 256,
  CAA: 257,
  AVC: 258,
  DOA: 259,
  AMTRELAY: 260,
  RESINFO: 261,
  WALLET: 262,
  TA: 32768,
  DLV: 32769,
} as const

const CLASSES = { IN: 1, CH: 3, HS: 4, NONE: 254, ANY: 255 } as const

const OPCODES = { QUERY: 0, IQUERY: 1, STATUS: 2, NOTIFY: 4, UPDATE: 5, DSO: 6 } as const

const RCODES = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
  DSOTYPENI: 11,
  BADVERS: 16,
  BADKEY: 17,
  BADTIME: 18,
  BADMODE: 19,
  BADNAME: 20,
  BADALG: 21,
  BADTRUNC: 22,
  BADCOOKIE: 23,
} as const

/** RFC 8914 §4.1 to §4.25; 25 to 30 and 33 by registration (26 RFC 9250, 27 RFC 9276, 30 RFC 9824). */
const EXTENDED_ERRORS: Record<number, string> = {
  0: 'Other Error',
  1: 'Unsupported DNSKEY Algorithm',
  2: 'Unsupported DS Digest Type',
  3: 'Stale Answer',
  4: 'Forged Answer',
  5: 'DNSSEC Indeterminate',
  6: 'DNSSEC Bogus',
  7: 'Signature Expired',
  8: 'Signature Not Yet Valid',
  9: 'DNSKEY Missing',
  10: 'RRSIGs Missing',
  11: 'No Zone Key Bit Set',
  12: 'NSEC Missing',
  13: 'Cached Error',
  14: 'Not Ready',
  15: 'Blocked',
  16: 'Censored',
  17: 'Filtered',
  18: 'Prohibited',
  19: 'Stale NXDOMAIN Answer',
  20: 'Not Authoritative',
  21: 'Not Supported',
  22: 'No Reachable Authority',
  23: 'Network Error',
  24: 'Invalid Data',
  25: 'Signature Expired before Valid',
  26: 'Too Early',
  27: 'Unsupported NSEC3 Iterations Value',
  28: 'Unable to conform to policy',
  29: 'Synthesized',
  30: 'Invalid Query Type',
  33: 'Negative Trust Anchor',
}

/** Algorithm mnemonics, which CERT records are written with (RFC 4398 §2.2; IANA "DNS Security Algorithm Numbers"). */
const ALGORITHMS = {
  RSAMD5: 1,
  DH: 2,
  DSA: 3,
  RSASHA1: 5,
  NSEC3DSA: 6,
  NSEC3RSASHA1: 7,
  RSASHA256: 8,
  RSASHA512: 10,
  ECCGOST: 12,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
  INDIRECT: 252,
  PRIVATEDNS: 253,
  PRIVATEOID: 254,
} as const

/** RFC 4398 §2.1 */
const CERTIFICATE_TYPES = {
  PKIX: 1,
  SPKI: 2,
  PGP: 3,
  IPKIX: 4,
  ISPKI: 5,
  IPGP: 6,
  ACPKIX: 7,
  IACPKIX: 8,
  URI: 253,
  OID: 254,
} as const

export type Opcode = keyof typeof OPCODES | `OPCODE${number}`
export type Rcode = keyof typeof RCODES | `RCODE${number}`

/** A registry read both ways: mnemonics to numbers and back, with a fallback spelling for what it does not list. */
function registry<Name extends string, Prefix extends string>(
  table: Record<Name, number>,
  prefix: Prefix,
  max: number,
) {
  const codes = new Map<string, number>()
  const names = new Map<number, Name | `${Prefix}${number}`>()
  for (const name in table) {
    codes.set(name, table[name])
    names.set(table[name], name)
  }
  return {
    name: (code: number): Name | `${Prefix}${number}` => names.get(code) ?? `${prefix}${code}`,
    code(name: string): number {
      const upper = name.toUpperCase()
      const known = codes.get(upper)
      if (known !== undefined) return known
      const digits = upper.startsWith(prefix) ? upper.slice(prefix.length) : ''
      const code = /^\d{1,5}$/.test(digits) ? Number(digits) : Number.POSITIVE_INFINITY
      if (code > max) throw new RangeError(`"${name}" is neither a mnemonic nor ${prefix || 'a number'} up to ${max}`)
      return code
    },
  }
}

const types = registry(TYPES, 'TYPE', 0xffff)
const classes = registry(CLASSES, 'CLASS', 0xffff)
const opcodes = registry(OPCODES, 'OPCODE', 15)
const rcodes = registry(RCODES, 'RCODE', 4095)
const algorithms = registry(ALGORITHMS, '', 255)
const certificateTypes = registry(CERTIFICATE_TYPES, '', 0xffff)

/** The mnemonic of a type that has one, or the spelling of RFC 3597 §5. */
export type TypeName = keyof typeof TYPES | `TYPE${number}`
export const typeName: (code: number) => TypeName = types.name
/** The number of a type: `MX`, `mx` or `TYPE15`. RangeError for anything else. */
export const typeCode = types.code
export const className: (code: number) => string = classes.name
export const classCode = classes.code
export const opcodeName = opcodes.name
export const opcodeCode = opcodes.code
export const rcodeName = rcodes.name
export const rcodeCode = rcodes.code
export const algorithmName: (code: number) => string = algorithms.name
export const algorithmCode = algorithms.code
export const certificateTypeName: (code: number) => string = certificateTypes.name
export const certificateTypeCode = certificateTypes.code

/** The purpose of an extended error's code, or `undefined` when it has none registered here. */
export const extendedErrorName = (code: number): string | undefined => EXTENDED_ERRORS[code]
