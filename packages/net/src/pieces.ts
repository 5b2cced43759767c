/** What arrives, put together: many small pieces cost no more room than their octets, and only so many are taken. */

/** Chunks and frames of one body. Each costs a call, and a server chooses how many it makes of an octet each. */
export const MAX_PIECES = 8_192
const FIRST_BYTES = 16_384

export class Pieces {
  readonly #most: number
  readonly #maxPieces: number
  #room = new Uint8Array(0)
  #length = 0
  #count = 0
  #over = false

  constructor(most: number, maxPieces: number = MAX_PIECES) {
    this.#most = most
    this.#maxPieces = maxPieces
  }

  /** Takes what fits. False when there was more, or when it comes in too many pieces: then nothing else is taken. */
  add(piece: Uint8Array): boolean {
    if (this.#over) return false
    const length = Math.min(piece.length, this.#most - this.#length)
    this.#grow(this.#length + length)
    this.#room.set(piece.subarray(0, length), this.#length)
    this.#length += length
    this.#over = length < piece.length || ++this.#count >= this.#maxPieces
    return !this.#over
  }

  get length(): number {
    return this.#length
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#room.slice(0, this.#length)
  }

  #grow(wanted: number): void {
    if (wanted <= this.#room.length) return
    const larger = new Uint8Array(Math.min(this.#most, Math.max(wanted, FIRST_BYTES, 2 * this.#room.length)))
    larger.set(this.#room.subarray(0, this.#length))
    this.#room = larger
  }
}
