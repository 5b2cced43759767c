import type { Coordination } from '../coordination.ts'
import type { Limits } from '../limits.ts'
import { rememberedRoom, sharedRoom } from '../outcome-size.ts'
import { createSharedRuns } from '../shared.ts'
import type { RedisAddress } from './address.ts'
import { fingerprint } from './code.ts'
import { createRedisLink, type RedisLink } from './link.ts'
import { createNames } from './names.ts'
import { redisRates } from './rates.ts'
import { redisRemembered } from './remembered.ts'
import { redisRuns } from './runs.ts'
import { createVault } from './vault.ts'

interface RedisCoordinationOptions {
  address: RedisAddress
  base: string | undefined
  limits: Limits
  now?: (() => Date) | undefined
  report?: ((text: string) => void) | undefined
}

/** All that is in Redis, on one connection. */
export function redisCoordination({
  address,
  base,
  limits,
  now,
  report,
}: RedisCoordinationOptions): Coordination & Pick<RedisLink, 'ready'> {
  // The processes of one site have both in common, and the first is not in a copy of Redis.
  const secret = JSON.stringify([address.password, base])
  const names = createNames(secret)
  const link = createRedisLink({
    address,
    timeoutMs: limits.redisMs,
    retryMs: limits.redisRetryMs,
    staleMs: limits.redisStaleMs,
    processesKey: names('processes'),
    report,
  })
  let code: Promise<string> | undefined
  const sharing = {
    link,
    names,
    createVault: (question: string) => createVault(secret, question, limits.sharedResultBytes),
    version() {
      code ??= fingerprint()
      return code
    },
  }
  const runs = redisRuns({ ...sharing, limits })
  return {
    rates: redisRates({ link, names, keys: limits.rateKeys }),
    runs: createSharedRuns(limits.scanSharedMs, sharedRoom(limits), runs.run),
    remembered: redisRemembered({ ...sharing, room: rememberedRoom(limits), now }),
    figures: () => ({ up: link.isUp(), processes: link.processes() }),
    ready: link.ready,
    async close() {
      await runs.close()
      await link.close()
    },
  }
}
