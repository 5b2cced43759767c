import type { Outcome } from '@assay/kit'
import type { Room } from '../outcome-size.ts'
import { createRemembered, type Remembered } from '../remembered.ts'
import { BOUNDED } from './bounded.ts'
import { NOW, type RedisLink, script } from './link.ts'
import type { Names } from './names.ts'
import type { Vault } from './vault.ts'

const FIND = script(`return redis.call('GET', KEYS[1]) or ''`)

/** ARGV: the sealed outcome, how long it can be asked for, how many to keep, and bytes of all. */
const KEEP = script(`${NOW}
${BOUNDED}
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
bounded(KEYS[2], KEYS[1], now, tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), function(key)
  return redis.call('STRLEN', key)
end)
return 1`)

interface Kept {
  outcome: Outcome
  at: number
}

export interface RedisRememberedOptions {
  link: RedisLink
  names: Names
  createVault(question: string): Vault
  version(): Promise<string>
  room: Room
  now?: (() => Date) | undefined
}

/** Outcomes that all processes know, and what this one had itself, for when Redis is away. */
export function redisRemembered(options: RedisRememberedOptions): Remembered {
  const { link, names, createVault, version, room, now = () => new Date() } = options
  const local = createRemembered(room, now)
  const placeOf = async (key: string) => {
    const place = `${await version()} ${key}`
    return { name: names(`remembered ${place}`), vault: createVault(place) }
  }
  return {
    async find(key, freshForMs) {
      const { name, vault } = await placeOf(key)
      const bytes = await link.run(FIND, [name], [])
      const kept = Buffer.isBuffer(bytes) ? ((await vault.open(bytes)) as Kept | undefined) : undefined
      if (kept && now().getTime() - kept.at <= freshForMs) return kept.outcome
      return local.find(key, freshForMs)
    },
    async keep(key, outcome, forMs) {
      await local.keep(key, outcome, forMs)
      const { name, vault } = await placeOf(key)
      const kept: Kept = { outcome, at: now().getTime() }
      const bytes = await vault.seal(kept)
      if (bytes) await link.run(KEEP, [name, names('all remembered')], [bytes, forMs, room.results, room.characters])
    },
  }
}
