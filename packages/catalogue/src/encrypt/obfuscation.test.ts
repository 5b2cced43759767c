import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { obfuscations } from '@assay/lib/codec/obfuscation'
import { obfuscation } from './obfuscation.ts'

const [action] = obfuscation.actions
async function run(input: Record<string, unknown>) {
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Record<string, string | string[] | boolean>
  return { result, panels: action.show?.(result, outcome.input), terminal: action.terminal?.(outcome.input, result) }
}

test('the methods on offer are those of the library', () => {
  assert.deepEqual(action?.fields.method?.options, obfuscations)
})

test('[CTL-084] ECMA-262: String.fromCharCode there and back', async () => {
  const { result } = await run({ input_text: 'Hi 😀', method: 'JS fromCharCode' })
  assert.equal(result.output, 'String.fromCharCode(72,105,32,55357,56832)')
  const back = await run({ operation: 'deobfuscate', input_text: result.output, method: 'JS fromCharCode' })
  assert.equal(back.result.output, 'Hi 😀')
})

test('every method there and back, space at the ends included', async () => {
  const text = ' emporté, 鍵 😀\n<b>"$HOME"</b>\t'
  for (const method of obfuscations) {
    const { result, panels } = await run({ input_text: text, method })
    const back = await run({ operation: 'deobfuscate', input_text: result.output, method })
    assert.equal(back.result.output === text, method !== 'leet', method)
    assert.equal(result.lossless, method !== 'leet')
    assert.equal(
      panels?.some(panel => panel.kind === 'note' && /Leet loses/.test(panel.text)),
      method === 'leet',
    )
  }
})

test('the commands print the same', async () => {
  const text = 'it\'s 100% "é" 😀 $HOME'
  let compared = 0
  for (const method of obfuscations) {
    const made = await run({ input_text: text, method })
    const back = await run({ operation: 'deobfuscate', input_text: made.result.output, method })
    for (const { terminal } of [made, back]) {
      if (!terminal) continue
      const { stdout, stderr, status } = spawnSync('sh', ['-c', terminal.command], {
        encoding: 'utf8',
        timeout: 20_000,
      })
      assert.equal(status, 0, stderr)
      if (terminal.prints) assert.equal(stdout, terminal.prints, terminal.command)
      else if (method === 'HTML entities') assert.equal(stdout, text)
      else assert.equal(`$'${stdout.trim()}'`, made.result.output)
      compared++
    }
  }
  assert.equal(compared, 6)
})

test('a word that is more than one word is not handed to a shell', async () => {
  for (const input_text of ["$'a'; echo b", "$'a' $'b'", '$(echo b)', "$'a\\'; echo b"]) {
    const { terminal } = await run({ operation: 'deobfuscate', input_text, method: 'shell ANSI-C' })
    assert.equal(terminal, undefined, input_text)
  }
})

test('a long result is offered as a file', async () => {
  const { panels } = await run({ input_text: 'é'.repeat(100_000), method: 'JS hex escape' })
  assert.equal(panels?.[0]?.kind, 'file')
})

test('what cannot be read is a problem of the text', async () => {
  for (const [method, input_text] of [
    ['JS hex escape', '\\xzz'],
    ['JS fromCharCode', 'nothing'],
    ['base64-eval', '!!!'],
    ['PowerShell -enc', 'powershell -Command dir'],
    ['shell ANSI-C', '\\ud800'],
  ]) {
    await assert.rejects(run({ operation: 'deobfuscate', input_text, method }), {
      name: 'Problem',
      code: 'invalid-input',
      field: 'input_text',
    })
  }
  await assert.rejects(run({ input_text: '\0', method: 'shell ANSI-C' }), { field: 'input_text', message: /NUL/ })
  await assert.rejects(run({ input_text: 'a', method: 'rot13' }), { field: 'method' })
})
