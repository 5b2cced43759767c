/** Numbers of TLS: versions, extensions, groups, signatures, alerts. RFC 8446 §B and the IANA TLS registries. */

export const tlsVersions = [
  { name: 'SSLv3', code: 0x0300 },
  { name: 'TLSv1.0', code: 0x0301 },
  { name: 'TLSv1.1', code: 0x0302 },
  { name: 'TLSv1.2', code: 0x0303 },
  { name: 'TLSv1.3', code: 0x0304 },
] as const

export type TlsVersionName = (typeof tlsVersions)[number]['name']

export const versionCode = (name: TlsVersionName): number => tlsVersions.find(one => one.name === name)?.code ?? 0

/** IANA TLS ExtensionType Values. */
export const extensionTypes = {
  serverName: 0,
  statusRequest: 5,
  supportedGroups: 10,
  pointFormats: 11,
  signatureAlgorithms: 13,
  heartbeat: 15,
  alpn: 16,
  timestamps: 18,
  encryptThenMac: 22,
  extendedMainSecret: 23,
  sessionTicket: 35,
  supportedVersions: 43,
  cookie: 44,
  keyShare: 51,
  renegotiationInfo: 0xff01,
} as const

export interface Group {
  code: number
  name: string
  /** Of security against computers of today. */
  bits: number
  kind: 'curve' | 'finite field' | 'hybrid'
}

/** IANA TLS Supported Groups; strengths by NIST SP 800-57 Part 1 and RFC 7919 appendix A. */
// biome-ignore format: a table
export const groups: readonly Group[] = [
  { code: 0x11ec, name: 'X25519MLKEM768', bits: 128, kind: 'hybrid' },
  { code: 0x11eb, name: 'SecP256r1MLKEM768', bits: 128, kind: 'hybrid' },
  { code: 0x11ed, name: 'SecP384r1MLKEM1024', bits: 192, kind: 'hybrid' },
  { code: 0x6399, name: 'X25519Kyber768Draft00', bits: 128, kind: 'hybrid' },
  { code: 29, name: 'x25519', bits: 128, kind: 'curve' },
  { code: 30, name: 'x448', bits: 224, kind: 'curve' },
  { code: 23, name: 'secp256r1', bits: 128, kind: 'curve' },
  { code: 24, name: 'secp384r1', bits: 192, kind: 'curve' },
  { code: 25, name: 'secp521r1', bits: 256, kind: 'curve' },
  { code: 31, name: 'brainpoolP256r1tls13', bits: 128, kind: 'curve' },
  { code: 32, name: 'brainpoolP384r1tls13', bits: 192, kind: 'curve' },
  { code: 33, name: 'brainpoolP512r1tls13', bits: 256, kind: 'curve' },
  { code: 26, name: 'brainpoolP256r1', bits: 128, kind: 'curve' },
  { code: 27, name: 'brainpoolP384r1', bits: 192, kind: 'curve' },
  { code: 28, name: 'brainpoolP512r1', bits: 256, kind: 'curve' },
  { code: 22, name: 'secp256k1', bits: 128, kind: 'curve' },
  { code: 21, name: 'secp224r1', bits: 112, kind: 'curve' },
  { code: 20, name: 'secp224k1', bits: 112, kind: 'curve' },
  { code: 19, name: 'secp192r1', bits: 96, kind: 'curve' },
  { code: 18, name: 'secp192k1', bits: 96, kind: 'curve' },
  { code: 17, name: 'secp160r2', bits: 80, kind: 'curve' },
  { code: 16, name: 'secp160r1', bits: 80, kind: 'curve' },
  { code: 15, name: 'secp160k1', bits: 80, kind: 'curve' },
  { code: 14, name: 'sect571r1', bits: 256, kind: 'curve' },
  { code: 13, name: 'sect571k1', bits: 256, kind: 'curve' },
  { code: 12, name: 'sect409r1', bits: 192, kind: 'curve' },
  { code: 11, name: 'sect409k1', bits: 192, kind: 'curve' },
  { code: 10, name: 'sect283r1', bits: 128, kind: 'curve' },
  { code: 9, name: 'sect283k1', bits: 128, kind: 'curve' },
  { code: 8, name: 'sect239k1', bits: 112, kind: 'curve' },
  { code: 7, name: 'sect233r1', bits: 112, kind: 'curve' },
  { code: 6, name: 'sect233k1', bits: 112, kind: 'curve' },
  { code: 5, name: 'sect193r2', bits: 96, kind: 'curve' },
  { code: 4, name: 'sect193r1', bits: 96, kind: 'curve' },
  { code: 3, name: 'sect163r2', bits: 80, kind: 'curve' },
  { code: 2, name: 'sect163r1', bits: 80, kind: 'curve' },
  { code: 1, name: 'sect163k1', bits: 80, kind: 'curve' },
  { code: 0x100, name: 'ffdhe2048', bits: 103, kind: 'finite field' },
  { code: 0x101, name: 'ffdhe3072', bits: 125, kind: 'finite field' },
  { code: 0x102, name: 'ffdhe4096', bits: 150, kind: 'finite field' },
  { code: 0x103, name: 'ffdhe6144', bits: 175, kind: 'finite field' },
  { code: 0x104, name: 'ffdhe8192', bits: 192, kind: 'finite field' },
]

const groupsByCode = new Map(groups.map(group => [group.code, group]))
export const groupOf = (code: number): Group | undefined => groupsByCode.get(code)

/** What we say we can check: everything, so that no server holds a suite back. RFC 8446 §4.2.3, RFC 5246 §7.4.1.4.1. */
// biome-ignore format: a table
export const signatureSchemes: readonly number[] = [
  0x0403, 0x0503, 0x0603, 0x0807, 0x0808, 0x081a, 0x081b, 0x081c, 0x0809, 0x080a, 0x080b, 0x0804, 0x0805, 0x0806,
  0x0401, 0x0501, 0x0601, 0x0303, 0x0301, 0x0302, 0x0402, 0x0502, 0x0602, 0x0203, 0x0201, 0x0202, 0x0101,
]

/** RFC 8446 §B.2. */
const alerts: Readonly<Record<number, string>> = {
  0: 'close_notify',
  10: 'unexpected_message',
  20: 'bad_record_mac',
  21: 'decryption_failed',
  22: 'record_overflow',
  30: 'decompression_failure',
  40: 'handshake_failure',
  41: 'no_certificate',
  42: 'bad_certificate',
  43: 'unsupported_certificate',
  44: 'certificate_revoked',
  45: 'certificate_expired',
  46: 'certificate_unknown',
  47: 'illegal_parameter',
  48: 'unknown_ca',
  49: 'access_denied',
  50: 'decode_error',
  51: 'decrypt_error',
  60: 'export_restriction',
  70: 'protocol_version',
  71: 'insufficient_security',
  80: 'internal_error',
  86: 'inappropriate_fallback',
  90: 'user_canceled',
  100: 'no_renegotiation',
  109: 'missing_extension',
  110: 'unsupported_extension',
  112: 'unrecognized_name',
  113: 'bad_certificate_status_response',
  115: 'unknown_psk_identity',
  116: 'certificate_required',
  120: 'no_application_protocol',
}

export const alertName = (code: number): string => alerts[code] ?? `alert ${code}`

/** RFC 7507 §2 and RFC 5746 §3.3: suites that are signals. */
export const FALLBACK_SCSV = 0x5600
/** RFC 8701 §2: values that mean nothing, which a server has to pass over. */
export const GREASE = [0x0a0a, 0x1a1a, 0x2a2a, 0x3a3a] as const

/** RFC 8446 §4.2.3 and RFC 8734 §3, and the pairs of RFC 5246 §7.4.1.4.1 that are still met. */
const schemeNames: Readonly<Record<number, string>> = {
  513: 'rsa_pkcs1_sha1',
  514: 'dsa_sha1',
  515: 'ecdsa_sha1',
  769: 'rsa_pkcs1_sha224',
  771: 'ecdsa_sha224',
  1025: 'rsa_pkcs1_sha256',
  1026: 'dsa_sha256',
  1027: 'ecdsa_secp256r1_sha256',
  1281: 'rsa_pkcs1_sha384',
  1283: 'ecdsa_secp384r1_sha384',
  1537: 'rsa_pkcs1_sha512',
  1539: 'ecdsa_secp521r1_sha512',
  2052: 'rsa_pss_rsae_sha256',
  2053: 'rsa_pss_rsae_sha384',
  2054: 'rsa_pss_rsae_sha512',
  2055: 'ed25519',
  2056: 'ed448',
  2057: 'rsa_pss_pss_sha256',
  2058: 'rsa_pss_pss_sha384',
  2059: 'rsa_pss_pss_sha512',
  2074: 'ecdsa_brainpoolP256r1tls13_sha256',
  2075: 'ecdsa_brainpoolP384r1tls13_sha384',
  2076: 'ecdsa_brainpoolP512r1tls13_sha512',
}

export const signatureSchemeName = (code: number): string =>
  schemeNames[code] ?? `scheme 0x${code.toString(16).padStart(4, '0')}`
