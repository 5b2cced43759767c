import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * `npm test`: types, lint, arrows, unused code, then the unit, lab, browser and slow tests; `npm run check` stops
 * before the last three. Each step runs whatever happened before it, and the last line counts everything.
 */
const STEP_MINUTES = 15

const node = process.execPath
const tests = globSync('{packages,apps,lab,scripts,bench}/**/*.test.ts', {
  exclude: path => path.includes('node_modules'),
}).sort()
const ofKind = (kind: string) => tests.filter(path => path.endsWith(`.${kind}.test.ts`))
const unit = tests.filter(path => !/\.(?:lab|browser|slow)\.test\.ts$/.test(path))
const inLab = ofKind('lab')

const counts = { passed: 0, failed: 0 }
const folder = mkdtempSync(join(tmpdir(), 'assay-test-'))

step('types', [node, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'])
step('types of the pure packages', [node, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.pure.json'])
step('types of the pages', [node, 'node_modules/typescript/bin/tsc', '-p', 'apps/web/tsconfig.json'])
step('lint and format', [node, 'node_modules/@biomejs/biome/bin/biome', 'check', '.'])
step('arrows', [node, 'scripts/arrows.ts'])
step('unused code', [node, 'node_modules/knip/bin/knip.js', '--no-progress'])
suite(
  'unit tests of the packages',
  unit.filter(path => path.startsWith('packages/')),
)
suite(
  'unit tests of the apps',
  unit.filter(path => !path.startsWith('packages/')),
)
if (process.argv[2] !== 'check') {
  suite('lab tests', inLab, { within: [node, 'lab/src/main.ts', 'run', '--'] })
  // The browser is started by a library, which the trap would take for an escape.
  suite('browser tests', ofKind('browser'), { trapped: false })
  suite('slow tests', ofKind('slow'))
}

rmSync(folder, { recursive: true })
console.log(`${counts.passed} passed, ${counts.failed} failed`)
process.exitCode = counts.failed ? 1 : 0

/** A command that passes or fails as a whole. */
function step(name: string, [command, ...args]: [string, ...string[]]) {
  const { ok, seconds } = run(name, command, args)
  counts[ok ? 'passed' : 'failed']++
  console.log(`${ok ? '✔' : '✖'} ${name} (${seconds} s)`)
}

interface SuiteOptions {
  /** The command that runs node in its surroundings. */
  within?: readonly string[]
  /** Sockets and programs that are not started by packages/net or by a test fail the run. */
  trapped?: boolean
}

/** Test files in one process, counted one by one; a process that dies counts as one more failure. */
function suite(name: string, files: string[], { within = [], trapped = true }: SuiteOptions = {}) {
  if (!files.length) return
  const file = join(folder, name.replaceAll(' ', '-'))
  const here = (path: string) => join(process.cwd(), path)
  const [command = node, ...args] = [
    ...within,
    node,
    ...(trapped ? [`--import=${here('packages/net/src/trap.ts')}`] : []),
    '--test',
    '--test-isolation=none',
    `--test-reporter=${here('scripts/reporter.ts')}`,
    '--test-reporter-destination=stdout',
    ...files,
  ]
  const { ok, seconds } = run(name, command, args, { TEST_COUNTS_FILE: file })
  const { passed, failed } = readCounts(file)
  counts.passed += passed
  counts.failed += failed + (ok || failed ? 0 : 1)
  console.log(`${ok ? '✔' : '✖'} ${name}: ${passed} passed, ${failed} failed (${seconds} s)`)
}

function readCounts(file: string): { passed: number; failed: number } {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { passed: 0, failed: 0 }
  }
}

function run(name: string, command: string, args: string[], env: Record<string, string> = {}) {
  const start = performance.now()
  const { status, error } = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
    timeout: STEP_MINUTES * 60_000,
    killSignal: 'SIGKILL',
  })
  if (error) console.error(`${name}: ${error.message}`)
  return { ok: status === 0, seconds: ((performance.now() - start) / 1000).toFixed(1) }
}
