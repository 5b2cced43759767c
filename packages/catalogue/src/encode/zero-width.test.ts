import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { zeroWidth } from './zero-width.ts'

async function run(name: 'encode' | 'decode' | 'detect', input: Record<string, unknown>) {
  const action = zeroWidth.actions.find(action => action.name === name) ?? assert.fail()
  const { result, input: read } = await performed(action, input, replay())
  return { result: result as Record<string, unknown>, panels: action.show?.(result, read) ?? [] }
}

test('[CTL-052] a message goes into a text and comes out of it by every method', async () => {
  for (const method of ['zero-width bits', 'variation selectors', 'tag characters']) {
    const { result } = await run('encode', { text: 'Nothing to see here', message: 'meet me at noon', method })
    assert.notEqual(result.encoded, 'Nothing to see here')
    const back = await run('decode', { text: result.encoded })
    assert.deepEqual(
      [back.result.message, back.result.cover, back.result.method],
      ['meet me at noon', 'Nothing to see here', method],
    )
    const { result: found } = await run('detect', { text: result.encoded })
    assert.equal(found.suspicious, result.hidden_characters)
    assert.equal(found.cleaned, 'Nothing to see here')
  }
})

test('the verdict is told by colour and word', async () => {
  for (const [text, tone, badge] of [
    ['plain', 'good', 'CLEAN'],
    ['❤\ufe0f', 'good', 'EXPECTED'],
    ['a\u200bb', 'warn', 'HIDDEN'],
    ['a\u202eb', 'bad', 'BIDI'],
  ]) {
    const [banner] = (await run('detect', { text })).panels
    assert.ok(banner?.kind === 'banner' && banner.tone === tone && banner.badge === badge, text)
  }
})

test('refusals name the field', async () => {
  for (const [name, input, field, message] of [
    ['encode', { text: 'a\u200b', message: 'x' }, 'text', /^Text: character 2 is one of those that would carry/],
    ['encode', { message: 'é', method: 'tag characters' }, 'message', /^Message: byte 1 is not ASCII/],
    ['decode', { text: 'plain' }, 'text', /^Text: there is no message in it/],
    ['decode', { text: '\u{e01ef}\u{e01ef}', output_format: 'UTF-8' }, 'output_format', /^Output format: the bytes/],
  ] as const) {
    await assert.rejects(run(name, input), { name: 'Problem', code: 'invalid-input', field, message })
  }
})
