/** A queue between what happens and who waits for it: pushed from callbacks, read as an async generator. */
export interface Channel<T, R> {
  push(value: T): void
  end(result: R): void
  fail(error: unknown): void
  read(): AsyncGenerator<T, R, void>
}

type End<R> = { result: R } | { error: unknown }

export function createChannel<T, R>(): Channel<T, R> {
  const values: T[] = []
  let end: End<R> | undefined
  let wake = () => {}

  const finish = (how: End<R>) => {
    end ??= how
    wake()
  }

  return {
    push(value) {
      if (end) return
      values.push(value)
      wake()
    },
    end: result => finish({ result }),
    fail: error => finish({ error }),
    async *read() {
      for (;;) {
        for (let next = values.shift(); next !== undefined; next = values.shift()) yield next
        if (end) {
          if ('error' in end) throw end.error
          return end.result
        }
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    },
  }
}
