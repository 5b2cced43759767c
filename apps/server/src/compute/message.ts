import type { ProblemCode, Raw } from '@assay/kit'
import type { Answer, Step } from '../answer.ts'

/** What the server and a compute child say to each other. */
export interface RunMessage {
  type: 'run'
  /** Address of the action. */
  path: string
  raw: Raw
  /** File fields by name; their bytes are pulled. */
  files: Record<string, { name: string; size?: number }>
  /** The wall clock at the start. */
  now: number
  detailed: boolean
  updates: boolean
}

export interface ChunkMessage {
  type: 'chunk'
  field: string
  /** Left out at the end of the file. */
  bytes?: Uint8Array
}

export type ToChild = RunMessage | ChunkMessage

export type FromChild =
  | { type: 'ready' }
  | { type: 'step'; step: Step }
  | { type: 'pull'; field: string }
  | { type: 'answer'; answer: Answer }
  | { type: 'problem'; problem: { code: ProblemCode; message: string; field?: string; detail?: string } }
  /** A bug. The message stays in the child: it may hold input. */
  | { type: 'bug'; name: string; stack: string }
