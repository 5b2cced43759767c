/** DNS messages as bytes, for measuring and probing: nothing is tried again, nothing is corrected. */
export interface RawDns {
  /** Sends one message to port 53 of a literal address and gives the one that answers it. Failures are problems. */
  exchange(server: string, message: Uint8Array, options?: RawDnsOptions): Promise<RawReply>
  /** What tools found lately, kept in the memory of the process and gone with it. Never who asked. */
  readonly findings: Findings
}

export interface RawDnsOptions {
  transport?: 'udp' | 'tcp'
  timeoutMs?: number
  /** Whether a message is the answer; others are ignored as forged or late. By default the ids have to agree. */
  accepts?(message: Uint8Array): boolean
}

export interface RawReply {
  message: Uint8Array
  /** From the moment the message left until the answer was there, without opening the socket or connecting. */
  milliseconds: number
}

/** A few short texts by name. */
export type Finding = Readonly<Record<string, string | null>>

/** The last findings of each topic, newest first. */
export interface Findings {
  last(topic: string): readonly Finding[]
  add(topic: string, finding: Finding): void
}

/** Findings kept of each topic. */
export const MAX_FINDINGS = 10

/** A memory of findings. */
export function createFindings(): Findings {
  const topics = new Map<string, readonly Finding[]>()
  return {
    last: topic => topics.get(topic) ?? [],
    add: (topic, finding) => {
      topics.set(topic, [finding, ...(topics.get(topic) ?? [])].slice(0, MAX_FINDINGS))
    },
  }
}
