import { aes } from './aes.ts'
import { chacha20 } from './chacha20.ts'
import { des } from './des.ts'
import { rsa } from './rsa.ts'
import { tripleDes } from './triple-des.ts'

/** The encryption tools in page order. */
export const encrypt = [aes, des, tripleDes, chacha20, rsa]
