import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field } from './field.ts'
import { perform, performed } from './perform.ts'
import { replay } from './replay.ts'
import { action, tool } from './tool.ts'

const head = {
  id: 'count',
  path: 'count',
  title: 'Count',
  category: 'attack-demos-and-analysis',
  summary: 'Counts.',
  keywords: ['count'],
  specs: [],
  runs: 'anywhere',
} as const

let stopped = 0
const count = tool({
  ...head,
  fields: { to: field.number('To', { min: 0, max: 1000, default: 3 }) },
  async *run({ to }) {
    try {
      for (let i = 0; i < to; i++) {
        yield { progress: i / to, label: 'counting', partial: { counted: i } }
        await new Promise(resolve => setImmediate(resolve))
      }
      return { counted: to }
    } finally {
      stopped++
    }
  },
  examples: [],
})

const [only] = count.actions
assert.ok(only)

test('updates come in order and the result last', async () => {
  const seen: unknown[] = []
  const updates = perform(only, { to: 2 }, replay())
  for (;;) {
    const { done, value } = await updates.next()
    seen.push(value)
    if (done) break
  }
  assert.deepEqual(seen, [
    { progress: 0, label: 'counting', partial: { counted: 0 } },
    { progress: 0.5, label: 'counting', partial: { counted: 1 } },
    { input: { to: 2 }, result: { counted: 2 } },
  ])
})

test('a cancelled run ends and cleans up', async () => {
  const before = stopped
  const cancel = new AbortController()
  const running = performed(only, { to: 1000 }, replay({}, cancel.signal))
  setImmediate(() => cancel.abort())
  await assert.rejects(running, { name: 'AbortError' })
  assert.equal(stopped, before + 1)
})

test('a caller that turns away ends the run', async () => {
  const before = stopped
  for await (const _ of perform(only, { to: 1000 }, replay())) break
  assert.equal(stopped, before + 1)
})

test('two-way tools become actions with addresses and titles of their own', () => {
  const part = action({ fields: { text: field.text('Text') }, run: ({ text }) => ({ text }), examples: [] })
  const { actions } = tool({ ...head, actions: { encode: part, decode: part } })
  assert.deepEqual(
    actions.map(({ name, path, title }) => [name, path, title]),
    [
      ['encode', 'count/encode', 'Count Encode'],
      ['decode', 'count/decode', 'Count Decode'],
    ],
  )
})
