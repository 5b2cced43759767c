import type { Panel } from '@assay/kit'
import type { Shown } from '../message.ts'

/**
 * What a view is given. A view is a screen that the panels cannot draw, in views/<folder>/<id>.tsx by the path of its
 * tool; it exports `View`, or `wording` where only the words of the page differ, or both.
 */
export interface ViewProps {
  shown: Shown
  /** The panels below the head. */
  panels: readonly Panel[]
}
