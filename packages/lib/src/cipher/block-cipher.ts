/** A block cipher under one key: what the modes of operation are built on. */
export interface BlockCipher {
  readonly blockBytes: number
  /** Encrypts the block that begins at `offset`, in place. */
  encrypt(bytes: Uint8Array, offset: number): void
  /** Decrypts it. */
  decrypt(bytes: Uint8Array, offset: number): void
}

/** The modes that turn to stream ciphers only ever encrypt. */
export type BlockEncryption = Pick<BlockCipher, 'blockBytes' | 'encrypt'>

/** Four bytes as a number, the highest first. */
export const readWord = (bytes: Uint8Array, offset: number): number =>
  ((bytes[offset] ?? 0) << 24) |
  ((bytes[offset + 1] ?? 0) << 16) |
  ((bytes[offset + 2] ?? 0) << 8) |
  (bytes[offset + 3] ?? 0)

export function writeWord(bytes: Uint8Array, offset: number, word: number): void {
  bytes[offset] = word >>> 24
  bytes[offset + 1] = word >>> 16
  bytes[offset + 2] = word >>> 8
  bytes[offset + 3] = word
}
