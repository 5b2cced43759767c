import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { after, before, test } from 'node:test'
import { actions } from '@assay/catalogue/catalogue'
import { assay, DONE } from '@assay/cli/command'
import { optionName } from '@assay/cli/words'
import { type Action, type Example, perform, performed, type Raw, type Recording } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { connectClient } from '@assay/mcp/client'
import { type Entry, toolName } from '@assay/mcp/server'
import { createCoordination } from './coordination.ts'
import { readSettings } from './settings.ts'
import { type Trial, trial } from './trial.ts'

/** One definition, every door: each example of each action, through function, API, command line and MCP. */

const MANY = 1_000_000
const cleanups: (() => unknown)[] = []
/** What the world answers in the example at hand. */
let recording: Recording = {}
let app: Trial
let client: Awaited<ReturnType<typeof connectClient>>

before(async () => {
  const settings = readSettings({})
  const limits = {
    lightPerMinute: MANY,
    lookupsPerMinute: MANY,
    lookupsPerDay: MANY,
    scansPerMinute: MANY,
    targetPerMinute: MANY,
    scanSharedMs: 1,
  }
  app = await trial(
    { after: work => cleanups.push(work as () => unknown) },
    {
      catalogue: true,
      limits,
      // By a clock that goes on, while that of the tools stands still.
      coordination: createCoordination({ settings: { ...settings, limits: { ...settings.limits, ...limits } } }),
      now: () => replay(recording).now(),
      createJob: (_, signal) => ({ context: replay(recording, signal), dispose() {} }),
    },
  )
  client = await connectClient({ entries: actions, name: 'test', run: performRecorded })
})

after(async () => {
  await client.close()
  for (const work of cleanups) await work()
})

async function* performRecorded({ action }: Entry, raw: Raw, signal: AbortSignal) {
  const { result } = yield* perform(action, raw, replay(recording, signal))
  return { result }
}

const doors: Record<string, (action: Action, input: Raw) => Promise<unknown>> = {
  async api({ path }, input) {
    const { statusCode, body } = await app.inject({ method: 'POST', url: `/api/${path}/`, payload: input as object })
    assert.equal(statusCode, 200, body)
    return JSON.parse(body)
  },

  async form({ path, fields }, input) {
    const isFile = (name: string) => fields[name]?.kind === 'file'
    if (!Object.keys(fields).some(isFile)) return undefined
    const ordered = Object.entries(input).sort(([a], [b]) => Number(isFile(a)) - Number(isFile(b)))
    const parts = ordered.map(
      ([name, value]) =>
        `--door\r\nContent-Disposition: form-data; name="${name}"${isFile(name) ? '; filename="text.txt"' : ''}\r\n\r\n${value}\r\n`,
    )
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url: `/api/${path}/`,
      payload: `${parts.join('')}--door--\r\n`,
      headers: { 'content-type': 'multipart/form-data; boundary=door' },
    })
    assert.equal(statusCode, 200, body)
    return JSON.parse(body)
  },

  async cli({ path, fields }, input) {
    const options = Object.entries(input).map(([name, value]) => {
      const text = fields[name]?.kind === 'file' ? `@${name}/text.txt` : String(value).replace(/^@/, '@@')
      return `${optionName(name)}=${text}`
    })
    let out = ''
    let notes = ''
    const status = await assay([...path.split('/'), '--json', ...options], {
      screen: { columns: 80, colour: false },
      out: text => {
        out += text
      },
      note: text => {
        notes += text
      },
      save: async () => {},
      job: () => ({ context: replay(recording), dispose() {} }),
      stdin: async function* () {
        // The one value that is taken for standard input.
        yield Buffer.from('-')
      },
      file: async function* (path) {
        yield Buffer.from(String(input[dirname(path)]))
      },
    })
    assert.equal(status, DONE, notes)
    return JSON.parse(out)
  },

  async mcp({ path }, input) {
    const { content, isError } = await client.callTool({ name: toolName(path), arguments: { ...input } })
    const [text] = content as { text: string }[]
    assert.notEqual(isError, true, text?.text)
    return JSON.parse(text?.text ?? '')
  },
}

/** Whether a result holds nothing fresh: no randomness, and no clock finer than its recording. */
async function isFixed(action: Action, { input, recording = {} }: Example, result: unknown): Promise<boolean> {
  const later = new Date(replay(recording).now().getTime() + 7).toISOString()
  const again = await performed(action, input, replay({ ...recording, now: later }))
  try {
    assert.deepEqual(plain(again.result), result)
    return true
  } catch {
    return false
  }
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

for (const { action } of actions) {
  test(`[OPEN-010] [BIZ-008] ${action.path}: the same answer through every door`, { timeout: 120_000 }, async () => {
    for (const example of action.examples) {
      recording = example.recording ?? {}
      const result = plain((await performed(action, example.input, replay(recording))).result)
      const fixed = await isFixed(action, example, result)
      for (const [door, through] of Object.entries(doors)) {
        const answer = await through(action, example.input)
        if (answer === undefined) continue
        if (fixed) assert.deepEqual(answer, result, `${door}: ${example.from}`)
        else assert.partialDeepStrictEqual(answer, example.result, `${door}: ${example.from}`)
      }
    }
  })
}
