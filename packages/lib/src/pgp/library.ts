import type { PartialConfig } from 'openpgp'

/**
 * OpenPGP.js, the one complete implementation of RFC 9580 for browsers. It is under the LGPL, so it stays a module of its
 * own, unchanged, loaded when first needed. Its randomness is that of the platform (crypto.getRandomValues), which is
 * also where ours comes from; there is no way to hand it another.
 */
export type OpenPgp = typeof import('openpgp')

export const loadOpenPgp = (): Promise<OpenPgp> => import('openpgp')

/** Bytes a compressed message may become: a few bytes can hold gigabytes of nothing. */
export const MAX_DECOMPRESSED_BYTES = 32 * 1_048_576
/** 2^16 KiB for Argon2, which is what the library itself writes; RFC 9580 §3.7.1.4 lets a stranger ask for 4 TiB. */
const MAX_ARGON2_EXPONENT = 16

export const limits: PartialConfig = {
  maxDecompressedMessageSize: MAX_DECOMPRESSED_BYTES,
  maxArgon2MemoryExponent: MAX_ARGON2_EXPONENT,
  showComment: false,
  showVersion: false,
}

/** Old messages and signatures are read with the keys they were made for, however weak; nothing new is made with those. */
export const reading: PartialConfig = {
  ...limits,
  minRSABits: 0,
  rejectPublicKeyAlgorithms: new Set(),
  rejectCurves: new Set(),
}

/** What peers of today understand: the older form everywhere, the newer one where it is asked for. */
export const profiles = ['RFC 4880 (GnuPG)', 'RFC 9580'] as const
export type Profile = (typeof profiles)[number]

export const configFor = (profile: Profile): PartialConfig => ({
  ...limits,
  ...(profile === 'RFC 9580' ? { aeadProtect: true, v6Keys: true } : { aeadProtect: false, v6Keys: false }),
})

/** What the library throws has no types; its words are looked at in this folder alone. */
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
