import { Problem } from '@assay/kit'
import type { Bytes } from '@assay/lib/bytes'

/** Where the IV of a ciphertext is. Programs that write it into the ciphertext differ in the end and in the length. */
export const ivPlaces = ['given', 'first 12 bytes', 'first 16 bytes', 'last 12 bytes', 'last 16 bytes'] as const
export type IvPlace = (typeof ivPlaces)[number]

/** The ciphertext and its IV, which is given or stands at one end of the ciphertext. */
export function splitIv(text: Bytes, iv: Bytes | undefined, place: IvPlace): { text: Bytes; iv: Bytes | undefined } {
  if (place === 'given') return { text, iv }
  if (iv) {
    throw new Problem('invalid-input', 'IV: leave it empty, for it is to be taken from the ciphertext.', {
      field: 'iv',
    })
  }
  const [end, digits] = place.split(' ')
  const bytes = Number(digits)
  if (text.length < bytes) throw new RangeError(`expected at least the ${bytes} bytes of the IV, got ${text.length}`)
  if (end === 'first') return { text: text.slice(bytes), iv: text.slice(0, bytes) }
  return { text: text.slice(0, -bytes), iv: text.slice(-bytes) }
}
