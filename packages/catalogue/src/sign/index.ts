import { diffieHellman } from './diffie-hellman.ts'
import { dsa } from './dsa.ts'
import { eccKeyGenerator } from './ecc-key-generator.ts'
import { ecdh } from './ecdh.ts'
import { ecdsa } from './ecdsa.ts'
import { keyFormatConverter } from './key-format-converter.ts'
import { openpgp } from './openpgp.ts'
import { rsaKeyGenerator } from './rsa-key-generator.ts'
import { rsaSignature } from './rsa-signature.ts'
import { signatureVerify } from './signature-verify.ts'
import { sshKeyGenerator } from './ssh-key-generator.ts'
import { totpHotp } from './totp-hotp.ts'
import { x25519 } from './x25519.ts'

/** The tools for signatures and keys in page order. */
export const sign = [
  rsaSignature,
  signatureVerify,
  ecdsa,
  dsa,
  diffieHellman,
  ecdh,
  x25519,
  rsaKeyGenerator,
  eccKeyGenerator,
  sshKeyGenerator,
  keyFormatConverter,
  openpgp,
  totpHotp,
]
