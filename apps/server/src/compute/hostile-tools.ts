import { spawnSync } from 'node:child_process'
import { pbkdf2Sync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { type Cost, field, Problem, tool } from '@assay/kit'

/** Tools as bad as they come, for tests: loops without end, memory without bound, faults, and some that behave. */

const dear = (): Cost => ({ milliseconds: 100, megabytes: 1 })
const head = (id: string) => ({
  id,
  path: id,
  title: id,
  category: 'attack-demos-and-analysis' as const,
  summary: 'A tool for tests.',
  keywords: [id],
  specs: [],
  runs: 'anywhere' as const,
  examples: [],
})

const spins = {
  loop: () => {
    for (;;);
  },
  // Terminating a thread does not stop this one.
  pbkdf2: () => pbkdf2Sync('password', 'salt', 2 ** 31 - 1, 64, 'sha512'),
  // Backtracks through every way to split the text. The text is not a literal, so that the engine cannot see the end.
  regex: () => /^(?:a+)+$/.test(`${'a'.repeat(40)}b`),
  bigint: () => 3n ** (2n ** 28n),
  async: async () => new Promise(() => {}),
}

const allocations = {
  heap: () => {
    const kept: unknown[] = []
    for (;;) kept.push(new Array(1000).fill(Math.PI), {})
  },
  buffers: () => {
    const kept: Uint8Array[] = []
    for (;;) kept.push(new Uint8Array(8_388_608).fill(1))
  },
  json: () => JSON.parse(`[${'[],'.repeat(60_000_000)}0]`),
}

const spin = tool({
  ...head('spin'),
  fields: { how: field.choice('How', ['loop', 'pbkdf2', 'regex', 'bigint', 'async']) },
  cost: dear,
  run: async ({ how }) => ({ done: String(await spins[how]()) }),
})

const hoard = tool({
  ...head('hoard'),
  fields: { how: field.choice('How', ['heap', 'buffers', 'json']) },
  cost: dear,
  run: ({ how }) => ({ done: String(allocations[how]()) }),
})

/** What a child may reach; it should be nothing. */
const breakout = tool({
  ...head('breakout'),
  fields: {},
  cost: dear,
  run: () => ({
    file: outcome(() => readFileSync('/etc/hostname', 'utf8')),
    child: outcome(() => {
      const { error } = spawnSync('true')
      if (error) throw error
    }),
    worker: outcome(() => new Worker('', { eval: true })),
    environment: Object.keys(process.env).filter(name => !name.startsWith('NODE_')).length,
    fetch: 'fetch' in globalThis,
    proto: Object.hasOwn(Object.prototype, '__proto__'),
  }),
})

function outcome(attempt: () => unknown): string {
  try {
    attempt()
    return 'allowed'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

const steps = tool({
  ...head('steps'),
  fields: {
    count: field.number('Count', { min: 1, max: 50, default: 3 }),
    wait: field.number('Wait', { min: 0, max: 10_000, default: 60 }),
  },
  cost: dear,
  show: ({ seen }) => [{ kind: 'code', code: seen.join(' ') }],
  async *run({ count, wait }) {
    const seen: number[] = []
    for (let step = 1; step <= count; step++) {
      await new Promise(resolve => setTimeout(resolve, wait))
      seen.push(step)
      yield { progress: step / count, label: `step ${step}`, partial: { seen: [...seen] } }
    }
    return { seen }
  },
})

const bug = tool({
  ...head('bug'),
  fields: { input_text: field.text('Text'), inline: field.flag('Inline') },
  cost: ({ inline }) => (inline ? { milliseconds: 0, megabytes: 0 } : dear()),
  run: ({ input_text }): object => {
    throw new Error(`a fault that holds ${input_text}`)
  },
})

const refuse = tool({
  ...head('refuse'),
  fields: {
    code: field.choice('Code', ['not-found', 'refused', 'timeout', 'busy', 'unreachable', 'unsupported', 'limited']),
  },
  run: ({ code }): object => {
    throw new Problem(code, 'No DNS records found', { detail: 'More on it.' })
  },
})

const count = tool({
  ...head('count'),
  fields: {
    label: field.text('Label', { optional: true }),
    key: field.password('Key', { optional: true }),
    file: field.file('File'),
  },
  cost: dear,
  async run({ label, file }) {
    let bytes = 0
    for await (const chunk of file.stream()) bytes += chunk.length
    return { label: label ?? null, name: file.name, bytes }
  },
})

const two = tool({
  ...head('two'),
  fields: { first: field.file('First'), second: field.file('Second') },
  cost: dear,
  async run({ first, second }) {
    const sizes = []
    for (const file of [first, second]) {
      let bytes = 0
      for await (const chunk of file.stream()) bytes += chunk.length
      sizes.push(bytes)
    }
    return { sizes }
  },
})

const price = tool({
  ...head('price'),
  fields: {
    milliseconds: field.number('Milliseconds', { min: 0, max: 1_000_000, default: 1 }),
    megabytes: field.number('Megabytes', { min: 0, max: 100_000, default: 1 }),
  },
  cost: input => input,
  run: () => ({ pid: process.pid }),
})

const look = tool({
  ...head('look'),
  runs: 'server' as const,
  lookups: ['look/{domain}', 'look/{domain}/{selector}'],
  fields: {
    domain: field.domain('Domain'),
    selector: field.text('Selector', { optional: true }),
    token: field.password('Token', { optional: true }),
    type: field.choice('Type', ['A', 'MX']),
  },
  async run({ domain, selector, type }, { dns }) {
    const { status } = await dns.resolve(domain, type)
    return { domain, selector: selector ?? null, type, status }
  },
})

const sweep = tool({
  ...head('sweep'),
  runs: 'server' as const,
  weight: 'scan' as const,
  lookups: ['sweep/{target}'],
  fields: { target: field.host('Target') },
  async *run({ target }, { tcp }) {
    const ports: number[] = []
    for await (const { port } of tcp.scan(target, [80, 443])) {
      ports.push(port)
      yield { progress: ports.length / 2, partial: { target, ports } }
    }
    return { target, ports }
  },
})

const site = tool({
  ...head('site'),
  runs: 'server' as const,
  lookups: ['site/{url}'],
  fields: { url: field.url('Address') },
  run: ({ url }) => ({ url }),
})

/** A second tool that claims the address of the first. */
const alias = tool({
  ...head('alias'),
  runs: 'server',
  lookups: ['look/{domain}'],
  fields: { domain: field.domain('Domain') },
  run: ({ domain }) => ({ alias: domain }),
})

export const actions = [alias, spin, hoard, breakout, steps, bug, refuse, count, two, price, look, sweep, site].flatMap(
  tool => tool.actions.map(action => ({ tool, action })),
)
