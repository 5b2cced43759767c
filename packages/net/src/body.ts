/** Bodies of responses: read up to a limit that counts what comes out of decompression. RFC 9110 §8.4. */

import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { concat } from '@assay/lib/bytes'
import { codeOf } from './failure.ts'

/** Codings one inside the other that are undone. A chain of them multiplies what each can blow up. */
const MAX_CODINGS = 2

export interface BodyLimits {
  /** Bytes kept, after decompression. */
  bytes: number
  /** Until the whole body must be there. */
  timeoutMs: number
  /** Between two pieces of it. */
  idleMs: number
}

export interface Body {
  bytes: Uint8Array
  /** There was more, or it broke off. */
  truncated: boolean
}

/**
 * Reads what fits. A body that is too long, too slow or broken is cut: what has arrived is worth showing.
 * `charge` is told of every piece that came out and throws to end the whole job.
 */
export async function readBody(
  response: IncomingMessage,
  limits: BodyLimits,
  charge: (decoded: number) => void,
): Promise<Body> {
  const stop = () => response.destroy()
  const whole = setTimeout(stop, limits.timeoutMs)
  const idle = setTimeout(stop, limits.idleMs)
  const pieces: Uint8Array[] = []
  let length = 0
  let truncated = false
  let received = 0
  const count = (piece: Uint8Array) => {
    received += piece.length
  }
  try {
    for await (const piece of decoded(response, count)) {
      idle.refresh()
      charge(piece.length)
      const room = limits.bytes - length
      pieces.push(piece.length > room ? piece.subarray(0, room) : piece)
      length += Math.min(piece.length, room)
      truncated = piece.length > room
      if (truncated) break
    }
    truncated ||= !response.complete
  } catch (error) {
    if (!isBreakage(error)) throw error
    // Nothing at all is no valid end of a coding, but it is what many servers send for an empty body.
    truncated = !response.complete || received > 0
  } finally {
    clearTimeout(whole)
    clearTimeout(idle)
    response.destroy()
  }
  return { bytes: concat(...pieces), truncated }
}

/** What breaks in the hands of the other side: the connection, the framing, zlib's and Brotli's formats. */
const BREAKAGE = /^(?:E[A-Z]+$|ERR_STREAM_PREMATURE_CLOSE$|ERR__ERROR_|ERR_(?:BROTLI|TRAILING_JUNK)|HPE_|Z_)/

const isBreakage = (error: unknown): boolean => BREAKAGE.test(codeOf(error))

function decoded(response: IncomingMessage, count: (piece: Uint8Array) => void): Readable {
  const codings = (response.headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map(coding => coding.trim())
    .filter(coding => coding !== '' && coding !== 'identity')
  const decoders = codings.map(decoderOf)
  if (codings.length === 0 || codings.length > MAX_CODINGS || decoders.includes(undefined)) return response
  response.on('data', count)
  let stream: Readable = response
  // Codings are listed in the order they were applied.
  for (const decoder of decoders.reverse()) {
    if (decoder) stream = pipeline(stream, decoder, () => {})
  }
  return stream
}

function decoderOf(coding: string): Transform | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      return undefined
  }
}
