import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem, type Update } from '@assay/kit'
import { createChannel } from '../channel.ts'
import { Wait } from '../errors.ts'
import type { Limits } from '../limits.ts'
import { alone, type Ended, type RunOnce, type Start } from '../shared.ts'
import { BOUNDED } from './bounded.ts'
import { failureFrom, type Told, tellFailure } from './failure.ts'
import { NOW, type RedisLink, type Reply, script } from './link.ts'
import type { Names } from './names.ts'
import type { Vault } from './vault.ts'

/**
 * One run for all processes. Who asks first leads: it holds a lease in Redis for as long as it lives, and writes there
 * how far it is while somebody follows, and how it ended. Followers look again and again; one of them takes over when
 * the lease has run out, once, because a run that took two processes down would take all of them.
 *
 * A run is a hash: `id` of who leads, `state`, `lease` and `followed` until when they hold, `attempt`, `seq` and `data`
 * of the last news, sealed.
 */
const MOST_ATTEMPTS = 2

/** ARGV: our id if we come to lead, the id we follow or '', the number of the last news we know, times. */
const ASK = script(`${NOW}
local me, following, known = ARGV[1], ARGV[2], tonumber(ARGV[3])
local leaseMs, graceMs, followMs, most = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local run = redis.call('HMGET', KEYS[1], 'id', 'state', 'lease', 'attempt', 'seq', 'data')
local id, state, lease, attempt, seq, data = run[1], run[2], tonumber(run[3]), tonumber(run[4]), tonumber(run[5]), run[6]
if state == 'done' or state == 'large' then return { state, id, data or '', redis.call('PTTL', KEYS[1]) } end
if state == 'failed' and id == following then return { state, id, data } end
local again = following ~= '' and 2 or 1
if state == 'running' then
  if lease > now then
    redis.call('HSET', KEYS[1], 'followed', now + followMs)
    return { 'follow', id, seq > known and data or '', seq }
  end
  again = attempt + 1
  if again > most then
    redis.call('DEL', KEYS[1])
    return { 'lost', id }
  end
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'id', me, 'state', 'running', 'lease', now + leaseMs, 'followed', 0, 'attempt', again, 'seq', 0)
redis.call('PEXPIRE', KEYS[1], leaseMs + graceMs)
return { 'lead', me, again }`)

/** Whether the run is still ours; one that Redis forgot is taken up again. ARGV: our id, attempt, times, news or ''. */
const TEND = script(`${NOW}
local me, attempt, leaseMs, graceMs, data = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local run = redis.call('HMGET', KEYS[1], 'id', 'followed', 'state')
if run[1] and (run[1] ~= me or run[3] ~= 'running') then return 'lost' end
if not run[1] then redis.call('HSET', KEYS[1], 'id', me, 'state', 'running', 'followed', 0, 'attempt', attempt, 'seq', 0) end
redis.call('HSET', KEYS[1], 'lease', now + leaseMs)
if data ~= '' then
  redis.call('HSET', KEYS[1], 'data', data)
  redis.call('HINCRBY', KEYS[1], 'seq', 1)
end
redis.call('PEXPIRE', KEYS[1], leaseMs + graceMs)
return tonumber(run[2] or '0') > now and 'followed' or 'alone'`)

/**
 * How it ended. 'handed' leaves it to a follower at once, where there is one. Of ends that are kept, the oldest beyond
 * so many are dropped. ARGV: our id, state, data, how long to keep it, how many to keep, bytes of all.
 */
const END = script(`${NOW}
${BOUNDED}
local function size(key) return redis.call('HSTRLEN', key, 'data') end
local me, state, data, keepMs, most = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local run = redis.call('HMGET', KEYS[1], 'id', 'followed')
if run[1] and run[1] ~= me then return 0 end
if state == 'handed' then
  if tonumber(run[2] or '0') > now then redis.call('HSET', KEYS[1], 'lease', 0)
  else redis.call('DEL', KEYS[1]) end
  return 1
end
redis.call('HSET', KEYS[1], 'id', me, 'state', state, 'data', data)
redis.call('PEXPIRE', KEYS[1], keepMs)
if state ~= 'failed' then bounded(KEYS[2], KEYS[1], now, keepMs, most, tonumber(ARGV[6]), size) end
return 1`)

/** What one process asks for: where it stands in Redis, and who asks. */
interface Run {
  key: string
  vault: Vault
  id: string
  start: Start
}

export interface RedisRunsOptions {
  link: RedisLink
  names: Names
  createVault(question: string): Vault
  limits: Limits
  /** What tells the tools of this process from those of another version. */
  version(): Promise<string>
}

export interface RedisRuns {
  run: RunOnce
  /** Hands over what runs here to those who follow it elsewhere. */
  close(): Promise<void>
}

const lost = () => new Wait('busy', 1_000, 'the server that ran this has stopped')
const tooLarge = (waitMs: number) =>
  new Wait('busy', waitMs, 'another server has just ended the same run, with a result that is too large to share')

export function redisRuns({ link, names, createVault, limits, version }: RedisRunsOptions): RedisRuns {
  const { scanLeaseMs, scanPollMs, scanSharedMs } = limits
  const times = [scanLeaseMs, 2 * scanLeaseMs]
  const index = names('runs')
  const led = new Set<() => Promise<void>>()

  async function* run(question: string, signal: AbortSignal, start: Start): AsyncGenerator<Update, Ended, void> {
    const place = `${await version()} ${question}`
    const id = randomBytes(12).toString('base64url')
    const run = { key: names(`run ${place}`), vault: createVault(place), id, start }
    let following = ''
    let known = 0
    for (;;) {
      signal.throwIfAborted()
      const asked = await link.run(ASK, [run.key], [id, following, known, ...times, 4 * scanPollMs, MOST_ATTEMPTS])
      // Without Redis each process runs for its own visitors.
      if (!Array.isArray(asked)) return yield* alone(scanSharedMs, signal, start)
      const [state, leader, data, number] = asked
      if (String(state) === 'lead') return yield* lead(run, signal, Number(data) > 1)
      if (String(leader) !== following) known = 0
      following = String(leader)
      const news = await opened(run.vault, data)
      switch (String(state)) {
        case 'done':
          if (!news) return yield* alone(scanSharedMs, signal, start)
          return { outcome: news as Ended['outcome'], keepMs: Number(number) }
        case 'large':
          throw tooLarge(Number(number))
        case 'failed':
          throw failureFrom((news as Told | undefined) ?? { kind: 'bug' })
        case 'lost':
          throw lost()
      }
      if (news) yield news as Update
      known = Number(number)
      await sleep(scanPollMs, undefined, { signal, ref: false }).catch(() => signal.throwIfAborted())
    }
  }

  /** Runs here, for those who follow here by what it yields, and for others by what it writes. */
  function lead(run: Run, signal: AbortSignal, again: boolean): AsyncGenerator<Update, Ended, void> {
    const here = createChannel<Update, Ended>()
    const stop = new AbortController()
    const over = new AbortController()
    let whole: Update = {}
    let told = true
    let followed = false

    async function tend(): Promise<void> {
      const data = followed && !told ? await news() : undefined
      if (over.signal.aborted) return
      const reply = await link.run(TEND, [run.key], [run.id, again ? 2 : 1, ...times, data ?? ''])
      followed = String(reply) === 'followed'
      if (signal.aborted && !followed) stop.abort(new Error('Nobody follows this run.'))
    }

    /** How far it is; without the partial result where that is too large. */
    async function news(): Promise<Buffer | undefined> {
      told = true
      return (await run.vault.seal(whole)) ?? run.vault.seal({ ...whole, partial: undefined })
    }

    async function tending(): Promise<void> {
      for (;;) {
        await sleep(scanPollMs, undefined, { signal: over.signal, ref: false }).catch(() => {})
        if (over.signal.aborted) return
        await tend()
      }
    }

    async function drive(): Promise<Ended> {
      const steps = run.start(stop.signal, again)
      for (;;) {
        const { done, value } = await steps.next()
        if (done) return { outcome: value, keepMs: scanSharedMs }
        whole = { ...whole, ...value }
        told = false
        here.push(value)
      }
    }

    const end = async (state: 'done' | 'large' | 'failed' | 'handed', data: Buffer | '', keepMs: number) => {
      over.abort()
      led.delete(abandon)
      await link.run(
        END,
        [run.key, index],
        [run.id, state, data, keepMs, limits.sharedResults, limits.sharedCharacters],
      )
    }
    const handOver = () => end('handed', '', 0)
    const abandon = () => {
      stop.abort(new Error('The server is closing.'))
      return handOver()
    }

    async function work(): Promise<void> {
      try {
        const ended = await drive()
        here.end(ended)
        const data = await run.vault.seal(ended.outcome)
        await end(data ? 'done' : 'large', data ?? '', scanSharedMs)
      } catch (error) {
        here.fail(error)
        // Too busy or going down is about this process; another may take it.
        if (stop.signal.aborted || (error instanceof Problem && error.code === 'busy')) return handOver()
        await end('failed', (await run.vault.seal(tellFailure(error))) ?? '', scanLeaseMs)
      }
    }

    const leave = () => {
      here.fail(signal.reason)
      void tend()
    }
    led.add(abandon)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    void work()
    void tending()
    return here.read()
  }

  return {
    run,
    async close() {
      await Promise.all([...led].map(abandon => abandon()))
    },
  }
}

const opened = async (vault: Vault, data: Reply | undefined): Promise<unknown> =>
  Buffer.isBuffer(data) && data.length > 0 ? vault.open(data) : undefined
