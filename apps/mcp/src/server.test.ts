import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { actions } from '@assay/catalogue/catalogue'
import { field, type Panel, Problem, panel, perform, type Tool, tool } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { connectClient } from './client.ts'
import { type Entry, toolName } from './server.ts'

const head = (id: string) => ({
  id,
  path: `${id}/do`,
  title: id,
  category: 'attack-demos-and-analysis' as const,
  summary: 'A tool for tests.',
  keywords: [],
  specs: [],
  runs: 'anywhere' as const,
  examples: [],
})

const steps = tool({
  ...head('steps'),
  fields: { count: field.number('Count', { min: 1, max: 9, default: 2 }) },
  async *run({ count }) {
    for (let step = 1; step <= count; step++)
      yield { label: `step ${step}`, ...(step > 1 && { progress: step / count }) }
    return { count }
  },
})
const failing = tool({
  ...head('failing'),
  fields: { bug: field.flag('Bug') },
  run: ({ bug }): object => {
    if (bug) throw new Error('kanarienvogel')
    throw new Problem('not-found', 'No DNS records found', { field: 'bug', detail: 'More on it.' })
  },
})
const picture = tool({
  ...head('picture'),
  fields: {},
  show: () => [panel.section('All', [panel.image({ source: 'data:image/png;base64,aGk=', alt: '', name: 'a.png' })])],
  run: () => ['a list'],
})
const entriesOf = (tools: readonly Tool[]) => tools.flatMap(tool => tool.actions.map(action => ({ tool, action })))

async function* run({ action }: Entry, raw: Readonly<Record<string, unknown>>, signal: AbortSignal) {
  const { input, result } = yield* perform(action, raw, replay({}, signal))
  return { result, panels: action.show?.(result, input) ?? ([] as Panel[]) }
}

async function connected(t: TestContext, entries: readonly Entry[]) {
  const bugs: unknown[] = []
  const client = await connectClient({ entries, name: 'test', run, onBug: error => bugs.push(error) })
  t.after(() => client.close())
  return { client, bugs }
}

test('every action is a tool with a name of its own and the schema of its fields', async t => {
  const { client } = await connected(t, actions)
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    actions.map(({ action }) => toolName(action.path)),
  )
  assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length)
  for (const [index, { name, description, inputSchema }] of tools.entries()) {
    assert.match(name, /^[A-Za-z0-9_]{1,64}$/)
    assert.ok(description)
    for (const field of Object.keys(actions[index]?.action.fields ?? {}))
      assert.ok(inputSchema.properties?.[field], name)
  }
})

test('a result comes as text and as structure', async t => {
  const { client } = await connected(t, entriesOf([steps]))
  const result = await client.callTool({ name: 'steps_do', arguments: {} })
  assert.deepEqual(result.structuredContent, { count: 2 })
  assert.deepEqual(result.content, [{ type: 'text', text: '{\n  "count": 2\n}' }])
  assert.notEqual(result.isError, true)
})

test('a list has no structure of its own, a picture comes as one', async t => {
  const { client } = await connected(t, entriesOf([picture]))
  const result = await client.callTool({ name: 'picture_do', arguments: {} })
  assert.equal(result.structuredContent, undefined)
  assert.deepEqual(result.content, [
    { type: 'text', text: '[\n  "a list"\n]' },
    { type: 'image', mimeType: 'image/png', data: 'aGk=' },
  ])
})

test('progress goes forward only, and only when asked for', async t => {
  const { client } = await connected(t, entriesOf([steps]))
  const seen: { progress: number; message?: string | undefined }[] = []
  await client.callTool({ name: 'steps_do', arguments: { count: 3 } }, undefined, {
    onprogress: update => seen.push(update),
  })
  assert.deepEqual(
    seen.map(({ message }) => message),
    ['step 1', 'step 2', 'step 3'],
  )
  for (const [index, { progress }] of seen.entries()) assert.ok(progress > (seen[index - 1]?.progress ?? 0))
})

test('problems are results that say what to do; faults say nothing of themselves', async t => {
  const { client, bugs } = await connected(t, entriesOf([failing]))
  const problem = await client.callTool({ name: 'failing_do', arguments: {} })
  assert.equal(problem.isError, true)
  assert.deepEqual(problem.content, [{ type: 'text', text: 'No DNS records found\nMore on it.\nField: bug' }])
  const unknown = await client.callTool({ name: 'failing_do', arguments: { bog: 1 } })
  assert.equal(unknown.isError, true)
  await assert.rejects(client.callTool({ name: 'failing_do', arguments: { bug: 'yes' } }), error => {
    assert.doesNotMatch(String(error), /kanarienvogel/)
    return true
  })
  assert.equal(bugs.length, 1)
  await assert.rejects(client.callTool({ name: 'nothing', arguments: {} }), /no tool of this name/)
})
