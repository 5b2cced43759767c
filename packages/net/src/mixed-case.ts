/**
 * Letters of a question in random case, which an answer has to repeat: bits that a forger must guess beside id and port
 * (draft-vixie-dnsext-dns0x20-00 §2). Some servers answer in their own case, so this is for when forged answers were seen.
 */
import { equalBytes } from '@assay/lib/bytes'

const HEADER_BYTES = 12
const CASE_BIT = 0x20

export interface MixedQuery {
  bytes: Uint8Array<ArrayBuffer>
  /** The response with the question as it was spelled first; undefined when it repeats the question in another case. */
  restore: (response: Uint8Array) => Uint8Array | undefined
}

/** A query of one question, in wire format, with the letters of its name in random case. */
export function mixCase(query: Uint8Array, random: (length: number) => Uint8Array): MixedQuery {
  const end = nameEnd(query)
  const coins = random(end - HEADER_BYTES)
  const bytes = Uint8Array.from(query, (byte, at) =>
    // The lengths of labels are below the letters, so that every byte of the name can be looked at alike.
    at >= HEADER_BYTES && at < end && isLetter(byte) ? byte ^ ((coins[at - HEADER_BYTES] ?? 0) & CASE_BIT) : byte,
  )
  const restore = (response: Uint8Array) => {
    if (!equalBytes(response.subarray(HEADER_BYTES, end), bytes.subarray(HEADER_BYTES, end))) return undefined
    const restored = Uint8Array.from(response)
    restored.set(query.subarray(HEADER_BYTES, end), HEADER_BYTES)
    return restored
  }
  return { bytes, restore }
}

function nameEnd(query: Uint8Array): number {
  let at = HEADER_BYTES
  while (query[at]) at += 1 + (query[at] ?? 0)
  return at
}

const isLetter = (byte: number) => /[A-Za-z]/.test(String.fromCharCode(byte))
