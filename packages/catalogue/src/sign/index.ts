import { dsa } from './dsa.ts'
import { ecdsa } from './ecdsa.ts'
import { rsaKeyGenerator } from './rsa-key-generator.ts'
import { rsaSignature } from './rsa-signature.ts'

/** The tools for signatures and keys in page order. */
export const sign = [rsaSignature, ecdsa, dsa, rsaKeyGenerator]
