import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { fromBase64, toLatin1 } from '@assay/lib/bytes'
import { morse } from './morse.ts'

async function run(name: 'encode' | 'decode', input: Record<string, unknown>) {
  const action = morse.actions.find(action => action.name === name) ?? assert.fail()
  const { result, input: read } = await performed(action, input, replay())
  const { code, text, timings_ms, duration_seconds } = result as Record<string, unknown>
  return { code, text, timings_ms, duration_seconds, panels: action.show?.(result, read) ?? [] }
}

test('[CTL-046] ITU-R M.1677-1 §1: there and back', async () => {
  const { code } = await run('encode', { text: 'Hello, world' })
  assert.equal(code, '.... . .-.. .-.. --- --..-- / .-- --- .-. .-.. -..')
  assert.equal((await run('decode', { text: code })).text, 'HELLO, WORLD')
})

test('the result carries its timings and a sound to save', async () => {
  const { timings_ms, duration_seconds, panels } = await run('encode', { text: 'E T', wpm: 12 })
  assert.deepEqual(timings_ms, [100, 700, 300])
  assert.equal(duration_seconds, 1.1)
  const file = panels.find(panel => panel.kind === 'file') ?? assert.fail()
  assert.deepEqual([file.name, file.mediaType], ['morse.wav', 'audio/wav'])
  assert.equal(toLatin1(fromBase64(file.base64).subarray(0, 4)), 'RIFF')
})

test('a sound of more than five minutes is not made, and that is said', async () => {
  const { panels } = await run('encode', { text: 'PARIS '.repeat(6), wpm: 1 })
  assert.ok(panels.every(panel => panel.kind !== 'file'))
  assert.ok(panels.some(panel => panel.kind === 'note'))
})

test('refusals name the field and the place', async () => {
  for (const [name, input, field, message] of [
    ['encode', { text: 'a & b' }, 'text', 'Text: character 3 has no Morse code.'],
    ['decode', { text: '... abc' }, 'text', 'Morse code: character 5 is no dot, no dash and no space.'],
    ['decode', { text: '.-.-.-.-.' }, 'text', 'Morse code: the signal at character 1 stands for nothing.'],
    ['encode', { text: 'a', dot: '-' }, 'dash', /^Dot and dash: expected two marks/],
    ['decode', { text: 'a', dash: '/' }, 'dash', /^Dot and dash: expected a mark without/],
    ['encode', { text: 'a', wpm: 0 }, 'wpm', /^Speed: expected a whole number from 1 to 100/],
    ['encode', { text: 'a'.repeat(10_001) }, 'text', /^Text: expected at most 10000 characters/],
  ] as const) {
    await assert.rejects(run(name, input), { name: 'Problem', code: 'invalid-input', field, message })
  }
})
