import type { Panel, ProblemCode, Terminal } from '@assay/kit'

/** What the page asks of its worker. Every question and every answer carries the number of the job. */
export type Question = { job: number; chunk: string; tool: string } & (
  | { kind: 'warm' }
  | { kind: 'run'; action: string; raw: Record<string, unknown> }
  /** Panels and command for a result that the server computed. */
  | { kind: 'show'; action: string; raw: Record<string, unknown>; result: unknown }
  | { kind: 'verify' }
)

export type Answer = { job: number; requests: readonly Request[] } & (
  | { kind: 'update'; progress?: number | undefined; label?: string | undefined; shown?: Shown | undefined }
  | { kind: 'shown'; shown: Shown }
  | { kind: 'verified'; cases: readonly Case[] }
  | { kind: 'failed'; problem?: ProblemData | undefined }
)

/** A result with how it is drawn and how a terminal would make it. */
export interface Shown {
  result: unknown
  panels: Panel[]
  terminal?: Terminal | undefined
  milliseconds: number
}

export interface ProblemData {
  code: ProblemCode
  message: string
  field?: string | undefined
  detail?: string | undefined
}

/** One published example and whether it held here. */
export interface Case {
  from: string
  passed: boolean
  detail?: string | undefined
}

/** A network request, by its address and the wall-clock time it began. */
export interface Request {
  url: string
  time: number
}
