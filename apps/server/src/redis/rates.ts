import { memoryRates, type RateStore, type Rule } from '../rates.ts'
import { NOW, type RedisLink, script } from './link.ts'
import type { Names } from './names.ts'

/**
 * `memoryRates`, word for word, as one step of Redis: see there for what it means. ARGV: the tokens wanted, the clock
 * of a test or nothing, then limit and window of each key. Nothing is written unless all rules are met, for a window
 * that begins anew with a count of 0 can be told from the old one at any later time.
 */
const TAKE = script(`${NOW}
now = tonumber(ARGV[2]) or now
local wanted = tonumber(ARGV[1])
local wait = 0
local counters = {}
for i, key in ipairs(KEYS) do
  local limit, window = tonumber(ARGV[2 * i + 1]), tonumber(ARGV[2 * i + 2])
  local tokens = math.min(wanted, limit)
  local start, count, before = string.match(redis.call('GET', key) or '', '^(%d+) (%d+) (%d+)$')
  start, count, before = tonumber(start), tonumber(count), tonumber(before)
  local unused = limit == 1 and count == 0
  if not start or unused or now >= start + window then
    local fresh = limit == 1 and now or now - now % window
    before = limit > 1 and start == fresh - window and count or 0
    start, count = fresh, 0
  end
  local elapsed = now - start
  if before * (1 - elapsed / window) + count + tokens > limit then
    local room = limit - tokens
    local mine
    if limit == 1 then mine = window - elapsed
    elseif count <= room then mine = math.max(1, window * (1 - (room - count) / before) - elapsed)
    else mine = window - elapsed + window * (1 - room / count) end
    wait = math.max(wait, mine)
  end
  local windows = limit == 1 and 1 or 2
  counters[i] = { string.format('%.0f %.0f %.0f', start, count + tokens, before), start + windows * window - now }
end
if wait > 0 then return string.format('%.17g', wait) end
for i, key in ipairs(KEYS) do redis.call('SET', key, counters[i][1], 'PX', string.format('%.0f', counters[i][2])) end
return '0'`)

export interface RedisRatesOptions {
  link: RedisLink
  names: Names
  /** Keys of the counters in memory. */
  keys: number
  /** The clock of a test in place of that of Redis. */
  now?: (() => number) | undefined
}

/**
 * Counters in Redis. They are counted in memory as well: when Redis is away, this process goes on with its part of
 * each limit, from where it is.
 */
export function redisRates({ link, names, keys, now }: RedisRatesOptions): RateStore {
  const local = memoryRates(keys, now)
  return {
    async take(rules, tokens) {
      const values = rules.flatMap(({ limit, windowMs }) => [limit, windowMs])
      const reply = await link.run(
        TAKE,
        rules.map(({ key }) => names(`rate ${key}`)),
        [tokens, now?.() ?? '', ...values],
      )
      const wait = reply === undefined ? undefined : Number(reply)
      if (wait) return wait
      const own = local.take(shares(rules, link.processes()), tokens)
      return wait ?? own
    },
  }
}

const shares = (rules: readonly Rule[], processes: number): Rule[] =>
  rules.map(rule => ({ ...rule, limit: Math.max(1, Math.floor(rule.limit / processes)) }))
