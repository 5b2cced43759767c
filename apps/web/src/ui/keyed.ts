/** Values with their places as keys, for lists that are drawn once or replaced as a whole, where a place is an identity. */
export const keyed = <T>(values: readonly T[]): { key: number; value: T }[] =>
  values.map((value, key) => ({ key, value }))
