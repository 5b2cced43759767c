import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serveSite } from './serve.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const watched = ['apps/web', 'packages/kit', 'packages/lib', 'packages/catalogue', 'content']
/** Editors save in bursts. */
const QUIET_MS = 150

export interface Development {
  /** Settled when the first build is there. */
  ready: Promise<void>
  stop(): void
}

/** Builds the site, and again whenever a source changes; open pages reload themselves. */
export function startDev(): Development {
  let timer: NodeJS.Timeout | undefined
  let building = false
  let again = false

  async function rebuild(): Promise<void> {
    if (building) {
      again = true
      return
    }
    building = true
    await build()
    building = false
    if (again) {
      again = false
      await rebuild()
    }
  }

  const watchers = watched.map(folder =>
    watch(repository + folder, { recursive: true }, (_, name) => {
      if (!name || /(?:^|\/)(?:dist|\.cache|node_modules)(?:\/|$)|\.test\.ts$/.test(name)) return
      clearTimeout(timer)
      timer = setTimeout(() => void rebuild(), QUIET_MS)
    }),
  )
  return {
    ready: rebuild(),
    stop() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}

/** A process of its own, so that every build reads the sources afresh. */
function build(): Promise<void> {
  const script = fileURLToPath(new URL('./build.ts', import.meta.url))
  const child = spawn(process.execPath, [script, '--development'], { stdio: 'inherit' })
  return new Promise(resolve => child.once('close', () => resolve()))
}

if (import.meta.main) {
  await startDev().ready
  serveSite().listen(5173, '127.0.0.1', () => console.log('http://127.0.0.1:5173/'))
}
