/** How much of a name a server is shown: no more than it takes to be referred on. RFC 9156. */
import { ancestorsOf, countLabels } from '@assay/lib/dns/name'

/** §2.3: questions for a part of one name, and those of them that show one label more than the one before. */
const MAX_MINIMISE_COUNT = 10
const MINIMISE_ONE_LAB = 4

/**
 * The part of a name to ask for when `shown` is known to the servers and so many parts were asked for before; undefined
 * when it is the turn of the whole name.
 */
export function nextPart(name: string, shown: string, asked: number): string | undefined {
  if (asked >= MAX_MINIMISE_COUNT) return undefined
  const left = countLabels(name) - countLabels(shown)
  const more = asked < MINIMISE_ONE_LAB ? 1 : Math.max(1, Math.floor(left / (MAX_MINIMISE_COUNT - asked)))
  if (more >= left) return undefined
  const parts = ancestorsOf(name).slice(left - more, left)
  // The labels of a service (RFC 8552) belong together: no zone of other servers begins among them.
  return parts.some(part => part.startsWith('_')) ? undefined : parts[0]
}
