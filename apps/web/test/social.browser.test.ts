import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { catalogue } from '@assay/catalogue/catalogue'
import { replay } from '@assay/kit/replay'
import type { Page } from 'playwright-core'
import { type App, createApp } from '../../server/src/app.ts'
import type { LogLine } from '../../server/src/log.ts'
import { readSettings } from '../../server/src/settings.ts'
import { readSite } from '../../server/src/site.ts'
import { createStore } from '../../server/src/store/store.ts'
import { type GitHubTrial, type OpenIdTrial, startGitHub, startOpenId } from '../../server/test/openid-provider.ts'
import { unhurried } from '../../server/test/unhurried.ts'
import { openSite, type Site } from './browser.ts'
import { ensureBuilt } from './built.ts'

const email = 'ada@example.org'
const button = (page: Page, name: string) => page.getByRole('button', { name: `Continue with ${name}` })
const stored = (page: Page): Promise<Record<string, string>> => page.evaluate('({ ...localStorage })')

/** A port that is free now: the address of the site has to be known before it listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Every address that Back and Forward of a tab could lead to. */
async function history(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { entries } = await session.send('Page.getNavigationHistory')
  return entries.map(({ url }) => url)
}

for (const root of ['', '/assay']) {
  describe(`signing in by a provider in a browser, the site at ${root || '/'}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-social-'))
    const closing: (() => unknown)[] = []
    const trialled = { after: (work: () => unknown) => void closing.push(work) }
    const lines: LogLine[] = []
    let app: App
    let site: Site
    let google: OpenIdTrial
    let github: GitHubTrial

    before(async () => {
      await ensureBuilt()
      const port = await freePort()
      const base = `http://127.0.0.1:${port}${root}`
      google = await startOpenId(trialled, base)
      github = await startGitHub(trialled, base)
      const settings = readSettings({
        ...unhurried,
        ASSAY_DATA: folder,
        ASSAY_BASE_URL: base,
        ASSAY_GOOGLE_CLIENT_ID: google.client.clientId,
        ASSAY_GOOGLE_CLIENT_SECRET: google.client.clientSecret,
        ASSAY_GOOGLE_ISSUER: google.client.address,
        ASSAY_GITHUB_CLIENT_ID: github.client.clientId,
        ASSAY_GITHUB_CLIENT_SECRET: github.client.clientSecret,
        ASSAY_GITHUB_URL: github.client.address,
      })
      app = await createApp({
        settings,
        log: line => lines.push(line),
        site: await readSite(new URL('../dist/', import.meta.url), catalogue, settings),
        store: createStore({ folder, address: undefined, timeoutMs: 2_000, connections: 1 }),
        createJob: (_, signal) => ({ context: replay({}, signal), dispose: () => {} }),
      })
      await app.server.listen({ host: '127.0.0.1', port })
      site = await openSite(base, [google.client.address, github.client.address])
    })
    after(async () => {
      await site.close()
      await app.close()
      for (const close of closing) await close()
      rmSync(folder, { recursive: true })
    })

    for (const [id, provider, name] of [
      ['AUT-048', 'google', 'Google'],
      ['AUT-049', 'github', 'GitHub'],
    ] as const) {
      test(`[${id}] [AUT-050] [OPEN-018] Continue with ${name}: to the profile, and no token in address or history`, async () => {
        const { page, close } = await site.open('/auth/')
        const referers: string[] = []
        page.on('request', request => referers.push(request.headers().referer ?? ''))
        await button(page, name).click()
        await page.waitForURL(`${site.base}/user/profile/`)
        await page.getByText(email).first().waitFor()
        const { access, refresh, ...others } = await stored(page)
        assert.match(access ?? '', /^assay_at_/)
        assert.match(refresh ?? '', /^assay_rt_/)
        assert.equal(others.returned, undefined)
        const cookies = await page.context().cookies(site.base)
        assert.ok(!cookies.some(cookie => cookie.name === 'oauth'), 'the cookie was taken back')
        const left = [...(await history(page)), ...referers, JSON.stringify(lines)].join('\n')
        for (const trace of ['access=', 'refresh=', 'assay_', 'code=', 'state='])
          assert.ok(!left.includes(trace), trace)
        assert.ok(lines.some(line => line.event === 'request' && line.route === `/auth/${provider}/complete/`))
        await page.reload()
        await page.getByText(email).first().waitFor()
        await close()
      })
    }

    test('[OPEN-018] U9: who changes his mind there, or has no verified address, is told at the form', async () => {
      const { page, close } = await site.open('/auth/')
      google.intercept = ({ url = '' }, response) => {
        if (!url.startsWith('/auth')) return false
        const asked = new URL(url, site.base).searchParams
        const back = new URLSearchParams({
          error: 'access_denied',
          state: asked.get('state') ?? '',
          iss: google.issuer,
        })
        response.writeHead(302, { location: `${asked.get('redirect_uri')}?${back}` }).end()
        return true
      }
      await button(page, 'Google').click()
      await page.locator('.toast.error', { hasText: 'Google sign-in did not work. Please try again.' }).waitFor()
      google.intercept = () => false
      github.emails = [{ email, primary: true, verified: false }]
      github.user = { id: 99 }
      await button(page, 'GitHub').click()
      const toast = 'Verify your email address at GitHub first, then try again.'
      await page.locator('.toast.error', { hasText: toast }).waitFor()
      assert.deepEqual((await stored(page)).access, undefined)
      await close()
    })

    test('[AUT-033] U10: the pair of a thief, pushed into the page of the return, signs nobody in', async () => {
      const { page, requests, close } = await site.open('/auth/')
      google.person = { sub: 'thief', email: 'thief@example.org', email_verified: true }
      await page.route('**/auth/redeem/', route => route.abort())
      await button(page, 'Google').click()
      await page.waitForURL(`${site.base}/user/profile/`)
      const theirs = requests.find(url => url.includes('/callback/')) ?? ''
      assert.match(theirs, /\?access=assay_return_[\w-]+&refresh=assay_return_/)
      await close()

      const victim = await site.open('/')
      await victim.page.goto(theirs)
      await victim.page.waitForURL(`${site.base}/auth/`)
      await victim.page.locator('.toast.error', { hasText: 'Unauthorized. Please log in.' }).waitFor()
      const { access, refresh, returned } = await stored(victim.page)
      assert.deepEqual([access, refresh, returned], [undefined, undefined, undefined])
      assert.ok(!(await history(victim.page)).join('\n').includes('access='))
      await victim.close()
    })
  })
}
