import { subdomainFinder } from '@assay/catalogue/dns/subdomain-finder'
import { findRegistrations } from '@assay/catalogue/domain/registration-search'
import { permutationsOf } from '@assay/lib/domain/typosquatting'
import { competeInAll } from './contest.ts'
import { createLabJob, runInLab } from './job.ts'
import type { Row } from './table.ts'

const NAMES = 3_000
const NAMES_MS = 1_000
const WORDS_MS = 2_000

/** What takes lists of names, against what a visitor waits for. The lab's name servers are asked at full speed. */
export const measureRegistered = (): Promise<Row[]> =>
  competeInAll([
    {
      what: 'subdomains of fifty.test, 5,000 words and every other source',
      ours: findSubdomains,
      limitMs: WORDS_MS,
    },
    { what: `${NAMES} permutations of bankofamerica.com looked up`, ours: lookUp, limitMs: NAMES_MS },
  ])

async function findSubdomains(): Promise<void> {
  const result = await runInLab(subdomainFinder, { domain: 'fifty.test' })
  const found = (result as { subdomains: unknown[] }).subdomains.length
  if (found < 50) throw new Error(`only ${found} names were found`)
}

async function lookUp(): Promise<void> {
  const job = createLabJob()
  const names = [...permutationsOf({ label: 'bankofamerica', suffix: 'com' })].map(({ domain }) => domain)
  let known = 0
  for await (const batch of findRegistrations(job.context, names.slice(0, NAMES))) {
    known += batch.filter(({ status }) => status !== 'unknown').length
  }
  job.dispose()
  if (known < NAMES) throw new Error(`of ${NAMES - known} names nothing was heard`)
}
