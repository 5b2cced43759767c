/** Who may open sockets and start processes, told by a call stack. */

import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const TRAP = 'packages/net/src/trap.ts'

/** Where sockets and children may come from. Tests open servers of their own and talk to them. */
const ALLOWED: readonly RegExp[] = [
  /^packages\/net\/src\/(?!trap)/,
  /^apps\/server\/src\/(?:compute|redis|store)\//,
  /^apps\/server\/src\/mail\.ts$/,
  /^apps\/server\/src\/accounts\/social\/request\.ts$/,
  /^(?:lab|bench|scripts)\//,
  /\.test\.ts$/,
  /^(?:apps|packages)\/[^/]+\/test\//,
]

/** The first file of the repository on a stack, looking through the platform and installed packages. */
export function callerOf(stack: string): string | undefined {
  for (const line of stack.split('\n').slice(1)) {
    const [, url] = /(file:\/\/[^\s)]+?)(?::\d+)?(?::\d+)?\)?$/.exec(line) ?? []
    if (!url) continue
    const path = relative(root, fileURLToPath(url)).split(sep).join('/')
    if (!path.startsWith('..') && !path.includes('node_modules/') && path !== TRAP) return path
  }
  return undefined
}

export const mayReachOut = (file: string | undefined): boolean =>
  file !== undefined && ALLOWED.some(pattern => pattern.test(file))
