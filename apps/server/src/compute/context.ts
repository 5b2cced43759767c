import { randomBytes } from 'node:crypto'
import { localContext, type ServerContext } from '@assay/kit'

/** The context of tools that need no network, with the randomness of this platform. */
export const computeContext = (signal: AbortSignal, now: () => Date = () => new Date()): ServerContext =>
  localContext({ signal, now, random: length => new Uint8Array(randomBytes(length)) })
