import { createHash } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { best, mebibytesPerSecond } from './contest.ts'
import { CHROMIUM, CHROMIUM_FLAGS, serveSite } from './site.ts'
import type { Row } from './table.ts'

const MIB = 1_048_576
const FILE_MIB = 256
const RUN_SECONDS = 120
const GOAL_RATE = 300
/** How far the memory of all processes of the browser may swing while the file goes through and still be flat. */
const FLAT_MIB = 128
/** SHA-256 of a file on its page, as a visitor does it: chosen, run in the worker, the result read off the page. */
export async function measureBrowser(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-browser-'))
  const site = await serveSite()
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS })
  try {
    const file = join(folder, 'large.bin')
    const expected = writeLargeFile(file)
    const page = await browser.newPage()
    // The field takes a file once the page has come alive.
    await page.goto(`${site.base}/hash-generators-and-checksum/file-checksum/`, { waitUntil: 'networkidle' })
    await page.setInputFiles('input[type=file]', file)
    const shown = page.getByText(expected).first()
    const run = async () => {
      const start = performance.now()
      await page.getByRole('button', { name: 'Run Tool' }).click()
      await shown.waitFor({ state: 'hidden' })
      await shown.waitFor({ timeout: RUN_SECONDS * 1000 })
      return performance.now() - start
    }
    // The first run also loads the tool.
    await run()
    const times: number[] = []
    for (let i = 0; i < 3; i++) times.push(await run())
    // Reading the memory of all processes takes time of its own, so it has a run of its own.
    let [least, most] = [Number.POSITIVE_INFINITY, 0]
    const watch = setInterval(() => {
      const now = residentMib()
      ;[least, most] = [Math.min(least, now), Math.max(most, now)]
    }, 100)
    await run()
    clearInterval(watch)
    const growth = most - least
    const ours = mebibytesPerSecond(FILE_MIB * MIB, Math.min(...times))
    const theirs = mebibytesPerSecond(FILE_MIB * MIB, await best(3, () => hashFile(file)))
    return [
      {
        what: `SHA-256 of a file of ${FILE_MIB} MiB in Chromium's worker`,
        ours: `${ours.toFixed(0)} MiB/s`,
        against: 'node:crypto, same file',
        theirs: `${theirs.toFixed(0)} MiB/s`,
        ratio: ours / theirs,
        goal: 'at least 0.4',
        holds: ours / theirs >= 0.4,
      },
      {
        what: 'the same, absolute',
        ours: `${ours.toFixed(0)} MiB/s`,
        against: 'goal',
        theirs: `${GOAL_RATE} MiB/s`,
        ratio: ours / GOAL_RATE,
        goal: 'at least 1',
        holds: ours >= GOAL_RATE,
      },
      {
        what: 'growth of memory meanwhile',
        ours: `${growth.toFixed(0)} MiB`,
        against: 'flat',
        theirs: `${FLAT_MIB} MiB`,
        ratio: growth / FLAT_MIB,
        goal: 'at most 1',
        holds: growth <= FLAT_MIB,
      },
    ]
  } finally {
    await browser.close()
    await site.close()
    rmSync(folder, { recursive: true })
  }
}

function writeLargeFile(path: string): string {
  const block = new Uint8Array(MIB).map((_, i) => (i * 2_654_435_761) >>> 24)
  const sum = createHash('sha256')
  const file = openSync(path, 'w')
  for (let i = 0; i < FILE_MIB; i++) {
    block[0] = i
    writeSync(file, block)
    sum.update(block)
  }
  closeSync(file)
  return sum.digest('hex')
}

const hashFile = (path: string) => createHash('sha256').update(readFileSync(path)).digest()

/** Resident memory of this process's descendants, which are the browser's. */
function residentMib(): number {
  const stats = readdirSync('/proc').flatMap(entry => (/^\d+$/.test(entry) ? [statOf(entry)] : []))
  const mine = new Set([process.pid])
  let pages = 0
  for (let grown = true; grown; ) {
    grown = false
    for (const stat of stats) {
      if (!stat || mine.has(stat.pid) || !mine.has(stat.parent)) continue
      mine.add(stat.pid)
      pages += stat.pages
      grown = true
    }
  }
  return (pages * 4096) / MIB
}

function statOf(pid: string): { pid: number; parent: number; pages: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ')
    return { pid: Number(pid), parent: Number(fields[1]), pages: Number(fields[21]) }
  } catch {
    // The process ended between the listing and the reading.
    return undefined
  }
}
