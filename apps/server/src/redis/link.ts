import { createHash, randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import type { RedisAddress } from './address.ts'
import { connectorTo } from './connector.ts'

/**
 * The one connection to Redis. Whoever asks never waits for a server that does not answer: from the first answer that
 * is late or an error on, nobody asks until a look of our own was answered in time.
 */
export interface RedisLink {
  /** What a script gives, texts as bytes; undefined when Redis cannot be asked at the moment. */
  run(script: Script, keys: readonly string[], values: readonly Value[]): Promise<Reply | undefined>
  /** Whether Redis answered when it was last asked. */
  isUp(): boolean
  /** How many processes there were when they last could be counted, this one included. */
  processes(): number
  /** Resolves when it is known whether Redis is there. */
  ready: Promise<void>
  close(): Promise<void>
}

/** Lua that the server runs as one step. */
export interface Script {
  lua: string
  sha: string
}

export type Value = string | number | Buffer
export type Reply = Buffer | number | Reply[]

export interface RedisLinkOptions {
  address: RedisAddress
  /** From a question to its answer. */
  timeoutMs: number
  /** Between two looks whether Redis is there. */
  retryMs: number
  /** A connection on which nothing came for so long is made anew. */
  staleMs: number
  /** The key under which processes say that they live. */
  processesKey: string
  /** Told once when Redis goes away, with the code of the failure, and once when it is back. */
  report?: ((text: string) => void) | undefined
}

export const script = (lua: string): Script => ({ lua, sha: createHash('sha1').update(lua).digest('hex') })

/** Milliseconds on the clock of Redis, which all processes share. */
export const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`

/** Writes, so that a server that is full or read-only counts as away. A process that is silent for three looks is gone. */
const BEAT = script(`${NOW}
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 3 * ARGV[2])
redis.call('PEXPIRE', KEYS[1], 3 * ARGV[2])
return redis.call('ZCARD', KEYS[1])`)

const LEAVE = script(`return redis.call('ZREM', KEYS[1], ARGV[1])`)

class Late extends Error {}

export function createRedisLink(options: RedisLinkOptions): RedisLink {
  const { address, timeoutMs, retryMs, staleMs, processesKey, report } = options
  const me = randomBytes(8).toString('hex')
  const known = Promise.withResolvers<void>()
  let state: 'unknown' | 'up' | 'down' = 'unknown'
  let processes = 1
  let failure: unknown
  /** When the look that is not yet answered began. */
  let lookedAt: number | undefined
  let closing = false

  const redis = new Redis({
    Connector: connectorTo(address),
    db: address.db,
    username: address.user,
    password: address.password,
    // Says which event of the connection means that it stands.
    ...(address.tls && { tls: {} }),
    lazyConnect: true,
    connectTimeout: staleMs,
    retryStrategy: () => retryMs,
    // A question that was not answered is not asked again: it may have been heard.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    // The look is our check.
    enableReadyCheck: false,
    disableClientInfo: true,
  })
  redis.on('error', error => {
    failure = error
  })
  redis.on('connect', () => {
    failure = undefined
    lookedAt = performance.now()
  })
  redis.on('ready', () => {
    lookedAt = undefined
    // ioredis goes on with another database where the one asked for is refused.
    if (failure) redis.disconnect(true)
    else void look()
  })
  redis.on('close', () => {
    lookedAt = undefined
    goDown(failure)
  })

  function goDown(error: unknown): void {
    known.resolve()
    if (state === 'down' || closing) return
    state = 'down'
    report?.(`down: ${codeOf(error)}`)
  }

  function goUp(): void {
    known.resolve()
    if (state === 'down') report?.('back')
    state = 'up'
  }

  async function look(): Promise<void> {
    if (lookedAt !== undefined) {
      if (performance.now() - lookedAt > staleMs) redis.disconnect(true)
      return
    }
    if (redis.status !== 'ready') return
    const began = performance.now()
    lookedAt = began
    const late = afterTurn(timeoutMs, () => goDown(new Late()))
    try {
      processes = Number(await ask(BEAT, [processesKey], [me, retryMs]))
      if (late.isWaiting()) goUp()
    } catch (error) {
      goDown(error)
    } finally {
      late.cancel()
      if (lookedAt === began) lookedAt = undefined
    }
  }

  async function ask({ lua, sha }: Script, keys: readonly string[], values: readonly Value[]): Promise<Reply> {
    const rest = [keys.length, ...keys, ...values]
    try {
      return (await redis.callBuffer('EVALSHA', sha, ...rest)) as Reply
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return (await redis.callBuffer('EVAL', lua, ...rest)) as Reply
    }
  }

  redis.connect().catch(() => {})
  const looks = setInterval(() => void look(), retryMs)
  looks.unref()

  async function run(script: Script, keys: readonly string[], values: readonly Value[]): Promise<Reply | undefined> {
    if (state !== 'up') return undefined
    const late = Promise.withResolvers<never>()
    const timer = afterTurn(timeoutMs, () => late.reject(new Late()))
    try {
      return await Promise.race([ask(script, keys, values), late.promise])
    } catch (error) {
      goDown(error)
      return undefined
    } finally {
      timer.cancel()
    }
  }

  return {
    run,
    isUp: () => state === 'up',
    processes: () => processes,
    ready: known.promise,
    async close() {
      closing = true
      await run(LEAVE, [processesKey], [me])
      state = 'down'
      clearInterval(looks)
      redis.disconnect()
    },
  }
}

/** A timer that first lets the loop read what has come: an answer is not late because we were busy. */
function afterTurn(ms: number, late: () => void): { isWaiting(): boolean; cancel(): void } {
  let waiting = true
  const timer = setTimeout(() => setImmediate(() => waiting && end()), ms)
  const end = () => {
    waiting = false
    late()
  }
  return {
    isWaiting: () => waiting,
    cancel() {
      waiting = false
      clearTimeout(timer)
    },
  }
}

/** What names a failure without the words of it: the first word of an error of Redis, or the code of the system. */
function codeOf(error: unknown): string {
  if (error instanceof Late) return 'no answer in time'
  if (!(error instanceof Error)) return 'connection lost'
  if ('code' in error) return String(error.code)
  return /^[A-Z]{2,20}(?= )/.exec(error.message)?.[0] ?? 'connection lost'
}
