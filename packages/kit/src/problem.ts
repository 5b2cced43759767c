/** Why a question could not be asked or was not answered. A bad answer is a result, never one of these. */
export type ProblemCode =
  | 'invalid-input'
  | 'not-found'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'limited'
  | 'unsupported'
  | 'busy'

export interface ProblemOptions {
  /** The field the visitor should look at. */
  field?: string | undefined
  /** A second sentence: the exact reason, or what to do next. */
  detail?: string | undefined
  cause?: unknown
}

/**
 * Something the visitor can act on. The message is one sentence that says what was expected and never repeats what
 * was typed. Anything else thrown is a bug.
 */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly field: string | undefined
  readonly detail: string | undefined

  constructor(code: ProblemCode, message: string, { field, detail, cause }: ProblemOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'Problem'
    this.code = code
    this.field = field
    this.detail = detail
  }
}

/** Turns what the library throws for bad arguments into a problem of the field that held them. */
export function explain<T>(field: string, label: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asFieldProblem(field, label, error)
  }
}

/** The problem behind a RangeError of the library; a problem stays itself, anything else stays a bug. */
export function asFieldProblem(field: string, label: string, error: unknown): unknown {
  if (error instanceof RangeError) {
    return new Problem('invalid-input', `${label}: ${error.message}.`, { field, cause: error })
  }
  return error
}
