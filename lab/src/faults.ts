/**
 * Servers that mean harm. Each fault of a table has a host of its own, NAME.fault.test, with it on the ports of its
 * layer; zone.NAME.fault.test is delegated to the host. How they do it is in servers/fault-*.ts.
 */
export const faults = {
  /** Ports 43, 80 and 853, 443 below TLS, 8443 instead of TLS, and 53 where UDP sends everybody to TCP. */
  stream: {
    mute: 'takes the connection and says nothing',
    closed: 'hangs up at once',
    reset: 'resets at once',
    binary: 'sends random octets and hangs up',
    control: 'sends control characters, terminal escapes and text that reads backwards',
    flood: 'sends octets without an end',
    drip: 'sends a sound answer, an octet every 50 ms',
    cut: 'hangs up in the middle of a sound answer',
    torn: 'resets in the middle of a sound answer',
    overdue: 'sends a sound answer after a minute',
  },
  /** Port 53, UDP and TCP. */
  dns: {
    'dns-cookie': 'never likes a cookie: BADCOOKIE each time, with a new one',
    'dns-foreign-cookie': 'sends the cookie of another client',
    'dns-long': 'a TXT record of 64 KiB',
    'dns-many': '5,000 records',
    'dns-control': 'control characters, quotes and escapes in names and texts',
    'dns-pointers': 'names made of chains of compression pointers, as many as fit',
    'dns-loop': 'a compression pointer to itself in the question',
    'dns-counts': 'counts of 65,535 in every section',
    'dns-beyond': 'records whose length goes beyond the message',
    'dns-id': 'a thousand answers with other ids',
    'dns-question': 'answers to another question, a hundred at once',
    'dns-self': 'refers to the zone that was asked',
    'dns-up': 'refers to the root',
    'dns-many-servers': 'refers to a thousand name servers without an address',
    'dns-aliases': 'each name is an alias of a longer one',
    'dns-transfer': 'a zone transfer without an end',
    'dns-opcode': 'answers with every bit of the header set',
  },
  /** Ports 443, 853 and 8443, instead of a handshake. */
  tls: {
    'tls-alert': 'handshake_failure',
    'tls-unknown-alert': 'an alert that nobody knows',
    'tls-warnings': 'warnings without an end',
    'tls-stall': 'a hello, and then nothing',
    'tls-drip': 'a hello, an octet every 50 ms',
    'tls-empty': 'empty records without an end',
    'tls-long-record': 'a record of 65,535 octets',
    'tls-version': 'a version that there is not',
    'tls-suite': 'a suite that was not offered',
    'tls-lengths': 'a hello whose lengths lie',
    'tls-broken-certificate': 'a certificate that is no DER',
    'tls-giant-chain': 'a chain of certificates of 1 MiB',
    'tls-many-certificates': 'a chain of 10,000 certificates',
    'tls-http': 'an answer of HTTP',
  },
  /** Port 80, and 443 with a certificate that holds. */
  http: {
    'http-gzip': 'gzip that unpacks to 1 GiB',
    'http-brotli': 'Brotli that unpacks to 1 GiB',
    'http-deflate': 'deflate that unpacks to 1 GiB',
    'http-nested': 'gzip in gzip in gzip in gzip in gzip',
    'http-members': 'members of gzip that hold nothing, without an end',
    'http-tiny-chunks': 'chunks of one octet, without an end',
    'http-extensions': 'an extension of a chunk without an end',
    'http-trailers': 'trailer fields without an end',
    'http-headers': 'header fields without an end',
    'http-header': 'one header field without an end',
    'http-slow-header': 'a header, an octet every 50 ms',
    'http-interim': 'interim responses without an end',
    'http-body': 'a body without an end',
    'http-two-lengths': 'two Content-Length fields',
    'http-length-and-chunked': 'a length and chunks',
    'http-chunked-twice': 'Transfer-Encoding twice',
    'http-huge-length': 'a Content-Length beyond all numbers',
    'http-short': 'less than the Content-Length',
    'http-second-response': 'a second response behind the first',
    'http-upgrade': 'a change of protocol',
    'http-loop': 'a redirect to itself',
    'http-growing': 'redirects to longer and longer addresses',
    'http-inward': 'a redirect to a private address',
    'http-bad-location': 'a redirect to control characters',
    'http-deep-json': 'JSON 500,000 brackets deep',
    'http-long-json': 'JSON without an end',
    'http-wrong-json': 'JSON with wrong types everywhere',
    'http-quotes': 'JSON of quotes behind backslashes',
  },
  /** Port 443, where ALPN chooses h2. */
  http2: {
    'h2-silent': 'no frame at all',
    'h2-settings': 'SETTINGS frames without an end',
    'h2-ping': 'PING frames without an end',
    'h2-continuation': 'CONTINUATION frames without an end',
    'h2-bomb': 'a header block of one large field, named 10,000 times',
    'h2-octets': 'DATA frames of one octet, without an end',
    'h2-padding': 'DATA frames of nothing but padding, without an end',
    'h2-no-window': 'no window for what we send, and no answer',
    'h2-goaway': 'GOAWAY at once',
    'h2-reset': 'RST_STREAM for each request',
    'h2-push': 'PUSH_PROMISE though we forbid it',
    'h2-long-frame': 'a frame longer than any may be',
    'h2-bare-data': 'DATA before any header',
  },
} as const

export type Faults = typeof faults
export type Layer = keyof Faults

/** Every fault by its name, in an order that stays. */
export const faultNames: readonly string[] = Object.values(faults).flatMap(layer => Object.keys(layer))

export const faultHost = (name: string): string => `${name}.fault.test`

/** What they write wherever there is room for text: it must not be found in a message to a visitor. */
export const canary = 'CANARY-7f3a'
