/** The numbers of RFC 9580 by name. */

/** RFC 9580 §5, table 3, and what GnuPG writes beside it. */
export const names: Readonly<Record<number, string>> = {
  1: 'Public-Key Encrypted Session Key',
  2: 'Signature',
  3: 'Symmetric-Key Encrypted Session Key',
  4: 'One-Pass Signature',
  5: 'Secret Key',
  6: 'Public Key',
  7: 'Secret Subkey',
  8: 'Compressed Data',
  9: 'Symmetrically Encrypted Data',
  10: 'Marker',
  11: 'Literal Data',
  12: 'Trust',
  13: 'User ID',
  14: 'Public Subkey',
  17: 'User Attribute',
  18: 'Symmetrically Encrypted and Integrity Protected Data',
  19: 'Modification Detection Code',
  20: 'AEAD Encrypted Data (GnuPG)',
  21: 'Padding',
}

/** §9.1 */
export const publicKeys: Readonly<Record<number, string>> = {
  1: 'RSA',
  2: 'RSA (encryption only)',
  3: 'RSA (signing only)',
  16: 'Elgamal',
  17: 'DSA',
  18: 'ECDH',
  19: 'ECDSA',
  22: 'EdDSA (legacy)',
  25: 'X25519',
  26: 'X448',
  27: 'Ed25519',
  28: 'Ed448',
}
/** §9.3 */
export const ciphers: Readonly<Record<number, string>> = {
  0: 'none',
  1: 'IDEA',
  2: 'Triple DES',
  3: 'CAST5',
  4: 'Blowfish',
  7: 'AES-128',
  8: 'AES-192',
  9: 'AES-256',
  10: 'Twofish',
  11: 'Camellia-128',
  12: 'Camellia-192',
  13: 'Camellia-256',
}
/** §9.5 */
export const hashes: Readonly<Record<number, string>> = {
  1: 'MD5',
  2: 'SHA-1',
  3: 'RIPEMD-160',
  8: 'SHA-256',
  9: 'SHA-384',
  10: 'SHA-512',
  11: 'SHA-224',
  12: 'SHA3-256',
  14: 'SHA3-512',
}
/** §9.4 */
export const compressions: Readonly<Record<number, string>> = { 0: 'none', 1: 'ZIP', 2: 'ZLIB', 3: 'BZip2' }
/** §9.6 */
export const aeads: Readonly<Record<number, string>> = { 1: 'EAX', 2: 'OCB', 3: 'GCM' }
/** §5.2.1 */
export const signatureTypes: Readonly<Record<number, string>> = {
  0: 'binary document',
  1: 'text document',
  2: 'standalone',
  16: 'generic certification',
  17: 'persona certification',
  18: 'casual certification',
  19: 'positive certification',
  24: 'subkey binding',
  25: 'primary key binding',
  31: 'direct key',
  32: 'key revocation',
  40: 'subkey revocation',
  48: 'certification revocation',
  64: 'timestamp',
  80: 'third-party confirmation',
}
/** §5.2.3.7 */
export const subpacketNames: Readonly<Record<number, string>> = {
  2: 'Created',
  3: 'Signature expires after',
  4: 'Exportable',
  5: 'Trust',
  6: 'Regular expression',
  7: 'Revocable',
  9: 'Key expires after',
  11: 'Preferred ciphers',
  12: 'Revocation key',
  16: 'Issuer',
  20: 'Notation',
  21: 'Preferred hash functions',
  22: 'Preferred compression',
  23: 'Key server preferences',
  24: 'Preferred key server',
  25: 'Primary user ID',
  26: 'Policy',
  27: 'Key flags',
  28: 'Signer’s user ID',
  29: 'Reason for revocation',
  30: 'Features',
  31: 'Signature target',
  32: 'Embedded signature',
  33: 'Issuer fingerprint',
  35: 'Intended recipient',
  39: 'Preferred AEAD suites',
}
