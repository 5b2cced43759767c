import type { Message } from '@assay/lib/dns/message'

/** Questions to one resolver over TLS (RFC 7858) and HTTPS (RFC 8484). All share the budget of the job. */
export interface EncryptedDns {
  /**
   * One message over DNS over TLS; the ID is replaced by a random one. Throws a problem when there is no connection or
   * no answer; a certificate that does not hold is told in `tls.problem` and does not stop the exchange.
   */
  overTls(server: DotServer, query: Message, options?: DotOptions): Promise<DotExchange>
  /**
   * One message over DNS over HTTPS; the ID is replaced by 0 (RFC 8484 §4.1). Whatever the server answers in HTTP is a
   * result: `message` is there only when it is DNS over HTTPS.
   */
  overHttps(server: DohServer, query: Message, options?: DohOptions): Promise<DohExchange>
  /** One question in the JSON form that some operators offer (`?name=&type=`), which no standard defines. */
  json(server: DohServer, question: { name: string; type: string }, options?: DohOptions): Promise<JsonExchange>
  /** One request with any body and media type, to see how a server takes what is wrong. */
  request(server: DohServer, request: DohRequest, options?: DohOptions): Promise<HttpAnswer>
}

export interface DotServer {
  /** A literal address. */
  address: string
  /** 853 unless given. */
  port?: number
  /** The name that the certificate must be for; the address itself unless given. */
  name?: string
}

export interface DohServer {
  /** https, with the path and without a query. */
  url: string
  /** A literal to connect to; the host of the URL is resolved unless given. */
  address?: string
}

export interface DohRequest {
  method: 'GET' | 'POST'
  /** What follows the question mark. */
  query?: string
  accept?: string
  contentType?: string
  body?: Uint8Array
}

interface ExchangeOptions {
  timeoutMs?: number
  /** On a new connection, even when one is open. Otherwise a connection of the job to the same place is used again. */
  fresh?: boolean
}

export interface DotOptions extends ExchangeOptions {
  /** Protocols offered by ALPN; `dot` unless given, none when empty. */
  protocols?: readonly string[]
  /** A new connection offers the session of the last one to the same place (RFC 8446 §2.2). */
  resume?: boolean
}

export interface DohOptions extends ExchangeOptions {
  /** GET unless given. */
  method?: 'GET' | 'POST'
  /** Only this version is offered by ALPN; both unless given, and HTTP/2 is preferred. */
  httpVersion?: '2' | '1.1'
}

/** How the connection stood, and what it cost. */
export interface EncryptedConnection {
  /** The address connected to. */
  address: string
  /** A connection of the job was there already: then `connectMs` and `tlsMs` are 0. */
  reused: boolean
  connectMs: number
  tlsMs: number
  tls: {
    /** "TLSv1.3". */
    protocol: string
    cipher: string
    /** What the server chose by ALPN (RFC 7301). */
    alpn?: string
    /** The session was resumed. */
    resumed: boolean
    /** Why the certificate does not hold. */
    problem?: string
  }
}

export interface DotExchange extends EncryptedConnection {
  message: Message
  /** From the question to its answer, without connecting. */
  milliseconds: number
}

export interface HttpAnswer extends EncryptedConnection {
  httpVersion: '2' | '1.1'
  status: number
  /** Lower case, without parameters; empty when there is none. */
  contentType: string
  headers: [name: string, value: string][]
  body: Uint8Array
  /** The body was longer than any DNS message. */
  truncated: boolean
  milliseconds: number
}

export interface DohExchange extends HttpAnswer {
  /** The DNS message, when status, media type and content are those of DNS over HTTPS. */
  message?: Message
  /** Why there is none: a sentence. */
  problem?: string
}

export interface JsonExchange extends HttpAnswer {
  /** What was in the JSON, when it is an answer. */
  answer?: { status: number; records: { name: string; type: number; ttl: number; data: string }[] }
  problem?: string
}
