import { printf, raw, sh, type Terminal } from '@assay/kit'
import { fromUtf8 } from '@assay/lib/bytes'

/** Above this a text is better kept in a file than in a command line. */
const MAX_COMMAND_CHARACTERS = 4096

/** A substitution of ASCII characters in a terminal. Half of a surrogate pair cannot be typed into one. */
export const translate = (text: string, from: string, to: string, prints: string): Terminal | undefined =>
  text.length <= MAX_COMMAND_CHARACTERS && text.isWellFormed()
    ? { command: sh`${raw(printf(fromUtf8(text)))} | tr ${trSet(from)} ${trSet(to)}`, prints }
    : undefined

/** What `tr` would read as syntax stands behind a backslash. */
const trSet = (characters: string) => characters.replace(/[\\[\]-]/g, '\\$&')
