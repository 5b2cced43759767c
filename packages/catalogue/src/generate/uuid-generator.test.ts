import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { uuidGenerator } from './uuid-generator.ts'

const [action] = uuidGenerator.actions
async function run(input: Record<string, unknown>): Promise<string[]> {
  assert.ok(action)
  const outcome = await performed(action, input, replay({ now: '2022-02-22T19:22:22Z' }))
  return (outcome.result as { uuids: string[] }).uuids
}

test('[CTL-078] the form is right and no two runs give the same', async () => {
  const [first, second] = [await run({}), await run({})]
  for (const uuids of [first, second]) {
    assert.match(uuids.join(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
  assert.notDeepEqual(first, second)
})

test('RFC 9562 Appendix A: the moment stands in versions 1, 6 and 7', async () => {
  assert.match((await run({ version: 'v1' })).join(), /^c232ab00-9414-11ec-[89ab]/)
  assert.match((await run({ version: 'v6' })).join(), /^1ec9414c-232a-6b00-[89ab]/)
  assert.match((await run({ version: 'v7' })).join(), /^017f22e2-79b0-7[0-7][0-9a-f]{2}-[89ab]/)
})

test('a thousand of a version are all different, and sort as made where the version promises it', async () => {
  for (const version of ['v1', 'v4', 'v6', 'v7']) {
    const uuids = await run({ version, count: 1000 })
    assert.equal(new Set(uuids).size, 1000)
    assert.ok(uuids.every(uuid => uuid.charAt(14) === version.charAt(1)))
    if (version === 'v6' || version === 'v7') assert.deepEqual(uuids, uuids.toSorted())
  }
})

test('RFC 9562 §5.9, §5.10: nil and max', async () => {
  assert.deepEqual(await run({ version: 'nil' }), ['00000000-0000-0000-0000-000000000000'])
  assert.deepEqual(await run({ version: 'max' }), ['ffffffff-ffff-ffff-ffff-ffffffffffff'])
})

test('a namespace that is none, and too many at once, are refused', async () => {
  await assert.rejects(run({ version: 'v5', namespace: 'nowhere', name: 'a' }), {
    name: 'Problem',
    field: 'namespace',
    message: 'Namespace: expected DNS, URL, OID, X500 or a UUID.',
  })
  await assert.rejects(run({ count: 1001 }), { name: 'Problem', field: 'count' })
  await assert.rejects(run({ version: 'v2' }), { name: 'Problem', field: 'version' })
})
