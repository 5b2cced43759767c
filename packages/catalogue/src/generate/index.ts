import { passwordGenerator } from './password-generator.ts'
import { uuidGenerator } from './uuid-generator.ts'

/** The generators in page order. */
export const generate = [passwordGenerator, uuidGenerator]
