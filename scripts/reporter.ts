import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/**
 * A reporter for many small tests: a line a file that went well, every failure in full, and the counts appended to
 * the file that TEST_COUNTS_FILE names.
 */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for await (const { type, data } of source) {
    if (type === 'test:pass' && data.details.type !== 'suite') {
      if (data.skip === undefined) counts.passed++
      else counts.skipped++
    }
    if (type === 'test:fail' && data.details.type !== 'suite') {
      counts.failed++
      const { error } = data.details
      const cause =
        error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : String(error.cause ?? error.message)
      yield `✖ ${data.name}\n  ${data.file ? relative('.', data.file) : ''}:${data.line ?? ''}\n${cause.replace(/^/gm, '    ')}\n`
    }
    if (type === 'test:stderr' || type === 'test:stdout') yield data.message
  }
  yield `  ${counts.passed} passed, ${counts.failed} failed${counts.skipped ? `, ${counts.skipped} skipped` : ''}\n`
  const file = process.env.TEST_COUNTS_FILE
  if (file) appendFileSync(file, `${JSON.stringify(counts)}\n`)
}
