import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@assay/lib/dns/dnssec'
import { parseTrustAnchors } from '@assay/lib/dns/trust-anchors'
import { createNet } from '@assay/net/context'
import { compete } from './contest.ts'
import { run } from './program.ts'
import type { Row } from './table.ts'

const NAME = 'www.good.test'
/** A resolver of the lab. */
const RESOLVER = '8.8.8.8'

/**
 * One name validated with nothing remembered, questions included. Ours goes to the name servers themselves; delv asks a
 * resolver that has everything at hand by then, and the time of its start is taken off.
 */
export const measureDnssec = (): Promise<Row[]> =>
  compete({
    what: `${NAME} A, validated from the root down`,
    ours: validate,
    peers: [{ name: 'delv, less its start', work: delv, goal: 1 }],
    rounds: 9,
  })

async function validate(): Promise<void> {
  const trustAnchors = readFileSync(process.env.LAB_TRUST_ANCHOR ?? '', 'utf8')
  const job = createNet({ userAgent: 'Assay-bench/1', trustAnchors }).createJob({ kind: 'lookup' })
  const { ask, anchors } = job.context.dnssec
  const now = job.context.now().getTime() / 1000
  const { state } = await new Validator({ ask, anchors: parseTrustAnchors(anchors), now }).validate(`${NAME}.`, 'A')
  job.dispose()
  if (state !== 'secure') throw new Error(`${NAME} was found ${state}`)
}

async function delv(): Promise<number> {
  const start = performance.now()
  await run('delv', ['-v'])
  const started = performance.now()
  const output = await run('delv', ['-a', join(process.env.LAB_DIR ?? '', 'bind.anchor'), `@${RESOLVER}`, NAME, 'A'])
  if (!output.includes('fully validated')) throw new Error('delv did not validate')
  return performance.now() - started - (started - start)
}
