/** A measure as a ratio: ours against a peer or a limit, taken in the same run. */
export interface Row {
  what: string
  ours: string
  against: string
  theirs: string
  /** Ours over theirs, or the figure itself where the goal is absolute. */
  ratio: number
  goal: string
  holds: boolean
}

/** The best of several runs, in milliseconds: the one that was disturbed least. */
export async function best(runs: number, work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < runs; i++) {
    const start = performance.now()
    await work()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

export const mebibytesPerSecond = (bytes: number, milliseconds: number): number =>
  bytes / 1_048_576 / (milliseconds / 1000)

/** Prints rows as a Markdown table. */
export function printTable(title: string, rows: readonly Row[]): void {
  console.log(`\n## ${title}\n`)
  console.log('| what | ours | against | theirs | ratio | goal | |\n|---|---|---|---|---|---|---|')
  for (const { what, ours, against, theirs, ratio, goal, holds } of rows) {
    console.log(
      `| ${what} | ${ours} | ${against} | ${theirs} | ${ratio.toFixed(2)} | ${goal} | ${holds ? 'holds' : 'MISSED'} |`,
    )
  }
}
