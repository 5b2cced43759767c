import { spawn } from 'node:child_process'
import { startDev } from '../apps/web/dev.ts'

/** `npm run dev`: pages rebuilt when their sources change, the server started anew after each build or change of its own. */
const WATCHED = ['apps/server/src', 'packages', 'content', 'apps/web/dist/build.txt']

const pages = startDev()
await pages.ready
const server = spawn(
  process.execPath,
  [...WATCHED.map(path => `--watch-path=${path}`), '--watch-preserve-output', 'apps/server/src/main.ts'],
  {
    stdio: 'inherit',
  },
)
server.on('exit', code => {
  pages.stop()
  process.exit(code ?? 0)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
