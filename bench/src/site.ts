import type { AddressInfo } from 'node:net'
import { catalogue } from '@assay/catalogue/catalogue'
import { createApp } from '@assay/server/app'
import { createNetwork } from '@assay/server/network'
import { readSettings } from '@assay/server/settings'
import { readSite } from '@assay/server/site'

/** The built site on a free port of loopback, without rate limits that a measure would run into. */
export async function serveSite(): Promise<{ base: string; close(): Promise<void> }> {
  const settings = readSettings({ ASSAY_LIGHT_PER_MINUTE: '1000000000' })
  const site = await readSite(new URL('../../apps/web/dist/', import.meta.url), catalogue)
  if (!site) throw new Error('the pages are not built: run npm run build')
  const app = await createApp({ settings, log: () => {}, site, ...createNetwork(settings) })
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.server.address() as AddressInfo
  return { base: `http://127.0.0.1:${port}`, close: () => app.close() }
}

export const CHROMIUM = '/usr/bin/chromium'
export const CHROMIUM_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
