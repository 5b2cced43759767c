import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import type { Credentials } from '../src/accounts/accounts.ts'
import type { TokenPair } from '../src/accounts/sessions.ts'
import { createStore, type Store } from '../src/store/store.ts'
import { type Trial, type TrialOptions, trial } from '../src/trial.ts'

type Headers = Record<string, string>

export interface AccountTrial extends Trial {
  store: Store
  /** Where things are kept in files. */
  folder: string
  /** What the server takes for the time. */
  clock: { ms: number }
  post(url: string, payload?: object | string, headers?: Headers): Promise<LightMyRequestResponse>
  get(url: string, headers?: Headers): Promise<LightMyRequestResponse>
  /** The mails so far, in any order, as soon as there are so many. */
  letters(count: number): Promise<string[]>
  /** The paths of the links in them. */
  links(count: number): Promise<string[]>
  /** Registers, verifies and logs in. */
  signIn(credentials: Credentials): Promise<TokenPair>
}

export interface AccountTrialOptions extends TrialOptions {
  /** A PostgreSQL database instead of the folder. */
  address?: string
}

const WAIT_MS = 5_000
const BASE = 'https://assay.example'

/** A server with accounts, a store and a folder for its mails, for one test. Answers are not delayed. */
export async function accountTrial(
  t: Pick<TestContext, 'after'>,
  { address, limits, settings, ...options }: AccountTrialOptions = {},
): Promise<AccountTrial> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-accounts-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const store = createStore({ folder, address, timeoutMs: 5_000, connections: 8 })
  const clock = { ms: Date.now() }
  const app = await trial(t, {
    store,
    now: () => new Date(clock.ms),
    settings: { data: folder, base: BASE, contact: 'office@assay.example', ...settings },
    limits: { evenAnswerMs: 1, ...limits },
    ...options,
  })

  async function letters(count: number): Promise<string[]> {
    const end = Date.now() + WAIT_MS
    for (;;) {
      const found = lettersIn(join(folder, 'mail'))
      if (found.length >= count) return found
      assert.ok(Date.now() < end, `there never were ${count} mails`)
      await new Promise(resolve => setTimeout(resolve, 10))
    }
  }

  const links = async (count: number) =>
    (await letters(count))
      .flatMap(text => text.match(/https:\/\/assay\.example\/auth\/\S*token=\S+/g) ?? [])
      .map(pathOf)
  const post: AccountTrial['post'] = (url, payload, headers = {}) =>
    app.inject({
      method: 'POST',
      url,
      headers,
      ...(payload !== undefined && {
        payload: JSON.stringify(payload),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    })
  const get: AccountTrial['get'] = (url, headers = {}) => app.inject({ method: 'GET', url, headers })

  return {
    ...app,
    store,
    folder,
    clock,
    post,
    get,
    letters,
    links,
    async signIn(credentials) {
      const before = lettersIn(join(folder, 'mail')).length
      await post('/auth/register/', credentials)
      const link = (await links(before + 1)).find(path => path.includes('verify-email'))
      assert.ok(link)
      for (const path of await links(before + 1)) if (path.includes('verify-email')) await get(path)
      const login = await post('/auth/login/', credentials)
      assert.equal(login.statusCode, 200, login.body)
      return login.json()
    },
  }
}

const pathOf = (address: string) => address.slice(BASE.length)

/** Quoted-printable takes long lines apart. */
function lettersIn(folder: string): string[] {
  let names: string[] = []
  try {
    names = readdirSync(folder).filter(name => name.endsWith('.eml'))
  } catch {
    // There is no folder before the first mail.
  }
  return names.map(name =>
    readFileSync(join(folder, name), 'utf8')
      .replace(/=\r?\n/g, '')
      .replace(/=3D/g, '='),
  )
}
