import type { Bytes } from '../bytes.ts'
import type { Reader } from './der.ts'
import { type Element, tags } from './element.ts'
import { der } from './write.ts'

/** AlgorithmIdentifier: which algorithm, and with what parameters. RFC 5280 §4.1.1.2. */
export interface Algorithm {
  oid: string
  /** Left out where the algorithm has none; NULL is a parameter. */
  parameters?: Element
  /** The whole identifier as it stands in the input. */
  whole: Bytes
}

export function readAlgorithm(reader: Reader, what: string): Algorithm {
  const element = reader.peek()
  const inner = reader.sequence(`the algorithm of ${what}`)
  const oid = inner.oid(`the algorithm of ${what}`)
  const parameters = inner.done ? undefined : inner.next(`the parameters of ${what}`)
  inner.end(`the algorithm of ${what}`)
  return { oid, ...(parameters && { parameters }), whole: element?.whole ?? new Uint8Array() }
}

export const writeAlgorithm = (oid: string, ...parameters: readonly Uint8Array[]): Bytes =>
  der.sequence(der.oid(oid), ...parameters)

/** Whether the parameters are absent or NULL, which RFC 3279 §2.2.1 and its successors treat alike. */
export const hasNoParameters = ({ parameters }: Algorithm): boolean =>
  !parameters ||
  (parameters.tagClass === 'universal' && parameters.tag === tags.null && parameters.content.length === 0)
