import type { Panel } from '@assay/kit'
import type { Raw } from '../api.ts'
import type { Shown } from '../message.ts'

/**
 * What a view is given. A view is a screen that the panels cannot draw, in views/<folder>/<id>.tsx by the path of its
 * tool; it exports `View`, or `wording` where only the words of the page differ, or both. `connect` are the other
 * origins that its page may connect to, and `runHere` does in the page what the tool does on the server.
 */
export interface ViewProps {
  shown: Shown
  /** The panels below the head. */
  panels: readonly Panel[]
}

/** Runs in the page a tool that needs the visitor's own network; the tool draws what it gives. */
export type RunHere = (
  raw: Raw,
  options: { signal: AbortSignal; onUpdate(update: { progress?: number; label?: string; partial?: unknown }): void },
) => Promise<unknown>
