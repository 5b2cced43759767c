import type { Context, ServerContext } from './context.ts'
import { Problem } from './problem.ts'

/** The context of tools that need no network; what would reach one says so. */
export function localContext({ signal, now, random }: Context): ServerContext {
  return {
    signal,
    now,
    random,
    get dns() {
      return noNetwork()
    },
    get nameServers() {
      return noNetwork()
    },
    get dnssec() {
      return noNetwork()
    },
    get rawDns() {
      return noNetwork()
    },
    get http() {
      return noNetwork()
    },
    get tcp() {
      return noNetwork()
    },
    get trace() {
      return noNetwork()
    },
    get whois() {
      return noNetwork()
    },
    get encryptedDns() {
      return noNetwork()
    },
    get tls() {
      return noNetwork()
    },
  }
}

function noNetwork(): never {
  throw new Problem('unsupported', 'This tool was started where there is no network.')
}
