import { caesarCipher } from './caesar-cipher.ts'

/** The classical ciphers in page order. */
export const cipher = [caesarCipher]
