import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { homoglyph } from './homoglyph.ts'

async function run(name: 'detect' | 'generate', input: Record<string, unknown>) {
  const action = homoglyph.actions.find(action => action.name === name) ?? assert.fail()
  const { result, input: read } = await performed(action, input, replay())
  return { result: result as Record<string, unknown>, panels: action.show?.(result, read) ?? [] }
}

test('[CTL-053] what is generated is detected, and has the skeleton of the text', async () => {
  for (const scripts of ['all', 'Cyrillic', 'Greek']) {
    const { result } = await run('generate', { text: 'apache', scripts })
    const { result: found } = await run('detect', { text: result.output, compare_with: 'apache' })
    assert.deepEqual([found.confusable, found.identical, found.ascii], [true, false, 'apache'])
    assert.ok(Number(found.word_count) > 0)
  }
})

test('the verdict is told by colour and word', async () => {
  for (const [text, tone, badge] of [
    ['plain', 'good', 'CLEAN'],
    ['Привет', 'good', 'CLEAN'],
    ['ｐlain', 'warn', 'LOOK-ALIKES'],
    ['plаin', 'bad', 'CONFUSABLE'],
  ]) {
    const [banner] = (await run('detect', { text })).panels
    assert.ok(banner?.kind === 'banner' && banner.tone === tone && banner.badge === badge, text)
  }
})

test('a text without look-alikes is left as it is, and that is said', async () => {
  const { result, panels } = await run('generate', { text: '+++', scripts: 'Greek' })
  assert.deepEqual([result.output, result.replaced], ['+++', 0])
  assert.equal(panels[0]?.kind, 'note')
})

test('a text beyond the bound is refused', async () => {
  await assert.rejects(run('detect', { text: 'a'.repeat(100_001) }), { name: 'Problem', field: 'text' })
})
