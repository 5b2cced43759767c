import { type Colour, fromHsl, type Mosaic } from './mosaic.ts'

/** Blockies, the pictures of Ethereum addresses in wallets: github.com/ethereum/blockies. */
const SIZE = 8
/** Of 2.3 parts one is the ground and one the first colour; what is left over makes spots. */
const PARTS = 2.3

/** The generator xorshift of four words, seeded by the characters as Java hashes strings. It gives 0 up to 2. */
function createGenerator(seed: string): () => number {
  const words = new Int32Array(4)
  for (let i = 0; i < seed.length; i++) words[i % 4] = Math.imul(words[i % 4] ?? 0, 31) + seed.charCodeAt(i)
  return () => {
    const [first = 0, second = 0, third = 0, last = 0] = words
    const mixed = first ^ (first << 11)
    words.set([second, third, last, last ^ (last >> 19) ^ mixed ^ (mixed >> 8)])
    return ((words[3] ?? 0) >>> 0) / 2 ** 31
  }
}

/** The picture of an address in small letters, or of any other text. */
export function drawBlockies(seed: string): Mosaic {
  const next = createGenerator(seed)
  const colour = (): Colour => {
    const hue = Math.floor(next() * 360)
    const saturation = (next() * 60 + 40) / 100
    return fromHsl(hue, saturation, ((next() + next() + next() + next()) * 25) / 100)
  }
  const [figure, ground, spots] = [colour(), colour(), colour()]
  const squares = Array.from({ length: SIZE }, () => {
    const half = Array.from({ length: SIZE / 2 }, () => Math.min(2, Math.floor(next() * PARTS)))
    return [...half, ...half.toReversed()]
  })
  return { columns: SIZE, rows: SIZE, palette: [ground, figure, spots], squares: squares.flat() }
}
