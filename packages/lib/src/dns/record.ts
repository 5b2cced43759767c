/**
 * Record types by declaration: `record(15, { preference: u16, exchange: name })` is all there is to MX. The parts know
 * how their field is read from and written to the wire and to the text of zone files; the fields stand in wire order,
 * which is the order of the text too. The type of the value is inferred from the parts.
 */

import type { Tokens } from './tokens.ts'
import type { Reader, Writer } from './wire.ts'

/** One field of a record's data. */
export interface Part<T> {
  read(reader: Reader): T
  write(writer: Writer, value: T): void
  print(value: T): string
  /** Reads the presentation form. RangeError when it is not that. */
  parse(tokens: Tokens): T
  /** The value as DNSSEC signs it, where that differs: names of some types in lower case (RFC 4034 §6.2). */
  lower?(value: T): T
  /** Names in here may be compressed when written (RFC 3597 §4). */
  compressible?: boolean
}

type Parts = Record<string, Part<unknown>>
type Values<P extends Parts> = { [Field in keyof P]: P[Field] extends Part<infer Value> ? Value : never }

export interface RecordType<T> extends Part<T> {
  code: number
  /** The format belongs to the class IN alone; in other classes the type has another or none (RFC 3597 §4). */
  internetOnly: boolean
}

export type DataOf<R> = R extends RecordType<infer T> ? T : never

/** A record type whose data is these parts one after the other. */
export function record<P extends Parts>(code: number, parts: P, scope?: 'IN'): RecordType<Values<P>> {
  const fields = Object.entries(parts)
  const collect = (make: (part: Part<unknown>, field: string) => unknown) => {
    const values: Record<string, unknown> = {}
    for (const [field, part] of fields) values[field] = make(part, field)
    // Each field was made by its own part, which is exactly what Values<P> says.
    return values as Values<P>
  }
  return {
    code,
    internetOnly: scope === 'IN',
    read: reader => collect(part => part.read(reader)),
    parse: tokens => collect(part => part.parse(tokens)),
    lower: data => collect((part, field) => (part.lower ? part.lower(data[field]) : data[field])),
    write(writer, data) {
      for (const [field, part] of fields) part.write(writer, data[field])
    },
    print: data =>
      fields
        .map(([field, part]) => part.print(data[field]))
        .filter(text => text !== '')
        .join(' '),
    compressible: fields.some(([, part]) => part.compressible),
  }
}

/** A record type whose text does not follow its wire order, so that one part makes all of it. */
export function wholeRecord<T>(code: number, part: Part<T>, scope?: 'IN'): RecordType<T> {
  return { ...part, code, internetOnly: scope === 'IN' }
}
