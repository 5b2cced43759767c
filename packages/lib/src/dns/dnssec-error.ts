/** Codes of Extended DNS Errors (RFC 8914 §4) that a validator gives, and what is said with them. */
export const ede = {
  other: 0,
  unsupportedAlgorithm: 1,
  unsupportedDigest: 2,
  bogus: 6,
  signatureExpired: 7,
  signatureNotYetValid: 8,
  dnskeyMissing: 9,
  rrsigsMissing: 10,
  noZoneKeyBit: 11,
  nsecMissing: 12,
  noReachableAuthority: 22,
  /** By registration after RFC 8914. */
  expiredBeforeValid: 25,
  /** RFC 9276 §3.2 */
  unsupportedIterations: 27,
} as const

/** Why a link does not hold, or why there is none: a code where one fits, and one plain sentence. */
export interface Flaw {
  ede: number | null
  reason: string
}

/** A name as it stands in a sentence, where a final dot would end it. */
export const said = (name: string): string => (name === '.' ? 'the root zone' : name.slice(0, -1))

/** A moment as people write the day. */
export const dayOf = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
