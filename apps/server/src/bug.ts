/** What may be logged of an error: its name and where it came from. Its message may hold what a visitor typed. */
export function bugOf(error: unknown): { name: string; stack: string } {
  if (!(error instanceof Error)) return { name: typeof error, stack: '' }
  const frames = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line))
  return { name: error.name, stack: frames.join('\n') }
}
