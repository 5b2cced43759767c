import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { catalogue } from '@assay/catalogue/catalogue'
import { type Action, defaultPanels, Problem, performed, type Raw } from '@assay/kit'
import { canary, faultHost } from '@assay/lab/faults'
import { host } from '@assay/lab/inventory'
import { createNet } from '@assay/net/context'

/** Every tool that asks others, as shipped, asked of servers that mean harm; and WHOIS of names whose registries do. */
if (process.env.LAB !== '1') throw new Error('these tests run inside the lab: npm run lab -- run COMMAND')

/** For one run, and what it may take beyond. */
const WALL_MS = 1_000
const SLACK_MS = 250
const WIDTH = 10
/** On a machine that others use too, one that was late gets another chance, alone. */
const CHANCES = 3

const harmful = [
  ...['mute', 'reset', 'control', 'flood', 'drip', 'cut'],
  ...['dns-control', 'dns-long', 'dns-many', 'dns-many-servers', 'dns-loop', 'dns-aliases', 'dns-opcode'],
  ...['tls-drip', 'tls-giant-chain', 'tls-broken-certificate'],
  ...['http-gzip', 'http-body', 'http-tiny-chunks', 'http-wrong-json', 'http-loop', 'http-headers', 'h2-bomb'],
]
const registered = [
  ...['endless', 'loop', 'huge', 'mute', 'markup', 'inward', 'inward-name', 'inward-link', 'inward-redirect', 'latin'],
]

interface Case {
  id: string
  fault: string
  action: Action
  raw: Raw
}

interface Outcome {
  case: Case
  milliseconds: number
  /** Undefined when all is well. */
  fault?: string
  words?: string
}

const net = createNet({ userAgent: 'Assay-test/1.0' })
const served = catalogue.filter(({ runs }) => runs === 'server')

/** The tool's own example, with the server in place of the one it is about. */
function caseOf(id: string, action: Action, fault: string): Case {
  const name = fault.startsWith('dns-') ? `zone.${faultHost(fault)}` : faultHost(fault)
  const address = host(faultHost(fault)).v4[0] ?? ''
  const places = { domain: name, host: name, holding: name, ip: address, url: `https://${name}/` }
  const target = Object.entries(action.fields).flatMap(([field, { kind }]) =>
    Object.hasOwn(places, kind) ? [[field, places[kind as keyof typeof places]] as const] : [],
  )
  return { id, fault, action, raw: { ...action.examples[0]?.input, ...Object.fromEntries(target) } as Raw }
}

async function run(one: Case): Promise<Outcome> {
  const job = net.createJob({ kind: 'scan', limits: { wallMs: WALL_MS } })
  const start = performance.now()
  const took = () => performance.now() - start
  try {
    const { input, result } = await performed(one.action, one.raw, job.context)
    const milliseconds = took()
    const panels = one.action.show?.(result, input) ?? defaultPanels(result)
    if (!Array.isArray(panels) || !JSON.stringify([panels, result]))
      return { case: one, milliseconds, fault: 'no panels' }
    one.action.terminal?.(input, result)
    return { case: one, milliseconds }
  } catch (error) {
    const milliseconds = took()
    if (!(error instanceof Problem)) return { case: one, milliseconds, fault: String((error as Error)?.stack ?? error) }
    return { case: one, milliseconds, words: [error.message, error.detail].filter(Boolean).join(' | ') }
  } finally {
    job.dispose()
  }
}

const isLate = ({ milliseconds }: Outcome) => milliseconds > WALL_MS + SLACK_MS
const told = (outcomes: readonly Outcome[]) =>
  outcomes.map(({ case: { id, fault }, milliseconds, fault: wrong, words }) => [
    id,
    fault,
    Math.round(milliseconds),
    wrong ?? words,
  ])

let outcomes: Outcome[]
before(async () => {
  const cases = served.flatMap(({ id, actions }) =>
    actions.flatMap(action => harmful.map(fault => caseOf(id, action, fault))),
  )
  const whois = served.find(({ id }) => id === 'whois')?.actions[0] ?? assert.fail()
  for (const name of registered) {
    const [field = ''] = Object.keys(whois.fields)
    cases.push({ id: 'whois', fault: `${name}.test`, action: whois, raw: { [field]: `${name}.test` } })
  }
  const rest = cases.values()
  outcomes = []
  const worker = async () => {
    for (const one of rest) outcomes.push(await run(one))
  }
  await Promise.all(Array.from({ length: WIDTH }, worker))
  for (const [at, first] of outcomes.entries()) {
    for (let left = CHANCES, one = first; isLate(one) && left > 0; left--) outcomes[at] = one = await run(first.case)
  }
})

test('security X4: every tool ends in time, whoever it asks', () => {
  assert.ok(outcomes.length > 20 * harmful.length)
  assert.deepEqual(told(outcomes.filter(isLate)), [])
})

test('security H1 to H4: every tool gives a result with panels, or a problem', () => {
  assert.deepEqual(told(outcomes.filter(({ fault }) => fault !== undefined)), [])
})

test('security H8: a problem is a sentence of ours', () => {
  const problems = outcomes.filter(({ words }) => words !== undefined)
  assert.ok(problems.length > 50)
  assert.deepEqual(
    told(problems.filter(({ words = '' }) => !/^[A-Z][ -~]{5,400}$/.test(words) || words.includes(canary))),
    [],
  )
})
