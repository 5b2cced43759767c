import { aes } from './aes.ts'
import { chacha20 } from './chacha20.ts'
import { rsa } from './rsa.ts'

/** The encryption tools in page order. */
export const encrypt = [aes, chacha20, rsa]
