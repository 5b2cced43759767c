import { catalogue } from '@assay/catalogue/catalogue'
import type { ServerContext } from '@assay/kit'
import { type App, createApp } from '../../server/src/app.ts'
import { readSettings } from '../../server/src/settings.ts'
import { readSite } from '../../server/src/site.ts'
import { unhurried } from '../../server/test/unhurried.ts'
import { ensureBuilt } from './built.ts'

/** The server with the built site, whose tools get their answers from a context for each run. */
export async function servedSite(contextFor: (signal: AbortSignal) => ServerContext): Promise<App> {
  await ensureBuilt()
  return createApp({
    settings: readSettings(unhurried),
    log: () => {},
    site: await readSite(new URL('../dist/', import.meta.url), catalogue),
    createJob: (_, signal) => ({ context: contextFor(signal), dispose: () => {} }),
  })
}
