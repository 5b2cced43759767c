import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Answer, createAsk } from '../src/account/ask.ts'
import { readKeys, readNewKey, readProviders, readSessions, readUsage } from '../src/account/records.ts'
import { createSession, pairIn } from '../src/account/session.ts'
import { type Strength, strengthOf } from '../src/account/strength.ts'
import { createTokens } from '../src/account/tokens.ts'
import { FAILED, noticeOf, refusal, UNSENT } from '../src/account/words.ts'

describe('[AUT-018] the strength of a password, specification §5', () => {
  const cases: Readonly<Record<Strength, readonly string[]>> = {
    strong: [
      'Abcdefg1',
      '1Gfedcba',
      'aB3aB3aB',
      'ZZZZZZz9',
      'Correct horse 1',
      'pass Word 2',
      'aaaaaaA0',
      'Ünïcödé9',
      'Пароль99',
      'Κωδικός٣',
      'aB1🙂🙂🙂🙂🙂',
      '\u00df\u1e9eaaaaa1',
      `${'x'.repeat(1000)}X1`,
    ],
    medium: [
      'abcde1',
      '1bcdef',
      'ABCDE1',
      'aB3aB3',
      'abcdefgh1',
      'ABCDEFGH1',
      'Abcdef1',
      'abc 12',
      '12345678a',
      'пароль1',
      '密码密码密1',
      'a1!!!!',
      'aB1🙂🙂🙂🙂',
      `${'x'.repeat(1000)}1`,
    ],
    weak: [
      '',
      'a',
      '1',
      'A',
      'abcd1',
      'aB3aB',
      'a1🙂🙂🙂',
      'abcdef',
      'ABCDEF',
      'Abcdefgh',
      '123456',
      '12345678901234567890',
      '!!!!!!',
      '      ',
      'passwordPASSWORD',
      '1234567!',
    ],
  }
  const ids: Readonly<Record<string, string>> = { strong: '[VAL-048]', medium: '[VAL-049]', weak: '[VAL-050]' }
  for (const [strength, passwords] of Object.entries(cases)) {
    for (const password of passwords) {
      test(`${ids[strength]} ${strength}: ${JSON.stringify(password.slice(0, 24))}`, () =>
        assert.equal(strengthOf(password), strength))
    }
  }
})

/** A storage that two tabs share. */
function memoryStorage(entries: Readonly<Record<string, string>> = {}): Storage {
  const kept = new Map(Object.entries(entries))
  return {
    get length() {
      return kept.size
    },
    key: index => [...kept.keys()][index] ?? null,
    getItem: name => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: name => void kept.delete(name),
    clear: () => kept.clear(),
  }
}

const written = (storage: Storage) =>
  Object.fromEntries(
    Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').map(name => [
      name,
      storage.getItem(name),
    ]),
  )

describe('the tokens in the local storage', () => {
  test('[AUT-027] [AUT-043] they are kept as access and refresh, and nothing else is', () => {
    const storage = memoryStorage()
    createTokens(storage).save({ access: 'a', refresh: 'r' })
    assert.deepEqual(written(storage), { access: 'a', refresh: 'r' })
    assert.deepEqual(createTokens(storage).read(), { access: 'a', refresh: 'r' })
  })

  test('without an access token nobody is signed in, whatever else there is', () => {
    assert.equal(createTokens(memoryStorage({ refresh: 'r' })).read(), undefined)
    assert.equal(createTokens(memoryStorage({ access: '', refresh: 'r' })).read(), undefined)
    assert.deepEqual(createTokens(memoryStorage({ access: 'a' })).read(), { access: 'a', refresh: '' })
  })

  test('[OPEN-018] a pair from an address is marked until it is exchanged', () => {
    const storage = memoryStorage()
    const tokens = createTokens(storage)
    tokens.saveReturned({ access: 'a', refresh: 'r' })
    assert.deepEqual([tokens.isReturned(), tokens.read()], [true, { access: 'a', refresh: 'r' }])
    tokens.save({ access: 'a2', refresh: 'r2' })
    assert.deepEqual([tokens.isReturned(), written(storage)], [false, { access: 'a2', refresh: 'r2' }])
  })

  test('[AUT-024] logging out leaves nothing, forgetting leaves the theme', () => {
    const kept = { access: 'a', refresh: 'r', returned: 'yes', theme: 'dark' }
    const storage = memoryStorage(kept)
    createTokens(storage).forget()
    assert.deepEqual(written(storage), { theme: 'dark' })
    const other = memoryStorage(kept)
    createTokens(other).clear()
    assert.deepEqual(written(other), {})
  })
})

interface Asked {
  path: string
  access: string | undefined
  body: unknown
}

const answerOf = (status: number, body?: unknown): Answer => ({
  status,
  ok: status >= 200 && status < 300,
  body,
  detail: '',
  waitSeconds: 0,
})

/** A server that knows which access tokens are good and rotates refresh tokens, and a lock as tabs have it. */
function trial(entries: Readonly<Record<string, string>>) {
  const storage = memoryStorage(entries)
  const asked: Asked[] = []
  const good = new Set<string>()
  const answers: Record<string, (body: unknown) => Answer | Promise<Answer>> = {}
  let last = Promise.resolve()
  const lock = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.then(
      () => {},
      () => {},
    )
    return done
  }
  const openTab = () =>
    createSession({
      tokens: createTokens(storage),
      lock,
      ask: async (path, { access, body } = {}) => {
        asked.push({ path, access, body })
        await new Promise(resolve => setTimeout(resolve, 1))
        const own = answers[path]
        if (own) return own(body)
        return access && good.has(access) ? answerOf(200, { x: 1 }) : answerOf(401)
      },
    })
  return { storage, asked, good, answers, openTab }
}

const PROFILE = '/user/profile/'
const REFRESH = '/auth/refresh/'
const REDEEM = '/auth/redeem/'

describe('calls in the name of whoever is signed in', () => {
  test('[AUT-051] [AUT-057] the access token goes along', async () => {
    const { good, asked, openTab } = trial({ access: 'a', refresh: 'r' })
    good.add('a')
    assert.deepEqual((await openTab().call(PROFILE)).body, { x: 1 })
    assert.deepEqual(asked, [{ path: PROFILE, access: 'a', body: undefined }])
  })

  test('[OPEN-016] a refused token is renewed once and the call repeated', async () => {
    const { storage, good, asked, answers, openTab } = trial({ access: 'old', refresh: 'r' })
    answers[REFRESH] = () => {
      good.add('new')
      return answerOf(200, { access: 'new', refresh: 'r2' })
    }
    assert.ok((await openTab().call(PROFILE)).ok)
    assert.deepEqual(
      asked.map(({ path, access, body }) => [path, access, body]),
      [
        [PROFILE, 'old', undefined],
        [REFRESH, undefined, { refresh: 'r' }],
        [PROFILE, 'new', undefined],
      ],
    )
    assert.deepEqual(written(storage), { access: 'new', refresh: 'r2' })
  })

  test('[OPEN-016] a new token that is refused as well is not renewed again', async () => {
    const { asked, answers, openTab } = trial({ access: 'old', refresh: 'r' })
    answers[REFRESH] = () => answerOf(200, { access: 'new', refresh: 'r2' })
    assert.equal((await openTab().call(PROFILE)).status, 401)
    assert.equal(asked.filter(({ path }) => path === REFRESH).length, 1)
  })

  for (const [what, answer] of [
    ['refused', answerOf(401)],
    ['not to be had', answerOf(503)],
    ['silent', answerOf(0)],
    ['not a pair', answerOf(200, { access: 'new' })],
    ['not JSON', answerOf(200)],
  ] as const) {
    test(`[OPEN-016] when the refresh is ${what}, the first answer stands and the tokens stay`, async () => {
      const { storage, answers, openTab } = trial({ access: 'old', refresh: 'r' })
      answers[REFRESH] = () => answer
      assert.equal((await openTab().call(PROFILE)).status, 401)
      assert.deepEqual(written(storage), { access: 'old', refresh: 'r' })
    })
  }

  test('without a refresh token nothing is renewed', async () => {
    const { asked, openTab } = trial({ access: 'old' })
    assert.equal((await openTab().call(PROFILE)).status, 401)
    assert.equal(asked.length, 1)
  })

  test('other failures are no reason to renew', async () => {
    for (const status of [0, 403, 404, 429, 500, 503]) {
      const { asked, answers, openTab } = trial({ access: 'a', refresh: 'r' })
      answers[PROFILE] = () => answerOf(status)
      assert.equal((await openTab().call(PROFILE)).status, status)
      assert.equal(asked.length, 1)
    }
  })

  test('[OPEN-016] ten calls of two tabs renew the token once between them', async () => {
    const { good, asked, answers, openTab } = trial({ access: 'old', refresh: 'r' })
    answers[REFRESH] = () => {
      good.add('new')
      return answerOf(200, { access: 'new', refresh: 'r2' })
    }
    const tabs = [openTab(), openTab()]
    const all = await Promise.all(Array.from({ length: 10 }, (_, index) => tabs[index % 2]?.call(PROFILE)))
    assert.ok(all.every(answer => answer?.ok))
    assert.equal(asked.filter(({ path }) => path === REFRESH).length, 1)
  })

  test('[OPEN-016] what another tab renewed is taken, even when the browser tells of it late', async () => {
    for (const answer of [answerOf(200, { access: 'new', refresh: 'r2' }), answerOf(401)]) {
      const { storage, good, answers, openTab } = trial({ access: 'old', refresh: 'r' })
      answers[REFRESH] = () => {
        good.add('new')
        createTokens(storage).save({ access: 'new', refresh: 'r2' })
        return answer
      }
      assert.ok((await openTab().call(PROFILE)).ok)
      assert.deepEqual(written(storage), { access: 'new', refresh: 'r2' })
    }
  })

  test('a logout during the refresh is not undone by it', async () => {
    const { storage, answers, openTab } = trial({ access: 'old', refresh: 'r' })
    answers[REFRESH] = () => {
      storage.clear()
      return answerOf(200, { access: 'new', refresh: 'r2' })
    }
    assert.equal((await openTab().call(PROFILE)).status, 401)
    assert.deepEqual(written(storage), {})
  })

  test('[OPEN-018] a pair from an address is exchanged once, whatever opens how often', async () => {
    const { storage, asked, answers, openTab } = trial({ access: 'a', refresh: 'r', returned: 'yes' })
    answers[REDEEM] = body => {
      assert.deepEqual(body, { access: 'a', refresh: 'r' })
      return answerOf(200, { access: 'real', refresh: 'real too' })
    }
    assert.deepEqual(await Promise.all([openTab().redeem(), openTab().redeem()]), [true, true])
    assert.deepEqual(written(storage), { access: 'real', refresh: 'real too' })
    assert.equal(asked.length, 1)
  })

  test('[OPEN-018] whatever the answer to the exchange, without a pair it is a refusal', async () => {
    for (const status of [0, 200, 400, 401, 404, 500]) {
      const { answers, openTab } = trial({ access: 'a', refresh: 'r', returned: 'yes' })
      answers[REDEEM] = () => answerOf(status)
      assert.equal(await openTab().redeem(), false)
    }
  })
})

describe('questions to the server', () => {
  /** What one question sends, and what it makes of an answer. */
  async function asking(
    response: () => Response,
    base = '',
    request: Parameters<ReturnType<typeof createAsk>>[1] = {},
  ) {
    const sent: { address: string; init: RequestInit }[] = []
    const ask = createAsk(base, async (address, init = {}) => {
      sent.push({ address: String(address), init })
      return response()
    })
    const answer = await ask('/user/profile/', request)
    return { answer, address: sent[0]?.address, init: sent[0]?.init ?? {} }
  }

  test('[OPEN-002] the base of the accounts is this origin unless another is set', async () => {
    const response = () => Response.json({})
    assert.equal((await asking(response)).address, '/user/profile/')
    assert.equal((await asking(response, 'https://id.example')).address, 'https://id.example/user/profile/')
  })

  test('[OPEN-003] it asks for JSON and never out of the cache, for a page has the same address', async () => {
    const { init } = await asking(() => Response.json({}), '', { access: 'a' })
    assert.deepEqual(init.headers, { Accept: 'application/json', Authorization: 'Bearer a' })
    assert.equal(init.cache, 'no-store')
  })

  test('[AUT-053] a POST without fields has no body', async () => {
    const { init } = await asking(() => Response.json({}), '', { method: 'POST', access: 'a' })
    assert.deepEqual([init.method, init.body, 'body' in init], ['POST', undefined, false])
  })

  test('fields are sent as JSON', async () => {
    const { init } = await asking(() => Response.json({}), '', { method: 'POST', body: { email: 'é@x', n: null } })
    assert.deepEqual([init.method, init.body], ['POST', '{"email":"é@x","n":null}'])
  })

  test('an answer that is no JSON has no value and no sentence', async () => {
    const { answer } = await asking(() => new Response('<html>', { status: 502 }))
    assert.deepEqual([answer.status, answer.ok, answer.body, answer.detail], [502, false, undefined, ''])
  })

  test('only a text is a detail', async () => {
    for (const body of [{ detail: ['x'] }, { detail: 1 }, [], null, 'x', {}]) {
      assert.equal((await asking(() => Response.json(body, { status: 400 }))).answer.detail, '')
    }
    assert.equal((await asking(() => Response.json({ detail: 'x' }, { status: 400 }))).answer.detail, 'x')
  })

  test('a network that fails is an answer too', async () => {
    const { answer } = await asking(() => {
      throw new TypeError('Failed to fetch')
    })
    assert.deepEqual([answer.status, answer.ok], [0, false])
  })
})

describe('the words for what went wrong', () => {
  const failed = (status: number, detail = '', waitSeconds = 0): Answer => ({
    status,
    ok: false,
    body: undefined,
    detail,
    waitSeconds,
  })

  test('[AUT-058] [ERR-041] the detail of the server', () => assert.equal(refusal(failed(401, 'x'), FAILED), 'x'))
  test('[AUT-059] else something went wrong', () => assert.equal(refusal(failed(500), FAILED), 'Something went wrong.'))
  test('[AUT-060] or the link was not sent', () =>
    assert.equal(refusal(failed(500), UNSENT), 'Unable to send reset link.'))
  test('the network is named where there was no answer', () =>
    assert.equal(refusal(failed(0), FAILED), 'Something went wrong. Check your internet connection and try again.'))

  test('[OPEN-020] who was too quick learns when to try again, once', () => {
    assert.equal(refusal(failed(429, '', 900), FAILED), 'Too many attempts. Try again in 15 minutes.')
    assert.equal(refusal(failed(429, '', 61), FAILED), 'Too many attempts. Try again in 2 minutes.')
    assert.equal(refusal(failed(429, '', 7200), FAILED), 'Too many attempts. Try again in 2 hours.')
    assert.equal(refusal(failed(429), FAILED), 'Too many attempts. Try again in a minute.')
    assert.equal(refusal(failed(429, 'Slow down.', 120), FAILED), 'Slow down. Try again in 2 minutes.')
    const told = 'Too many attempts. Try again in 3 minutes.'
    assert.equal(refusal(failed(429, told, 170), FAILED), told)
  })

  const arriving = (query: string) => noticeOf(new URLSearchParams(query))
  test('[OPEN-005] [OPEN-019] links that lead to the page have something to say', () => {
    assert.deepEqual(arriving('verified=1'), { kind: 'success', text: 'Email verified. You can log in now.' })
    const said = (query: string) => {
      const notice = arriving(query)
      assert.equal(notice?.kind, 'error')
      return notice?.text
    }
    assert.equal(said('error=verify_link'), 'This link is not valid any more. Log in to get a new one.')
    const later = 'The email could not be verified right now. Open the link again in a minute.'
    assert.equal(said('error=verify_later'), later)
    assert.equal(said('error=provider_unavailable&provider=google'), 'Google sign-in is not available right now.')
    assert.equal(said('error=provider_unavailable&provider=github'), 'GitHub sign-in is not available right now.')
    assert.equal(said('error=provider_failed&provider=github'), 'GitHub sign-in did not work. Please try again.')
    const unverified = 'Verify your email address at Google first, then try again.'
    assert.equal(said('error=provider_email&provider=google'), unverified)
  })
  test('what an address says is never repeated', () => {
    for (const query of ['error=%3Cb%3E', 'error=x&provider=y', 'error=provider_failed&provider=constructor']) {
      assert.match(arriving(query)?.text ?? '', /^(?:Something went wrong\.|Social sign-in did not work\. .*)$/)
    }
    for (const query of ['', 'verified=0', 'mode=reset', 'token=x']) assert.equal(arriving(query), undefined)
  })
})

describe('what the parts of the account read', () => {
  test('lists, with what is missing empty', () => {
    assert.deepEqual(readKeys({ keys: [{ id: 7, name: 'n', last_used_at: null, scopes: ['light'] }] }), [
      { id: '7', name: 'n', last_four: '', scopes: ['light'], created_at: '', expires_at: '', last_used_at: '' },
    ])
    assert.deepEqual(readSessions({ sessions: [{ id: 's', current: 'yes' }] }), [
      { id: 's', client: '', created_at: '', last_used_at: '', current: false },
    ])
    assert.deepEqual(readUsage({ days: [{ day: '2026-11-22', requests: 3 }] }), [
      { day: '2026-11-22', requests: 3, failures: 0 },
    ])
    assert.deepEqual(readProviders({ providers: ['google'] }), ['google'])
    assert.equal(readNewKey({ key: 'k' }), 'k')
  })
  test('anything else is not read', () => {
    for (const body of [undefined, null, 'x', 1, [], {}, { keys: {} }, { keys: 'x' }, { sessions: 1, days: null }]) {
      assert.equal(readKeys(body), undefined)
      assert.equal(readSessions(body), undefined)
      assert.equal(readUsage(body), undefined)
      assert.deepEqual(readProviders(body), [])
      assert.equal(readNewKey(body), undefined)
    }
  })
  test('[AUT-042] a pair is two texts in a success', () => {
    const pair = { access: 'a', refresh: 'r' }
    assert.deepEqual(pairIn(answerOf(200, pair)), pair)
    for (const body of [{ access: 'a' }, { refresh: 'r' }, { access: 1, refresh: 'r' }, { access: '', refresh: 'r' }])
      assert.equal(pairIn(answerOf(200, body)), undefined)
    assert.equal(pairIn(answerOf(401, pair)), undefined)
  })
})
