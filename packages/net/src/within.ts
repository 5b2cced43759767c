/** Waits for something no longer than this; then it goes on without anybody who waits. */
export async function within<T>(
  work: Promise<T>,
  { timeoutMs, problem }: { timeoutMs: number; problem: () => Error },
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(problem()), Math.max(0, timeoutMs))
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
