import { passwordGenerator } from './password-generator.ts'
import { qrcode } from './qrcode.ts'
import { uuidGenerator } from './uuid-generator.ts'

/** The generators in page order. */
export const generate = [passwordGenerator, uuidGenerator, qrcode]
