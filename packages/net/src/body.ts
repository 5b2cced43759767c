/** Bodies of responses: read up to a limit that counts what comes out of decompression. RFC 9110 §8.4. */

import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { codeOf } from './failure.ts'
import { MAX_PIECES, Pieces } from './pieces.ts'

/** Codings one inside the other that are undone. A chain of them multiplies what each can blow up. */
const MAX_CODINGS = 2
/** What a coding may add to content that it cannot shorten (RFC 1951 §3.2.4: five octets in 65,535), with its ends. */
const MAX_CODING_OVERHEAD = 65_536

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
 * Reads what fits. A body that is too long, too slow, broken, or in too many pieces is cut: what has arrived is worth
 * showing. `charge` is told of every piece that arrived or came out, and throws to end the whole job.
 */
export async function readBody(
  response: IncomingMessage,
  limits: BodyLimits,
  charge: (decoded: number) => void,
): Promise<Body> {
  const stop = () => response.destroy()
  const late = setTimeout(stop, limits.timeoutMs)
  const idle = setTimeout(stop, limits.idleMs)
  const source = decoded(response)
  // On the way through a decoder, what arrives is counted before it: it may come to nothing (RFC 1952 §2.2).
  const arrived = { bytes: 0, pieces: 0 }
  try {
    const reading = readAll(source, limits.bytes, length => {
      idle.refresh()
      charge(length)
    })
    if (source !== response) {
      response.on('data', (piece: Uint8Array) => {
        arrived.bytes += piece.length
        if (++arrived.pieces > MAX_PIECES || arrived.bytes > limits.bytes + MAX_CODING_OVERHEAD) stop()
        try {
          charge(0)
        } catch (error) {
          source.destroy(error instanceof Error ? error : new Error('the job is over'))
        }
      })
    }
    const { pieces, whole, failure } = await reading
    if (failure !== undefined && !isBreakage(failure)) throw failure
    // Nothing at all is no valid end of a coding, but it is what many servers send for an empty body.
    const cut = failure === undefined ? !whole : arrived.bytes > 0
    return { bytes: pieces.finish(), truncated: cut || !response.complete }
  } finally {
    clearTimeout(late)
    clearTimeout(idle)
    response.destroy()
  }
}

export interface Read {
  pieces: Pieces
  /** Nothing was left out. */
  whole: boolean
  /** Why it ended before its end. */
  failure?: unknown
}

/** Everything a stream gives, up to a size. `heard` is told of each piece; what it throws ends the reading. */
export function readAll(source: Readable, most: number, heard: (length: number) => void): Promise<Read> {
  const { promise, resolve, reject } = Promise.withResolvers<Read>()
  const pieces = new Pieces(most)
  const hear = (piece: Uint8Array) => {
    try {
      heard(piece.length)
      if (pieces.add(piece)) return
      resolve({ pieces, whole: false })
    } catch (error) {
      reject(error)
    }
    source.destroy()
  }
  source.on('data', hear)
  source.once('end', () => resolve({ pieces, whole: true }))
  source.once('error', failure => resolve({ pieces, whole: false, failure }))
  source.once('close', () => resolve({ pieces, whole: false }))
  return promise
}

/** What breaks in the hands of the other side: the connection, the framing, zlib's and Brotli's formats. */
const BREAKAGE = /^(?:E[A-Z]+$|ERR_STREAM_PREMATURE_CLOSE$|ERR__ERROR_|ERR_(?:BROTLI|TRAILING_JUNK)|HPE_|Z_)/

const isBreakage = (error: unknown): boolean => BREAKAGE.test(codeOf(error))

function decoded(response: IncomingMessage): Readable {
  const codings = (response.headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map(coding => coding.trim())
    .filter(coding => coding !== '' && coding !== 'identity')
  const decoders = codings.map(decoderOf)
  if (codings.length === 0 || codings.length > MAX_CODINGS || decoders.includes(undefined)) return response
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
