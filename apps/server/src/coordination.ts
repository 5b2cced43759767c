import type { Limits } from './limits.ts'
import { rememberedRoom, sharedRoom } from './outcome-size.ts'
import { memoryRates, type RateStore } from './rates.ts'
import { redisCoordination } from './redis/coordination.ts'
import { createRemembered, type Remembered } from './remembered.ts'
import type { Settings } from './settings.ts'
import { createSharedRuns, type SharedRuns } from './shared.ts'

/** What the processes of one site know together: in the memory of one, or in Redis when there are several. */
export interface Coordination {
  rates: RateStore
  runs: SharedRuns
  remembered: Remembered
  /** How it stands with Redis; undefined where there is none. */
  figures(): RedisFigures | undefined
  close(): Promise<void>
}

export interface RedisFigures {
  up: boolean
  /** That share it, this one included, when they last could be counted. */
  processes: number
}

interface CoordinationOptions {
  settings: Settings
  now?: (() => Date) | undefined
  /** Told when Redis goes away and when it is back. */
  report?: (text: string) => void
}

export function createCoordination({ settings, now, report }: CoordinationOptions): Coordination {
  const { redis: address, base, limits } = settings
  return address ? redisCoordination({ address, base, limits, now, report }) : memoryCoordination(limits, now)
}

const memoryCoordination = (limits: Limits, now = () => new Date()): Coordination => ({
  rates: memoryRates(limits.rateKeys, () => now().getTime()),
  runs: createSharedRuns(limits.scanSharedMs, sharedRoom(limits)),
  remembered: createRemembered(rememberedRoom(limits), now),
  figures: () => undefined,
  async close() {},
})
