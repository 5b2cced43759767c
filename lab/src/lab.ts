import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** The programs without which there is no lab; lab/packages.txt names the packages they come in. */
const programs = [
  ...['unshare', 'nsenter', 'ip', 'nft', 'mount', 'openssl', 'dnssec-signzone'],
  ...['knotd', 'unbound', 'named', 'dnsdist', 'nginx', '/usr/bin/python3'],
]

const searchPath = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`
const logTailCharacters = 6000

/** No lab can be had on this machine. */
export class LabUnavailable extends Error {}

/** The lab did not come up, or went down by itself. */
export class LabFailed extends Error {}

export interface Lab {
  readonly folder: string
  /** Settles, with the reason, if the lab ends before it is taken down. */
  readonly ended: Promise<string>
  enter(line: readonly string[], options?: EnterOptions): ChildProcess
  down(): void
}

export interface EnterOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly stdio?: 'inherit' | 'ignore'
}

/** Where `up`, `exec` and `down` find the lab when LAB_DIR does not say. */
export function defaultFolder(): string {
  return process.env.LAB_DIR ?? path.join(os.tmpdir(), `lab-${os.userInfo().uid}`)
}

/**
 * Builds the lab and waits until every server in it answers. A lab that is `tied` ends with the process that called;
 * the other kind stays until someone takes it down.
 */
export async function up(folder: string, { tied }: { readonly tied: boolean }): Promise<Lab> {
  assertPossible()
  prepareFolder(folder)
  const logFile = path.join(folder, 'lab.log')
  const log = fs.openSync(logFile, 'a')
  const leader = spawn(
    'unshare',
    [
      ...userNamespace(),
      ...['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
      ...[process.execPath, path.join(import.meta.dirname, 'inside.ts'), folder],
      ...(tied ? ['tied'] : []),
    ],
    { stdio: ['ignore', log, log, 'ipc'], detached: true, env: { ...process.env, PATH: searchPath } },
  )
  fs.closeSync(log)
  const ended = once(leader, 'exit').then(() => fs.readFileSync(logFile, 'utf8').slice(-logTailCharacters))
  const first = await Promise.race([once(leader, 'message').then(() => 'ready' as const), ended])
  if (first !== 'ready') throw new LabFailed(`the lab did not come up:\n${first}`)
  const id = leader.pid ?? 0
  fs.writeFileSync(path.join(folder, 'leader'), `${id} ${startTime(id)}\n`)
  if (!tied) {
    leader.disconnect()
    leader.unref()
  }
  return running(folder, id, ended)
}

/** Builds a lab, does the work in it, and takes it down whatever happens. The folder is LAB_DIR, or one that goes too. */
export async function withLab<Result>(work: (lab: Lab) => Promise<Result>): Promise<Result> {
  const given = process.env.LAB_DIR
  const folder = given ?? fs.mkdtempSync(path.join(os.tmpdir(), 'lab-'))
  try {
    const lab = await up(folder, { tied: true })
    const ended = lab.ended.then(log => {
      throw new LabFailed(`the lab went down:\n${log}`)
    })
    try {
      return await Promise.race([work(lab), ended])
    } finally {
      lab.down()
    }
  } finally {
    if (given === undefined) fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** Says why there is no lab, and gives the exit code that says it to programs: 78 and 70, as sysexits.h has them. */
export function explain(error: unknown): number {
  if (error instanceof LabUnavailable) {
    console.error(`LAB UNAVAILABLE: ${error.message}`)
    return 78
  }
  if (error instanceof LabFailed) {
    console.error(`LAB FAILED: ${error.message}`)
    return 70
  }
  throw error
}

/** The lab that is up in the folder. */
export function find(folder: string): Lab | undefined {
  const id = leaderOf(folder)
  return id === undefined ? undefined : running(folder, id, new Promise(() => {}))
}

/** What a program in the lab finds in its environment. */
export function environment(folder: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: searchPath,
    LAB: '1',
    LAB_DIR: folder,
    LAB_TRUST_ANCHOR: path.join(folder, 'root.anchor'),
    ASSAY_TRUST_ANCHORS: path.join(folder, 'root.anchor'),
    LAB_CA: path.join(folder, 'tls/ca.pem'),
    NODE_EXTRA_CA_CERTS: path.join(folder, 'tls/ca.pem'),
    SSL_CERT_FILE: path.join(folder, 'tls/ca.pem'),
  }
}

/** Settles with the exit code as a shell would give it. */
export async function exitCode(child: ChildProcess): Promise<number> {
  const [code, signal] = await once(child, 'exit')
  return typeof code === 'number' ? code : 128 + (os.constants.signals[signal as NodeJS.Signals] ?? 0)
}

function running(folder: string, id: number, ended: Promise<string>): Lab {
  return {
    folder,
    ended,
    enter(line, { env = {}, stdio = 'inherit' } = {}) {
      const user = process.getuid?.() === 0 ? [] : ['--user', '--preserve-credentials']
      return spawn(
        'nsenter',
        [
          ...['--target', String(firstChild(id)), ...user, '--mount', '--net', '--pid', '--'],
          ...['env', `--chdir=${process.cwd()}`, ...line],
        ],
        { stdio, env: { ...environment(folder), ...env } },
      )
    },
    down() {
      try {
        // The kernel ends the child with its parent (unshare --kill-child), and with the child everything in the lab.
        process.kill(id, 'SIGKILL')
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
      }
      fs.rmSync(path.join(folder, 'leader'), { force: true })
    },
  }
}

function userNamespace(): string[] {
  return process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
}

function assertPossible(): void {
  if (process.platform !== 'linux') throw new LabUnavailable('network namespaces are a matter of Linux')
  const missing = programs.filter(name => !searchPath.split(':').some(folder => isProgram(path.resolve(folder, name))))
  if (missing.length > 0) {
    const list = path.join(import.meta.dirname, '../packages.txt')
    throw new LabUnavailable(`programs are missing: ${missing.join(' ')} (Debian packages: ${list})`)
  }
  const flags = ['--mount', '--net', '--pid', '--fork', '--mount-proc']
  const line = ['ip', 'link', 'add', 'probe', 'type', 'veth']
  const probe = spawnSync('unshare', [...userNamespace(), ...flags, ...line], {
    encoding: 'utf8',
    env: { ...process.env, PATH: searchPath },
    timeout: 5000,
  })
  if (probe.status !== 0) throw new LabUnavailable(`no namespaces here: ${probe.stderr.trim() || probe.error}`)
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** An empty folder for the lab. Only what an earlier lab left is removed. */
function prepareFolder(folder: string): void {
  if (leaderOf(folder) !== undefined) throw new LabFailed(`a lab is already up in ${folder}`)
  const mark = path.join(folder, 'lab.log')
  if (fs.existsSync(folder) && fs.readdirSync(folder).length > 0) {
    if (!fs.existsSync(mark)) throw new LabFailed(`${folder} is not empty and not a lab's`)
    fs.rmSync(folder, { recursive: true })
  }
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(mark, '')
}

/** The process id of the lab's leader, if that very process still runs. */
function leaderOf(folder: string): number | undefined {
  try {
    const [id, started] = fs.readFileSync(path.join(folder, 'leader'), 'utf8').trim().split(' ')
    return startTime(Number(id)) === started ? Number(id) : undefined
  } catch {
    return undefined
  }
}

/** Field 22 of proc_pid_stat(5), which tells a process from a later one with the same id. */
function startTime(id: number): string {
  const stat = fs.readFileSync(`/proc/${id}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')')).split(' ')[20] ?? ''
}

function firstChild(id: number): number {
  return Number(fs.readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').trim().split(' ')[0])
}
