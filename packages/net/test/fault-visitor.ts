/**
 * Meets every fault of the lab, in a process of its own, so that its memory and what it leaves open can be told.
 *
 * usage: node --expose-gc fault-visitor.ts WIDTH REPEATS [WORDS]
 */
import { createNet, type Net } from '../src/context.ts'
import { attempt, honestPlaces, type Outcome, SLACK_MS, type Task, tasks } from './fault-operations.ts'

const MEBIBYTE = 2 ** 20
/** Sockets that were reset are gone a little later. */
const SETTLE_MS = 300
/** On a machine that others use too, one that was late gets another chance, alone. */
const CHANCES = 3

export interface Report {
  outcomes: Outcome[]
  /** After garbage collection: once everything has run with honest servers, and after each round. */
  memory: { rss: number; heap: number }[]
  /** Kinds of handles beyond those before. */
  open: string[]
}

/** So many at once, over all faults. One address has room for ten. */
async function round(net: Net, list: readonly Task[], width: number): Promise<Outcome[]> {
  const rest = list.values()
  const outcomes: Outcome[] = []
  const worker = async () => {
    for (const task of rest) outcomes.push(await attempt(net, task))
  }
  await Promise.all(Array.from({ length: width }, worker))
  return outcomes
}

const isLate = ({ milliseconds, budgetMs }: Outcome) => milliseconds > budgetMs + SLACK_MS

async function again(net: Net, first: Outcome): Promise<Outcome> {
  let outcome = first
  for (let left = CHANCES; isLate(outcome) && left > 0; left--) outcome = await attempt(net, first)
  return outcome
}

function measure(): Report['memory'][number] {
  globalThis.gc?.()
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  return { rss: rss / MEBIBYTE, heap: heapUsed / MEBIBYTE }
}

const [width = '8', repeats = '1', words = ''] = process.argv.slice(2)
const net = createNet({ userAgent: 'Assay-test/1.0' })
const chosen = tasks.filter(({ fault, operation }) => `${fault}, ${operation}`.includes(words))
const before = process.getActiveResourcesInfo()
for (const operation of new Set(chosen.map(task => task.operation))) {
  for (const place of honestPlaces) await attempt(net, { fault: 'none', operation }, place)
}
const memory = [measure()]
const outcomes: Outcome[] = []
for (let more = Number(repeats); more > 0; more--) {
  for (const outcome of await round(net, chosen, Number(width))) outcomes.push(await again(net, outcome))
  memory.push(measure())
}
await new Promise(resolve => setTimeout(resolve, SETTLE_MS))
const open = process.getActiveResourcesInfo()
for (const kind of before) {
  const at = open.indexOf(kind)
  if (at >= 0) open.splice(at, 1)
}
const report: Report = { outcomes, memory, open }
process.stdout.write(JSON.stringify(report))
