import { type Panel, panel } from '@assay/kit'

/** A page draws longer texts slowly. */
const SHOWN_CHARACTERS = 200_000

/** What a cipher wrote, or a word on its length. */
export const outputPanel = (output: string, title = 'Output'): Panel =>
  output.length <= SHOWN_CHARACTERS
    ? panel.code(output, { title })
    : panel.note('info', `It has ${count(output.length)} characters, too many to show here.`, title)

export const count = (number: number) => number.toLocaleString('en')
