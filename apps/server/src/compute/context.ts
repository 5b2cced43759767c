import { randomBytes } from 'node:crypto'
import { Problem, type ServerContext } from '@assay/kit'

/** The context of tools that need no network; what would reach one says so. */
export function localContext(signal: AbortSignal, now: () => Date = () => new Date()): ServerContext {
  return {
    signal,
    now,
    random: length => new Uint8Array(randomBytes(length)),
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
