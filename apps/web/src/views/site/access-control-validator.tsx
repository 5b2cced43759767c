import type { Wording } from '../../page.ts'

/** The words of the validator page (specification §5, §7). */
export const wording: Partial<Wording> = {
  missing: 'Please enter a domain name.',
  unexpected: 'Something went wrong while validating the domain.',
}
