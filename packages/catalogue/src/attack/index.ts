import { hashCracker } from './hash-cracker.ts'

/** The attack demonstrations in page order. */
export const attack = [hashCracker]
