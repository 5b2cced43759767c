import type { CellData, Tone } from '@assay/kit'

/** Specification §4: green for success, yellow for a redirect, red for the rest and for no answer at all. */
export const statusTone = (status: number): Tone =>
  status >= 200 && status < 300 ? 'good' : status >= 300 && status < 400 ? 'warn' : 'bad'

/** A status code in its colour; 0 stands for no response. */
export const statusCell = (status: number): CellData => ({
  text: status ? String(status) : 'none',
  tone: statusTone(status),
  mono: true,
})
