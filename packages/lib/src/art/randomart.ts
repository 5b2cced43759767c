/**
 * Randomart as `ssh-keygen -lv` draws it: the walk of a bishop over a board, told in D. Loss, T. Limmer and A. von
 * Gernler, "The drunken bishop: an analysis of the OpenSSH fingerprint visualization algorithm", 2009, §2.
 */
export const BOARD_WIDTH = 17
export const BOARD_HEIGHT = 9

/** Characters by the number of visits; the last two are the start and the end. */
const SYMBOLS = ' .o+=*BOX@%&#/^SE'
const [START, END] = [SYMBOLS.length - 2, SYMBOLS.length - 1]
/** More visits are not counted. */
const MOST_VISITS = START - 1

/** The squares row by row: visits, or the numbers of start and end. */
export function walkBishop(bytes: Uint8Array): number[] {
  const board = new Array<number>(BOARD_WIDTH * BOARD_HEIGHT).fill(0)
  const start = (BOARD_HEIGHT >> 1) * BOARD_WIDTH + (BOARD_WIDTH >> 1)
  let [x, y] = [BOARD_WIDTH >> 1, BOARD_HEIGHT >> 1]
  for (const byte of bytes) {
    // Two bits a move, the lowest first: one for left and right, one for up and down.
    for (let bits = byte, move = 0; move < 4; move++, bits >>= 2) {
      x = Math.min(BOARD_WIDTH - 1, Math.max(0, x + (bits & 1 ? 1 : -1)))
      y = Math.min(BOARD_HEIGHT - 1, Math.max(0, y + (bits & 2 ? 1 : -1)))
      const at = y * BOARD_WIDTH + x
      board[at] = Math.min(MOST_VISITS, (board[at] ?? 0) + 1)
    }
  }
  board[start] = START
  board[y * BOARD_WIDTH + x] = END
  return board
}

/** The board in its frame, with a title such as "RSA 2048" above and the name of the hash below. */
export function drawRandomart(bytes: Uint8Array, title: string, hashName: string): string {
  const board = walkBishop(bytes).map(square => SYMBOLS.charAt(square))
  const rows = Array.from({ length: BOARD_HEIGHT }, (_, y) =>
    board.slice(y * BOARD_WIDTH, (y + 1) * BOARD_WIDTH).join(''),
  )
  return [edge(title), ...rows.map(row => `|${row}|`), edge(hashName)].join('\n')
}

/** A title that does not fit with its brackets loses what follows its first word, as in OpenSSH. */
function edge(title: string): string {
  const whole = title && `[${title}]`
  const label = whole.length < BOARD_WIDTH ? whole : `[${title.split(' ')[0]}]`.slice(0, BOARD_WIDTH)
  const before = '-'.repeat((BOARD_WIDTH - label.length) >> 1)
  return `+${(before + label).padEnd(BOARD_WIDTH, '-')}+`
}
