/** A response as the judges of this folder see it. */
export interface Answer {
  url: string
  status: number
  /** As received: order, case and duplicates kept. */
  headers: readonly (readonly [name: string, value: string])[]
  body: Uint8Array
}

/** All values of a header in order; its name in any case. */
export function valuesOf({ headers }: Pick<Answer, 'headers'>, name: string): string[] {
  const wanted = name.toLowerCase()
  return headers.filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => value)
}

/** The body as text, for looking into it: bytes that are not UTF-8 become replacement characters. */
export const textOf = ({ body }: Pick<Answer, 'body'>): string => new TextDecoder().decode(body)
