/** The way to an address, router by router. */
export interface Trace {
  /**
   * Follows the way to a pinned address and yields its hops in order as they become known. Ends at the destination, at
   * a router that has no way on, or when nobody has answered for several hops. Throws the problem 'unsupported' where
   * the machine cannot do it.
   */
  route(address: string): AsyncIterable<TraceHop>
}

/** One step on the way: everything that came back for one time to live. */
export interface TraceHop {
  /** The time to live of the probes, from 1. */
  hop: number
  /** Who answered first; null when nobody did. Others, if any, are among the probes. */
  address: string | null
  /** The destination itself answered. */
  reached: boolean
  probes: TraceProbe[]
}

/** One packet and what came back for it. */
export interface TraceProbe {
  address: string | null
  rttSeconds: number | null
  /** Why the way ends here, in the words of RFC 792 and RFC 4443, as traceroute marks it: !H, !N, !P, !X, !<code>. */
  mark?: string
}
