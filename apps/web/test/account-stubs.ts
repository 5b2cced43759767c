import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Site, Visit } from './browser.ts'

/** What a stubbed address answers: a status and a JSON value or a text; `abort` for a network that fails. */
export type Reply = { status?: number; json?: unknown; text?: string; headers?: Record<string, string> } | 'abort'
/** By "POST /auth/login/", or a function for answers that change. */
export type Replies = Record<string, Reply | ((sent: Sent) => Reply | Promise<Reply>)>

export interface Sent {
  call: string
  body: string | null
  authorization: string | undefined
}

export interface AccountVisit extends Visit {
  /** The calls to the accounts so far. */
  sent: Sent[]
  /** Changes what is answered from now on. */
  reply(replies: Replies): void
}

export interface Arrival extends BrowserContextOptions {
  replies?: Replies
  /** What lies in the local storage before. */
  storage?: Readonly<Record<string, string>>
}

/** A visitor of an account page, with a server of accounts that answers as told and 404 to all else. */
export async function arrive(
  site: Site,
  path: string,
  { replies = {}, storage = {}, ...options }: Arrival = {},
): Promise<AccountVisit> {
  const visit = await site.open('/robots.txt', options)
  const { page } = visit
  const sent: Sent[] = []
  let current = replies
  await page.route(
    url => /^\/(?:auth|user)\//.test(url.pathname),
    async route => {
      const request = route.request()
      if (request.resourceType() !== 'fetch') return route.fallback()
      const call = `${request.method()} ${new URL(request.url()).pathname}`
      const told = { call, body: request.postData(), authorization: request.headers().authorization }
      sent.push(told)
      const reply = current[call] ?? { status: 404, text: 'nothing' }
      const answer = typeof reply === 'function' ? await reply(told) : reply
      if (answer === 'abort') return route.abort()
      const { status = 200, json, text, headers } = answer
      return route.fulfill({
        status,
        headers: { 'content-type': json === undefined ? 'text/plain' : 'application/json', ...headers },
        body: json === undefined ? (text ?? '') : JSON.stringify(json),
      })
    },
  )
  await page.evaluate(entries => {
    for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value)
  }, storage)
  await page.goto(site.base + path, { waitUntil: 'load' })
  function reply(replies: Replies): void {
    current = replies
  }
  return { ...visit, sent, reply }
}

/** Waits until the page is at a path; its query stands behind it. */
export const isAt = (page: Page, path: string): Promise<void> =>
  page.waitForURL(url => url.pathname + url.search === path, { waitUntil: 'commit' })

/** Waits for a toast of a kind with exactly these words. */
export const toast = (page: Page, kind: 'success' | 'error', text: string): Promise<void> =>
  page.locator(`.toast.${kind}`).getByText(text, { exact: true }).first().waitFor()

/** All that lies in the local storage. */
export const storageOf = (page: Page): Promise<Record<string, string>> => page.evaluate('({ ...localStorage })')
