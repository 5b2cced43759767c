/// <reference lib="webworker" />
/**
 * Keeps what was visited, so that tools of the browser work without a network. Nothing below /api/, /auth/ or /user/
 * is ever kept, and a page is kept under its address without the query.
 */
export {}

declare const self: ServiceWorkerGlobalScope
/** Set by the build: a digest of the site, and what every page needs. */
declare const VERSION: string
declare const SHELL: readonly string[]

/** Where the site begins on its host, with the slash. What the build lists begins with that slash. */
const root = new URL('.', self.location.href).pathname
const own = (path: string) => root + path.slice(1)
/** Other sites of the host keep theirs beside it. */
const cachePrefix = root === '/' ? 'assay-' : `assay${root}-`
const cacheName = cachePrefix + VERSION
const isPrivate = (path: string) => /^(?:api|auth|user)\//.test(`${path.slice(root.length)}/`)

self.addEventListener('install', event => {
  event.waitUntil(
    caches
      .open(cacheName)
      .then(cache => cache.addAll(SHELL.map(own)))
      .then(() => self.skipWaiting()),
  )
})

self.addEventListener('activate', event => {
  event.waitUntil(
    caches
      .keys()
      .then(names =>
        Promise.all(
          names.filter(name => name.startsWith(cachePrefix) && name !== cacheName).map(name => caches.delete(name)),
        ),
      )
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin || isPrivate(pathname)) return
  if (request.mode === 'navigate') event.respondWith(page(request, pathname))
  else event.respondWith(file(request))
})

/** An installed app asks to keep every page and chunk of the tools that run in the browser. */
self.addEventListener('message', event => {
  if (event.data === 'keep-everything') event.waitUntil(keepEverything())
})

/** Pages come from the network, and from what was kept when there is none. */
async function page(request: Request, path: string): Promise<Response> {
  const cache = await caches.open(cacheName)
  try {
    const response = await fetch(request)
    if (response.ok && !response.redirected) await cache.put(path, response.clone())
    return response
  } catch (error) {
    const kept = (await cache.match(path)) ?? (await cache.match(`${path}/`))
    if (kept) return kept
    throw error
  }
}

/** Files under /assets/ carry a digest in their name and never change. */
async function file(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName)
  const immutable = new URL(request.url).pathname.startsWith(own('/assets/'))
  const kept = await cache.match(request, { ignoreVary: true })
  if (kept && immutable) return kept
  try {
    const response = await fetch(request)
    if (response.ok) await cache.put(request, response.clone())
    return response
  } catch (error) {
    if (kept) return kept
    throw error
  }
}

async function keepEverything(): Promise<void> {
  const cache = await caches.open(cacheName)
  const list: readonly string[] = await fetch(own('/offline.json')).then(response => response.json())
  for (const path of list.map(own)) {
    if (!(await cache.match(path))) await cache.add(path)
  }
}
