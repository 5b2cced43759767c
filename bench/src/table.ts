/** A measure as a ratio: ours against a peer or a limit, taken in the same run. */
export interface Row {
  what: string
  ours: string
  against: string
  theirs: string
  /** Ours over theirs, or how many times as fast ours is; undefined where there is nothing to compare with. */
  ratio: number | undefined
  goal: string
  /** undefined where there is no goal, or no way to tell. */
  holds: boolean | undefined
}

/** Prints rows as a Markdown table. */
export function printTable(title: string, rows: readonly Row[]): void {
  console.log(`\n## ${title}\n`)
  console.log('| what | ours | against | theirs | ratio | goal | |\n|---|---|---|---|---|---|---|')
  for (const { what, ours, against, theirs, ratio, goal, holds } of rows) {
    const verdict = holds === undefined ? '' : holds ? 'holds' : 'MISSED'
    console.log(`| ${[what, ours, against, theirs, ratio?.toFixed(2) ?? '', goal, verdict].join(' | ')} |`)
  }
}
