/**
 * Context-triggered piecewise hashing: J. Kornblum, "Identifying almost identical files using context triggered
 * piecewise hashing", 2006, with the details of ssdeep 2.14, whose results these are byte by byte. A rolling hash of
 * the last seven bytes decides where a piece ends; a piece gives one character. That is done for every block size at
 * once, each twice the one before, and the one that suits the length is taken.
 */

const WINDOW = 7
const MIN_BLOCK_SIZE = 3
/** Characters of the first part; the second has half of them. */
const LENGTH = 64
const BLOCK_SIZES = 31
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** FNV with start 0x28021967 and prime 0x01000193, of which six bits are used: the lowest depend on no others. */
const START = 0x27
const PRIME = 0x13

interface Level {
  blockSize: number
  /** What the pieces gave: at most 63 characters, and one more for all that follows. */
  pieces: string
  last: string
  /** The piece under way, and the same for the shorter part, which ends its last piece later. */
  hash: number
  halfHash: number
  halfLast: string
}

const newLevel = (blockSize: number, hash: number, halfHash: number): Level => ({
  blockSize,
  pieces: '',
  last: '',
  hash,
  halfHash,
  halfLast: '',
})

export interface Ssdeep {
  update(bytes: Uint8Array): Ssdeep
  /** `blocksize:first:second` of what was given so far. */
  digest(): string
}

/** A running fuzzy hash. */
export function createSsdeep(): Ssdeep {
  let levels = [newLevel(MIN_BLOCK_SIZE, START, START)]
  const window = new Uint8Array(WINDOW)
  let [sum, weighted, shifted, bytesDone] = [0, 0, 0, 0]
  const rolling = () => (sum + weighted + shifted) >>> 0

  function step(byte: number): void {
    const place = bytesDone % WINDOW
    weighted = (weighted - sum + WINDOW * byte) >>> 0
    sum += byte - (window[place] ?? 0)
    window[place] = byte
    shifted = ((shifted << 5) ^ byte) >>> 0
    bytesDone++
    for (const level of levels) {
      level.hash = ((level.hash * PRIME) ^ byte) & 63
      level.halfHash = ((level.halfHash * PRIME) ^ byte) & 63
    }
    const trigger = rolling() + 1
    // 2^32 is no multiple of any block size, which all have the factor three.
    for (let i = 0; i < levels.length; i++) {
      const level = levels[i]
      if (!level || trigger % level.blockSize !== 0) break
      endPiece(level)
    }
    dropFirst()
  }

  function endPiece(level: Level): void {
    if (level.pieces === '' && level === levels.at(-1) && level.blockSize < MIN_BLOCK_SIZE * 2 ** (BLOCK_SIZES - 1)) {
      levels.push(newLevel(level.blockSize * 2, level.hash, level.halfHash))
    }
    level.last = ALPHABET[level.hash] ?? ''
    level.halfLast = ALPHABET[level.halfHash] ?? ''
    if (level.pieces.length === LENGTH - 1) return
    level.pieces += level.last
    level.last = ''
    level.hash = START
    if (level.pieces.length < LENGTH / 2) {
      level.halfHash = START
      level.halfLast = ''
    }
  }

  /** A block size that can no longer be the one is followed no further. */
  function dropFirst(): void {
    const first = levels[0]
    if (!first || first.pieces.length < LENGTH - 1 || first.blockSize * LENGTH >= bytesDone) return
    if ((levels[1]?.pieces.length ?? 0) >= LENGTH / 2) levels = levels.slice(1)
  }

  function digest(): string {
    let index = levels.findIndex(({ blockSize }) => blockSize * LENGTH >= bytesDone)
    if (index < 0) index = levels.length - 1
    while (index > 0 && (levels[index]?.pieces.length ?? 0) < LENGTH / 2) index--
    const level = levels[index]
    if (!level) return `${MIN_BLOCK_SIZE}::`
    const open = rolling() !== 0
    const first = level.pieces + (open ? ALPHABET[level.hash] : level.last)
    const next = levels[index + 1]
    if (!next) return `${level.blockSize}:${first}:${open ? ALPHABET[level.hash] : ''}`
    const end = open ? ALPHABET[next.halfHash] : next.halfLast
    return `${level.blockSize}:${first}:${next.pieces.slice(0, LENGTH / 2 - 1)}${end}`
  }

  const self: Ssdeep = {
    update(bytes) {
      for (const byte of bytes) step(byte)
      return self
    },
    digest,
  }
  return self
}

/** The fuzzy hash of a byte string. */
export const ssdeep = (message: Uint8Array): string => createSsdeep().update(message).digest()

export interface SsdeepHash {
  blockSize: number
  first: string
  second: string
}

/** Reads a hash, with or without the file name that the program writes behind it; RangeError when it is none. */
export function parseSsdeep(text: string): SsdeepHash {
  const match = /^(\d{1,12}):([A-Za-z0-9+/]{0,64}):([A-Za-z0-9+/]{0,64})(?:,".*")?$/.exec(text.trim())
  const [, blockSize, first = '', second = ''] = match ?? []
  const size = Number(blockSize)
  if (!match || !Number.isInteger(Math.log2(size / MIN_BLOCK_SIZE))) {
    throw new RangeError('expected a hash such as 3:AXGBicFlgVNhBGcL6wCrFQEv:AXGHsNhxLsr2C')
  }
  return { blockSize: size, first, second }
}

/** How alike two hashes are, from 0 for nothing in common to 100 for equal. */
export function compareSsdeep(a: SsdeepHash, b: SsdeepHash): number {
  const [x, y] = [shortened(a), shortened(b)]
  if (x.blockSize === y.blockSize) {
    if (x.first === y.first && x.second === y.second) return 100
    return Math.max(score(x.first, y.first, x.blockSize), score(x.second, y.second, x.blockSize * 2))
  }
  if (x.blockSize * 2 === y.blockSize) return score(x.second, y.first, y.blockSize)
  if (y.blockSize * 2 === x.blockSize) return score(x.first, y.second, x.blockSize)
  return 0
}

/** Runs of one character say little: three are kept. */
const shortened = ({ blockSize, first, second }: SsdeepHash): SsdeepHash => ({
  blockSize,
  first: first.replace(/(.)\1{3,}/g, '$1$1$1'),
  second: second.replace(/(.)\1{3,}/g, '$1$1$1'),
})

/** From this block size on the length of the parts no longer bounds the score. */
const FREE_BLOCK_SIZE = Math.floor((99 + WINDOW) / WINDOW) * MIN_BLOCK_SIZE

function score(a: string, b: string, blockSize: number): number {
  if (!haveCommonPart(a, b)) return 0
  const changed = Math.floor((editDistance(a, b) * LENGTH) / (a.length + b.length))
  const alike = 100 - Math.floor((100 * changed) / LENGTH)
  if (blockSize >= FREE_BLOCK_SIZE) return alike
  return Math.min(alike, Math.floor(blockSize / MIN_BLOCK_SIZE) * Math.min(a.length, b.length))
}

/** Whether seven characters in a row are in both. */
function haveCommonPart(a: string, b: string): boolean {
  for (let i = 0; i + WINDOW <= a.length; i++) if (b.includes(a.slice(i, i + WINDOW))) return true
  return false
}

/** How many characters have to be put in and taken out to make one of the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, char] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const kept = (row[j] ?? 0) + (char === other ? 0 : 2)
      next.push(Math.min(kept, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
