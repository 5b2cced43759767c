import { asFieldProblem, Problem } from '@assay/kit'

/** What only the cipher finds out: texts that are too long, no whole blocks or without their padding. */
export function textProblem(name: string, label: string, error: unknown): unknown {
  if (error instanceof RangeError && /padding$/.test(error.message)) {
    return new Problem('invalid-input', `The key, the IV, the mode or the padding is not right: ${error.message}.`, {
      field: 'key',
      cause: error,
    })
  }
  return asFieldProblem(name, label, error)
}
