import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formFields, Problem, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { actions, catalogue, toolsOf } from './catalogue.ts'

for (const [row, category] of [
  ['[GEN-020]', 'dns-tools'],
  ['[GEN-021]', 'network-tools'],
] as const) {
  test(`${row} ${category}: id, name, path, description, placeholder and check of what is looked up`, async () => {
    for (const { id, title, path, summary, actions } of toolsOf(category)) {
      assert.ok(id && title && path && summary, id)
      const [action, ...others] = actions
      const [asked] = formFields(action?.fields ?? {})
      assert.ok(action?.show && asked?.placeholder, id)
      assert.equal(others.length, 0)
      // A checked value is refused by its field before the network is asked, which here knows nothing at all.
      await assert.rejects(
        performed(action, { [asked.name]: 'x y' }, replay()),
        (error: unknown) => error instanceof Problem && error.code === 'invalid-input' && error.field === asked.name,
        id,
      )
    }
  })
}

test('[CRY-023] id, title, description and fields; what is typed first has a placeholder', () => {
  for (const { tool, action } of actions.filter(({ tool }) => tool.runs === 'anywhere')) {
    assert.ok(tool.id && action.title && action.summary, action.path)
    const [first] = formFields(action.fields)
    const isTyped = first && /^text/.test(first.type) && !first.secret
    if (isTyped) assert.ok(first.placeholder, `${action.path} ${first.name}`)
  }
})

test('[CRY-024] a field has name, label, type, optional flag, options, default, and what it depends on', () => {
  const fields = formFields(catalogue.find(({ id }) => id === 'ssh-key-generator')?.actions[0]?.fields ?? {})
  assert.partialDeepStrictEqual(fields, [
    { name: 'keyType', label: 'Key type', type: 'select', options: ['RSA', 'ECDSA', 'ED25519'], default: 'RSA' },
    { name: 'keySize', type: 'select', default: '2048', dependsOn: { field: 'keyType', values: ['RSA'] } },
    { name: 'curve', type: 'select', dependsOn: { field: 'keyType', values: ['ECDSA'] } },
    { name: 'comment', label: 'Comment', type: 'text', optional: true },
    { name: 'passphrase', label: 'Passphrase', type: 'password', optional: true },
  ])
})

test('[OPEN-079] names of fields are in snake case, but for the four that are fixed otherwise', () => {
  const names = new Set(actions.flatMap(({ action }) => Object.keys(action.fields)))
  const others = [...names].filter(name => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))
  assert.deepEqual(others.sort(), ['keySize', 'keyType', 'privateKey', 'publicKey'])
})
