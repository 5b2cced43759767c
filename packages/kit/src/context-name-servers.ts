import type { Message, ResourceRecord } from '@assay/lib/dns/message'
import type { TransferEnd } from '@assay/lib/dns/transfer'

/** Name servers asked for much at once: a whole zone, or a long list of names. */
export interface NameServers {
  /**
   * Asks one server, by address, for a whole zone over TCP (RFC 5936), and passes the records on as they come. Never
   * throws for what the server does; how it ended is what it returns.
   */
  transfer(server: string, zone: string): AsyncGenerator<ResourceRecord[], TransferEnd, void>
  /**
   * Puts every question to one of these servers, by address, each of them no faster than the job allows. What one
   * leaves unanswered is asked of another. Answers come in batches, in no order.
   */
  askAll(servers: readonly string[], questions: Iterable<ListQuestion>): AsyncGenerator<ListAnswer[], void, void>
}

export interface ListQuestion {
  /** Absolute, with its final dot. */
  name: string
  type: string
}

export interface ListAnswer {
  question: ListQuestion
  /** Undefined when no server gave an answer that could be read. */
  message?: Message
}
