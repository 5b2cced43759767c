import { dictionaryAttack } from './dictionary-attack.ts'
import { hashCracker } from './hash-cracker.ts'
import { hashLengthExtension } from './hash-length-extension.ts'
import { rainbowTable } from './rainbow-table.ts'

/** The attack demonstrations in page order. */
export const attack = [hashCracker, dictionaryAttack, rainbowTable, hashLengthExtension]
