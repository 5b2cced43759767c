import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { address, listeners } from '../src/inventory.ts'
import { run } from './programs.ts'

const families = ['v4', 'v6'] as const

/** Ports by state, as nmap's connect scan sees them. */
async function scan(target: string, ports: string): Promise<Record<string, number[]>> {
  const family = target.includes(':') ? ['-6'] : []
  const { output } = await run(
    'nmap',
    ...[...family, '-n', '-Pn', '-sT', '-T4', '--max-retries', '1', '-p', ports, '-oG', '-', target],
  )
  const states: Record<string, number[]> = {}
  for (const [, port, state = ''] of output.matchAll(/(\d+)\/(open|filtered|closed)\//g)) {
    states[state] = [...(states[state] ?? []), Number(port)]
  }
  return states
}

suite('ports', { concurrency: true }, () => {
  test('twelve.ports.test: of all ports exactly twelve are open', async () => {
    for (const family of families) {
      const states = await scan(address('twelve.ports.test')[family], '1-65535')
      assert.deepEqual(states, { open: listeners['twelve.ports.test'] })
      assert.equal(states.open?.length, 12)
    }
  })

  test('filtered.ports.test: open, silent, forbidden and closed', async () => {
    for (const family of families) {
      const states = await scan(address('filtered.ports.test')[family], '21,22,25,80,443,3306,5432,8080,9005,9011')
      assert.deepEqual(states, {
        open: [22, 80, 443],
        filtered: [25, 3306, 5432, 8080, 9005],
        closed: [21, 9011],
      })
    }
  })

  test('filtered.ports.test: a forbidden port says so, a silent one never', async () => {
    for (const family of families) {
      const target = address('filtered.ports.test')[family]
      const socket = target.includes(':') ? `[${target}]` : target
      const connect = (port: number) =>
        run('curl', '--silent', '--show-error', '--max-time', '3', `http://${socket}:${port}/`)
      // The kernel heeds an ICMPv6 refusal only at the second SYN when it comes within the connect call itself.
      assert.match((await connect(8080)).complaints, /Could ?n.t connect|Failed to connect/)
      assert.match((await connect(3306)).complaints, /timed out/i)
    }
  })

  test('silent.ports.test: nothing answers, not even with a refusal', async () => {
    for (const family of families) {
      const states = await scan(address('silent.ports.test')[family], '22,80,443')
      assert.deepEqual(states, { filtered: [22, 80, 443] })
    }
  })

  test('closed.ports.test: everything refuses', async () => {
    for (const family of families) {
      const states = await scan(address('closed.ports.test')[family], '1-1000')
      assert.deepEqual(states, {})
    }
  })

  test('tarpit.ports.test: everything accepts', async () => {
    for (const family of families) {
      const states = await scan(address('tarpit.ports.test')[family], '1-200,8080,31337,65535')
      assert.equal(states.open?.length, 203)
    }
  })

  test('split.ports.test: the families differ', async () => {
    const { v4, v6 } = address('split.ports.test')
    assert.deepEqual(await scan(v4, '22,80,443'), { open: [443], filtered: [80], closed: [22] })
    assert.deepEqual(await scan(v6, '22,80,443'), { open: [80], filtered: [443], closed: [22] })
  })
})
