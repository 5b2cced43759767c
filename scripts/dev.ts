import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'

/** `npm run dev`: the server restarted by Node's own watcher, the pages rebuilt when their sources change. */
const DEBOUNCE_MS = 150
const SOURCES = ['apps/web/src', 'packages/kit/src', 'packages/lib/src', 'packages/catalogue/src', 'content']

const server = spawn(process.execPath, ['--watch-preserve-output', '--watch', 'apps/server/src/main.ts'], {
  stdio: 'inherit',
})
let build: ChildProcess | undefined
let timer: NodeJS.Timeout | undefined

for (const folder of SOURCES) {
  watch(folder, { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(rebuild, DEBOUNCE_MS)
  })
}

function rebuild() {
  build?.kill()
  build = spawn(process.execPath, ['apps/web/build.ts'], { stdio: 'inherit' })
}

server.on('exit', code => process.exit(code ?? 0))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
