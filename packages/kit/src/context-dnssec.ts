import type { SignedAnswer } from '@assay/lib/dns/dnssec-chain'

/** What a validator of DNSSEC needs: where trust begins, and answers with their signatures and proofs. */
export interface Dnssec {
  /** DS records of the root's keys as in a zone file, from the settings or those of IANA. */
  anchors: string
  /**
   * Asks the servers in charge of a name (of its parent for DS), from the root down. Aliases within one response are
   * followed, others are told. Never throws for what a server says.
   */
  ask(name: string, type: string): Promise<SignedAnswer>
}
