/** What newer browsers give for this; their timers wait four milliseconds once they are nested. */
declare const scheduler: { yield?(): Promise<void> } | undefined

/**
 * Lets whatever waits have its turn, messages and timers included, which awaiting something that is already there does
 * not. Long computations call it every few tens of milliseconds so that they can be stopped.
 */
export const pause = (): Promise<void> =>
  typeof scheduler === 'object' && scheduler.yield ? scheduler.yield() : new Promise(resolve => setTimeout(resolve))
