/**
 * Lets whatever waits have its turn, messages and timers included, which awaiting something that is already there does
 * not. Long computations call it every few tens of milliseconds so that they can be stopped.
 */
export const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve))
