import { type FileInput, Problem } from '@assay/kit'
import type { Bytes } from '@assay/lib/bytes'
import { pause } from '@assay/lib/hash/pause'

/** The content of two fields of which one is filled: a file, or a text. */
export function chosen(file: FileInput | undefined, text: Bytes | undefined): AsyncIterable<Uint8Array> {
  if (file) return file.stream()
  if (text) return once(text)
  throw new Problem('invalid-input', 'Text: please enter a text or choose a file.', { field: 'input_text' })
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield bytes
}

/** Bytes between two looks at whether someone wants to stop: some 30 ms of a fuzzy hash. */
const SLICE_BYTES = 262_144

/** Feeds a stream to a running hash. Yields the bytes that are done. */
export async function* feed(
  stream: AsyncIterable<Uint8Array>,
  update: (bytes: Uint8Array) => void,
): AsyncGenerator<number, number, void> {
  let done = 0
  for await (const chunk of stream) {
    for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
      const slice = chunk.subarray(start, start + SLICE_BYTES)
      update(slice)
      done += slice.length
      if (slice.length < SLICE_BYTES) continue
      yield done
      await pause()
    }
  }
  return done
}
