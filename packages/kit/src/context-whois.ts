import type { RdapRegistry } from '@assay/lib/rdap/bootstrap'

/** The registration services: the list of who runs which, and one question at a time to a WHOIS server. */
export interface Whois {
  /**
   * Sends one line to port 43 of a server and gives what comes back until it hangs up, RFC 3912 §2. Bytes, because
   * the protocol names no character set. An answer cut by size or time says so and is an answer all the same.
   */
  ask(server: string, question: string, options?: { timeoutMs?: number }): Promise<WhoisReply>
  /** Who answers RDAP for which names or numbers (RFC 9224), as IANA publishes it now or did when this was built. */
  bootstrap(registry: RdapRegistry): Promise<RdapBootstrapFile>
}

export interface WhoisReply {
  /** The address connected to. */
  address: string
  bytes: Uint8Array
  /** Why reading ended: the server hung up, as it should, or there was too much of it, or it took too long. */
  end: 'closed' | 'size' | 'time'
  milliseconds: number
}

export interface RdapBootstrapFile {
  /** JSON as published. */
  text: string
  source: 'iana' | 'bundled'
}
