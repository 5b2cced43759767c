import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { replay } from '@assay/kit/replay'
import { createRemembered } from './remembered.ts'
import { trial } from './trial.ts'

const outcome = (result: string) => ({ input: {}, result })

test('[OPEN-042] an outcome is found while it is fresh enough for who asks, and the newest counts', () => {
  let at = 0
  const remembered = createRemembered(10, () => new Date(at))
  remembered.keep('a', outcome('old'))
  at = 1_000
  assert.equal(remembered.find('a', 1_000)?.result, 'old')
  assert.equal(remembered.find('a', 999), undefined)
  assert.equal(remembered.find('b', 1_000), undefined)
  remembered.keep('a', outcome('new'))
  assert.equal(remembered.find('a', 0)?.result, 'new')
})

test('the oldest are forgotten beyond the bound', () => {
  const remembered = createRemembered(2, () => new Date(0))
  for (const key of ['a', 'b', 'a', 'c']) remembered.keep(key, outcome(key))
  assert.equal(remembered.find('b', 1), undefined)
  assert.equal(remembered.find('a', 1)?.result, 'a')
  assert.equal(remembered.find('c', 1)?.result, 'c')
})

test('[OPEN-042] a plain address answers with the last result, where the fresh one asks again', async t => {
  const zone =
    'com. 60 SOA a.test. b.test. 1 2 3 4 60\ncom. 60 NS a.test.\na.test. 60 A 192.0.2.1\nexampl.com. 60 NS a.test.'
  let jobs = 0
  const app = await trial(t, {
    catalogue: true,
    limits: { scanSharedMs: 1 },
    createJob: (_, signal) => {
      jobs++
      return { context: replay({ zone }, signal), dispose() {} }
    },
  })
  const get = async (path: string) =>
    (await app.inject({ method: 'GET', url: `/api/check-typosquatting/${path}/` })).json()
  const first = await get('example.com')
  assert.deepEqual(first.detected_domains, ['exampl.com'])
  assert.equal(jobs, 1)
  await setTimeout(5)
  assert.deepEqual(await get('example.com'), first)
  assert.equal(jobs, 1)
  assert.deepEqual(await get('example.com/refresh'), first)
  assert.equal(jobs, 2)
})
