import { Problem } from '@assay/kit'
import type { Bytes } from '@assay/lib/bytes'

/** The ciphertext and its tag, which stands alone or at one end of the ciphertext. */
export function splitTag(text: Bytes, tag: Bytes | undefined, tagBytes: number, where: 'first' | 'last' = 'last') {
  if (tag) {
    if (tag.length === tagBytes) return { ciphertext: text, tag }
    throw new Problem('invalid-input', `Tag: expected ${tagBytes} bytes, got ${tag.length}.`, { field: 'tag' })
  }
  if (text.length < tagBytes) {
    throw new RangeError(`expected at least the ${tagBytes} bytes of the tag, got ${text.length}`)
  }
  const cut = where === 'first' ? tagBytes : text.length - tagBytes
  const [head, rest] = [text.slice(0, cut), text.slice(cut)]
  return where === 'first' ? { ciphertext: rest, tag: head } : { ciphertext: head, tag: rest }
}

/** A ciphertext that cannot be opened, and what to check. */
export const wrongTag = () =>
  new Problem('invalid-input', 'The tag does not belong to this text, so nothing was decrypted.', {
    field: 'input_text',
    detail:
      'Check that the settings are those of the encryption: key, nonce, associated data, algorithm and length of the tag; and that the ciphertext is whole.',
  })
