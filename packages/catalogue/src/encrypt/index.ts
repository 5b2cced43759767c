import { aes } from './aes.ts'
import { aesXts } from './aes-xts.ts'
import { blowfish } from './blowfish.ts'
import { cast5 } from './cast5.ts'
import { chacha20 } from './chacha20.ts'
import { des } from './des.ts'
import { ecc } from './ecc.ts'
import { obfuscation } from './obfuscation.ts'
import { paddingScheme } from './padding-scheme.ts'
import { pgp } from './pgp.ts'
import { rc4 } from './rc4.ts'
import { rsa } from './rsa.ts'
import { tripleDes } from './triple-des.ts'

/** The encryption tools in page order. */
export const encrypt = [
  aes,
  aesXts,
  des,
  tripleDes,
  blowfish,
  chacha20,
  rc4,
  cast5,
  rsa,
  ecc,
  pgp,
  paddingScheme,
  obfuscation,
]
