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

  /** Everything, and hands it over: there is nothing in here afterwards, and nothing more is taken. */
  finish(): Uint8Array<ArrayBuffer> {
    const bytes = resized(this.#room, this.#length)
    this.#room = new Uint8Array(0)
    this.#length = 0
    this.#over = true
    return bytes
  }

  #grow(wanted: number): void {
    if (wanted <= this.#room.length) return
    this.#room = resized(this.#room, Math.min(this.#most, Math.max(wanted, FIRST_BYTES, 2 * this.#room.length)))
  }
}

/**
 * What is outgrown is given back at once. Left to the garbage collector, which waits for 32 MiB of it, the copies of
 * bodies of 1 MiB are most of what a server that floods us makes us hold.
 */
const resized = ({ buffer }: Uint8Array<ArrayBuffer>, length: number) => new Uint8Array(buffer.transfer(length))
