import { ecdsa } from './ecdsa.ts'
import { rsaKeyGenerator } from './rsa-key-generator.ts'

/** The tools for signatures and keys in page order. */
export const sign = [ecdsa, rsaKeyGenerator]
