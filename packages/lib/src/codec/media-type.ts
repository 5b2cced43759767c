import { equalBytes, fromHex, fromLatin1 } from '../bytes.ts'

/** What a byte string is when its first bytes say so: the patterns of the WHATWG MIME Sniffing Standard, §6. */
export interface MediaType {
  type: string
  extension: string
}

const signatures: readonly (MediaType & { start: Uint8Array; later?: { at: number; bytes: Uint8Array } })[] = [
  { type: 'image/png', extension: 'png', start: fromHex('89504e470d0a1a0a') },
  { type: 'image/jpeg', extension: 'jpg', start: fromHex('ffd8ff') },
  { type: 'image/gif', extension: 'gif', start: fromLatin1('GIF87a') },
  { type: 'image/gif', extension: 'gif', start: fromLatin1('GIF89a') },
  {
    type: 'image/webp',
    extension: 'webp',
    start: fromLatin1('RIFF'),
    later: { at: 8, bytes: fromLatin1('WEBPVP') },
  },
  { type: 'audio/wave', extension: 'wav', start: fromLatin1('RIFF'), later: { at: 8, bytes: fromLatin1('WAVE') } },
  { type: 'application/pdf', extension: 'pdf', start: fromLatin1('%PDF-') },
  { type: 'application/zip', extension: 'zip', start: fromHex('504b0304') },
  { type: 'application/x-gzip', extension: 'gz', start: fromHex('1f8b08') },
]

/** The media type told by the first bytes, or undefined when they tell none. */
export function sniffMediaType(bytes: Uint8Array): MediaType | undefined {
  const found = signatures.find(
    ({ start, later }) => has(bytes, 0, start) && (!later || has(bytes, later.at, later.bytes)),
  )
  return found && { type: found.type, extension: found.extension }
}

const has = (bytes: Uint8Array, at: number, part: Uint8Array) => equalBytes(bytes.subarray(at, at + part.length), part)
