import { monitorEventLoopDelay } from 'node:perf_hooks'

const SAMPLE_MS = 500
const RESOLUTION_MS = 10

/** Whether the event loop lags behind, by its mean delay over the last half second. */
export function watchPressure(limitMs: number): { isHigh(): boolean; stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let high = false
  delay.enable()
  const timer = setInterval(() => {
    high = delay.mean / 1e6 - RESOLUTION_MS > limitMs
    delay.reset()
  }, SAMPLE_MS).unref()
  return {
    isHigh: () => high,
    stop() {
      clearInterval(timer)
      delay.disable()
    },
  }
}
