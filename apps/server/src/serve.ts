import { lstatSync, rmSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { catalogue } from '@assay/catalogue/catalogue'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import { bugOf } from './bug.ts'
import { createCoordination } from './coordination.ts'
import { batchedLog } from './log.ts'
import { createMetrics, metricsServer } from './metrics.ts'
import { createNetwork } from './network.ts'
import { type Listen, readSettings, SettingError, type Settings } from './settings.ts'
import { readSite } from './site.ts'
import { NewerStore } from './store/migrations.ts'
import { createStore, type Store } from './store/store.ts'

/** Starts the server. It alone reads the environment, listens, and hears signals. */

const dist = new URL('../../web/dist/', import.meta.url)
const log = batchedLog(text => process.stderr.write(text))
const now = () => new Date().toISOString()

const settings = settingsOrExit()
const site = await readSite(dist, catalogue, settings)
const store = await openStore()
const coordination = createCoordination({ settings, report: text => log({ event: 'redis', time: now(), text }) })
const metrics = settings.metricsListen && createMetrics()
const app = await createApp({ settings, log, site, store, coordination, metrics, ...createNetwork(settings) })

let stopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
process.on('unhandledRejection', error => log({ event: 'bug', time: now(), request: '', ...bugOf(error) }))
process.on('uncaughtException', error => {
  log({ event: 'bug', time: now(), request: '', ...bugOf(error) })
  void stop('uncaughtException', 1)
})

app.warm()
if (metrics && settings.metricsListen) {
  const server = metricsServer(async () => metrics.text(await app.figures(), Date.now()), settings.limits)
  await listen(server, settings.metricsListen)
  log({ event: 'start', time: now(), text: `metrics on ${placeOf(server, settings.metricsListen)}/metrics` })
}
await listen(app.server, settings.listen)
console.log(`Assay listens on ${placeOf(app.server, settings.listen)}`)
if (!site) console.log('There are no built pages, so only the API answers. `npm run build` makes them.')
log({ event: 'start', time: now(), text: `${catalogue.length} tools` })
// A process that is killed later leaves it to the next one all the same.
flushCompileCache()

/** Lets what runs finish, within the grace. Whatever is still there after it goes down with the process. */
async function stop(reason: string, status = 0): Promise<void> {
  if (stopping) return
  stopping = true
  log({ event: 'stop', time: now(), text: reason })
  const late = setTimeout(() => leave(status), settings.limits.graceMs)
  await app.close()
  clearTimeout(late)
  leave(status)
}

function leave(status: number): never {
  // A native computation in flight would hold up process.exit, so all of those are in children, and these go first.
  app.kill()
  log.flush()
  process.exit(status)
}

async function listen(server: FastifyInstance, where: Listen): Promise<void> {
  try {
    if ('socket' in where) {
      // Left behind by a process that was killed; anything but a socket stays.
      if (lstatSync(where.socket, { throwIfNoEntry: false })?.isSocket()) rmSync(where.socket)
      await server.listen({ path: where.socket })
    } else await server.listen(where)
  } catch (error) {
    app.kill()
    exit(`Assay cannot listen on ${placeOf(server, where)}: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

function placeOf(server: FastifyInstance, where: Listen): string {
  if ('socket' in where) return `unix:${where.socket}`
  // Port 0 asks for any free one.
  const [bound] = server.addresses()
  const port = typeof bound === 'object' ? bound.port : where.port
  return `http://${where.host.includes(':') ? `[${where.host}]` : where.host}:${port}`
}

/** A store that cannot be opened now may be there later; the tools do not wait for it. */
async function openStore(): Promise<Store> {
  const { data: folder, database: address, limits } = settings
  const store = createStore({
    folder,
    address,
    timeoutMs: limits.storeMs,
    connections: limits.storeConnections,
    report: text => log({ event: 'store', time: now(), text }),
  })
  try {
    await store.open()
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    if (cause instanceof NewerStore) exit(`${cause.message}.`)
    const place = address ? 'the database of DATABASE_URL' : `the folder ${folder}`
    console.log(`Nothing can be stored in ${place} at the moment. The tools work, what has to be kept is refused.`)
  }
  return store
}

function settingsOrExit(): Settings {
  try {
    return readSettings(process.env)
  } catch (error) {
    if (error instanceof SettingError) exit(error.message)
    throw error
  }
}

function exit(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
