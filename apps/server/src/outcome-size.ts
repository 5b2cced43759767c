import type { Outcome } from '@assay/kit'
import type { Limits } from './limits.ts'

/** How much an outcome takes that is kept, by its length in JSON. A server that is asked decides about it. */
export const outcomeSize = ({ result }: Outcome): number => JSON.stringify(result)?.length ?? 0

/** How many outcomes are kept, and how many characters of JSON they have in all. */
export interface Room {
  results: number
  characters: number
}

export const sharedRoom = ({ sharedResults: results, sharedCharacters: characters }: Limits): Room => ({
  results,
  characters,
})

export const rememberedRoom = ({ rememberedResults: results, rememberedCharacters: characters }: Limits): Room => ({
  results,
  characters,
})
