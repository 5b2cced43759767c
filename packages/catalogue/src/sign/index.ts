import { rsaKeyGenerator } from './rsa-key-generator.ts'

/** The tools for signatures and keys in page order. */
export const sign = [rsaKeyGenerator]
