// Prepares a clone for `npm start`, `npm test`, `npm run dev` and `npm run check`. Plain JavaScript that any Node from
// 18 on can run, because it may be what installs the newer one.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const RUNTIME_MAJOR = 24
/** What the built pages depend on; the build is repeated when one of these files changes. */
const WEB_SOURCES = ['apps/web', 'packages/kit', 'packages/lib', 'packages/catalogue', 'content', 'package-lock.json']
/** The settings that are written into the pages when they are built; the server puts in the others. */
const WEB_SETTINGS = ['ASSAY_BRAND', 'ASSAY_AUTH_BASE']

const purpose = process.argv[2] ?? 'start'
process.chdir(root)
installPackages()
checkRuntime()
if (purpose === 'test') installPrograms()
if (purpose !== 'check') buildWeb()

/** `npm ci` when the lock file is not the one that was installed. No package runs a script of its own. */
function installPackages() {
  const lock = hash(['package-lock.json'])
  const mark = 'node_modules/.assay-lock'
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], 'install the npm packages')
  writeFileSync(mark, lock)
}

/** npm puts node_modules/.bin first on the path, so its scripts use the runtime that came with the packages. */
function checkRuntime() {
  const { stdout } = spawnSync(runtime(), ['--version'], { encoding: 'utf8' })
  const major = Number(/^v(\d+)/.exec(stdout ?? '')?.[1])
  if (major >= RUNTIME_MAJOR) return
  fail(
    `Assay needs Node ${RUNTIME_MAJOR} or newer, and no packaged one exists for ${process.platform} ${process.arch}. Install it and try again.`,
  )
}

function runtime() {
  const packaged = join('node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  return existsSync(packaged) ? packaged : process.execPath
}

/** The Debian programs that the lab, the browser tests and the second opinions need. */
function installPrograms() {
  const wanted = ['lab/packages.txt', 'scripts/packages.txt'].flatMap(file =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map(line => line.replace(/#.*/, '').trim())
      .filter(Boolean),
  )
  const missing = [...new Set(wanted)].filter(name => !isInstalled(name))
  if (!missing.length) return
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) {
    console.error(`Tests that need these Debian packages will fail: ${missing.join(' ')}`)
    return
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  console.error(`Installing ${missing.length} Debian packages for the tests`)
  run('apt-get', ['update', '-qq'], 'read the list of Debian packages', env)
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], 'install Debian packages', env)
}

function isInstalled(name) {
  const { stdout } = spawnSync('dpkg', ['-s', name], { encoding: 'utf8' })
  return Boolean(stdout?.includes('Status: install ok installed'))
}

function buildWeb() {
  const state = hash(WEB_SOURCES, JSON.stringify(WEB_SETTINGS.map(name => process.env[name] ?? '')))
  const mark = 'apps/web/dist/.sources'
  if (existsSync(mark) && readFileSync(mark, 'utf8') === state) return
  run(runtime(), ['apps/web/build.ts'], 'build the pages')
  mkdirSync('apps/web/dist', { recursive: true })
  writeFileSync(mark, state)
}

/** One hash over files and folders; built and installed files do not count. */
function hash(paths, more = '') {
  const sum = createHash('sha256').update(more)
  for (const path of paths.flatMap(filesBelow).sort())
    sum.update(path).update('\0').update(readFileSync(path)).update('\0')
  return sum.digest('hex')
}

function filesBelow(path) {
  if (!existsSync(path)) return []
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
      .flatMap(({ name }) => filesBelow(`${path}/${name}`))
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path]
    throw error
  }
}

function run(command, args, what, env = process.env) {
  // Everything goes to stderr: what the script that follows prints on stdout stays its own.
  const { status, error } = spawnSync(command, args, {
    stdio: ['ignore', 2, 2],
    env,
    shell: process.platform === 'win32',
  })
  if (status !== 0)
    fail(`Could not ${what}: \`${command} ${args.join(' ')}\` ${error ? error.message : `ended with ${status}`}.`)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
