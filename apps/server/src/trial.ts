import type { TestContext } from 'node:test'
import type { Recording } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { type App, type AppOptions, createApp } from './app.ts'
import { actions } from './compute/hostile-tools.ts'
import type { Limits } from './limits.ts'
import type { LogLine } from './log.ts'
import { readSettings, type Settings } from './settings.ts'

/** A server for one test, with tools made for tests unless the catalogue is asked for. */
export interface Trial extends App {
  lines: LogLine[]
  inject: App['server']['inject']
}

export interface TrialOptions extends Partial<Omit<AppOptions, 'settings' | 'log' | 'tools'>> {
  limits?: Partial<Limits>
  settings?: Partial<Settings>
  recording?: Recording
  catalogue?: boolean
}

const hostile = { entries: actions, module: import.meta.resolve('./compute/hostile-tools.ts') }

/** Other tests share the machine and the process; only a test about it should see it overloaded. */
const unhurried: Partial<Limits> = { loopDelayMs: 60_000 }

export async function trial(
  t: Pick<TestContext, 'after'>,
  { limits, settings, recording, catalogue, ...options }: TrialOptions = {},
): Promise<Trial> {
  const defaults = readSettings({})
  const lines: LogLine[] = []
  const app = await createApp({
    settings: { ...defaults, ...settings, limits: { ...defaults.limits, ...unhurried, ...limits } },
    log: line => lines.push(line),
    createJob: (_, signal) => ({ context: replay(recording, signal), dispose() {} }),
    ...(!catalogue && { tools: hostile }),
    ...options,
  })
  t.after(async () => {
    await app.close()
  })
  return { ...app, lines, inject: app.server.inject.bind(app.server) as App['server']['inject'] }
}
