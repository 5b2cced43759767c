import { atbash } from './atbash.ts'
import { bitwise } from './bitwise.ts'
import { brainfuck } from './brainfuck.ts'
import { caesarCipher } from './caesar-cipher.ts'
import { rot13 } from './rot13.ts'

/** The classical ciphers in page order. */
export const cipher = [caesarCipher, rot13, atbash, brainfuck, bitwise]
