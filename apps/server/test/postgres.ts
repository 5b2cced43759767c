import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

const PROGRAMS = '/usr/lib/postgresql'
const START_MS = 20_000
const USER = 'postgres'

export interface TestPostgres {
  /** The address of a new, empty database. */
  create(): Promise<string>
  /** Runs one statement as the owner of everything. */
  execute(sql: string): Promise<void>
  /** Stops every process of the server where it stands, or lets them go on. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

/** The folder of Debian's server programs, if the package is installed. */
export const postgresPrograms: string | undefined = existsSync(PROGRAMS)
  ? readdirSync(PROGRAMS)
      .map(version => join(PROGRAMS, version, 'bin'))
      .find(folder => existsSync(join(folder, 'initdb')))
  : undefined

/** A PostgreSQL server for one test file, on a socket in a temporary folder that belongs to an unprivileged user. */
export async function startPostgres(programs: string): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-pg-'))
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const options = { cwd: folder, stdio: 'ignore', ...owner } as const
  const made = spawnSync(join(programs, 'initdb'), ['-D', data, '-U', USER, '-A', 'trust', '-N', '-E', 'UTF8'], options)
  if (made.status !== 0) throw new Error(`initdb ended with ${made.status}`)
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off', 'max_connections=60']
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...settings.flatMap(text => ['-c', text])], options)
  const addressOf = (name: string) => `postgresql://${USER}@/${name}?host=${encodeURIComponent(folder)}`
  const execute = async (sql: string) => {
    const client = new pg.Client({ connectionString: addressOf('postgres') })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  await answers(execute)
  let databases = 0
  return {
    execute,
    async create() {
      const name = `trial${++databases}`
      await execute(`create database ${name}`)
      return addressOf(name)
    },
    freeze: () => signalAll(server, 'SIGSTOP'),
    thaw: () => signalAll(server, 'SIGCONT'),
    async stop() {
      const ended = new Promise(resolve => server.once('exit', resolve))
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

const idOf = (flag: '-u' | '-g') => Number(spawnSync('id', [flag, USER], { encoding: 'utf8' }).stdout)

async function answers(execute: (sql: string) => Promise<void>): Promise<void> {
  const end = Date.now() + START_MS
  for (;;) {
    try {
      return await execute('select 1')
    } catch (error) {
      if (Date.now() > end) throw error
    }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** The server is a process with one child a connection. */
function signalAll({ pid }: ChildProcess, signal: 'SIGSTOP' | 'SIGCONT'): void {
  if (pid === undefined) return
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  for (const id of [pid, ...children.map(Number).filter(Boolean)]) {
    try {
      process.kill(id, signal)
    } catch {
      // A connection ended in the meantime.
    }
  }
}
