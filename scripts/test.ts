import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * `npm test`: types, lint, arrows, unused code, then the unit, lab, browser and slow tests; `npm run check` stops
 * before the last three. Each step runs whatever happened before it, and the last line counts everything.
 */
const STEP_MINUTES = 15
/** What computes or waits runs two at a time; browsers run alone. */
const LANES = 2
/** Parts of about the same length, so that both lanes end at about the same time. */
const UNIT_PARTS = 6
/** Each in a lab of its own; what they do most is wait. */
const LAB_PARTS = 5
const SLOW_PARTS = 4
/** After the end of a command, for what it still has in its pipes. */
const LAST_WORDS_MS = 2_000

type Step = () => Promise<void>

const node = process.execPath
const tests = globSync('{packages,apps,lab,scripts,bench}/**/*.test.ts', {
  exclude: path => path.includes('node_modules'),
}).sort()
const ofKind = (kind: string) => tests.filter(path => path.endsWith(`.${kind}.test.ts`))
const unit = tests.filter(path => !/\.(?:lab|browser|slow)\.test\.ts$/.test(path))
const ofPackages = unit.filter(path => path.startsWith('packages/'))
const ofApps = unit.filter(path => !path.startsWith('packages/'))

const counts = { passed: 0, failed: 0 }
const folder = mkdtempSync(join(tmpdir(), 'assay-test-'))

await inLanes([
  suite('unit tests of the apps', ofApps),
  step('types', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']),
  step('types of the pure packages', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.pure.json']),
  step('types of the pages', ['node_modules/typescript/bin/tsc', '-p', 'apps/web/tsconfig.json']),
  step('lint and format', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']),
  step('arrows', ['scripts/arrows.ts']),
  step('unused code', ['node_modules/knip/bin/knip.js', '--no-progress']),
  ...partsOf(ofPackages, UNIT_PARTS).map((files, part) => suite(`unit tests of the packages, part ${part + 1}`, files)),
])
if (process.argv[2] !== 'check') {
  const within = ['lab/src/main.ts', 'run', '--', node]
  await inLanes(
    partsOf(ofKind('lab'), LAB_PARTS).map((files, part) => suite(`lab tests, part ${part + 1}`, files, { within })),
  )
  // The browser is started by a library, which the trap would take for an escape.
  await suite('browser tests', ofKind('browser'), { trapped: false })()
  await inLanes(partsOf(ofKind('slow'), SLOW_PARTS).map((files, part) => suite(`slow tests, part ${part + 1}`, files)))
}

rmSync(folder, { recursive: true })
console.log(`${counts.passed} passed, ${counts.failed} failed`)
process.exitCode = counts.failed ? 1 : 0

/** A command that passes or fails as a whole. */
function step(name: string, args: readonly string[]): Step {
  return async () => {
    const { ok, seconds, said } = await run(args)
    counts[ok ? 'passed' : 'failed']++
    console.log(`${said}${ok ? '✔' : '✖'} ${name} (${seconds} s)`)
  }
}

interface SuiteOptions {
  /** The script that runs node in its surroundings, and its arguments. */
  within?: readonly string[]
  /** Sockets and programs that are not started by packages/net or by a test fail the run. */
  trapped?: boolean
}

/** Test files in one process, counted one by one; a process that dies counts as one more failure. */
function suite(name: string, files: string[], { within = [], trapped = true }: SuiteOptions = {}): Step {
  return async () => {
    if (!files.length) return
    const file = join(folder, name.replaceAll(' ', '-'))
    const here = (path: string) => join(process.cwd(), path)
    const args = [
      ...within,
      ...(trapped ? [`--import=${here('packages/net/src/trap.ts')}`] : []),
      '--test',
      '--test-isolation=none',
      `--test-reporter=${here('scripts/reporter.ts')}`,
      '--test-reporter-destination=stdout',
      ...files,
    ]
    const { ok, seconds, said } = await run(args, { TEST_COUNTS_FILE: file })
    const { passed, failed } = readCounts(file)
    counts.passed += passed
    counts.failed += failed + (ok || failed ? 0 : 1)
    console.log(`${said}${ok ? '✔' : '✖'} ${name}: ${passed} passed, ${failed} failed (${seconds} s)`)
  }
}

/** Takes files in turn, because those of one folder take about as long. */
function partsOf(files: readonly string[], count: number): string[][] {
  return Array.from({ length: count }, (_, part) => files.filter((_, index) => index % count === part))
}

async function inLanes(steps: readonly Step[]): Promise<void> {
  const queue = [...steps]
  const lane = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await next()
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

function readCounts(file: string): { passed: number; failed: number } {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { passed: 0, failed: 0 }
  }
}

interface Run {
  ok: boolean
  seconds: string
  /** Everything it printed, kept together although two run at a time. */
  said: string
}

/** Runs node with these arguments; whatever is not done in time is killed. */
function run(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const start = performance.now()
  const child = spawn(node, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      said += text
    })
  }
  const late = setTimeout(() => {
    said += `Killed after ${STEP_MINUTES} minutes.\n`
    child.kill('SIGKILL')
  }, STEP_MINUTES * 60_000)
  return new Promise(resolve => {
    const end = (status: number | null) => {
      clearTimeout(late)
      resolve({ ok: status === 0, seconds: ((performance.now() - start) / 1000).toFixed(1), said })
    }
    child.on('close', end)
    // A program that a test left behind may hold the pipes open.
    child.on('exit', status => setTimeout(end, LAST_WORDS_MS, status))
  })
}
