import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem, perform, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { brainfuck } from './brainfuck.ts'

const [action] = brainfuck.actions
assert.ok(action)

interface Result {
  output: string
  output_format: string
  ended?: boolean
  stopped_by?: string
  position?: number
  steps?: number
  commands: number
  memory?: { cell: number; value: number }[]
}
async function run(raw: Record<string, unknown>) {
  const { result, input } = await performed(action ?? assert.fail(), raw, replay())
  return { ...(result as Result), panels: action?.show?.(result, input) ?? [] }
}

test('[CTL-128] mode is encode or decode, and each undoes the other in both languages', async () => {
  assert.deepEqual(action.fields.mode?.options, ['encode', 'decode'])
  assert.equal(action.fields.mode?.default, 'decode')
  for (const dialect of ['Brainfuck', 'Ook!']) {
    for (const text of ['', 'Hello, World!', 'é漢😀', ' \n\t~']) {
      const { output: program } = await run({ text, mode: 'encode', dialect })
      const { output, ended } = await run({ text: program, dialect })
      assert.deepEqual([output, ended], [text, true])
    }
  }
})

test('input as text and as bytes, and what comes after it', async () => {
  assert.equal((await run({ text: ',[.,]', input_text: 'cat é' })).output, 'cat é')
  const bytes = await run({ text: ',.,.', input_text: 'ff00', input_format: 'Hex' })
  assert.deepEqual([bytes.output, bytes.output_format], ['ff00', 'Hex'])
  assert.equal((await run({ text: ',.', end_of_input: '255' })).output, 'ff')
  assert.equal((await run({ text: '++++++++[>++++++++<-]>+,.', end_of_input: 'unchanged' })).output, 'A')
})

test('what stops a program is a finding, with what it printed until then', async () => {
  const { ended, stopped_by, position, panels } = await run({ text: '+[]', max_steps: 5000 })
  assert.deepEqual([ended, stopped_by, position], [false, 'steps', 3])
  assert.equal(panels[0]?.kind === 'banner' && panels[0].tone, 'warn')
  assert.equal((await run({ text: '++++++++[>++++++++<-]>+.<<-' })).output, 'A')
  assert.equal((await run({ text: '++++++++[>++++++++<-]>+.<<-' })).stopped_by, 'left')
  assert.equal((await run({ text: '+[>+]' })).stopped_by, 'right')
  const { output, stopped_by: full } = await run({ text: '+[.]' })
  assert.deepEqual([output.length, full], [1_048_576, 'output'])
})

test('progress is told with the steps, and cancelling is heard at once', async () => {
  const stop = new AbortController()
  const updates = perform(
    action,
    { text: '+[>+>-<<]', max_steps: 10_000_000_000 },
    { ...replay({}, stop.signal), now: () => new Date() },
  )
  let aborted = 0
  await assert.rejects(async () => {
    for await (const { label, progress } of updates) {
      assert.match(String(label), /^[\d,]+ steps, 0 bytes printed$/)
      assert.ok(Number(progress) < 1)
      if (!aborted && Number(progress) > 0) {
        aborted = performance.now()
        stop.abort()
      }
    }
  })
  assert.ok(performance.now() - aborted < 1000)
})

test('partial output is shown while the program runs', async () => {
  const partials: string[] = []
  const context = { ...replay(), now: () => new Date() }
  for await (const { partial } of perform(action, { text: '++++++++[>++++++++<-]>+[.]' }, context)) {
    if (partial) partials.push((partial as Result).output)
  }
  assert.ok(partials.length > 2)
  assert.ok(partials.every(output => /^A+$/.test(output)))
})

test('what is no program, and values out of bounds, are refused at their field', async () => {
  for (const [raw, field, message] of [
    [{ text: '+]' }, 'text', /character 2 has no opening/],
    [{ text: '[' }, 'text', /character 1 is never closed/],
    [{ text: 'Ook? Ook?', dialect: 'Ook!' }, 'text', /no command of Ook!/],
    [{ text: 'a'.repeat(65_537), mode: 'encode' }, 'text', /at most 65536 bytes/],
    [{ text: '+', mode: 'run' }, 'mode', /one of encode, decode/],
    [{ text: '+', dialect: 'Blub' }, 'dialect', /one of/],
    [{ text: '+', max_steps: 0 }, 'max_steps', /from 1/],
    [{ text: '+', max_steps: 10_000_000_001 }, 'max_steps', /to 10000000000/],
    [{ text: ',', input_text: 'x', input_format: 'Hex' }, 'input_text', /hexadecimal/],
  ] as const) {
    await assert.rejects(run(raw), { name: 'Problem', field, message }, JSON.stringify(raw).slice(0, 80))
  }
})

test('whatever is typed as a program or its input gives a result or a problem that names a field', async () => {
  const hostile = [
    '',
    '\0',
    'é',
    '漢字',
    '[]',
    '[[[',
    ']',
    '😀'.repeat(50),
    '<',
    '-1',
    '9'.repeat(400),
    '[-]'.repeat(3000),
  ]
  for (const value of hostile) {
    for (const name of ['text', 'input_text', 'max_steps', 'end_of_input']) {
      for (const dialect of ['Brainfuck', 'Ook!']) {
        try {
          await run({ text: ',[.,]', max_steps: 100_000, dialect, [name]: value })
        } catch (error) {
          assert.ok(error instanceof Problem && error.field, String(error))
        }
      }
    }
  }
})

test('cost follows the steps', () => {
  const { cost } = action
  assert.ok(cost !== 'light')
  assert.ok(cost({ mode: 'decode', max_steps: 1000 }).milliseconds < 25)
  assert.ok(cost({ mode: 'decode', max_steps: 1e9 }).milliseconds > 5000)
  assert.ok(cost({ mode: 'encode', max_steps: 1e9 }).milliseconds < 40)
})
