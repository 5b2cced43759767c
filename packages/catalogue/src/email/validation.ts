import { badge, type CellData, mono, type Panel, panel } from '@assay/kit'

/** A row of the traditional answers of the mail tools. `Ok` alone is a pass. */
export interface Validation {
  Test: string
  Result: string
  Status: 'Ok' | 'Warning' | 'Error'
}

export const ok = (Test: string, Result: string): Validation => ({ Test, Result, Status: 'Ok' })
export const warning = (Test: string, Result: string): Validation => ({ Test, Result, Status: 'Warning' })
export const failure = (Test: string, Result: string): Validation => ({ Test, Result, Status: 'Error' })

const verdictBadge = (status: string): CellData =>
  status === 'Ok' ? badge('PASS', 'good') : badge('FAIL', status === 'Warning' ? 'warn' : 'bad')

/** The rows with PASS for `Ok`, exactly as written, and FAIL for everything else. */
export const validationTable = (rows: readonly { Test: string; Result: string; Status: string }[]): Panel =>
  panel.table(
    ['Test', 'Result', 'Status'],
    rows.map(({ Test, Result, Status }) => [Test, Result, verdictBadge(Status)]),
    { title: 'Validation', empty: 'Nothing to validate' },
  )

/** What is wrong, most serious first, as a tone for the head. */
export function toneOf(rows: readonly { Status: string }[]): 'good' | 'warn' | 'bad' {
  if (rows.every(({ Status }) => Status === 'Ok')) return 'good'
  return rows.some(({ Status }) => Status !== 'Ok' && Status !== 'Warning') ? 'bad' : 'warn'
}

/** Tags with their values and what they mean. */
export const tagTable = (rows: readonly { tag: string; value: string; description: string }[], title: string): Panel =>
  panel.table(
    ['Tag', 'Value', 'Description'],
    rows.map(({ tag, value, description }) => [badge(tag, 'info'), mono(value), description]),
    { title },
  )
