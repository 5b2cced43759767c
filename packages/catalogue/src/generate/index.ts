import { barcode } from './barcode.ts'
import { entropy } from './entropy.ts'
import { keyGenerator } from './key-generator.ts'
import { passphraseGenerator } from './passphrase-generator.ts'
import { passwordGenerator } from './password-generator.ts'
import { qrcode } from './qrcode.ts'
import { randomGenerator } from './random-generator.ts'
import { uuidGenerator } from './uuid-generator.ts'

/** The generators in page order. */
export const generate = [
  passwordGenerator,
  passphraseGenerator,
  keyGenerator,
  uuidGenerator,
  randomGenerator,
  qrcode,
  barcode,
  entropy,
]
