import { type Action, defaultPanels, type Outcome, type Panel, type Terminal, type Update } from '@assay/kit'

/** What a door passes on: the result, and when asked for, how it is shown and the command that does the same. */
export interface Answer {
  result: unknown
  panels?: Panel[]
  terminal?: Terminal
}

/** An update with the panels of its partial result, when panels are asked for. */
export interface Step extends Update {
  panels?: Panel[]
}

const panelsOf = ({ show }: Action, { result, input }: Outcome): Panel[] =>
  show ? show(result, input) : defaultPanels(result)

export function answerOf(action: Action, outcome: Outcome, detailed: boolean): Answer {
  const { result, input } = outcome
  if (!detailed) return { result }
  const terminal = action.terminal?.(input, result)
  return { result, panels: panelsOf(action, outcome), ...(terminal && { terminal }) }
}

export function stepOf(action: Action, update: Update, input: Outcome['input'], detailed: boolean): Step {
  if (!detailed || update.partial === undefined) return update
  return { ...update, panels: panelsOf(action, { result: update.partial, input }) }
}
