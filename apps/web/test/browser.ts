import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { serveSite } from '../serve.ts'
import { ensureBuilt } from './built.ts'

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const WAIT_MS = 30_000

export interface Site {
  base: string
  /** A fresh visitor. Faults of the policy, of scripts and requests to other hosts fail the test when it closes. */
  open(path: string, options?: BrowserContextOptions): Promise<Visit>
  close(): Promise<void>
}

export interface Visit {
  page: Page
  /** Addresses of all requests so far. */
  requests: string[]
  close(): Promise<void>
}

/**
 * The built site on loopback, or whatever answers at an address given, and a browser in front of it. `others` are the
 * addresses elsewhere that it may go to.
 */
export async function openSite(address?: string, others: readonly string[] = []): Promise<Site> {
  await ensureBuilt()
  const server = serveSite().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = address ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const browser: Browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags })
  return {
    base,
    async open(path, options = {}) {
      const context = await browser.newContext({ serviceWorkers: 'block', ...options })
      context.setDefaultTimeout(WAIT_MS)
      const page = await context.newPage()
      const faults: string[] = []
      const requests: string[] = []
      page.on('pageerror', error => faults.push(error.message))
      page.on('console', message => {
        if (/Content Security Policy|Trusted/i.test(message.text())) faults.push(message.text())
      })
      context.on('request', request => {
        requests.push(request.url())
        const isOurs = [base, ...others].some(place => request.url().startsWith(place))
        if (!/^(?:data|blob):/.test(request.url()) && !isOurs) faults.push(request.url())
      })
      await page.goto(base + path, { waitUntil: 'load' })
      return {
        page,
        requests,
        async close() {
          await context.close()
          assert.deepEqual(faults, [])
        },
      }
    },
    async close() {
      await browser.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on the page as it stands: rule, and the elements it is about. */
export async function axeFindings(page: Page): Promise<string[]> {
  // The page forbids inline scripts; the debugger's own evaluation is not one.
  await page.evaluate(axe)
  const violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] = await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] }).then(results => results.violations)',
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** Waits until an expression is true on the page. Playwright's own wait evaluates text in the page, which forbids it. */
export async function until(page: Page, expression: string): Promise<void> {
  const end = Date.now() + WAIT_MS
  while (!(await page.evaluate(expression))) {
    assert.ok(Date.now() < end, `never came: ${expression}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
