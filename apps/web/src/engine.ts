import { fits } from './check.ts'
import { explainFailure, type Failure, invalidInput, missingInput } from './errors.ts'
import type { FieldModel, ToolModel } from './page.ts'
import { createRunner, type Place, type Runner } from './runner.ts'

/** Everything a page needs once it is used and not only read; loaded when the form gets the focus. */
export interface Engine extends Runner {
  /** What a lookup page refuses before it asks (specification §5). */
  refuse(main: FieldModel, value: string, place: Place): Failure | undefined
  /** The words for whatever ended a run of this value. */
  explain(error: unknown, value: string): Failure
}

export function createEngine(tool: ToolModel): Engine {
  const { words } = tool
  return {
    ...createRunner(tool),
    refuse(main, value, place) {
      if (words.errors === 'box' || (main.optional && !value)) return undefined
      if (!value) return missingInput(words, main.name, place)
      if (words.mismatch && !fits(main.kind, value)) return invalidInput(words, main.name, main.placeholder ?? '')
      return undefined
    },
    explain: (error, value) => explainFailure(error, words, value),
  }
}
