import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from './redis.ts'

const PROGRAM = '/usr/sbin/nginx'
const START_MS = 10_000
const documented = readFileSync(new URL('../../../docs/nginx.conf', import.meta.url), 'utf8')

/** Why tests behind nginx are left out, where they are. */
export const noNginx: string | false = !existsSync(PROGRAM) && 'the package nginx is not installed'

export interface TestNginx {
  port: number
  stop(): Promise<void>
}

/**
 * nginx with the documented configuration, which is only told where to listen, from which address to connect, and
 * where the two servers are. With `path` it has the location that the configuration describes for a shared host.
 */
export async function startNginx(servers: readonly [number, number], from: string, path = '/'): Promise<TestNginx> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-nginx-'))
  const port = await freePort()
  const site = changed(documented, [
    ['server assay-1:8080 ', `server 127.0.0.1:${servers[0]} `],
    ['server assay-2:8080 ', `server 127.0.0.1:${servers[1]} `],
    ['listen 80;', `listen 127.0.0.1:${port}; proxy_bind ${from};`],
    ['location / {', `location ${path} {`],
  ])
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const folders = kinds.map(kind => `${kind}_temp_path ${folder}/${kind};`).join(' ')
  const config = join(folder, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;\nevents { }\nhttp { ${folders}\n${site}\n}\n`,
  )
  const checked = spawnSync(PROGRAM, ['-t', '-c', config], { encoding: 'utf8' })
  if (checked.status !== 0) throw new Error(checked.stderr)
  const server = spawn(PROGRAM, ['-c', config], { stdio: 'ignore' })
  const ended = once(server, 'exit')
  await accepts(port)
  return {
    port,
    async stop() {
      server.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

function changed(text: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((sofar, [from, to]) => {
    if (sofar.split(from).length !== 2) throw new Error(`the documented configuration has not one "${from}"`)
    return sofar.replace(from, to)
  }, text)
}

async function accepts(port: number): Promise<void> {
  const end = Date.now() + START_MS
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch (error) {
      if (Date.now() > end) throw error
    } finally {
      socket.destroy()
    }
    await wait(20)
  }
}
