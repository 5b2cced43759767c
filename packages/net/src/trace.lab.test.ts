import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import type { TraceHop } from '@assay/kit'
import { createNet } from './context.ts'
import { createTrace, type TraceOptions } from './trace.ts'

if (process.env.LAB !== '1') throw new Error('these tests run inside the lab: npm run lab -- run COMMAND')

/** The addresses of www.good.test, behind four routers. */
const TARGETS = ['26.3.0.10', '2a0f:1ab:3::10']

async function follow(t: TestContext, address: string, options: TraceOptions = {}): Promise<TraceHop[]> {
  const job = createNet({ userAgent: 'Assay-test/1.0' }).createJob({ kind: 'scan' })
  t.after(() => job.dispose())
  const hops: TraceHop[] = []
  for await (const hop of createTrace(job.door, options).route(address)) hops.push(hop)
  return hops
}
const way = (hops: readonly TraceHop[]) => hops.map(({ hop, address, reached }) => [hop, address, reached])

for (const target of TARGETS) {
  test(`network.md §0 (8): the sockets and the program find the same way to ${target}`, async t => {
    const native = await follow(t, target, { program: async () => undefined })
    const program = await follow(t, target, { sockets: async () => undefined })
    assert.deepEqual(way(native), way(program))
    assert.equal(native.length, 5)
    assert.ok(native.every(({ probes }) => probes.length === 3 && probes.every(probe => probe.address !== null)))
  })

  test(`network.md §0 (8): no rights are needed for the way to ${target}`, async () => {
    const module = new URL('./context.ts', import.meta.url).href
    // Another user could not read a clone in somebody's home, so it is the same user without a single capability.
    const script = `
      import { readFileSync } from 'node:fs'
      console.log(/^CapEff:\\s*(\\w+)/m.exec(readFileSync('/proc/self/status', 'latin1'))[1])
      const { createNet } = await import('${module}')
      const job = createNet({ userAgent: 'Assay-test/1.0' }).createJob({ kind: 'scan' })
      for await (const { address } of job.context.trace.route('${target}')) console.log(address)
      job.dispose()`
    const powerless = ['--securebits=+noroot,+noroot_locked', '--inh-caps=-all', '--bounding-set=-all']
    const { stdout } = await promisify(execFile)(
      'setpriv',
      [...powerless, process.execPath, '--input-type=module', '--eval', script],
      { timeout: 30_000 },
    )
    const [capabilities, ...lines] = stdout.trim().split('\n')
    assert.equal(Number(`0x${capabilities}`), 0)
    assert.equal(lines.length, 5)
    assert.equal(lines.at(-1), target)
  })
}
