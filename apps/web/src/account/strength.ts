export type Strength = 'strong' | 'medium' | 'weak'

/** Specification §5: advice while a password is chosen; the server accepts a weak one. */
const STRONG_CHARACTERS = 8
const MEDIUM_CHARACTERS = 6

/**
 * Strong has eight characters with a lowercase letter, an uppercase letter and a digit; medium has six with a letter
 * and a digit. Letters and digits of any script count; a character is a code point.
 */
export function strengthOf(password: string): Strength {
  const characters = [...password].length
  const digit = /\p{Nd}/u.test(password)
  const both = /\p{Ll}/u.test(password) && /\p{Lu}/u.test(password)
  if (characters >= STRONG_CHARACTERS && both && digit) return 'strong'
  return characters >= MEDIUM_CHARACTERS && /\p{L}/u.test(password) && digit ? 'medium' : 'weak'
}
