import type { Bytes } from '../bytes.ts'

/** What an authenticated cipher is given beside the text. */
export interface AeadParameters {
  key: Bytes
  nonce: Bytes
  aad: Bytes
  tagBytes: number
}

export interface Sealed {
  ciphertext: Bytes
  tag: Bytes
}

/** An authenticated cipher with associated data, RFC 5116. */
export interface Aead {
  seal(parameters: AeadParameters, plaintext: Bytes): Sealed
  /** The plaintext, or undefined when the tag does not belong to it. */
  open(parameters: AeadParameters, ciphertext: Bytes, tag: Bytes): Bytes | undefined
}
