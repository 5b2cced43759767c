import { createHmac } from 'node:crypto'

/**
 * Keys as they stand in Redis. What names a client or a target is hashed with a secret of the deployment, so that a
 * copy of Redis tells neither.
 */
export type Names = (text: string) => string

const CHARACTERS = 22

export const createNames =
  (secret: string): Names =>
  text =>
    `assay:${createHmac('sha256', secret).update(text).digest('base64url').slice(0, CHARACTERS)}`
