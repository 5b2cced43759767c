import { aes } from './aes.ts'

/** The encryption tools in page order. */
export const encrypt = [aes]
