import { command } from './command.ts'
import { onMachine } from './daemons.ts'
import { links, type Machine, machines } from './topology.ts'

/**
 * The lab wears addresses that belong to others, so it must not start where a packet could leave. Throws unless the
 * present network namespace is new: nothing but a loopback that is down, and no route.
 */
export async function assertIsolated(): Promise<void> {
  const devices = reachableDevices(await command('ip', ['-o', 'link', 'show']), [])
  if (devices.length > 0) throw new Error(`refused: this network namespace is not empty, it has ${devices.join(' ')}`)
}

/** Throws if a machine has a device that is not the lab's own, or a default route. */
export async function assertSealed(): Promise<void> {
  await Promise.all(machines.map(assertMachineSealed))
}

async function assertMachineSealed(machine: Machine): Promise<void> {
  const own = links.flatMap(({ near, far }) =>
    near === machine ? [`to-${far}`] : far === machine ? [`to-${near}`] : [],
  )
  const ask = (...args: string[]) => {
    const [program, ...rest] = onMachine(machine, ['ip', ...args])
    return command(program, rest)
  }
  const [devices, v4, v6] = await Promise.all([
    ask('-o', 'link', 'show'),
    ask('-4', 'route', 'show', 'default', 'table', 'all'),
    ask('-6', 'route', 'show', 'default', 'table', 'all'),
  ])
  const foreign = reachableDevices(devices, own)
  if (foreign.length > 0) throw new Error(`refused: ${machine} has ${foreign.join(' ')}, which is not the lab's`)
  const routes = defaultRoutes(v4 + v6)
  if (routes.length > 0) throw new Error(`refused: ${machine} has a route out: ${routes.join('; ')}`)
}

/** Devices in the output of `ip -o link` that could carry a packet out: not loopback, not idle tunnels, not `own`. */
export function reachableDevices(output: string, own: readonly string[]): string[] {
  return output.split('\n').flatMap(line => {
    const [, name = '', flags = ''] = /^\d+: ([^:@]+)[^<]*<([^>]*)>/.exec(line) ?? []
    const set = flags.split(',')
    // Kernels with tunnel modules put a device such as sit0 into every namespace; it is down and stays down.
    const idle = !set.includes('UP') && set.includes('NOARP')
    return name === '' || set.includes('LOOPBACK') || idle || own.includes(name) ? [] : [name]
  })
}

/** Default routes that lead somewhere, in the output of `ip route`. */
export function defaultRoutes(output: string): string[] {
  return output.split('\n').filter(line => /^default\b/.test(line))
}
