import type { Bytes } from '../bytes.ts'

/** What DEFLATE (RFC 1951) leaves of some bytes, as a share of them; repetitions count that frequencies do not show. */
export async function deflatedShare(bytes: Bytes): Promise<number> {
  if (bytes.length === 0) return 1
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  let left = 0
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) left += next.value.length
  return left / bytes.length
}
