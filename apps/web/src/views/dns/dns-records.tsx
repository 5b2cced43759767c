import type { Wording } from '../../page.ts'

/** The words of the DNS records page (specification §2, §5, §8): anything but nothing is sent, the server judges it. */
export const wording: Partial<Wording> = {
  mismatch: '',
  failed: 'Lookup Failed',
  offline: 'Failed to fetch DNS records. Please check your internet connection or try again later.',
}
