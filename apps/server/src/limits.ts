import { availableParallelism } from 'node:os'
import { MAX_SERVER_TEXT_LENGTH, MAX_UPLOAD_BYTES } from '@assay/kit'

/**
 * Every limit of the server, its unit in its name. Each can be set: `lookupsPerMinute` is ASSAY_LOOKUPS_PER_MINUTE in
 * the environment.
 */
export const defaultLimits = {
  /** Characters of one text. */
  textCharacters: MAX_SERVER_TEXT_LENGTH,
  /** A JSON body: a text of the greatest length when each character takes three bytes, or two and an escape. */
  jsonBytes: 3_407_872,
  uploadBytes: MAX_UPLOAD_BYTES,
  /** Parts of a multipart body. */
  formParts: 64,
  /** A value in an address; Fastify's own limit of 100 would refuse long domain names. */
  parameterCharacters: 2100,
  headerBytes: 16_384,

  /** Node swaps headersTimeout and requestTimeout when the first is larger, so both are given. */
  headersMs: 8_000,
  requestMs: 15_000,
  connectionCheckMs: 1_000,
  /** Longer than the 60 or 75 s of common proxies, so that they and not we close idle connections. */
  keepAliveMs: 80_000,
  /** A client that reads nothing of its answer for so long is cut off. */
  writeStallMs: 10_000,
  requestsPerSocket: 1_000,
  connections: 5_000,
  /** Mean delay of the event loop above which requests are turned away. */
  loopDelayMs: 200,
  /** From SIGTERM to the end. */
  graceMs: 10_000,

  lookupMs: 30_000,
  scanMs: 120_000,
  networkJobs: 500,
  /** Within this time the same scan of the same target is one scan. */
  scanSharedMs: 60_000,
  sharedResults: 500,
  /** Of all of them, as JSON, or in Redis as they stand there: who is asked decides how long a result is. */
  sharedCharacters: 8_388_608,
  /** One result, or how far one is, that processes share, before it is made smaller. */
  sharedResultBytes: 1_048_576,
  /** A process that runs for others and is silent for so long is gone. */
  scanLeaseMs: 3_000,
  /** Between two looks at a run of another process. */
  scanPollMs: 300,
  /** Last results kept for addresses that need no fresh one. */
  rememberedResults: 100,
  rememberedCharacters: 4_194_304,

  /** Below both, a run is done between two requests; above, in a process that can be killed. */
  inlineMs: 2,
  inlineCharacters: 65_536,
  /** Work declared dearer than this is refused before it begins. */
  workCostMs: 9_000,
  workCostMegabytes: 192,
  workMs: 10_000,
  uploadMs: 15_000,
  uploadStallMs: 2_000,
  workChildren: Math.max(1, availableParallelism() - 1),
  uploadChildren: 2,
  heapMegabytes: 192,
  residentMegabytes: 320,
  jobsPerChild: 500,
  queuedJobs: 64,
  queuedMs: 10_000,

  /** From a question to the store to its answer. */
  storeMs: 900,
  /** To PostgreSQL. */
  storeConnections: 8,

  /** From a question to Redis to its answer; after that each process goes on alone. */
  redisMs: 50,
  /** Between two looks whether Redis is there, and between two signs of life of a process. */
  redisRetryMs: 1_000,
  /** A connection to Redis on which nothing came for so long is made anew. */
  redisStaleMs: 3_000,

  /** From a call of a tool to its row in the usage log. */
  usageMs: 1_000,
  /** Rows that wait to be written; more are not noted. */
  usageRows: 20_000,

  /** One attempt to send a mail. */
  mailMs: 20_000,
  /** Until the second attempt; each further one waits twice as long, up to the longest wait. */
  mailRetryMs: 5_000,
  mailRetryMaxMs: 45_000,
  /** Between two looks for mails that other processes left. */
  mailPollMs: 10_000,
  /** RFC 5321 §4.5.4.1: give up after four to five days. */
  mailGiveUpMs: 432_000_000,

  /** Tokens of a client for work without network: one a run, and one for every 100 ms of declared cost. */
  lightPerMinute: 600,
  lookupsPerMinute: 60,
  lookupsPerDay: 3_000,
  scansPerMinute: 10,
  /** By the contact form: of one client, and of all together, for somebody has to read them. */
  messagesPerQuarterHour: 10,
  messagesPerHour: 300,
  /** Attempts to sign in to one account from one client, and of one client to all accounts. */
  loginsPerQuarterHour: 10,
  clientLoginsPerQuarterHour: 30,
  /** Of all clients together to one account, from where nobody signed in to it before. */
  guessesPerHour: 100,
  /** Registrations and requests for links of one client. */
  accountMailsPerQuarterHour: 10,
  /** To one address; further ones are not sent, and the answer is the same. */
  accountMailsPerHour: 3,
  /** Other calls of the account pages. */
  accountCallsPerMinute: 120,
  passwordBytes: 1_024,
  queuedPasswords: 64,
  /** Answers that must not tell by their time whether an address is known take at least so long. */
  evenAnswerMs: 300,
  accessMs: 900_000,
  /** From the last refresh. */
  sessionMs: 2_592_000_000,
  /** A refresh token may be shown again for so long, in case its answer was lost. */
  refreshGraceMs: 10_000,
  sessionsPerAccount: 50,
  verifyLinkMs: 86_400_000,
  /** Between two links that attempts to sign in bring about. */
  verifyMailMs: 300_000,
  resetLinkMs: 3_600_000,
  /** Since a sign-in by a provider, for what otherwise asks for the password. */
  freshSignInMs: 600_000,
  /** From leaving for a provider to coming back. */
  providerAttemptMs: 600_000,
  /** What the page of the return finds in its address is good for so long. */
  returnedPairMs: 60_000,
  /** One question to a provider, and its answer. */
  providerMs: 5_000,
  providerBytes: 262_144,
  /** What a provider says of its own addresses is believed for so long. */
  providerKeptMs: 3_600_000,
  keysPerAccount: 20,
  keyNameCharacters: 60,
  keyDays: 3_650,
  /** The last use of a key is written down no more often. */
  keyUseMs: 60_000,
  /** For all that is kept about an account, which is sent as it is read. */
  exportMs: 300_000,
  /** Of one account. */
  exportsPerHour: 10,
  /** An account that calls tools by its keys gets so many times the limits of a client. */
  keyFactor: 10,
  /** What was found out about a token or key is believed for so long. */
  principalMs: 1_000,
  principals: 10_000,
  contactNameCharacters: 100,
  /** RFC 5321 §4.5.3.1.3 without the brackets. */
  contactEmailCharacters: 254,
  contactMessageCharacters: 10_000,
  /** Of an application, all but the name, the e-mail address and the letter, which are as long as in a message. */
  applicationLineCharacters: 2_000,
  /** Lookups that all clients together may point at one name or address. */
  targetPerMinute: 60,
  rateKeys: 100_000,
}

export type Limits = typeof defaultLimits
export type LimitName = keyof Limits

export const limitNames = Object.keys(defaultLimits) as LimitName[]

/** `lookupsPerMinute` → ASSAY_LOOKUPS_PER_MINUTE. */
export const limitVariable = (name: LimitName): string =>
  `ASSAY_${name.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()}`
