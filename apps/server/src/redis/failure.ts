import { Problem, type ProblemCode } from '@assay/kit'
import { Wait } from '../errors.ts'

/** A failure as one process tells it to another: the sentence of a problem, and of a bug only that there was one. */
export type Told =
  | { kind: 'problem'; code: ProblemCode; message: string; field: string | undefined; detail: string | undefined }
  | { kind: 'wait'; code: 'limited' | 'busy'; message: string; seconds: number; detail: string | undefined }
  | { kind: 'bug' }

export function tellFailure(error: unknown): Told {
  if (!(error instanceof Problem)) return { kind: 'bug' }
  const { code, message, field, detail } = error
  if (error instanceof Wait && (code === 'limited' || code === 'busy'))
    return { kind: 'wait', code, message, seconds: error.retryAfterSeconds, detail }
  return { kind: 'problem', code, message, field, detail }
}

export function failureFrom(told: Told): Error {
  if (told.kind === 'bug') return new Error('The run failed in another process.')
  const { code, message, detail } = told
  if (told.kind === 'wait') return new Wait(told.code, told.seconds * 1_000, message, detail ? { detail } : {})
  return new Problem(code, message, { field: told.field, detail })
}
