import { pause } from '../hash/pause.ts'

/** A slice of work lasts about this long, so that a wish to stop is heard within a tenth of a second. */
const SLICE_MILLISECONDS = 15
const [FIRST_SLICE, LARGEST_SLICE] = [16, 65_536]

/**
 * Takes a step after the other until one says that it was the last, yielding between slices of them. The number of
 * steps in a slice follows the clock; one that stands still lets them grow to the largest.
 */
export async function* inSlices(step: () => boolean, now: () => number): AsyncGenerator<void, void, void> {
  let slice = FIRST_SLICE
  for (let more = true; more; ) {
    const started = now()
    for (let i = 0; i < slice && more; i++) more = step()
    const elapsed = now() - started
    if (elapsed > SLICE_MILLISECONDS) slice = Math.max(1, slice >> 1)
    else if (elapsed < SLICE_MILLISECONDS / 2) slice = Math.min(LARGEST_SLICE, slice * 2)
    yield
    await pause()
  }
}
