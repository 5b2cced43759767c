import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CHROMIUM, CHROMIUM_FLAGS, serveSite } from './site.ts'
import type { Row } from './table.ts'

/** Fetched by npm for the measure alone; it would triple what a clone installs. */
const LIGHTHOUSE = 'lighthouse@13.5.0'
const TIMEOUT_MS = 180_000
const PAGE = '/hash-generators-and-checksum/sha/'
const KINDS = ['performance', 'accessibility', 'best-practices', 'seo']

/** Lighthouse on a tool page, as it simulates a slow telephone. */
export async function measureLighthouse(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-lighthouse-'))
  const site = await serveSite()
  try {
    const report = join(folder, 'report.json')
    const flags = ['--quiet', '--output=json', `--output-path=${report}`, `--chrome-flags=${CHROMIUM_FLAGS.join(' ')}`]
    const args = ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', `${site.base}${PAGE}`, ...flags]
    await promisify(execFile)('npm', args, { timeout: TIMEOUT_MS, env: { ...process.env, CHROME_PATH: CHROMIUM } })
    const { categories } = JSON.parse(readFileSync(report, 'utf8')) as { categories: Record<string, { score: number }> }
    return KINDS.map(kind => {
      const score = Math.round((categories[kind]?.score ?? 0) * 100)
      return {
        what: `Lighthouse, ${kind}`,
        ours: `${score}`,
        against: 'full marks',
        theirs: '100',
        ratio: score / 100,
        goal: '1',
        holds: score === 100,
      }
    })
  } finally {
    await site.close()
    rmSync(folder, { recursive: true })
  }
}
