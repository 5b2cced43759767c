import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type AccountTrial, accountTrial } from '../../test/account-trial.ts'
import { onBothStores } from '../../test/both-stores.ts'
import { defaultLimits } from '../limits.ts'

const limits = {
  accountMailsPerQuarterHour: 1e6,
  accountCallsPerMinute: 1e6,
  loginsPerQuarterHour: 1e6,
  clientLoginsPerQuarterHour: 1e6,
  guessesPerHour: 1e6,
  queuedPasswords: 1_000,
}
const PEOPLE = 300
/** Those that hash share one thread; the others wait for their time anyway. */
const AT_ONCE: Readonly<Record<string, number>> = { '/auth/login/': 1, '/auth/register/': 4 }
const MORE_AT_ONCE = 16
const GAP_MS = 5
/** Where others keep the machine busy the medians of equals differ by so much, and more than by that. */
const GAP_SHARE = 0.05
const known = (i: number) => `known${i}@example.org`
const unknown = (i: number) => `other${i}@example.org`

/** Every kind of account there is: verified, not verified, with two passwords, and one that came by a provider. */
async function populate({ store }: AccountTrial): Promise<void> {
  const hash = '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
  await store.use(db =>
    db
      .insertInto('account')
      .values(
        Array.from({ length: PEOPLE }, (_, i) => ({
          id: `id${i}`,
          email: known(i),
          password_hash: i % 4 < 2 ? hash : null,
          verified_at: i % 2 ? 1 : null,
          created_at: 1,
          link_sent_at: 1,
        })),
      )
      .execute(),
  )
}

interface Sample {
  ms: number
  /** All that could tell, but for what is another at every request. */
  answer: string
}

async function sample(trial: AccountTrial, url: string, email: string): Promise<Sample> {
  const needsPassword = url === '/auth/login/' || url === '/auth/register/'
  const start = performance.now()
  const { statusCode, headers, body } = await trial.post(url, { email, ...(needsPassword && { password: 'a guess' }) })
  const ms = performance.now() - start
  const { date: _, 'x-request-id': __, ...rest } = headers
  return { ms, answer: JSON.stringify([statusCode, rest, body]) }
}

/** Known and unknown by turns, so that whatever disturbs the machine disturbs both. */
async function compare(trial: AccountTrial, url: string): Promise<{ known: Sample[]; unknown: Sample[] }> {
  const samples: { known: Sample[]; unknown: Sample[] } = { known: [], unknown: [] }
  const width = AT_ONCE[url] ?? MORE_AT_ONCE
  let next = 0
  const worker = async () => {
    while (next < PEOPLE) {
      const i = next++
      const ask = [
        async () => samples.known.push(await sample(trial, url, known(i))),
        async () => samples.unknown.push(await sample(trial, url, unknown(i))),
      ]
      for (const one of i % 2 ? ask : ask.toReversed()) await one()
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return samples
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Two-sided p of the Mann-Whitney U test by its normal approximation, good from twenty values on. */
function mannWhitney(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map(value => ({ value, first: 1 })), ...other.map(value => ({ value, first: 0 }))]
  all.sort((a, b) => a.value - b.value)
  const rankSum = all.reduce((sum, { first }, index) => sum + first * (index + 1), 0)
  const [n, m] = [one.length, other.length]
  const u = rankSum - (n * (n + 1)) / 2
  const z = Math.abs(u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  // Abramowitz and Stegun 26.2.17.
  const k = 1 / (1 + 0.2316419 * z)
  const poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
  return Math.min(1, (2 * poly * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI))
}

/** Whether the times tell nothing; on a machine that does other things, chance may have it once. */
async function tellsNothing(t: TestContext, trial: AccountTrial, url: string): Promise<boolean> {
  const { known, unknown } = await compare(trial, url)
  assert.deepEqual([...new Set([...known, ...unknown].map(({ answer }) => answer))].length, 1, url)
  const [one, other] = [known.map(({ ms }) => ms), unknown.map(({ ms }) => ms)]
  const p = mannWhitney(one, other)
  const gap = Math.abs(median(one) - median(other))
  t.diagnostic(`${url} p = ${p.toFixed(3)}, medians ${median(one).toFixed(2)} and ${median(other).toFixed(2)} ms`)
  return p > 0.05 && gap < Math.max(GAP_MS, GAP_SHARE * median(other))
}

test('the test of Mann and Whitney tells a difference from none', () => {
  const values = Array.from({ length: 300 }, (_, i) => (i * 7919) % 1000)
  assert.ok(mannWhitney(values, values.toReversed()) > 0.9)
  assert.ok(
    mannWhitney(
      values,
      values.map(value => value + 100),
    ) < 0.001,
  )
})

onBothStores('U1', newPlace => {
  for (const url of ['/auth/login/', '/auth/register/', '/auth/password-change/', '/auth/verify-email/'])
    test(`U1: 300 known and 300 unknown addresses at ${url}: the same answers in the same time`, async t => {
      const attempt = async () => {
        const { evenAnswerMs } = defaultLimits
        const trial = await accountTrial(t, { ...(await newPlace()), limits: { ...limits, evenAnswerMs } })
        await populate(trial)
        return tellsNothing(t, trial, url)
      }
      // Five of a hundred comparisons of equals fall below 0.05, so one may be repeated, with other accounts.
      assert.ok((await attempt()) || (await attempt()))
    })
})
